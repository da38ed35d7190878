import { createServer } from 'node:http'
import {
  calculateJwkThumbprint,
  compactVerify,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  type JWK,
  jwtVerify,
} from 'jose'
import { hashOf, seconds } from './dpop.ts'

/** What a data API can forget to check. */
export const holes = [
  ...[
    'no token',
    'expiry',
    'not before',
    'issuer',
    'audience',
    'organization',
    'type',
    'interface',
  ],
  ...['permission', 'workspace', 'empty workspaces', 'revocation', 'alg none', 'missing signature'],
  ...['wrong signature', 'unknown kid', 'key in the header', 'key at jku', 'critical header'],
  ...[
    'published key as secret',
    'point as secret',
    'self-signed signature',
    'bound token as bearer',
  ],
  ...['proof method', 'proof url', 'proof token', 'proof key', 'proof age', 'proof replay'],
] as const
export type Hole = (typeof holes)[number]

interface Options {
  issuer: string
  audience: string
  organization: string
  workspace: string
  permission: string
  /** `client_id:client_secret` of the resource server. */
  credentials: string
  interface: 'current' | 'legacy'
}

// biome-ignore lint/suspicious/noExplicitAny: tokens of any shape
type Json = Record<string, any>

const read = <Value>(work: () => Value): Value | null => {
  try {
    return work()
  } catch {
    return null
  }
}

/**
 * A data API that finds everything that is wrong with a request, and lets it in when nothing remains that it looks for.
 * @returns its address, and what it forgets from now on
 */
export const startHoledDataApi = async (options: Options) => {
  let open = new Set<Hole>()
  let deaf = false
  const proofIds = new Set<string>()
  const { keys } = (await (await fetch(`${options.issuer}/.well-known/jwks.json`)).json()) as {
    keys: JWK[]
  }
  const introspected = async (token: string): Promise<Json> => {
    const authorization = `Basic ${Buffer.from(options.credentials).toString('base64')}`
    const body = new URLSearchParams({ token })
    const url = `${options.issuer}/api/oauth/introspect`
    return (
      await fetch(url, { method: 'POST', headers: { authorization }, body })
    ).json() as Promise<Json>
  }

  const signatureFaults = async (token: string): Promise<Hole[]> => {
    const header = decodeProtectedHeader(token) as Json
    if (header.crit) return ['critical header']
    if (String(header.alg).toLowerCase() === 'none') return ['alg none']
    if (token.endsWith('.')) return ['missing signature']
    const [key] = keys as [JWK]
    const isSignedWith = (secret: Buffer) =>
      compactVerify(token, secret).then(
        () => true,
        () => false,
      )
    if (await isSignedWith(Buffer.from(JSON.stringify(key)))) return ['published key as secret']
    if (await isSignedWith(Buffer.from(String(key.x), 'base64url'))) return ['point as secret']
    if (header.jwk) return ['key in the header']
    if (header.jku) return ['key at jku']
    if (!keys.some(({ kid }) => kid === header.kid)) return ['unknown kid']
    const right = keys.find(({ kid }) => kid === header.kid) as JWK
    return compactVerify(token, await importJWK(right)).then(
      () => [],
      () => ['wrong signature'],
    )
  }

  const proofFaults = async (request: Json, token: string, jkt: string): Promise<Hole[]> => {
    const proof = request.headers.dpop
    if (!proof || !/^DPoP /.test(request.headers.authorization)) return ['bound token as bearer']
    const { jwk } = decodeProtectedHeader(proof) as { jwk: JWK }
    const { payload } = await jwtVerify(proof, await importJWK(jwk, 'ES256'))
    const { htm, htu, ath, jti, iat } = payload as Json
    const faults: [Hole, boolean][] = [
      ['proof method', htm !== request.method],
      ['proof url', htu !== `http://${request.headers.host}${request.url}`],
      ['proof token', ath !== hashOf(token)],
      ['proof key', (await calculateJwkThumbprint(jwk)) !== jkt],
      ['proof age', Math.abs(seconds() - iat) > 60],
      ['proof replay', proofIds.has(jti)],
    ]
    proofIds.add(jti)
    return faults.filter(([, wrong]) => wrong).map(([hole]) => hole)
  }

  const accessFaults = (access: Json): Hole[] => {
    const { workspace_ids: workspaces = null } = access
    const faults: [Hole, boolean][] = [
      ['organization', access.organization_id !== options.organization],
      ['interface', access.interface !== options.interface],
      ['permission', !access.permissions.includes(options.permission)],
      ['empty workspaces', workspaces?.length === 0],
      ['workspace', workspaces?.length > 0 && !workspaces.includes(options.workspace)],
    ]
    return faults.filter(([, wrong]) => wrong).map(([hole]) => hole)
  }

  const faultsOf = async (request: Json): Promise<Hole[]> => {
    const [, token = ''] = /^\w+ (.+)$/.exec(request.headers.authorization ?? '') ?? []
    if (!token) return ['no token']
    const claims = read(() => decodeJwt(token)) as Json | null
    const header = read(() => decodeProtectedHeader(token)) as Json | null
    const isIssued = claims?.organization_id !== undefined
    if (!isIssued) {
      const answer = await introspected(token)
      if (answer.active) return accessFaults(answer)
      if (!claims) return ['revocation']
      const trusted = { permissions: claims.permissions ?? [], interface: 'current' }
      const wrong: Hole[] = [claims.exp < seconds() ? 'expiry' : 'self-signed signature']
      return wrong.concat(
        accessFaults({ ...claims, ...trusted, organization_id: options.organization }),
      )
    }
    const wrong = await signatureFaults(token)
    if (header?.typ !== 'at+jwt') wrong.push('type')
    const now = seconds()
    if (claims.exp <= now) wrong.push('expiry')
    if (claims.nbf > now + 30) wrong.push('not before')
    if (claims.iss !== options.issuer) wrong.push('issuer')
    if (![claims.aud].flat().includes(options.audience)) wrong.push('audience')
    if (claims.cnf) wrong.push(...(await proofFaults(request, token, claims.cnf.jkt)))
    wrong.push(...accessFaults(claims))
    if (wrong.length === 0 && !(await introspected(token)).active) wrong.push('revocation')
    return wrong
  }

  const server = createServer(async (request, response) => {
    const faults = await faultsOf(request).catch(() => ['wrong signature' as const])
    const isIn = faults.every((fault) => open.has(fault))
    response.writeHead(!deaf && isIn ? 200 : 401).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}/records`,
    forget: (...forgotten: Hole[]) => {
      open = new Set(forgotten)
    },
    /** Refuses everything from now on. */
    refuse: () => {
      deaf = true
    },
    stop: () => server.close(),
  }
}
