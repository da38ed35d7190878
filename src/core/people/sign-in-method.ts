/** How a user has authenticated. */
export type Method = 'password' | 'passkey' | 'oidc'

/**
 * The methods by their registered names (RFC 8176 §2). Methods shown to another provider are unknown here. A passkey
 * proves possession of a key and the presence of the user.
 */
export const methodReferences = (methods: readonly Method[]): string[] => {
  const [byPassword, byPasskey] = [methods.includes('password'), methods.includes('passkey')]
  return [
    ...(byPassword ? ['pwd'] : []),
    ...(byPasskey ? ['pop', 'user'] : []),
    ...(byPassword && byPasskey ? ['mfa'] : []),
  ]
}

/** OpenID Connect Extended Authentication Profile §2: a phishing-resistant method. */
const phishingResistant = 'phr'

/** Context classes of a sign-in (OpenID Connect Core §2), in order of assurance, the best first. */
export const contextClasses: readonly string[] = [
  phishingResistant,
  'urn:latchkey:acr:password',
  'urn:latchkey:acr:provider',
]

/** Core §2: no assurance. Sessions of earlier versions do not say how their user signed in. */
const unknownClass = '0'

/** The context class of the sign-in (`acr`). */
export const contextClass = (methods: readonly Method[]): string => {
  if (methods.includes('passkey')) return phishingResistant
  if (methods.includes('password')) return 'urn:latchkey:acr:password'
  return methods.includes('oidc') ? 'urn:latchkey:acr:provider' : unknownClass
}

/** The sign-in that an authorization depends on, for access tokens (RFC 9068 §2.2.1). */
export interface Authentication {
  /** Seconds since 1970; null: unknown. */
  authenticatedAt: number | null
  /** `acr` */
  contextClass: string
}

/** @param signed `authenticatedAt` in milliseconds since 1970; 0: unknown */
export const authenticationOf = (signed: {
  authenticatedAt: number
  methods: readonly Method[]
}): Authentication => ({
  authenticatedAt: Math.floor(signed.authenticatedAt / 1000) || null,
  contextClass: contextClass(signed.methods),
})
