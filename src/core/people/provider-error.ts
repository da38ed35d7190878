/** Why nobody arrives. */
export type ProviderFault = 'unreachable' | 'denied' | 'not_fresh' | 'refused'

/** `code` is from a closed list, fit for logs; the cause is not (it may hold tokens and claims). */
export class ProviderError extends Error {
  readonly fault: ProviderFault
  readonly code: string

  constructor(fault: ProviderFault, code: string) {
    super(`the OpenID provider: ${fault} (${code})`)
    this.name = 'ProviderError'
    this.fault = fault
    this.code = code
  }
}
