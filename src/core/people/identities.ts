import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { newId } from '../crypto/identifiers.ts'
import { nameFaults } from '../language/display-text.ts'
import type { Person } from './person.ts'
import type { Arrival } from './platform-provider.ts'
import { isEmailAddress, normaliseEmail } from './users.ts'

export interface Account extends Person {
  disabled: boolean
}

/** Whom the database knows that may be the one who arrives. */
export interface Candidates {
  /** Who has this very identity. */
  known: Account | null
  /**
   * Who has this e-mail address; `claimed`: and already an identity of this provider, or one whose provider never
   * verified the address.
   */
  sameEmail: (Account & { claimed: boolean }) | null
}

/** Why somebody whom the provider vouches for does not come in. */
export type Refusal = 'disabled' | 'email_missing' | 'email_unverified' | 'email_taken'

export type Decision =
  | { kind: 'refused'; refusal: Refusal; userId: string | null }
  | {
      kind: 'enter'
      user: Pick<Person, 'id' | 'email' | 'name'>
      /** The user, the identity, or neither is new. */
      fresh: 'user' | 'identity' | null
      events: readonly AuditEvent[]
    }

export interface IdentityStore {
  /**
   * Looks the candidates up, asks `decide` and writes, in one transaction; starts anew when another arrival of the
   * same person or address was faster.
   */
  arrive(
    key: { issuer: string; subject: string; email: string | null; emailVerified: boolean },
    decide: (candidates: Candidates) => Decision,
  ): Promise<{ person: Person } | { refusal: Refusal; userId: string | null }>
}

export interface Identities {
  /** Finds, links or creates the user who arrives, and brings name and e-mail address up to date. */
  arrive(
    arrival: Arrival,
    cause: Cause,
  ): Promise<{ person: Person } | { refusal: Refusal; userId: string | null }>
}

interface Rules {
  requireVerifiedEmail: boolean
}

// Zero-width characters are left out, as names of many languages have them; what reorders text is not mended.
const joiners = /[\u00ad\u200b-\u200d\u2060\ufeff]/g

/** The provider's spelling of a name, when it can be shown; else something that can. */
const nameOf = (arrival: Arrival, fallback: string) => {
  const name = (arrival.name ?? '').replace(joiners, '').trim()
  return name !== '' && nameFaults('/name', name).length === 0 ? name : fallback
}

const emailOf = ({ email }: Arrival) => {
  const address = email === null ? '' : normaliseEmail(email)
  return isEmailAddress(address) ? address : null
}

/**
 * Who it is that arrives. The identity decides; an e-mail address only where the provider has verified it and the
 * account has no identity there yet. Anything else would hand an account to whoever claims its address.
 */
export const decideArrival = (
  arrival: Arrival,
  candidates: Candidates,
  rules: Rules,
  cause: Cause,
): Decision => {
  const { known, sameEmail } = candidates
  const email = emailOf(arrival)
  const mayTrust = arrival.emailVerified || !rules.requireVerifiedEmail
  const refused = (refusal: Refusal, userId: string | null = null): Decision => ({
    kind: 'refused',
    refusal,
    userId,
  })
  const about = (userId: string) => ({ userId, detail: { issuer: arrival.issuer } })
  const by = (userId: string): Cause => ({ ...cause, actor: { kind: 'user', id: userId } })

  /** An account that is there, with what the provider says now; an address that another user has stays there. */
  const updated = (account: Account, events: AuditEvent[]) => {
    const isTaken = sameEmail !== null && sameEmail.id !== account.id
    const wanted = email !== null && mayTrust ? email : account.email
    const user = {
      id: account.id,
      email: isTaken ? account.email : wanted,
      name: nameOf(arrival, account.name),
    }
    const changed = (['email', 'name'] as const).filter((field) => user[field] !== account[field])
    if (changed.length > 0) {
      const detail = { changed, by: 'oidc' }
      events.push(auditEvent(by(user.id), 'user.changed', { userId: user.id, detail }))
    }
    if (isTaken && mayTrust) {
      events.push(auditEvent(by(user.id), 'identity.email_conflict', about(user.id)))
    }
    return { user, events }
  }

  if (known) {
    if (known.disabled) return refused('disabled', known.id)
    return { kind: 'enter', fresh: null, ...updated(known, []) }
  }
  if (email === null) return refused('email_missing')
  if (!mayTrust) return refused('email_unverified')
  if (sameEmail) {
    if (!arrival.emailVerified || sameEmail.claimed) return refused('email_taken', sameEmail.id)
    if (sameEmail.disabled) return refused('disabled', sameEmail.id)
    const linked = auditEvent(by(sameEmail.id), 'identity.linked', about(sameEmail.id))
    return { kind: 'enter', fresh: 'identity', ...updated(sameEmail, [linked]) }
  }
  const id = newId('user')
  const detail = { by: 'oidc', issuer: arrival.issuer }
  return {
    kind: 'enter',
    fresh: 'user',
    user: { id, email, name: nameOf(arrival, email.slice(0, 100)) },
    events: [auditEvent(by(id), 'user.created', { userId: id, detail })],
  }
}

export const createIdentities = (deps: { store: IdentityStore; rules: Rules }): Identities => ({
  arrive: (arrival, cause) => {
    const { issuer, subject, emailVerified } = arrival
    const key = { issuer, subject, emailVerified, email: emailOf(arrival) }
    return deps.store.arrive(key, (candidates) =>
      decideArrival(arrival, candidates, deps.rules, cause),
    )
  },
})
