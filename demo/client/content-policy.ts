/**
 * The Content-Security-Policy of a demo page: own styles and pictures, the page's origin and the server as targets of
 * scripts, and what these directives allow.
 */
export const contentPolicy = (issuer: string, ...directives: string[]): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src 'self' ${issuer}`,
    "base-uri 'none'",
    ...directives,
  ].join('; ')
