/** How a person has shown who they are. */
export type Method = 'password' | 'passkey' | 'oidc'

/**
 * The methods by their registered names (RFC 8176 §2). What a person has shown to another provider is not known here.
 * A passkey is a key that the device has proved to hold, with the person there.
 */
export const methodReferences = (methods: readonly Method[]): string[] => {
  const [byPassword, byPasskey] = [methods.includes('password'), methods.includes('passkey')]
  return [
    ...(byPassword ? ['pwd'] : []),
    ...(byPasskey ? ['pop', 'user'] : []),
    ...(byPassword && byPasskey ? ['mfa'] : []),
  ]
}

/** OpenID Connect Extended Authentication Profile §2: what no look-alike site can ask for. */
export const phishingResistant = 'phr'

/** The context class of the sign-in; null: nothing is promised. */
export const contextClass = (methods: readonly Method[]): string | null =>
  methods.includes('passkey') ? phishingResistant : null
