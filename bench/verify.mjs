// What verifying a token costs: `npm run bench:verify` (`-- --json` for machines). The floor is what cannot be
// avoided: the bare signature check and JSON.parse for a token seen first, one Map look-up for a token seen before.
import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createVerifier } from '../dist/verify/verify.js'

const audience = 'https://api.example'
const rounds = 5
const perRound = 10_000
const repeats = 50_000

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'key-1', alg: 'ES256', use: 'sig' }
const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')

const startServer = async () => {
  const server = createServer((request, response) => {
    const answer = (body) => response.end(JSON.stringify(body))
    if (request.url.startsWith('/.well-known/')) answer({ keys: [jwk] })
    else if (request.url.includes('wait=0'))
      answer({ cursor: 'c', reset: true, more: false, changes: [] })
    // The long poll stays open: nothing is revoked.
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

const server = await startServer()
const issuer = `http://127.0.0.1:${server.address().port}`

let counter = 0
const newToken = () => {
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
  const signature = sign('sha256', Buffer.from(input), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  })
  return `${input}.${signature.toString('base64url')}`
}

/** A header arrives as a new string each time, so its hash has to be computed anew. */
const copyOf = (token) => Buffer.from(token).toString('latin1')

const key = createPublicKey({ key: jwk, format: 'jwk' })
const bare = (token) => {
  const [header, payload, signature] = token.split('.')
  const input = Buffer.from(`${header}.${payload}`)
  const options = { key, dsaEncoding: 'ieee-p1363' }
  if (!verify('sha256', input, options, Buffer.from(signature, 'base64url'))) throw new Error()
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}

/** Microseconds of CPU for each run of `work`, which may return a promise or not. */
const measure = async (inputs, work) => {
  const before = process.cpuUsage()
  for (const input of inputs) await work(input)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / inputs.length
}

const verifier = createVerifier({
  issuer,
  audience,
  resourceServer: { clientId: 'rsv', clientSecret: 'secret' },
  cacheSize: 2 * perRound,
})
await verifier.verify(newToken())

const seen = Array.from({ length: 100 }, newToken)
const map = new Map()
for (const token of seen) map.set(token, await verifier.verify(token))
const copies = () => Array.from({ length: repeats }, (_, at) => copyOf(seen[at % seen.length]))

const times = { firstFloor: [], first: [], repeatedFloor: [], repeated: [] }
for (let round = 0; round <= rounds; round++) {
  const fresh = Array.from({ length: perRound }, newToken)
  const taken = {
    firstFloor: await measure(fresh, bare),
    first: await measure(fresh, verifier.verify),
    repeatedFloor: await measure(copies(), (token) => map.get(token)),
  }
  for (const token of seen) await verifier.verify(token)
  taken.repeated = await measure(copies(), verifier.verify)
  // The first round warms up.
  if (round > 0) for (const [name, time] of Object.entries(taken)) times[name].push(time)
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
const rounded = (value) => Number(value.toFixed(2))
const row = (ours, floor) => ({
  floor: rounded(median(floor)),
  ours: rounded(median(ours)),
  ratio: rounded(median(ours) / median(floor)),
})
const result = {
  node: process.version,
  unit: 'µs of CPU',
  first: row(times.first, times.firstFloor),
  repeated: row(times.repeated, times.repeatedFloor),
}

if (process.argv.includes('--json')) console.log(JSON.stringify(result))
else {
  console.log(`Node ${result.node}, µs of CPU for each verification`)
  console.table({ 'first sight': result.first, repeated: result.repeated })
}
await verifier.close()
server.close()
server.closeAllConnections()
