// The cost of verifying a token. The floor is the unavoidable part: the bare signature check and JSON.parse for a new
// token, one Map lookup for a known one, and the same check without counting for one that counts the use.
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { authorize, createVerifier, type Requirement, type Verifier } from '#verify/verify'
import { median } from './measure.ts'
import { isSigned, signed } from './signature.ts'

/** CPU µs per verification. */
export interface Verification {
  what: 'first sight' | 'repeated' | 'counted check'
  floor: number
  ours: number
  goal: number
}

export const audience = 'https://api.example'
const repeats = 50_000

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'key-1', alg: 'ES256', use: 'sig' }
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An authorization server with one key and no revocations. */
export const startIssuer = async () => {
  const server = createServer((request, response) => {
    const answer = (body: object) => response.end(JSON.stringify(body))
    if (request.url?.startsWith('/.well-known/')) answer({ keys: [jwk] })
    else if (request.url?.includes('wait=0'))
      answer({ cursor: 'c', reset: true, more: false, changes: [] })
    // The long poll stays open, because nothing is revoked.
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { server, port: typeof address === 'object' && address ? address.port : 0 }
}

let counter = 0
export const newToken = (issuer: string) => {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: issuer,
    aud: audience,
    sub: 'usr0000000000000000',
    client_id: 'app0000000000000000',
    iat: now,
    exp: now + 3600,
    jti: `jti0000000000000${++counter}`,
    scope: 'records:create records:update workspace_members:read',
    interface: 'current',
    kind: 'user',
    organization_id: 'org0000000000000000',
    permissions: ['records:create', 'records:update', 'workspace_members:read'],
    workspace_ids: ['wks0000000000000001', 'wks0000000000000002', 'wks0000000000000003'],
    install_id: 'ins0000000000000000',
    app_epoch: 0,
    grant_id: '6f0c1f5e-0000-4000-8000-000000000000',
    user_epoch: 0,
  }
  const input = `${encode({ alg: 'ES256', typ: 'at+jwt', kid: 'key-1' })}.${encode(claims)}`
  return signed(input, privateKey)
}

const requirement: Requirement = {
  interface: 'current',
  permissions: ['records:create'],
  organization: 'org0000000000000000',
  workspace: 'wks0000000000000002',
}

/** A header is a new string in each request, so its hash must be computed again. */
const copyOf = (token: string) => Buffer.from(token).toString('latin1')

const key = createPublicKey({ key: jwk, format: 'jwk' })
const bare = (token: string): unknown => {
  const [header, payload = '', signature = ''] = token.split('.')
  if (!isSigned(`${header}.${payload}`, signature, key)) throw new Error()
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}

/** CPU µs per call of `work`, which may return a promise. */
const cpuOf = async (inputs: string[], work: (input: string) => unknown) => {
  const before = process.cpuUsage()
  for (const input of inputs) await work(input)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / inputs.length
}

/** Measures the cost of a token in a data API with `@latchkey-auth/verify`, in this process. */
export const measureVerification = async (quick: boolean): Promise<Verification[]> => {
  const { rounds, perRound } = quick
    ? { rounds: 2, perRound: 2000 }
    : { rounds: 5, perRound: 10_000 }
  const { server, port } = await startIssuer()
  const issuer = `http://127.0.0.1:${port}`
  const options = {
    issuer,
    audience,
    resourceServer: { clientId: 'rsv', clientSecret: 'secret' },
    cacheSize: 2 * perRound,
  }
  const verifier = createVerifier(options)
  const uncounted = createVerifier({ ...options, usage: false })
  const checkWith = (one: Verifier) => (token: string) => authorize(one, token, requirement)
  const tokens = (count: number) => Array.from({ length: count }, () => newToken(issuer))
  await verifier.verify(newToken(issuer))

  const seen = tokens(100)
  const map = new Map<string, unknown>()
  for (const token of seen) map.set(token, await verifier.verify(token))
  const copies = () =>
    Array.from({ length: repeats }, (_, at) => copyOf(seen[at % seen.length] as string))

  const first = { floor: [] as number[], ours: [] as number[] }
  const repeated = { floor: [] as number[], ours: [] as number[] }
  const counted = { floor: [] as number[], ours: [] as number[] }
  // The first round warms up.
  const middle = (times: number[]) => median(times.slice(1))
  for (let round = 0; round <= rounds; round++) {
    const fresh = tokens(perRound)
    first.floor.push(await cpuOf(fresh, bare))
    first.ours.push(await cpuOf(fresh, verifier.verify))
    repeated.floor.push(await cpuOf(copies(), (token) => map.get(token)))
    for (const token of seen) await verifier.verify(token)
    repeated.ours.push(await cpuOf(copies(), verifier.verify))
    for (const token of seen) await uncounted.verify(token)
    counted.floor.push(await cpuOf(copies(), checkWith(uncounted)))
    counted.ours.push(await cpuOf(copies(), checkWith(verifier)))
  }
  await Promise.all([verifier.close(), uncounted.close()])
  server.close()
  server.closeAllConnections()
  const [floor, unmetered] = [middle(first.floor), middle(counted.floor)]
  return [
    { what: 'first sight', floor, ours: middle(first.ours), goal: 1.08 * floor },
    { what: 'repeated', floor: middle(repeated.floor), ours: middle(repeated.ours), goal: 1 },
    {
      ...{ what: 'counted check', floor: unmetered, ours: middle(counted.ours) },
      goal: 1.01 * unmetered,
    },
  ]
}
