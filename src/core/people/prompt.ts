import { invalidRequest } from '../language/errors.ts'

/** A page that a request demands even if it is not needed (OpenID Connect Core §3.1.2.1). */
export type Prompt = 'login' | 'consent' | 'select_account'

const known: readonly string[] = ['login', 'consent', 'select_account'] satisfies Prompt[]

/**
 * Parses `prompt`: the pages that a request demands. `isSilent`: respond at once, or with an error that says which page
 * would be needed.
 * @throws OAuthError invalid_request for an unknown word, and for `none` beside another
 */
export const parsePrompt = (sent: string | undefined) => {
  const words = [...new Set(sent?.split(' ').filter((one) => one !== ''))]
  if (words.some((one) => one !== 'none' && !known.includes(one)))
    throw invalidRequest('the prompt is not supported', 'prompt_unknown')
  const isSilent = words.includes('none')
  if (isSilent && words.length > 1)
    throw invalidRequest('prompt=none excludes other values', 'prompt_none_beside_others')
  return { prompts: isSilent ? [] : (words as Prompt[]), isSilent }
}

/** A page that the user must answer before the app gets its response. */
export type PageNeeded =
  | 'sign_in'
  | 'choose_organization'
  | 'install'
  | 'ask_admin'
  | 'self_install'
  | 'cut'
  | 'paused'
  | 'out_of_reach'
  | 'installed'
  | 'consent'

/** The errors of a request that must not show a page (OpenID Connect Core §3.1.2.6). */
export type InteractionError = 'login_required' | 'interaction_required'

/**
 * The error of a silent request that needs this page. After the sign-in all pages have the same error: different
 * errors would reveal to an app which organizations a user belongs to.
 */
export const interactionError = (page: PageNeeded): InteractionError =>
  page === 'sign_in' ? 'login_required' : 'interaction_required'

/**
 * Does a request demand a new sign-in of a signed-in user? One sign-in since the request began is enough.
 * @param authenticatedAt milliseconds since 1970
 * @param begunAt milliseconds since 1970; undefined: the request has not begun, so no sign-in can be for it
 */
export const wantsNewSignIn = (
  prompts: readonly Prompt[],
  authenticatedAt: number,
  begunAt: number | undefined,
): boolean => prompts.includes('login') && authenticatedAt < (begunAt ?? Number.POSITIVE_INFINITY)
