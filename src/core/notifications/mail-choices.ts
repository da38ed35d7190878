import type { Keyring } from '../crypto/keyring.ts'
import { type ChosenCategory, mailCategories } from './mail-rules.ts'

export interface MailChoiceStore {
  /** Categories that the user has switched off. */
  declined(userId: string): Promise<string[]>
  /** Replaces them. Does nothing for an unknown user. */
  decline(userId: string, categories: readonly ChosenCategory[]): Promise<void>
  /** Adds some. Does nothing for an unknown user. */
  declineAlso(userId: string, categories: readonly ChosenCategory[]): Promise<void>
}

/** What a link to unsubscribe is about. */
export interface Unsubscription {
  userId: string
  categories: readonly ChosenCategory[]
}

export interface MailChoices {
  /** Whether each category is sent to this user. */
  read(userId: string): Promise<Record<ChosenCategory, boolean>>
  /** @param wanted the categories to send; others are switched off */
  choose(userId: string, wanted: readonly string[]): Promise<void>
  /** A token for a link that needs no sign-in (RFC 8058 §3.1). It can only switch these categories off. */
  tokenFor(unsubscription: Unsubscription): string
  /** null for a token that this server has not made */
  readToken(token: string): Unsubscription | null
  /** Switches the categories off. Repetitions change nothing. */
  unsubscribe(unsubscription: Unsubscription): Promise<void>
}

const place = 'mail_unsubscribe'
const tokenShape = /^[A-Za-z0-9_-]{40,600}$/

const isCategory = (value: unknown): value is ChosenCategory =>
  mailCategories.includes(value as ChosenCategory)

export const createMailChoices = (deps: {
  store: MailChoiceStore
  keyring: Pick<Keyring, 'seal' | 'open'>
}): MailChoices => {
  const { store, keyring } = deps
  return {
    read: async (userId) => {
      const declined = await store.declined(userId)
      return Object.fromEntries(
        mailCategories.map((category) => [category, !declined.includes(category)]),
      ) as Record<ChosenCategory, boolean>
    },

    choose: (userId, wanted) =>
      store.decline(
        userId,
        mailCategories.filter((category) => !wanted.includes(category)),
      ),

    tokenFor: ({ userId, categories }) =>
      keyring
        .seal(Buffer.from(JSON.stringify([userId, ...categories])), place)
        .toString('base64url'),

    readToken: (token) => {
      if (!tokenShape.test(token)) return null
      try {
        const plain = keyring.open(Buffer.from(token, 'base64url'), place).toString('utf8')
        const [userId, ...categories] = JSON.parse(plain) as [string, ...unknown[]]
        return { userId, categories: categories.filter(isCategory) }
      } catch {
        return null
      }
    },

    unsubscribe: ({ userId, categories }) => store.declineAlso(userId, categories),
  }
}
