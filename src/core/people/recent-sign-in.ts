/**
 * Was the sign-in recent enough for what changes who can get in?
 * @param authenticatedAt milliseconds since 1970; 0: unknown
 * @param now the same
 * @param within seconds; 0: any sign-in is recent enough
 */
export const isRecentSignIn = (authenticatedAt: number, now: number, within: number): boolean =>
  within === 0 || authenticatedAt >= now - within * 1000
