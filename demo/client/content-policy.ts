/**
 * The Content-Security-Policy of a demo page: own styles and pictures, the server as the target of scripts, and what
 * these directives allow.
 */
export const contentPolicy = (issuer: string, ...directives: string[]): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src ${issuer}`,
    "base-uri 'none'",
    ...directives,
  ].join('; ')
