import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet, { type HelmetOptions } from 'helmet'

const policy = {
  useDefaults: false,
  directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], baseUri: ["'none'"] },
}

/**
 * Not for `localhost`, whose ports belong to different programs: WebKit would then open no `http` redirect URI of an app
 * there (RFC 6797 §8.3 applies to all ports of a host).
 */
const demandsHttps = (issuer: string) => {
  const { protocol, hostname } = new URL(issuer)
  return protocol === 'https:' && hostname !== 'localhost'
}

const forAll = (issuer: string) => ({
  contentSecurityPolicy: policy,
  frameguard: { action: 'deny' as const },
  referrerPolicy: { policy: 'no-referrer' as const },
  strictTransportSecurity: demandsHttps(issuer) && {
    maxAge: 31_536_000,
    includeSubDomains: false,
  },
  xXssProtection: false,
})

/** Headers that matter only when a browser displays the answer. */
const forPrograms = {
  crossOriginOpenerPolicy: false,
  crossOriginResourcePolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
} as const

/** Headers by name in lower case, as helmet sets them. */
const headersOf = (options: HelmetOptions): Record<string, string> => {
  const headers: Record<string, string> = {}
  const answer = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = String(value)
    },
    removeHeader: () => undefined,
  }
  helmet(options)({} as IncomingMessage, answer as unknown as ServerResponse, (error) => {
    if (error) throw error
  })
  return headers
}

/**
 * The security headers of all answers, and of answers that only programs read. They are constant, so helmet runs once.
 */
export const securityHeaders = (issuer: string) => ({
  people: headersOf({
    ...forAll(issuer),
    crossOriginResourcePolicy: { policy: 'same-origin' },
  }),
  programs: headersOf({ ...forAll(issuer), ...forPrograms }),
})
