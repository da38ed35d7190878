import { type Prompt, wantsNewSignIn } from './prompt.ts'

/** What a request demands of the sign-in behind its answer. */
export interface SignInDemand {
  prompts: readonly Prompt[]
  /** How long ago it may have been, in seconds; null: any. */
  maxAge: number | null
  /** Whom the app expects (`id_token_hint`); null: anybody. */
  expectedUser: string | null
  /** Milliseconds since 1970; undefined: the request has shown no page yet. */
  begunAt: number | undefined
}

/** Who is signed in. */
export interface SignedIn {
  userId: string
  /** Milliseconds since 1970; 0: nobody can say. */
  authenticatedAt: number
}

/**
 * `good`: go on. `sign_in`: somebody has to sign in (again). `somebody_else`: who signed in for this very request is
 * not whom the app expects, and asking once more would go round in a circle.
 */
export type SignInVerdict = 'good' | 'sign_in' | 'somebody_else'

const hasSignedInSince = (signed: SignedIn, time: number) =>
  signed.authenticatedAt > 0 && signed.authenticatedAt >= time

/**
 * OpenID Connect Core §3.1.2.1 and §3.1.2.3; `prompt=login` holds without OpenID as well. Ages count to the beginning
 * of the request: who reads a page for a while need not sign in again for that.
 * @param now milliseconds since 1970
 */
export const judgeSignIn = (
  demand: SignInDemand,
  signed: SignedIn | null,
  now: number,
): SignInVerdict => {
  if (!signed) return 'sign_in'
  const { prompts, maxAge, expectedUser, begunAt } = demand
  if (wantsNewSignIn(prompts, signed.authenticatedAt, begunAt)) return 'sign_in'
  if (maxAge !== null && !hasSignedInSince(signed, (begunAt ?? now) - maxAge * 1000))
    return 'sign_in'
  if (expectedUser === null || expectedUser === signed.userId) return 'good'
  return begunAt !== undefined && hasSignedInSince(signed, begunAt) ? 'somebody_else' : 'sign_in'
}

/** Whoever signs in for this has to do it afresh, wherever they do. */
export const demandsFreshSignIn = (
  demand: Pick<SignInDemand, 'prompts' | 'maxAge' | 'expectedUser'>,
) => demand.prompts.includes('login') || demand.maxAge !== null || demand.expectedUser !== null
