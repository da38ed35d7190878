// `@latchkey-auth/verify/testing`: a signer and a verifier that trust each other, for the tests of a data API. There is no
// server; `latchkey test-server` is one.
import { type Credential, createVerifier, isVerificationError, type Verifier } from './verify.ts'

/** What is absent has a usual value. Times are seconds from now, also negative. */
export interface TestToken {
  /** Default: `user`. */
  kind?: 'user' | 'install' | 'self_signed' | 'key_set'
  interface?: 'current' | 'legacy'
  organization?: string
  client?: string
  user?: string
  permissions?: readonly string[]
  /** Default: `['wksInside']`; the legacy interface has none. */
  workspaces?: readonly string[]
  expiresIn?: number
  notBefore?: number
  issuer?: string
  audience?: string | readonly string[]
  /** The public key that the token is bound to (RFC 9449 §6.1). */
  dpopJwk?: Readonly<Record<string, unknown>>
  /** Client ids of the apps that act, the last one first (RFC 8693 §4.1). */
  act?: readonly string[]
  /** Of the header. */
  typ?: string
}

export interface Testing {
  /** The real one: it reads the keys of `token` from memory. Close it at the end. */
  verifier: Verifier
  token(wanted?: TestToken): Promise<string>
  /** The stable reason for which the verifier refuses the credential (docs/errors.md); null: it accepts it. */
  explain(credential: Credential): Promise<string | null>
}

const encoder = new TextEncoder()
const base64url = (bytes: ArrayBuffer | Uint8Array) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
const encoded = (json: object) => base64url(encoder.encode(JSON.stringify(json)))

/** RFC 7638 §3. */
const thumbprint = async (jwk: NonNullable<TestToken['dpopJwk']>) => {
  const members = ['crv', 'e', 'kty', 'n', 'x', 'y'].filter((name) => name in jwk)
  const text = JSON.stringify(Object.fromEntries(members.map((name) => [name, jwk[name]])))
  return base64url(await crypto.subtle.digest('SHA-256', encoder.encode(text)))
}

const actorsOf = (clients: readonly string[]) => ({
  act: clients.reduceRight<object | undefined>(
    (act, client_id) => ({ client_id, ...(act && { act }) }),
    undefined,
  ),
  delegation: clients.map((client) => ({
    install_id: `ins-${client}`,
    app_epoch: 0,
    subject_jti: crypto.randomUUID(),
  })),
})

const claimsOf = async (wanted: TestToken, issuer: string, audience: string) => {
  const { kind = 'user', interface: generation = 'current', permissions = [] } = wanted
  const { client = 'test-app', user = 'test-user', expiresIn = 3600, notBefore } = wanted
  const now = Math.floor(Date.now() / 1000)
  return {
    iss: wanted.issuer ?? issuer,
    aud: wanted.audience ?? audience,
    sub: kind === 'user' ? user : client,
    client_id: client,
    iat: now + Math.min(0, expiresIn - 1),
    exp: now + expiresIn,
    ...(notBefore !== undefined && { nbf: now + notBefore }),
    jti: crypto.randomUUID(),
    scope: permissions.join(' '),
    interface: generation,
    kind,
    organization_id: wanted.organization ?? 'test-organization',
    permissions,
    ...(generation === 'current' && { workspace_ids: wanted.workspaces ?? ['wksInside'] }),
    ...(wanted.dpopJwk && { cnf: { jkt: await thumbprint(wanted.dpopJwk) } }),
    install_id: `ins-${client}`,
    app_epoch: 0,
    ...(kind === 'user' && { grant_id: crypto.randomUUID(), user_epoch: 0 }),
    ...(wanted.act && wanted.act.length > 0 && actorsOf(wanted.act)),
  }
}

/** Answers as a server without revocations would. */
const answering =
  (jwk: object, introspected: ReadonlyMap<string, object>): typeof fetch =>
  async (url, { body, signal } = {}) => {
    const { pathname, searchParams } = new URL(String(url))
    if (pathname.endsWith('/jwks.json')) return Response.json({ keys: [jwk] })
    if (pathname.endsWith('/introspect')) {
      const token = new URLSearchParams(String(body)).get('token') ?? ''
      return Response.json(introspected.get(token) ?? { active: false })
    }
    if (!pathname.endsWith('/revocations')) return Response.json({})
    if (searchParams.get('cursor') !== null)
      await new Promise((_, reject) => signal?.addEventListener('abort', reject))
    return Response.json({ cursor: '1', reset: true, more: false, changes: [] })
  }

/** Makes a key. Its public part is all that the verifier trusts. */
export const createTesting = async ({
  issuer = 'https://auth.test',
  audience = 'https://api.test',
}: Partial<Record<'issuer' | 'audience', string>> = {}): Promise<Testing> => {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', keys.publicKey)
  const introspected = new Map<string, object>()
  const verifier = createVerifier({
    ...{ issuer, audience, resourceServer: { clientId: 'test', clientSecret: 'test' } },
    fetch: answering({ kty, crv, x, y, kid: 'test', alg: 'ES256', use: 'sig' }, introspected),
  })
  return {
    verifier,
    token: async (wanted = {}) => {
      const { kind = 'user', typ = 'at+jwt' } = wanted
      const own = kind === 'self_signed' || kind === 'key_set'
      const generation = kind === 'key_set' ? 'legacy' : (wanted.interface ?? 'current')
      const iss = own ? (wanted.client ?? 'test-app') : issuer
      const claims = await claimsOf({ ...wanted, interface: generation }, iss, audience)
      const header = own ? { alg: 'HS256', typ: 'JWT' } : { alg: 'ES256', typ, kid: 'test' }
      const input = `${encoded(header)}.${encoded(claims)}`
      const signed = await crypto.subtle.sign(algorithm, keys.privateKey, encoder.encode(input))
      const signature = base64url(own ? signed.slice(0, 32) : signed)
      const token = kind === 'key_set' ? `lkks_${signature}` : `${input}.${signature}`
      // Only a server knows their secrets, so the verifier asks it.
      const active = (wanted.expiresIn ?? 1) > 0
      if (own)
        introspected.set(token, { ...claims, workspace_ids: wanted.workspaces ?? null, active })
      return token
    },
    explain: (credential) =>
      verifier.verify(credential).then(
        () => null,
        (error) => {
          if (isVerificationError(error) && 'reason' in error) return String(error.reason)
          throw error
        },
      ),
  }
}
