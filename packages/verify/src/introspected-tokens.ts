import { type Access, accessOf } from './access.ts'
import type { Change } from './changes.ts'
import { type Claims, readClaims } from './claims.ts'
import { type CompactJws, decodePart } from './compact.ts'
import { TokenInvalid, VerificationUnavailable } from './errors.ts'
import type { Introspection } from './introspection.ts'
import { isAccessTokenType } from './issued.ts'
import type { TokenMisfits } from './misfits.ts'
import type { Settings } from './settings.ts'
import type { Usage } from './usage.ts'

/** The server's answer is about another token, which a cache on the way may have mixed up. */
const isAbout = (told: Claims, read: Claims) =>
  told.clientId === read.clientId &&
  told.organizationId === read.organizationId &&
  told.interface === read.interface &&
  told.userId === read.userId &&
  told.tokenId === read.tokenId &&
  told.jkt === read.jkt &&
  told.actors.length === read.actors.length &&
  told.actors.every(({ clientId }, at) => clientId === read.actors[at]?.clientId)

/**
 * Whether a change may affect the answer about a token. Answers name neither grant nor install, and list their
 * workspaces.
 */
export const isConcernedBy = (claims: Claims, change: Change): boolean => {
  // Each answer about a key set's credential is compared with all other changes when it is used.
  if (claims.kind === 'self_signed' || claims.kind === 'key_set')
    return change.type === 'key_set' && change.id === claims.clientId
  switch (change.type) {
    case 'key_set':
      return false
    case 'app':
      return (
        claims.clientId === change.id ||
        claims.actors.some(({ clientId }) => clientId === change.id)
      )
    case 'organization':
    case 'member':
    case 'connection':
      return claims.organizationId === change.id
    case 'user':
      return claims.userId === change.id
    case 'install_member':
      return claims.userId === change.userId
    case 'token':
      // The answer about an exchanged token does not name the token that it was exchanged for.
      return claims.tokenId === change.id || claims.actors.length > 0
    case 'grant':
    case 'install':
    case 'workspace':
    case 'workspace_member':
      return true
  }
}

/**
 * Verifies tokens that the server has signed by asking it (`mode: 'introspect'`). Tokens that cannot be valid are not
 * worth a request.
 * @throws TokenInvalid, VerificationUnavailable
 */
export const createIntrospectedTokens = (deps: {
  introspection: Introspection
  misfits: TokenMisfits
  settings: Settings
  usage: Usage
}): ((token: string, jws: CompactJws, jkt: string | null) => Promise<Access>) => {
  const { introspection, misfits, settings } = deps
  return async (token, { header, payload }, jkt) => {
    if (!isAccessTokenType(header.typ) || header.kid === null) throw new TokenInvalid('header')
    const members = decodePart(payload)
    if (!members) throw new TokenInvalid('malformed')
    const read = readClaims(members, settings, settings.now() / 1000, misfits.refused)
    // RFC 9449 §7.2: a bound token must not be used as a bearer token, and a proof does not bind an unbound one.
    if (read.jkt !== jkt) throw new TokenInvalid(jkt === null ? 'bound_to_key' : 'key_mismatch')
    const told = await introspection.claimsOf(token, read.kind)
    if (!isAbout(told, read))
      throw new VerificationUnavailable('bad_answer', new TypeError('introspection: another token'))
    misfits.accepted()
    return accessOf(told, deps.usage.counterOf(told))
  }
}
