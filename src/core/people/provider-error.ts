/** Why a sign-in at the provider failed. */
export type ProviderFault = 'unreachable' | 'denied' | 'not_fresh' | 'refused'

/** `code` comes from a closed list and may be logged. The cause may not: it can hold tokens and claims. */
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
