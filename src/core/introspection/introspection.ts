import type { LastUsed } from '../audit/last-used.ts'
import type { ClientCredentials } from '../clients/authenticate.ts'
import { isResource, unlimited } from '../clients/resource-limits.ts'
import { stemsOf } from '../clients/resources.ts'
import type { SecretShown } from '../credentials/digest-renewal.ts'
import { type CompactJws, readCompactJws } from '../crypto/compact-jws.ts'
import type { Keyring } from '../crypto/keyring.ts'
import type { FamilyStore } from '../grants/families.ts'
import { foreignTokenOf } from '../grants/foreign-token.ts'
import { decodeGrantToken } from '../grants/token-format.ts'
import { invalidClient } from '../language/errors.ts'
import { isSecretShaped } from '../organizations/key-set-secrets.ts'
import type { AccessTokenClaims } from '../tokens/access-token-claims.ts'
import type { IssuedTokens } from '../tokens/issued-tokens.ts'
import { hasOwnHeader } from '../tokens/jwt.ts'
import { createAudience } from './audience.ts'
import { createGrantTokens } from './grant-tokens.ts'
import { createKeySetTokens } from './key-set-tokens.ts'
import { isSelfSigned } from './self-signed.ts'
import type { Admit, IntrospectionStore, TokenReader, Verdict } from './token-facts.ts'

const anyone: Admit = () => unlimited
const unreadable: Verdict = { refused: 'unreadable', facts: null }

export const createIntrospection = (deps: {
  store: IntrospectionStore
  families: Pick<FamilyStore, 'live'>
  issuedTokens: IssuedTokens
  keyring: Keyring
  issuer: string
  /** The default audience (`aud`). */
  audience: string
  used: Pick<LastUsed, 'keySetSecret'>
  secretShown: SecretShown
  /** Milliseconds since 1970. */
  now: () => number
}) => {
  const { store, issuedTokens, keyring } = deps
  const audience = createAudience(deps.audience)
  const grantTokens = createGrantTokens({ ...deps, audience })
  const keySetTokens = createKeySetTokens({ ...deps, audience, defaultAudience: deps.audience })
  const absentDigest = keyring.digest('')

  /** Reads what the platform has brought from its earlier server. @returns null for what is unknown */
  const readForeign = async (
    text: string,
    token: CompactJws | null,
    resourceServer: string | null,
    admit: Admit,
  ): Promise<Verdict | null> => {
    const foreign = foreignTokenOf(text)
    if (foreign && !token && isSecretShaped(text)) {
      const verdict = await keySetTokens.secretKey(text, resourceServer, admit)
      if (verdict.refused !== 'secret_unknown') return verdict
    }
    if (foreign) {
      const verdict = await grantTokens.refreshToken(foreign, resourceServer, admit)
      return verdict.refused === 'grant_unknown' ? null : verdict
    }
    admit((await store.nothing(resourceServer)).resourceServer)
    return null
  }

  /** The form of a token alone decides its kind, so one kind never passes for another (RFC 8725 §3.12). */
  const read: TokenReader<string> = async (text, resourceServer, admit) => {
    if (text.startsWith('lkks_')) return keySetTokens.secretKey(text, resourceServer, admit)
    const grantToken = decodeGrantToken(keyring, 'refresh_token', text)
    if (grantToken) return grantTokens.refreshToken(grantToken, resourceServer, admit)
    const known = issuedTokens.recall(text)
    const token = known ? null : readCompactJws(text)
    const issued = token ? issuedTokens.verify(text, token) : known
    if (issued) return grantTokens.issued(issued, resourceServer, admit)
    if (token && isSelfSigned(token)) return keySetTokens.selfSigned(token, resourceServer, admit)
    const taken = await readForeign(text, token, resourceServer, admit)
    if (taken) return taken
    // An ID token informs the app about the user; it gives no access to a data API.
    if (token && hasOwnHeader(token, 'JWT')) return { refused: 'id_token', facts: null }
    return unreadable
  }

  /** The audiences that some resource server accepts: the default one, and those of the token that are known. */
  const knownAudiences = async (text: string): Promise<string[]> => {
    const named = [readCompactJws(text)?.claims.aud].flat()
    const others = named.filter((one) => typeof one === 'string' && isResource(one)) as string[]
    return [
      deps.audience,
      ...(others.length > 0 ? await store.knownResources(stemsOf(others)) : []),
    ]
  }

  return {
    /**
     * Returns the present meaning of a credential to a resource server (RFC 7662): only what concerns its audience, its
     * organizations and the permissions that it knows.
     * @throws OAuthError invalid_client, before anything is revealed
     */
    introspect: (text: string, credentials: ClientCredentials): Promise<Verdict> => {
      const secret = 'secret' in credentials ? credentials.secret : null
      return read(text, credentials.clientId, (resourceServer) => {
        const matches = keyring.digestMatches(secret ?? '', resourceServer?.digest ?? absentDigest)
        if (!resourceServer) throw invalidClient('unknown_client')
        if (secret === null || !matches) throw invalidClient('secret_wrong')
        deps.secretShown('resource_servers', credentials.clientId, secret, resourceServer.digest)
        return resourceServer
      })
    },

    /** Does the same for an access token that a caller presents to this server. */
    accessToken: async (text: string): Promise<Verdict> => {
      const issued = issuedTokens.read(text)
      return issued ? grantTokens.issued(issued, null, anyone) : unreadable
    },

    /**
     * The same for the claims of an authentic token that has not expired and is shown in exchange for another one (RFC
     * 8693), whatever its audience.
     */
    exchanged: (claims: AccessTokenClaims): Promise<Verdict> =>
      grantTokens.ofClaims(claims, null, () => ({ ...unlimited, resource: [claims.aud].flat() })),

    /**
     * The same for users and operators who ask for the reason. It also reads codes and ended grants, and does not count
     * as a use.
     */
    explain: async (text: string): Promise<Verdict> => {
      const code = decodeGrantToken(keyring, 'code', text)
      if (code) return grantTokens.code(code, null, anyone)
      const resource = await knownAudiences(text)
      return read(text, null, () => ({ ...unlimited, resource }))
    },
  }
}

export type Introspection = ReturnType<typeof createIntrospection>
