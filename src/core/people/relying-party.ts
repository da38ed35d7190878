/** Who asks for a passkey: browsers give one only to this host and this origin. */
export interface RelyingParty {
  id: string
  origin: string
}

const isAddress = (host: string) => host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host)
const isThisComputer = (host: string) => host === 'localhost' || host.endsWith('.localhost')

/**
 * The relying party of an issuer; null where no browser offers passkeys: an IP address is not a valid RP ID,
 * and plain http is a secure context on this computer only.
 *
 * @see https://www.w3.org/TR/webauthn-3/#relying-party-identifier
 */
export const relyingPartyOf = (issuer: string): RelyingParty | null => {
  const { hostname, origin, protocol } = new URL(issuer)
  if (isAddress(hostname)) return null
  return protocol === 'https:' || isThisComputer(hostname) ? { id: hostname, origin } : null
}
