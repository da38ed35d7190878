// Which events cause a mail, and who gets it.

/** Categories that each user may switch off. */
export const mailCategories = ['requests', 'apps', 'secrets', 'operation'] as const
export type ChosenCategory = (typeof mailCategories)[number]
/** Mails of `security` and `account` are always sent. */
export type MailCategory = ChosenCategory | 'security' | 'account'

/**
 * `person`: the user of the event. `passwordless`: the same, unless the user has a password. `admins`: the admins of its organization. `owners`: the owners of its app.
 * `narrowed`: people whose access by the install the event has made smaller.
 * `installers`: the admins of each organization whose install the app has outgrown. `address`: the user with the
 * address of the event, if a password of their own lets them sign in.
 */
export type MailAudience =
  | 'person'
  | 'passwordless'
  | 'admins'
  | 'owners'
  | 'installers'
  | 'narrowed'
  | 'address'

/** Each lane has its own senders: no lane waits for another one. */
export const mailLanes = ['account', 'security', 'other'] as const
export type MailLane = (typeof mailLanes)[number]

export interface MailRule {
  audiences: readonly MailAudience[]
  category: MailCategory
  /** At most so many mails to one user, about one app and organization, within so many seconds. */
  most: number
  within: number
}

interface MailCondition {
  /** Only if another actor than the user did it. */
  byOthers?: true
  /** Only if the event's detail `changed` contains this. */
  changed?: string
  /** Only if the event's detail has this. */
  has?: string
}

const hour = 3600
const day = 24 * hour

const to = (
  audiences: readonly MailAudience[],
  category: MailCategory,
  most = 20,
  within = hour,
): MailRule => ({ audiences, category, most, within })

/** By the type of the mail, which its header `X-Latchkey-Event` contains. */
const rules = {
  'install.requested': to(['admins'], 'requests'),
  'install_request.reminded': to(['admins'], 'requests'),
  'install_request.approved': to(['person'], 'requests'),
  'install_request.refused': to(['person'], 'requests'),
  'install_request.expired': to(['person'], 'requests'),
  'install.self_installed': to(['admins'], 'requests'),
  'install.narrowed': to(['narrowed'], 'apps', 3, day),
  'app_change.approved': to(['owners'], 'requests'),
  'app_change.refused': to(['owners'], 'requests'),
  'app.asks_for_more': to(['installers'], 'apps', 3, day),
  'app.unused': to(['admins'], 'apps'),
  'secret.expiring': to(['admins', 'owners'], 'secrets'),
  'webhook.disabled': to(['owners'], 'operation', 3, day),
  'webhook.given_up': to(['owners'], 'operation', 1, day),
  'app.refusals_rose': to(['owners'], 'operation', 1, day),
  'grant.reuse_detected': to(['admins'], 'security', 5),
  'consent.granted': to(['person'], 'security', 1, day),
  'connection.ended': to(['person'], 'security', 5),
  'passkey.added': to(['person'], 'security'),
  'user.password_set': to(['person'], 'security', 5),
  'user.password_changed': to(['person'], 'security', 5),
  'session.signed_in': to(['person'], 'security', 5),
  'password.requested': to(['address'], 'account', 3),
  'user.invited': to(['passwordless'], 'account', 5),
} as const satisfies Record<string, MailRule>

export type MailType = keyof typeof rules

export const mailTypes = Object.keys(rules) as MailType[]
export const isMailType = (type: string): type is MailType => Object.hasOwn(rules, type)
export const mailRuleOf = (type: MailType): MailRule => rules[type]

/** Its mail goes to the user who has the address, if any. */
export const passwordRequest: MailType = 'password.requested'

/** Mails that no event of the audit trail causes. */
export const reminderTypes = {
  unusedApp: 'app.unused',
  risingRefusals: 'app.refusals_rose',
} as const satisfies Record<string, MailType>

/** The mails that an event of the audit trail causes, where type or condition differ from the event's. */
const causes = new Map<string, MailCondition & { type?: MailType }>([
  ['app.changed', { type: 'app.asks_for_more', changed: 'permissions' }],
  ['app_review.approved', { type: 'app_change.approved' }],
  ['app_review.refused', { type: 'app_change.refused' }],
  ['install.changed', { type: 'install.narrowed', has: 'narrowed' }],
  ['connection.ended', { byOthers: true }],
  ['install_request.approved', { byOthers: true }],
  ['install_request.refused', { byOthers: true }],
])

/** An event of the audit trail, as far as mails need it. */
export interface MailedEvent {
  type: string
  actor: { id: string | null }
  userId?: string | null
  detail?: Record<string, unknown>
}

/** The type of the mail that this event of the audit trail causes; null: none. */
export const mailTypeOf = (event: MailedEvent): MailType | null => {
  const { type = event.type, byOthers, changed, has } = causes.get(event.type) ?? {}
  if (byOthers && event.actor.id === (event.userId ?? null)) return null
  if (changed !== undefined && !(event.detail?.changed as unknown[] | undefined)?.includes(changed))
    return null
  if (has !== undefined && event.detail?.[has] === undefined) return null
  return isMailType(type) ? type : null
}

/** Members of an event's detail that a mail shows. Never an address of another user, never a secret. */
export const mailDetail = [
  'session_id',
  'permissions',
  'expires_at',
  'kind',
  'reason',
  'secret',
  'days',
  'narrowed',
  'note',
]
