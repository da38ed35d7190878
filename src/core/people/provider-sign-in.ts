import { type AuditTrail, auditEvent, type Cause } from '../audit/audit.ts'
import { digestOf } from '../crypto/digests.ts'
import type { Limits } from '../limits/limits.ts'
import type { RecordStore } from '../limits/records.ts'
import type { Identities, Refusal } from './identities.ts'
import type { PlatformProvider, ProviderChecks } from './platform-provider.ts'
import { ProviderError, type ProviderFault } from './provider-error.ts'
import type { Sessions } from './sessions.ts'

type SignInReason = 'confirm' | 'other'

/** The purpose of the sign-in. */
export interface ProviderSignInRequest {
  /** The path of this server where the browser goes afterwards. */
  returnTo: string
  /** Why a signed-in user has to sign in again; kept for another attempt. */
  again: SignInReason | null
  loginHint: string | null
  /** The user wants to choose an account at the provider. */
  prompt: boolean
  /** The provider must authenticate the user again and confirm it with auth_time. */
  proof: boolean
  /** The binding of the browser that begins. */
  browser: string
  /** The last sign-out of this browser; null when there was none since the last sign-in. */
  signedOut: string | null
}

interface ProviderAnswer extends Pick<ProviderSignInRequest, 'signedOut'> {
  answer: URLSearchParams
  /** null: this browser has begun no sign-in. */
  browser: string | null
}

export type ProviderOutcome =
  | { kind: 'signed_in'; token: string; returnTo: string }
  | { kind: 'refused'; refusal: Refusal; returnTo: string }
  | {
      kind: 'failed'
      fault: ProviderFault
      code: string
      returnTo: string
      again: SignInReason | null
    }
  /** This browser has no pending sign-in for this response. */
  | { kind: 'unknown' }

interface Begun {
  checks: ProviderChecks
  browser: string
  returnTo: string
  again: SignInReason | null
  address: string
  signedOut?: string | null
}

const collection = 'oidc'
const lifetime = 1800 // s: a user may have to fetch a phone for the provider

/** `onWait` is called before a wait for the provider. */
export const createProviderSignIn = (deps: {
  provider: PlatformProvider
  identities: Identities
  sessions: Pick<Sessions, 'open'>
  records: RecordStore
  limits: Pick<Limits, 'signInBegun' | 'signInDone'>
  audit: AuditTrail
}) => {
  const { provider, identities, sessions, records, limits, audit } = deps

  const failed = (cause: Cause, reason: string, userId: string | null = null) =>
    audit.record(
      auditEvent(cause, 'session.sign_in_failed', { userId, detail: { method: 'oidc', reason } }),
    )

  return {
    /** The URL to sign out at the provider too; null when it has none. */
    signOutUrl: provider.signOutUrl,

    /** @returns the URL for the browser @throws ProviderError unreachable; OAuthError slow_down (429) */
    begin: async (
      { returnTo, again, browser, signedOut, ...requested }: ProviderSignInRequest,
      cause: Cause,
      onWait: () => void,
    ) => {
      const address = cause.address ?? ''
      await limits.signInBegun(address)
      const { url, checks } = await provider.begin(requested, onWait).catch(async (error) => {
        await limits.signInDone(address) // a fault of the provider is not an attempt of the user
        throw error
      })
      const begun: Begun = { checks, browser, returnTo, again, address, signedOut }
      const record = { state: 'begun', value: JSON.stringify(begun) }
      await records.put(collection, digestOf(checks.state), record, lifetime)
      return url
    },

    /** Accepts the provider's response once, from the browser that began, unless it has signed out since. */
    finish: async (
      { answer, browser, signedOut }: ProviderAnswer,
      cause: Cause,
      onWait: () => void,
    ): Promise<ProviderOutcome> => {
      const state = answer.get('state') ?? ''
      const record = browser === null ? null : await records.take(collection, digestOf(state))
      if (!record) return { kind: 'unknown' }
      const begun = JSON.parse(record.value) as Begun
      // Attack: a link with another user's response would sign this browser in as them (RFC 9700 §4.7).
      if (begun.browser !== browser) {
        failed(cause, 'foreign_browser')
        return { kind: 'unknown' }
      }
      // A sign-in that began before the sign-out must not succeed after it.
      if (signedOut !== null && signedOut !== (begun.signedOut ?? null)) {
        failed(cause, 'signed_out_meanwhile')
        return { kind: 'unknown' }
      }
      const { returnTo, again, address, checks } = begun
      try {
        const providerUser = await provider.finish(answer, checks, onWait)
        const result = await identities.arrive(providerUser, cause)
        if ('refusal' in result) {
          failed(cause, result.refusal, result.userId)
          return { kind: 'refused', refusal: result.refusal, returnTo }
        }
        await limits.signInDone(address)
        const session = {
          user: result.person,
          authenticatedAt: providerUser.authenticatedAt ?? 0,
          methods: ['oidc' as const],
          passkeyIds: [],
        }
        const token = await sessions.open(session, cause)
        return token === null ? { kind: 'unknown' } : { kind: 'signed_in', token, returnTo }
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error
        failed(cause, error.fault)
        return { kind: 'failed', fault: error.fault, code: error.code, returnTo, again }
      }
    },
  }
}

export type ProviderSignIn = ReturnType<typeof createProviderSignIn>
