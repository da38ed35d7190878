/** What a person is told of on the page that they see next: new ways in, in their name or where they administer. */
const rules = {
  'passkey.added': 'person',
  'key_set.created': 'admins',
  'key_set.rotated': 'admins',
  'install.approved': 'admins',
} as const

export type NoticeType = keyof typeof rules

export interface NoticeRule {
  type: NoticeType
  /** The person that the event is about, or all admins of its organization. */
  audience: 'person' | 'admins'
}

/** null: an event of which nobody is told; what operators do is theirs to tell. */
export const noticeRuleOf = (event: {
  type: string
  actor: { kind: string }
}): NoticeRule | null => {
  if (event.actor.kind !== 'user' || !Object.hasOwn(rules, event.type)) return null
  const type = event.type as NoticeType
  return { type, audience: rules[type] }
}
