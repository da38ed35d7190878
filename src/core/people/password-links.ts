import type { Cause } from '../audit/audit.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { passwordReasonOf } from './password-rules.ts'
import type { PeopleStore, Person } from './person.ts'
import type { Users } from './users.ts'

/** `reset`: a user forgot their password. `invitation`: an operator invited the user. */
export type PasswordLinkKind = 'reset' | 'invitation'

/** A link that lets a user set a password once. */
export interface PasswordLink {
  kind: PasswordLinkKind
  person: Person
}

/** Seconds. */
export const passwordLinkLifetimes: Record<PasswordLinkKind, number> = {
  reset: 30 * 60,
  invitation: 7 * 24 * 3600,
}

const place = 'password_link'
const tokenShape = /^[A-Za-z0-9_-]{40,1200}$/

interface Content {
  kind: PasswordLinkKind
  userId: string
  email: string
  epochs: [credentials: number, sessions: number]
  expiresAt: number
}

/**
 * Links are sealed and not stored. They contain the epochs of the user, which a new password or a deactivation
 * increases: so a link is used once, and a link that a newer password has overtaken is refused.
 */
export const createPasswordLinks = (deps: {
  people: Pick<PeopleStore, 'findActive'>
  users: Pick<Users, 'changePassword'>
  keyring: Pick<Keyring, 'seal' | 'open'>
  /** Milliseconds since 1970. */
  now(): number
}) => {
  const { people, users, keyring, now } = deps

  const read = (token: string): Content | null => {
    if (!tokenShape.test(token)) return null
    try {
      const plain = keyring.open(Buffer.from(token, 'base64url'), place).toString('utf8')
      return JSON.parse(plain) as Content
    } catch {
      return null
    }
  }

  /** null for a link that is expired, used, or older than the user's password, address or deactivation */
  const find = async (token: string): Promise<PasswordLink | null> => {
    const content = read(token)
    if (!content || content.expiresAt <= now()) return null
    const person = await people.findActive(content.userId)
    if (!person || person.email !== content.email) return null
    const [credentials, sessions] = content.epochs
    if (person.credentialsEpoch !== credentials || person.sessionsEpoch !== sessions) return null
    return { kind: content.kind, person }
  }

  return {
    /** @param madeAt milliseconds since 1970; the link expires `lifetimes[kind]` seconds later */
    tokenFor: (kind: PasswordLinkKind, person: Person, madeAt: number) => {
      const { id, email, credentialsEpoch, sessionsEpoch } = person
      const content: Content = {
        kind,
        userId: id,
        email,
        epochs: [credentialsEpoch, sessionsEpoch],
        expiresAt: madeAt + passwordLinkLifetimes[kind] * 1000,
      }
      return keyring.seal(Buffer.from(JSON.stringify(content)), place).toString('base64url')
    },

    find,

    /**
     * Sets the password, which ends every session and grant made before. Of any number of requests with links of one
     * user, one sets it.
     * @returns `gone` for a link that `find` does not find, the rule that the password breaks
     */
    use: async (
      { token, password }: Record<'token' | 'password', string>,
      cause: Omit<Cause, 'actor'>,
    ) => {
      const link = await find(token)
      if (!link) return 'gone'
      try {
        const by: Cause = { ...cause, actor: { kind: 'user', id: link.person.id } }
        return (await users.changePassword(link.person, password, by)) ? 'done' : 'gone'
      } catch (error) {
        return passwordReasonOf(error)
      }
    },
  }
}

export type PasswordLinks = ReturnType<typeof createPasswordLinks>
