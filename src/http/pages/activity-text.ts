/** Every word of the activity page in English. */
import { type Phrase, phrase } from './view-models.ts'

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' })
const shortDay = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'UTC' })
const number = new Intl.NumberFormat('en-GB')
const relative = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' })

const count = (amount: number, one: string, many: string) =>
  `${number.format(amount)} ${amount === 1 ? one : many}`

/** What a sentence may name. */
export interface EventNames {
  app: string
  person: string
  workspace: string
  /** In words. */
  reason: string
}

/** What somebody did; who did it stands before it. */
const events: Record<string, (of: EventNames) => Phrase> = {
  'install.approved': ({ app }) => phrase`installed ${app}`,
  'install.changed': ({ app }) => phrase`changed what ${app} may do`,
  'install.permissions_declined': ({ app }) => phrase`did not approve all that ${app} asks for`,
  'install.suspended': ({ app }) => phrase`suspended ${app}`,
  'install.resumed': ({ app }) => phrase`let ${app} work again`,
  'install.ended': ({ app }) => phrase`uninstalled ${app}`,
  'install.requested': ({ app }) => phrase`asked the admins for ${app}`,
  'install_request.approved': ({ app, person }) => phrase`approved ${app}, as ${person} had asked`,
  'install_request.refused': ({ app, person }) => phrase`refused ${app}, for which ${person} asked`,

  'consent.granted': ({ app, person }) => phrase`allowed ${app} to act for ${person}`,
  'connection.ended': ({ app, person }) => phrase`ended what ${app} may do for ${person}`,
  'grant.revoked': ({ app }) => phrase`gave back an authorization of ${app}`,
  'access_token.revoked': ({ app }) => phrase`gave back an access token of ${app}`,
  'grant.reuse_detected': ({ app, person }) => {
    return phrase`ended what ${app} may do for ${person}, because a code or refresh token came a second time`
  },
  'token.refused': ({ reason }) => [`was refused a token: ${reason}`],

  'key_set.created': ({ app }) => phrase`made the key set ${app}`,
  'key_set.changed': ({ app }) => phrase`changed the key set ${app}`,
  'key_set.rotated': ({ app }) => phrase`made a new secret for the key set ${app}`,
  'key_set.secret_retired': ({ app }) => phrase`retired a secret of the key set ${app}`,
  'key_set.deleted': ({ app }) => phrase`deleted the key set ${app}`,

  'member.added': ({ person }) => phrase`added ${person}`,
  'member.changed': ({ person }) => phrase`changed the role of ${person}`,
  'member.removed': ({ person }) => phrase`removed ${person}`,
  'workspace_member.added': ({ person, workspace }) => phrase`let ${person} into ${workspace}`,
  'workspace_member.removed': ({ person, workspace }) => phrase`took ${person} out of ${workspace}`,

  'organization.created': () => ['created the organization'],
  'organization.changed': () => ['changed the organization'],
  'organization.deleted': () => ['deleted the organization'],
  'workspace.created': ({ workspace }) => phrase`created the workspace ${workspace}`,
  'workspace.changed': ({ workspace }) => phrase`changed the workspace ${workspace}`,
  'workspace.deleted': ({ workspace }) => phrase`deleted the workspace ${workspace}`,

  'app.created': ({ app }) => phrase`registered ${app}`,
  'app.changed': ({ app }) => phrase`changed the registration of ${app}`,
  'app.disabled': ({ app }) => phrase`switched ${app} off`,
  'app.enabled': ({ app }) => phrase`switched ${app} on again`,
  'app.deleted': ({ app }) => phrase`deleted the registration of ${app}`,
  'app_secret.created': ({ app }) => phrase`made a new secret for ${app}`,
  'app_secret.deleted': ({ app }) => phrase`deleted a secret of ${app}`,

  'webhook.created': ({ app }) => phrase`set up a webhook for ${app}`,
  'webhook.changed': ({ app }) => phrase`changed a webhook of ${app}`,
  'webhook.rotated': ({ app }) => phrase`made a new secret for a webhook of ${app}`,
  'webhook.tested': ({ app }) => phrase`tested a webhook of ${app}`,
  'webhook.disabled': ({ app }) => phrase`switched a webhook of ${app} off`,
  'webhook.enabled': ({ app }) => phrase`switched a webhook of ${app} on again`,
  'webhook.deleted': ({ app }) => phrase`deleted a webhook of ${app}`,
  'webhook.given_up': ({ app }) => phrase`gave up telling ${app} what had happened here`,

  'user.created': ({ person }) => phrase`made the account of ${person}`,
  'user.changed': ({ person }) => phrase`changed the account of ${person}`,
  'user.disabled': ({ person }) => phrase`switched the account of ${person} off`,
  'user.enabled': ({ person }) => phrase`switched the account of ${person} on again`,
  'user.password_changed': ({ person }) => phrase`changed the password of ${person}`,
  'user.deleted': ({ person }) => phrase`deleted the account of ${person}`,
  'session.signed_in': () => ['signed in'],
  'session.sign_in_failed': ({ person }) => phrase`could not sign in as ${person}`,
  'passkey.added': ({ person }) => phrase`added a passkey to the account of ${person}`,
  'passkey.renamed': ({ person }) => phrase`renamed a passkey of ${person}`,
  'passkey.removed': ({ person }) => phrase`removed a passkey of ${person}`,
  'identity.linked': ({ person }) => phrase`linked a sign-in elsewhere to the account of ${person}`,
  'identity.email_conflict': ({ person }) => {
    return phrase`signed in elsewhere with the e-mail address of ${person}, and was not let in`
  },

  'operator_token.created': () => ['made an operator token'],
  'operator_token.deleted': () => ['deleted an operator token'],
  'resource_server.created': () => ['registered a data API'],
  'resource_server.deleted': () => ['deleted a data API'],
  'signing_key.rotated': () => ['rotated the signing keys'],
}

/** Why a request for a token was refused. */
const reasons: Record<string, string> = {
  app_disabled: 'the app was switched off by the operator',
  authorization_answered_twice: 'the request was answered before',
  challenge_missing: 'the code was asked for without a PKCE challenge',
  code_expired_or_ended: 'the code was older than a minute, or its authorization had ended',
  code_reused: 'the code had been used before',
  family_ended: 'the authorization had ended',
  grant_ended: 'the authorization had ended',
  install_suspended: 'the app is suspended here',
  malformed: 'the scope or the workspaces could not be read',
  not_installed: 'the app is not installed here',
  password_changed: 'the person has changed the password since',
  permission_not_approved: 'it asked for a permission that was not approved',
  redirect_uri_mismatch: 'the redirect URI was not the one that the code was made for',
  refresh_token_reused: 'the refresh token had been used before',
  token_unknown_or_foreign: 'the token is not known, or another app’s',
  token_unreadable: 'the token is damaged or made up',
  uninstalled: 'the app was uninstalled',
  unknown_permission: 'it asked for a permission that there is not',
  user_disabled: 'the account of the person was switched off',
  user_left: 'the person has left the organization',
  verifier_mismatch: 'the PKCE verifier did not fit the code',
  verifier_missing: 'the PKCE verifier was missing',
  workspace_not_approved: 'it asked for a workspace that was not approved',
}

const fields: Record<string, string> = {
  client_type: 'client type',
  description: 'description',
  email: 'e-mail address',
  homepage_uri: 'website',
  jwks: 'public keys',
  logo_uri: 'logo',
  name: 'name',
  permissions: 'permissions',
  redirect_uris: 'redirect URIs',
  retry_window_seconds: 'retry window',
  workspace_ids: 'workspaces',
}

export const activityText = {
  title: 'Activity',
  heading: (organization: string) => phrase`What happened in ${organization}`,
  lead: 'Who did what, and how much the apps are used. Times are in UTC.',

  events,
  unknownEvent: (type: string) => phrase`did ${type}`,
  reasons,
  unknownReason: (reason: string) => reason.replaceAll('_', ' '),
  gone: { app: (id: string) => `${id} (deleted)`, person: (id: string) => `${id} (deleted)` },
  nobody: 'somebody',
  nothing: 'something',
  actors: {
    operator: 'The operator',
    system: 'The server',
    anonymous: 'Somebody who was not signed in',
    client: 'An app',
    user: 'Somebody',
  },

  details: {
    may: (permissions: readonly string[]) => {
      return permissions.length === 0
        ? 'Without any permission of its own'
        : `May: ${permissions.join('; ')}`
    },
    allWorkspaces: 'In all workspaces, also future ones',
    workspaces: (amount: number) => `In ${count(amount, 'workspace', 'workspaces')}`,
    roles: { admin: 'As an admin', member: 'As a member' },
    changed: (names: readonly string[]) => {
      return `Changed: ${names.map((name) => fields[name] ?? name.replaceAll('_', ' ')).join(', ')}`
    },
    undelivered: (amount: number) =>
      `${count(amount, 'event', 'events')} did not arrive: the endpoint of the app did not take them for three days, or wants no more`,
    overlap: (hours: number) => {
      const words = hours === 0 ? 'less than an hour' : count(hours, 'hour', 'hours')
      return `The secret before it works for ${words} more`
    },
  },

  day: (date: Date) => day.format(date),
  shortDay: (date: Date) => shortDay.format(date),
  time: (date: Date) => time.format(date),
  number: (amount: number) => number.format(amount),
  daysAgo: (days: number) => {
    if (days < 60) return relative.format(-days, 'day')
    return days < 730
      ? relative.format(-Math.round(days / 30.4), 'month')
      : relative.format(-Math.floor(days / 365), 'year')
  },

  trail: {
    heading: 'Trail',
    from: 'from',
    reference: 'reference',
    onlyReference: 'Show this request only',
    empty: 'Nothing has happened yet.',
    nothingFound: 'Nothing matches what you chose.',
    older: 'Older',
    newer: 'Newer',
    pages: 'Pages of the trail',
  },

  filter: {
    heading: 'Choose what to see, or download it',
    group: 'What',
    anything: 'Everything',
    groups: {
      apps: 'Apps and requests for them',
      access: 'Access and tokens',
      keys: 'Key sets',
      people: 'People and roles',
      organization: 'Organization and workspaces',
    },
    client: 'App or key set',
    anyClient: 'All',
    person: 'Person',
    anyone: 'Everybody',
    from: 'First day',
    to: 'Last day',
    request: 'Reference',
    show: 'Show',
    clear: 'Show everything',
    download: 'Download as CSV',
    downloadHint: (most: number) =>
      `The download has what you chose, at most the newest ${number.format(most)} entries.`,
    faults: {
      from: 'Enter the first day as year-month-day, such as 2026-05-03.',
      to: 'Enter the last day as year-month-day, and not before the first one.',
      request: 'A reference has letters, digits, hyphens and underscores only.',
    },
  },

  charts: {
    heading: 'The last 30 days',
    table: 'The same as a table',
    tokens: {
      heading: 'Tokens issued per day',
      summary: (total: number, apps: number) =>
        `Bars for 30 days: ${count(total, 'token', 'tokens')} for ${count(apps, 'app', 'apps')}.`,
      most: (amount: number, on: string) => `Most on ${on}: ${number.format(amount)}.`,
      bar: (app: string, on: string, amount: number) => `${on}, ${app}: ${number.format(amount)}`,
      others: 'Other apps',
      day: 'Day',
      none: 'No token was issued in the last 30 days.',
    },
    refusals: {
      heading: 'Requests refused',
      lead: 'Of apps that are installed here; everything else is refused before it gets this far.',
      reason: 'Reason',
      count: 'How often',
      none: 'No request was refused in the last 30 days.',
    },
    secrets: {
      heading: 'Secrets by last use',
      lead: 'A secret that nothing uses any more is one to retire.',
      summary: (amount: number, unused: number) =>
        `${count(amount, 'secret', 'secrets')}, ${unused === 0 ? 'each of them used' : `${number.format(unused)} of them never used`}.`,
      made: 'Made',
      lastUsed: 'Last used',
      neverUsed: 'never used',
      used: (when: string) => `used ${when}`,
      name: 'Name',
      kind: 'Kind',
      hint: 'Ends in',
      kinds: { key_set: 'Key set', app: 'App' },
      axis: [
        { days: 365, label: 'a year' },
        { days: 30, label: 'a month' },
        { days: 7, label: 'a week' },
        { days: 0, label: 'today' },
      ],
      more: (amount: number) => `and ${number.format(amount)} more in the table`,
      key: 'A ring is where it was made, a dot where it was last used; of an app, in this organization.',
      none: 'There is no secret.',
    },
  },

  csv: {
    columns: [
      'time',
      'event',
      'who',
      'what',
      'details',
      'actor_kind',
      'actor_id',
      'client_id',
      'app_or_key_set',
      'user_id',
      'person',
      'address',
      'request_id',
    ],
  },
}
