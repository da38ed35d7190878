import type { EventType } from '../language/event-types.ts'

/**
 * Events that cause a security notice on the next page of a user: new access in the user's name, or in an
 * organization that the user administers.
 */
const rules = {
  'passkey.added': 'person',
  'key_set.created': 'admins',
  'key_set.rotated': 'admins',
  'install.approved': 'admins',
} as const satisfies Partial<Record<EventType, 'person' | 'admins'>>

export type NoticeType = keyof typeof rules

export interface NoticeRule {
  type: NoticeType
  /** The user of the event, or all admins of its organization. */
  audience: 'person' | 'admins'
}

/** null: no notice. Operators announce their own changes. */
export const noticeRuleOf = (event: {
  type: string
  actor: { kind: string }
}): NoticeRule | null => {
  if (event.actor.kind !== 'user' || !Object.hasOwn(rules, event.type)) return null
  const type = event.type as NoticeType
  return { type, audience: rules[type] }
}
