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
export const phishingResistant = 'phr'

/** The context class of the sign-in (`acr`); null: none. */
export const contextClass = (methods: readonly Method[]): string | null =>
  methods.includes('passkey') ? phishingResistant : null
