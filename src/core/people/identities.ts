import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { newId } from '../crypto/identifiers.ts'
import { nameFaults } from '../language/display-text.ts'
import { hasOtherLetters, isEmailAddress, normaliseEmail } from './email-address.ts'
import type { Person } from './person.ts'
import type { ProviderUser } from './provider-claims.ts'

export type Account = Person & { disabled: boolean }

/** Stored accounts that may belong to the arriving user. */
export interface AccountCandidates {
  /** The account with this identity (issuer and subject). */
  known: Account | null
  /**
   * The account with this e-mail address. `claimed`: it already has an identity of this provider, or one whose
   * provider never verified the address.
   */
  sameEmail: (Account & { claimed: boolean }) | null
}

/** Why a user whom the provider has authenticated is refused. */
export type Refusal =
  | 'disabled'
  | 'email_missing'
  | 'email_unusable'
  | 'email_unverified'
  | 'email_taken'

export type Decision =
  | { kind: 'refused'; refusal: Refusal; userId: string | null }
  | {
      kind: 'enter'
      user: Pick<Person, 'id' | 'email' | 'name'>
      /** The new part: the user, only the identity, or neither. */
      fresh: 'user' | 'identity' | null
      events: readonly AuditEvent[]
    }

export interface IdentityStore {
  /**
   * Reads the candidates, calls `decide` and writes, in one transaction. Starts again when a concurrent arrival of
   * the same user or address was faster.
   */
  arrive(
    key: { issuer: string; subject: string; email: string | null; emailVerified: boolean },
    decide: (candidates: AccountCandidates) => Decision,
  ): Promise<{ person: Person } | { refusal: Refusal; userId: string | null }>
}

type Rules = { requireVerifiedEmail: boolean }

// Zero-width characters without a visible effect are removed. A name with characters that reorder text is refused.
const joiners = /[\u00ad\u200b-\u200d\u2060\ufeff]/g

/** The provider's name for the user if it can be displayed; else the fallback. */
const nameOf = (providerUser: ProviderUser, fallback: string) => {
  const given = (providerUser.name ?? '').trim()
  const names = [given, given.replace(joiners, '').trim()]
  return names.find((name) => nameFaults('/name', name).length === 0) ?? fallback
}

const emailOf = ({ email }: ProviderUser) => {
  const address = email === null ? '' : normaliseEmail(email)
  return isEmailAddress(address) ? address : null
}

/**
 * Decides which account an arrival belongs to. The identity decides; the e-mail address counts only when the provider
 * has verified it and the account has no identity of this provider yet. Any other rule would let an attacker take
 * over an account by claiming its address.
 */
export const decideSignIn = (
  providerUser: ProviderUser,
  candidates: AccountCandidates,
  rules: Rules,
  cause: Cause,
): Decision => {
  const { known, sameEmail } = candidates
  const email = emailOf(providerUser)
  const mayTrust = providerUser.emailVerified || !rules.requireVerifiedEmail
  const refused = (refusal: Refusal, userId: string | null = null): Decision => ({
    kind: 'refused',
    refusal,
    userId,
  })
  const about = (userId: string) => ({ userId, detail: { issuer: providerUser.issuer } })
  const by = (userId: string): Cause => ({ ...cause, actor: { kind: 'user', id: userId } })

  /** Updates an existing account from the provider's claims. It keeps its address when another user has the new one. */
  const updated = (account: Account, events: AuditEvent[]) => {
    const isTaken = sameEmail !== null && sameEmail.id !== account.id
    const wanted = email !== null && mayTrust ? email : account.email
    const user = {
      id: account.id,
      email: isTaken ? account.email : wanted,
      name: nameOf(providerUser, account.name),
    }
    const changed = (['email', 'name'] as const).filter((field) => user[field] !== account[field])
    if (changed.length > 0) {
      const detail = { changed, by: 'oidc' }
      events.push(auditEvent(by(user.id), 'user.changed', { userId: user.id, detail }))
    }
    if (isTaken && mayTrust)
      events.push(auditEvent(by(user.id), 'identity.email_conflict', about(user.id)))
    return { user, events }
  }

  if (known) {
    if (known.disabled) return refused('disabled', known.id)
    return { kind: 'enter', fresh: null, ...updated(known, []) }
  }
  if (email === null)
    return refused(hasOtherLetters(providerUser.email ?? '') ? 'email_unusable' : 'email_missing')
  if (!mayTrust) return refused('email_unverified')
  if (sameEmail) {
    if (!providerUser.emailVerified || sameEmail.claimed)
      return refused('email_taken', sameEmail.id)
    if (sameEmail.disabled) return refused('disabled', sameEmail.id)
    const linked = auditEvent(by(sameEmail.id), 'identity.linked', about(sameEmail.id))
    return { kind: 'enter', fresh: 'identity', ...updated(sameEmail, [linked]) }
  }
  const id = newId('user')
  const detail = { by: 'oidc', issuer: providerUser.issuer }
  return {
    kind: 'enter',
    fresh: 'user',
    user: { id, email, name: nameOf(providerUser, email.slice(0, 100)) },
    events: [auditEvent(by(id), 'user.created', { userId: id, detail })],
  }
}

export const createIdentities = (deps: { store: IdentityStore; rules: Rules }) => ({
  /** Finds, links or creates the user, and updates name and e-mail address. */
  arrive: (providerUser: ProviderUser, cause: Cause) => {
    const { issuer, subject, emailVerified } = providerUser
    const key = { issuer, subject, emailVerified, email: emailOf(providerUser) }
    return deps.store.arrive(key, (candidates) =>
      decideSignIn(providerUser, candidates, deps.rules, cause),
    )
  },
})

export type Identities = ReturnType<typeof createIdentities>
