import { invalidRequest } from '../language/errors.ts'

/** A page that a request wants to be shown whatever is known already (OpenID Connect Core §3.1.2.1). */
export type Prompt = 'login' | 'consent' | 'select_account'

const known: readonly string[] = ['login', 'consent', 'select_account'] satisfies Prompt[]

/** What a request says of pages: the ones that it wants, or that none may be shown. */
export interface Prompting {
  prompts: Prompt[]
  /** `none`: an answer at once, or an error that says which page would have been needed. */
  isSilent: boolean
}

/**
 * Reads `prompt`.
 * @throws OAuthError invalid_request for a word that nobody knows, and for `none` beside another
 */
export const parsePrompt = (sent: string | undefined): Prompting => {
  const words = [...new Set(sent?.split(' ').filter((one) => one !== ''))]
  if (words.some((one) => one !== 'none' && !known.includes(one))) {
    throw invalidRequest('the prompt is not supported', 'prompt_unknown')
  }
  const isSilent = words.includes('none')
  if (isSilent && words.length > 1) {
    throw invalidRequest('prompt=none stands alone', 'prompt_none_beside_others')
  }
  return { prompts: isSilent ? [] : (words as Prompt[]), isSilent }
}

/** What a person would be asked on a page before the app gets its answer. */
export type PageNeeded =
  | 'sign_in'
  | 'choose_organization'
  | 'install'
  | 'ask_admin'
  | 'suspended'
  | 'out_of_reach'
  | 'consent'

/** The errors of a request that may not show a page (OpenID Connect Core §3.1.2.6). */
export type InteractionError = 'login_required' | 'interaction_required'

/**
 * The error of a silent request that needs this page. Behind the sign-in there is one for all: two would tell an app
 * which organizations a person belongs to, without asking the person.
 */
export const interactionError = (page: PageNeeded): InteractionError =>
  page === 'sign_in' ? 'login_required' : 'interaction_required'

/**
 * Does a request want a signed-in person to sign in once more? One sign-in since the request began is enough.
 * @param authenticatedAt milliseconds since 1970
 * @param begunAt the same; undefined: nothing has begun, so no sign-in can have been for this request
 */
export const wantsNewSignIn = (
  prompts: readonly Prompt[],
  authenticatedAt: number,
  begunAt: number | undefined,
): boolean => prompts.includes('login') && authenticatedAt < (begunAt ?? Number.POSITIVE_INFINITY)
