import { type Prompt, wantsNewSignIn } from './prompt.ts'
import { contextClass, type Method } from './sign-in-method.ts'

/** The demands of a request on the sign-in. */
export interface SignInDemand {
  prompts: readonly Prompt[]
  /** Maximum age of the sign-in in seconds; null: any age. */
  maxAge: number | null
  /** The user that the app expects (`id_token_hint`); null: any user. */
  expectedUser: string | null
  /** The app prefers a sign-in of one of these context classes (`acr_values`); empty: of any. */
  contextClasses: readonly string[]
  /** Milliseconds since 1970; undefined: the request has not shown a page yet. */
  begunAt: number | undefined
}

/** The signed-in user. */
export interface SignedIn {
  userId: string
  /** Milliseconds since 1970; 0 when unknown. */
  authenticatedAt: number
  methods: Method[]
}

const hasSignedInSince = (signed: SignedIn, time: number) =>
  signed.authenticatedAt > 0 && signed.authenticatedAt >= time

/**
 * Does the sign-in lack the class that the app prefers? A preference is worth one new sign-in. The user may have no such
 * method, so whatever sign-in follows is accepted, and `acr` reports it (OpenID Connect Core §3.1.2.1, §5.5.1.1).
 */
const isOfOtherClass = ({ contextClasses, begunAt }: SignInDemand, signed: SignedIn): boolean =>
  contextClasses.length > 0 &&
  !contextClasses.includes(contextClass(signed.methods)) &&
  !hasSignedInSince(signed, begunAt ?? Number.POSITIVE_INFINITY)

/**
 * Judges a sign-in by OpenID Connect Core §3.1.2.1 and §3.1.2.3; `prompt=login` works without OpenID too. Ages count
 * up to the beginning of the request: a user who reads a page for long need not sign in again.
 * @param now milliseconds since 1970
 * @returns `good`: continue. `sign_in`: a (new) sign-in is needed. `somebody_else`: a user signed in for this request, but
 * not the one whom the app expects; asking again would loop.
 */
export const evaluateSignIn = (demand: SignInDemand, signed: SignedIn | null, now: number) => {
  if (!signed) return 'sign_in'
  const { prompts, maxAge, expectedUser, begunAt } = demand
  if (wantsNewSignIn(prompts, signed.authenticatedAt, begunAt)) return 'sign_in'
  if (maxAge !== null && !hasSignedInSince(signed, (begunAt ?? now) - maxAge * 1000))
    return 'sign_in'
  if (isOfOtherClass(demand, signed)) return 'sign_in'
  if (expectedUser === null || expectedUser === signed.userId) return 'good'
  return begunAt !== undefined && hasSignedInSince(signed, begunAt) ? 'somebody_else' : 'sign_in'
}

/** Does the request demand that the user authenticates afresh, by whatever method? */
export const demandsFreshSignIn = (
  demand: Pick<SignInDemand, 'prompts' | 'maxAge' | 'expectedUser'>,
) => demand.prompts.includes('login') || demand.maxAge !== null || demand.expectedUser !== null
