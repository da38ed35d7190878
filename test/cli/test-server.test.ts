// Nightly, and when src/app or src/cli changes: it starts a database of its own.
/** `latchkey test-server`: every token that a test needs, judged by the library for data APIs. */
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createVerifier, TokenInvalid } from '../../packages/verify/src/verify.ts'
import { eventually } from '../support/eventually.ts'
import { sendRaw } from '../support/raw-http.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { latchkeyProcess } from './latchkey-command.ts'

const directory = await temporaryDirectory('test-server')
t.teardown(() => rm(directory, { recursive: true, force: true }))
const env = { LATCHKEY_DATA: directory, TOKEN_AUDIENCE: 'https://api.test' }

const start = async () => {
  const { child, said, ended } = latchkeyProcess(['test-server', '--json'], env)
  await eventually(() => said.stdout.includes('\n') || child.exitCode !== null)
  if (child.exitCode !== null) throw new Error(said.stderr)
  const { issuer, operator_token: operatorToken } = JSON.parse(said.stdout)
  return { child, ended, issuer, operatorToken } as const
}

const { child, ended, issuer, operatorToken } = await start()
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${issuer}/test/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const change = async (path: string, body: object = {}) =>
  t.equal((await post(path, body)).status, 200, path)
const mint = async (body: object): Promise<string> => {
  const answer = await post('tokens', body)
  const { token } = (await answer.json()) as { token: string }
  t.equal(answer.status, 200, JSON.stringify(body))
  return token
}

const resourceServer = { clientId: 'data-api', clientSecret: 'Zc5gXe8uVd2nWk7Qx4fRt9LsYb3hJm6p' }
const audience = env.TOKEN_AUDIENCE
const introspect = async (token: string) => {
  const { clientId, clientSecret } = resourceServer
  const answer = await fetch(`${issuer}/api/oauth/introspect`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ token }),
  })
  return (await answer.json()) as { active: boolean; act?: unknown }
}

const verifier = createVerifier({ issuer, audience, resourceServer })
const reasonFor = (token: string) =>
  verifier.verify(token).then(
    () => null,
    (error) => (error instanceof TokenInvalid ? error.reason : String(error)),
  )
t.teardown(async () => {
  await verifier.close()
  child.kill('SIGTERM')
  t.equal((await ended).code, 0)
})
t.afterEach(() => change('reset'))

const rights: [object, object][] = [
  [{ kind: 'user' }, { userId: 'ana', clientId: 'current-app', workspaceIds: ['wksInside'] }],
  [
    { kind: 'user', interface: 'legacy' },
    { clientId: 'legacy-app', workspaceIds: null },
  ],
  [{ kind: 'install' }, { clientId: 'current-app', workspaceIds: ['wksInside', 'wksOutside'] }],
  [{ kind: 'self_signed' }, { clientId: 'current-keys', permissions: ['records:create'] }],
  [{ kind: 'key_set' }, { clientId: 'legacy-keys', permissions: ['readData'] }],
  [{ kind: 'user', act: 'acting-app' }, { actor: { clientId: 'acting-app' } }],
  [
    { kind: 'user', permissions: ['not:known'], workspaces: ['wksForeign'] },
    { permissions: ['not:known'], workspaceIds: ['wksForeign'] },
  ],
]
for (const [wanted, access] of rights) {
  t.test(`accepted: ${JSON.stringify(wanted)}`, async (t) => {
    const token = await mint(wanted)
    t.match(await verifier.verify(token), { organizationId: 'acme', ...access })
    t.equal((await introspect(token)).active, true)
  })
}

const dpop_jwk = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
}
const hostile: [object, string, boolean?][] = [
  [{ kind: 'user', expires_in: -60 }, 'expired'],
  [{ kind: 'install', expires_in: -60 }, 'expired'],
  [{ kind: 'self_signed', expires_in: -60 }, 'claims'],
  [{ kind: 'user', not_before: 90 }, 'not_yet_valid', true],
  [{ kind: 'user', issuer: 'https://other.test' }, 'issuer'],
  [{ kind: 'user', audience: ['https://other.test'] }, 'audience'],
  [{ kind: 'user', typ: 'JWT' }, 'header'],
  [{ kind: 'user', dpop_jwk }, 'bound_to_key', true],
  [{ kind: 'self_signed', revoked: true }, 'inactive'],
  [{ kind: 'key_set', revoked: true }, 'inactive'],
]
for (const [wanted, reason, active = false] of hostile) {
  t.test(`refused: ${JSON.stringify(wanted).slice(0, 70)}: ${reason}`, async (t) => {
    const token = await mint(wanted)
    t.equal(await reasonFor(token), reason)
    t.equal((await introspect(token)).active, active)
  })
}

t.test('a revoked token is in the feed and inactive', async (t) => {
  for (const kind of ['user', 'install']) {
    const token = await mint({ kind, revoked: true })
    await eventually(async () => (await reasonFor(token)) === 'token_revoked')
    t.equal((await introspect(token)).active, false)
  }
})

t.test('what the seed and the server do not know is 400 with its place', async (t) => {
  for (const field of ['client', 'organization', 'user']) {
    const answer = await post('tokens', { kind: 'user', [field]: 'nobody' })
    t.equal(answer.status, 400, field)
    t.match(await answer.json(), { errors: [{ pointer: `/${field}` }] })
  }
  const unfit = { kind: 'install', revoked: 'user' }
  for (const body of [
    {},
    unfit,
    { kind: 'x' },
    { kind: 'user', usr: 'ana' },
    { kind: 'user', user: 1 },
  ])
    t.equal((await post('tokens', body)).status, 400, JSON.stringify(body))
})

t.test('the clock moves for this server only, and tokens expire by it', async (t) => {
  const token = await mint({ kind: 'user' })
  await change('clock', { advance: 3601 })
  t.equal((await introspect(token)).active, false)
  t.equal((await introspect(await mint({ kind: 'user' }))).active, true)
  await change('clock', { now: '2031-05-01T00:00:00Z' })
  const late = await mint({ kind: 'user' })
  const { iat } = JSON.parse(Buffer.from(late.split('.')[1] ?? '', 'base64url').toString())
  t.ok(Math.abs(iat - Date.UTC(2031, 4, 1) / 1000) < 60)
  t.equal((await post('clock', { now: '2031-05-01T00:00:00Z', advance: 1 })).status, 400)
})

t.test('faults come and go', async (t) => {
  const { clientId, clientSecret } = resourceServer
  const feed = async (cursor: string | null) => {
    const query = cursor === null ? '' : `?cursor=${cursor}`
    const headers = { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` }
    const answer = await fetch(`${issuer}/api/oauth/revocations${query}`, { headers })
    const body = answer.ok ? ((await answer.json()) as { cursor: string }) : null
    return { status: answer.status, body }
  }
  const keys = async () => {
    const answer = await fetch(`${issuer}/.well-known/jwks.json`)
    return answer.ok ? ((await answer.json()) as { keys: [] }).keys.length : answer.status
  }
  const known = (await feed(null)).body as { cursor: string }
  t.match((await feed(known.cursor)).body, { reset: false })
  await change('faults', { feed: 'gap' })
  t.match((await feed(known.cursor)).body, { reset: true })
  await change('faults', { feed: '503', jwks: '503', introspection: '503' })
  t.equal((await feed(known.cursor)).status, 503)
  t.equal(await keys(), 503)
  await t.rejects(introspect('any'))
  const before = await mint({ kind: 'user' })
  await change('faults', { feed: 'ok', jwks: 'rotate', introspection: 'ok' })
  t.equal(await keys(), 3)
  const after = await mint({ kind: 'user' })
  t.not(before.split('.')[0], after.split('.')[0], 'another key signs')
  t.equal((await introspect(after)).active, true)
  await change('reset')
  t.equal(await keys(), 3, 'rotated keys stay')
})

t.test('a reset brings back the data of the start', async (t) => {
  const api = (method: string, path: string, body?: object) =>
    fetch(`${issuer}/api/admin/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${operatorToken}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  t.equal((await api('PATCH', '/apps/current-app', { disabled: true })).status, 200)
  t.equal((await api('DELETE', '/organizations/acme/installs/acting-app')).status, 204)
  t.equal((await api('POST', '/organizations', { name: 'Later' })).status, 201)
  await change('reset')
  t.match(await (await api('GET', '/apps/current-app')).json(), { disabled: false })
  t.match(await (await api('GET', '/organizations')).json(), { items: [{ id: 'acme' }] })
  t.equal((await introspect(await mint({ kind: 'install', client: 'acting-app' }))).active, true)
})

t.test('an error names its reason and a page that explains it', async (t) => {
  const answer = await fetch(`${issuer}/api/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'refresh_token', refresh_token: 'made-up', client_id: 'current-app' },
      client_secret: 'wrong',
    }),
  })
  const body = (await answer.json()) as Record<string, string>
  const { error, error_description: text = '', error_uri: page = '' } = body
  t.equal(error, 'invalid_client')
  t.match(text, /^secret_wrong: /)
  t.equal((await fetch(page)).status, 200)
})

t.test('neither pages nor other names reach it', async (t) => {
  t.equal((await post('reset', {}, { origin: 'https://evil.test' })).status, 403)
  const request = 'POST /test/reset HTTP/1.1\r\nHost: evil.test\r\nContent-Length: 0\r\n\r\n'
  const { statuses } = await sendRaw(issuer, request)
  t.strictSame(statuses, [403])
})

t.test('it refuses the settings of a real server, and a wrong seed', async (t) => {
  const refused = async (more: Record<string, string>, args: string[] = []) => {
    const { code, stderr } = await latchkeyProcess(['test-server', ...args], { ...env, ...more })
      .ended
    t.equal(code, 2)
    return stderr
  }
  t.match(await refused({ DATABASE_URL: 'postgres://localhost/real' }), 'DATABASE_URL')
  t.match(await refused({ REDIS_URL: 'redis://localhost' }), 'REDIS_URL')
  t.match(await refused({ ISSUER: 'https://auth.example' }), 'ISSUER')
  const seed = join(directory, 'seed.ndjson')
  const lines = [
    '{"type":"organization","id":"acme","name":"Acme"}',
    '{"type":"member","organization":"acme","user":"nobody","role":"admin"}',
    '{"type":"resource_server","name":"Data API"}',
    'no JSON',
  ]
  await writeFile(seed, lines.join('\n'))
  const stderr = await refused({}, ['--seed', seed])
  for (const line of [2, 3, 4]) t.match(stderr, `line ${line} of the seed`)
  t.notMatch(stderr, 'line 1 of')
})

t.test('several run at once, and a killed one harms none', async (t) => {
  const other = await start()
  t.not(other.issuer, issuer)
  other.child.kill('SIGKILL')
  await once(other.child, 'exit')
  const third = await start()
  third.child.kill('SIGTERM')
  t.equal((await third.ended).code, 0)
  t.equal((await introspect(await mint({ kind: 'user' }))).active, true)
})
