/** The relying party of passkeys: browsers use a passkey only for this host and this origin. */
export type RelyingParty = Record<'id' | 'origin', string>

const isAddress = (host: string) => host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host)
const isThisComputer = (host: string) => host === 'localhost' || host.endsWith('.localhost')

/**
 * The relying party of an issuer; null where browsers offer no passkeys: an IP address is not a valid RP ID, and http
 * is a secure context on localhost only.
 * @see https://www.w3.org/TR/webauthn-3/#relying-party-identifier
 */
export const relyingPartyOf = (issuer: string): RelyingParty | null => {
  const { hostname, origin, protocol } = new URL(issuer)
  if (isAddress(hostname)) return null
  return protocol === 'https:' || isThisComputer(hostname) ? { id: hostname, origin } : null
}
