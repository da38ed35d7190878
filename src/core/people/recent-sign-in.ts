/**
 * Is the sign-in recent enough for changes of credentials?
 * @param authenticatedAt milliseconds since 1970; 0: unknown
 * @param now milliseconds since 1970
 * @param within seconds; 0: any sign-in is recent enough
 */
export const isRecentSignIn = (authenticatedAt: number, now: number, within: number): boolean =>
  within === 0 || authenticatedAt >= now - within * 1000
