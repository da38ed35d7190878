import type { EventType } from '../language/event-types.ts'

/**
 * Events that cause a security notice on the next page of a user: new access in the user's name, or in an
 * organization that the user administers. It is for the user of the event, or for all admins of its organization.
 */
const rules = {
  'passkey.added': 'person',
  'key_set.created': 'admins',
  'key_set.rotated': 'admins',
  'install.approved': 'admins',
} as const satisfies Partial<Record<EventType, 'person' | 'admins'>>

export type NoticeType = keyof typeof rules

/** null: no notice. Operators announce their own changes. */
export const noticeRuleOf = (event: { type: string; actor: { kind: string } }) => {
  if (event.actor.kind !== 'user' || !Object.hasOwn(rules, event.type)) return null
  const type = event.type as NoticeType
  return { type, audience: rules[type] }
}
