import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import type { Change } from '../audit/changes.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { openText, sealText } from '../crypto/sealed-text.ts'
import { type ChosenCategory, mailCategories } from './mail-rules.ts'

export interface MailChoiceStore {
  /** Categories that the user has switched off. */
  declined(userId: string): Promise<string[]>
  /**
   * Locks the user, calls `decide` with these categories and replaces them; without events it writes nothing. Does
   * nothing for an unknown user.
   */
  change(
    userId: string,
    decide: (declined: readonly string[]) => Change<readonly ChosenCategory[]>,
  ): Promise<void>
}

/** What a link to unsubscribe is about. */
export interface Unsubscription {
  userId: string
  categories: readonly ChosenCategory[]
}

const place = 'mail_unsubscribe'
const tokenShape = /^[A-Za-z0-9_-]{40,600}$/

const isCategory = (value: unknown): value is ChosenCategory =>
  mailCategories.includes(value as ChosenCategory)

type IsDeclined = (category: ChosenCategory, before: readonly string[]) => boolean

/** No event when the choice stays. The address of the link to unsubscribe is its token, so it is no part of the event. */
const eventsOf = (
  cause: Cause,
  userId: string,
  before: readonly string[],
  declined: readonly ChosenCategory[],
): AuditEvent[] => {
  const changed = mailCategories.filter((one) => before.includes(one) !== declined.includes(one))
  const event = auditEvent(cause, 'user.mails_changed', { userId, detail: { declined, changed } })
  return changed.length === 0 ? [] : [event]
}

export const createMailChoices = (deps: {
  store: MailChoiceStore
  keyring: Pick<Keyring, 'seal' | 'open'>
}) => {
  const { store, keyring } = deps

  const decline = (userId: string, cause: Cause, isDeclined: IsDeclined) =>
    store.change(userId, (before) => {
      const values = mailCategories.filter((one) => isDeclined(one, before))
      return { values, events: eventsOf(cause, userId, before, values) }
    })

  return {
    /** Whether each category is sent to this user. */
    read: async (userId: string) => {
      const declined = await store.declined(userId)
      return Object.fromEntries(
        mailCategories.map((category) => [category, !declined.includes(category)]),
      ) as Record<ChosenCategory, boolean>
    },

    /** @param wanted the categories to send; others are switched off */
    choose: (userId: string, wanted: readonly string[], cause: Cause) =>
      decline(userId, cause, (category) => !wanted.includes(category)),

    /** A token for a link that needs no sign-in (RFC 8058 §3.1). It can only switch these categories off. */
    tokenFor: ({ userId, categories }: Unsubscription) =>
      sealText(keyring, JSON.stringify([userId, ...categories]), place),

    /** null for a token that this server has not made */
    readToken: (token: string): Unsubscription | null => {
      const text = tokenShape.test(token) ? openText(keyring, token, place) : null
      if (text === null) return null
      const [userId, ...categories] = JSON.parse(text) as [string, ...unknown[]]
      return { userId, categories: categories.filter(isCategory) }
    },

    /** Switches the categories off. Repetitions change nothing. @param cause the anonymous sender of the link */
    unsubscribe: ({ userId, categories }: Unsubscription, cause: Cause) =>
      decline(
        userId,
        cause,
        (category, before) => before.includes(category) || categories.includes(category),
      ),
  }
}

export type MailChoices = ReturnType<typeof createMailChoices>
