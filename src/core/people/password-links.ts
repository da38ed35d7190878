import type { Cause } from '../audit/audit.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { openText, sealText } from '../crypto/sealed-text.ts'
import type { Limits } from '../limits/limits.ts'
import { countAttempt } from './password-attempt.ts'
import { longestPassword, passwordReasonOf } from './password-rules.ts'
import type { Passwords } from './passwords.ts'
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

type Sent = Record<'token' | 'password', string>

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
  people: Pick<PeopleStore, 'findActive' | 'findForSignIn'>
  passwords: Pick<Passwords, 'verify'>
  limits: Pick<Limits, 'signInAttempt'>
  users: Pick<Users, 'changePassword'>
  keyring: Pick<Keyring, 'seal' | 'open'>
  /** Milliseconds since 1970. */
  now(): number
}) => {
  const { people, passwords, limits, users, keyring, now } = deps

  const read = (token: string): Content | null => {
    const text = tokenShape.test(token) ? openText(keyring, token, place) : null
    const content = text && (JSON.parse(text) as Content)
    return content && content.expiresAt > now() ? content : null
  }

  /** null for a link that is expired, used, or older than the user's password, address or deactivation */
  const find = async (token: string): Promise<PasswordLink | null> => {
    const content = read(token)
    if (!content) return null
    const person = await people.findActive(content.userId)
    if (!person || person.email !== content.email) return null
    const [credentials, sessions] = content.epochs
    if (person.credentialsEpoch !== credentials || person.sessionsEpoch !== sessions) return null
    return { kind: content.kind, person }
  }

  /**
   * Whether this link may have set this password: its form was sent twice. Who only has the used link learns no more
   * than at the sign-in page, within the same limits.
   * @throws OAuthError slow_down (429), temporarily_unavailable
   */
  const hasSet = async ({ token, password }: Sent, address: Cause['address']) => {
    const content = read(token)
    if (!content) return false
    const found = await people.findForSignIn(content.email)
    const [credentials, sessions] = content.epochs
    const isNext =
      found?.id === content.userId &&
      !found.disabled &&
      found.credentialsEpoch === credentials + 1 &&
      found.sessionsEpoch === sessions
    if (!isNext) return false
    const by = { account: found.email, address }
    const { matches } = await countAttempt(limits, by, async () => ({
      matches: await passwords.verify(found.passwordHash, password.slice(0, longestPassword), by),
    }))
    return matches
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
      return sealText(keyring, JSON.stringify(content), place)
    },

    find,

    /**
     * Sets the password, which ends every session and grant made before. Of any number of requests with links of one
     * user, one sets it; the same form sent again is `done` as well.
     * @returns `gone` for a link that `find` does not find, the rule that the password breaks
     */
    use: async (sent: Sent, cause: Omit<Cause, 'actor'>) => {
      const link = await find(sent.token)
      try {
        if (link) {
          const by: Cause = { ...cause, actor: { kind: 'user', id: link.person.id } }
          if (await users.changePassword(link.person, sent.password, by)) return 'done'
        }
        return (await hasSet(sent, cause.address)) ? 'done' : 'gone'
      } catch (error) {
        return passwordReasonOf(error)
      }
    },
  }
}

export type PasswordLinks = ReturnType<typeof createPasswordLinks>
