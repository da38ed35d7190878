import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet, { type HelmetOptions } from 'helmet'

const policy = {
  useDefaults: false,
  directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], baseUri: ["'none'"] },
}

const forAll = (secure: boolean) => ({
  contentSecurityPolicy: policy,
  frameguard: { action: 'deny' as const },
  referrerPolicy: { policy: 'no-referrer' as const },
  strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
  xXssProtection: false,
})

const forPeople = {
  crossOriginResourcePolicy: { policy: 'same-origin' },
} as const

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
 * @param secure the issuer is on https
 */
export const securityHeaders = (secure: boolean) => ({
  people: headersOf({ ...forAll(secure), ...forPeople }),
  programs: headersOf({ ...forAll(secure), ...forPrograms }),
})
