import type { LastUsed } from '../audit/last-used.ts'
import type { ClientCredentials } from '../clients/authenticate.ts'
import type { SecretShown } from '../credentials/digest-renewal.ts'
import { readCompactJws } from '../crypto/compact-jws.ts'
import type { Keyring } from '../crypto/keyring.ts'
import type { FamilyStore } from '../grants/families.ts'
import { decodeGrantToken } from '../grants/token-format.ts'
import { invalidClient } from '../language/errors.ts'
import type { IssuedTokens } from '../tokens/issued-tokens.ts'
import { hasOwnHeader } from '../tokens/jwt.ts'
import { createGrantTokens } from './grant-tokens.ts'
import { createKeySetTokens } from './key-set-tokens.ts'
import { isSelfSigned } from './self-signed.ts'
import type { Admit, IntrospectionStore, Verdict } from './token-facts.ts'

export interface Introspection {
  /**
   * Returns the present meaning of a credential to a resource server (RFC 7662).
   * @throws OAuthError invalid_client, before anything is revealed
   */
  introspect(token: string, credentials: ClientCredentials): Promise<Verdict>
  /** Does the same for an access token that a caller presents to this server. */
  accessToken(token: string): Promise<Verdict>
  /**
   * The same for users and operators who ask for the reason. It also reads codes and ended grants, and does not count
   * as a use.
   */
  explain(token: string): Promise<Verdict>
}

export interface IntrospectionDependencies {
  store: IntrospectionStore
  families: Pick<FamilyStore, 'live'>
  issuedTokens: IssuedTokens
  keyring: Keyring
  issuer: string
  audiences: readonly string[]
  used: Pick<LastUsed, 'keySetSecret'>
  secretShown: SecretShown
  /** Milliseconds since 1970. */
  now: () => number
}

const anyone: Admit = () => undefined
const unreadable: Verdict = { refused: 'unreadable', facts: null }

export const createIntrospection = (deps: IntrospectionDependencies): Introspection => {
  const { store, issuedTokens, keyring } = deps
  const grantTokens = createGrantTokens(deps)
  const keySetTokens = createKeySetTokens(deps)
  const absentDigest = keyring.digest('')

  /** The form of a token alone decides its kind, so one kind never passes for another (RFC 8725 §3.12). */
  const read = async (text: string, asker: string | null, admit: Admit): Promise<Verdict> => {
    if (text.startsWith('lkks_')) return keySetTokens.secretKey(text, asker, admit)
    const grantToken = decodeGrantToken(keyring, 'refresh_token', text)
    if (grantToken) return grantTokens.refreshToken(grantToken, asker, admit)
    const token = readCompactJws(text)
    if (token && issuedTokens.couldBe(token)) return grantTokens.issued(token, asker, admit)
    if (token && isSelfSigned(token)) return keySetTokens.selfSigned(token, asker, admit)
    admit((await store.nothing(asker)).askerDigest)
    // An ID token informs the app about the user; it gives no access to a data API.
    if (token && hasOwnHeader(token, 'JWT')) return { refused: 'id_token', facts: null }
    return unreadable
  }

  return {
    introspect: (text, credentials) => {
      const secret = 'secret' in credentials ? credentials.secret : null
      return read(text, credentials.clientId, (digest) => {
        const matches = keyring.digestMatches(secret ?? '', digest ?? absentDigest)
        if (!digest) throw invalidClient('unknown_client')
        if (secret === null || !matches) throw invalidClient('secret_wrong')
        deps.secretShown('resource_servers', credentials.clientId, secret, digest)
      })
    },
    accessToken: async (text) => {
      const token = readCompactJws(text)
      if (!token || !issuedTokens.couldBe(token)) return unreadable
      return grantTokens.issued(token, null, anyone)
    },
    explain: (text) => {
      const code = decodeGrantToken(keyring, 'code', text)
      return code ? grantTokens.code(code, null, anyone) : read(text, null, anyone)
    },
  }
}
