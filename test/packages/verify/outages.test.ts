/**
 * The authorization server is unavailable, slow, or sends nonsense: unverifiable tokens are
 * refused.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { createVerifier } from '../../../packages/verify/src/verify.ts'
import { eventually } from '../../support/eventually.ts'
import {
  audience,
  keySetAnswer,
  resourceServer,
  type Script,
  startScriptedServer,
} from '../../support/scripted-server.ts'
import { createScene, outcomeOf } from './scene.ts'

const unavailable = (reason: string) => `temporarily_unavailable: ${reason}`

t.test(
  'a server that is unavailable at the start: tokens are refused until it returns',
  async (t) => {
    const { server, verifier, problems } = await createScene(t, { timeout: 0.05 }, (one) =>
      one.stop(),
    )
    t.equal(await outcomeOf(verifier.verify(server.token())), unavailable('starting'))
    t.equal(await outcomeOf(verifier.verify('lkks_secret')), unavailable('unreachable'))
    t.ok(problems.includes('unreachable'))
    await server.start()
    await eventually(async () => (await outcomeOf(verifier.verify(server.token()))) === 'user')
  },
)

t.test('the first verification waits for keys and feed', async (t) => {
  for (const path of ['/.well-known/jwks.json', '/api/oauth/revocations']) {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const { server, verifier } = await createScene(t, {}, (one) => {
      one.script = async (request) => {
        if (request.path === path) await held
        return null
      }
    })
    let isDone = false
    const verifying = outcomeOf(verifier.verify(server.token())).finally(() => {
      isDone = true
    })
    await eventually(() => server.count(path) === 1)
    t.notOk(isDone, `${path} has not answered`)
    release()
    t.equal(await verifying, 'user')
  }
})

t.test(
  'a server that becomes unavailable: signed tokens are verified with the known revocations',
  async (t) => {
    const { server, verifier } = await createScene(
      t,
      { introspectionCache: { active: 60 } },
      (one) => one.tell({ type: 'grant', id: 'revoked' }),
    )
    server.known.set('lkks_secret', keySetAnswer())
    const seen = server.token()
    t.equal(await outcomeOf(verifier.verify(seen)), 'user')
    t.equal(await outcomeOf(verifier.verify('lkks_secret')), 'key_set')
    await server.stop()
    t.equal(await outcomeOf(verifier.verify(seen)), 'user')
    t.equal(await outcomeOf(verifier.verify(server.token())), 'user')
    const revoked = server.token({ grant_id: 'revoked' })
    t.equal(await outcomeOf(verifier.verify(revoked)), 'token-invalid: grant_revoked')
    t.equal(await outcomeOf(verifier.verify('lkks_secret')), 'key_set', 'remembered')
    t.equal(await outcomeOf(verifier.verify('lkks_another')), unavailable('unreachable'))

    server.tell({ type: 'grant', id: 'grn1' })
    await server.start()
    await eventually(
      async () => (await outcomeOf(verifier.verify(seen))) === 'token-invalid: grant_revoked',
    )
  },
)

t.test('an unknown key during an outage gives temporarily_unavailable', async (t) => {
  const { server, verifier } = await createScene(t, { keysInterval: 0.01 })
  await verifier.verify(server.token())
  await server.stop()
  const unknown = server.token({}, { kid: 'key-2' })
  await eventually(
    async () => (await outcomeOf(verifier.verify(unknown))) === unavailable('unreachable'),
  )
  t.equal(await outcomeOf(verifier.verify(server.token())), 'user')
})

t.test('maxRevocationAge: refuses every token when the feed is too old', async (t) => {
  let late = 0
  const { server, verifier } = await createScene(t, {
    maxRevocationAge: 60,
    now: () => Date.now() + late,
  })
  const seen = server.token({ exp: 9_999_999_999 })
  t.equal(await outcomeOf(verifier.verify(seen)), 'user')
  await server.stop()
  late = 50_000
  t.equal(await outcomeOf(verifier.verify(seen)), 'user')
  late = 70_000
  t.equal(await outcomeOf(verifier.verify(seen)), unavailable('stale'))
  t.equal(await outcomeOf(verifier.verify(server.token())), unavailable('stale'))
  await server.start()
  await eventually(async () => (await outcomeOf(verifier.verify(seen))) === 'user')
})

const change = (part: Record<string, unknown>) => ({
  body: {
    cursor: 'c',
    reset: true,
    more: false,
    changes: [{ type: 'grant', id: 'g', active: false, until: 9_999_999_999, ...part }],
  },
})
const nonsense: [what: string, answer: Exclude<Awaited<ReturnType<Script>>, null>][] = [
  ['a page', { body: '<!doctype html><title>Welcome to nginx!</title>' }],
  ['a failure', { status: 500, body: { error: 'server_error' } }],
  ['a redirect', { status: 302, body: '' }],
  ['nothing', { body: '' }],
  ['null', { body: 'null' }],
  ['a list', { body: [] }],
  ['an empty object', { body: {} }],
  ['half of it', { body: '{"cursor":"c","reset":true,"more":false,"changes":[' }],
  ['too much', { body: `{"cursor":"${'c'.repeat(9_000_000)}"}` }],
  ['changes that are no list', { body: { cursor: 'c', reset: true, more: false, changes: {} } }],
  ['no cursor', { body: { reset: true, more: false, changes: [] } }],
  ['a change without an id', change({ id: undefined })],
  ['a change without a type', change({ type: undefined })],
  ['a change that may be active', change({ active: undefined })],
  ['a change without an end', change({ until: undefined })],
  ['an install without its permissions', change({ type: 'install', active: true })],
  ['a user without an epoch', change({ type: 'user' })],
  ['a member of nobody', change({ type: 'member' })],
]

t.test('a malformed feed is ignored, and tokens are refused', async (t) => {
  for (const [what, answer] of nonsense) {
    const { server, verifier, problems } = await createScene(t, { timeout: 0.2 }, (one) => {
      one.script = ({ path }) => (path === '/api/oauth/revocations' ? answer : null)
    })
    t.equal(await outcomeOf(verifier.verify(server.token())), unavailable('starting'), what)
    await eventually(() => problems.length > 0)
    server.script = null
    await eventually(async () => (await outcomeOf(verifier.verify(server.token()))) === 'user')
    await verifier.close()
  }
})

t.test('malformed or unusable keys are ignored', async (t) => {
  const bad = [
    { keys: [] },
    { keys: {} },
    { keys: [null, 1, 'key', {}] },
    { keys: [{ kid: 'key-1', kty: 'EC', crv: 'P-256', alg: 'ES256', x: 'AA', y: 'AA' }] },
    { keys: [{ kid: 'key-1', kty: 'oct', k: 'AAAA', alg: 'HS256' }] },
  ]
  const answers = [...nonsense.slice(0, 9).map(([, one]) => one), ...bad.map((body) => ({ body }))]
  for (const answer of answers) {
    const { server, verifier } = await createScene(t, { timeout: 0.2 }, (one) => {
      one.script = ({ path }) => (path === '/.well-known/jwks.json' ? answer : null)
    })
    t.equal(await outcomeOf(verifier.verify(server.token())), unavailable('starting'))
    await verifier.close()
  }
})

t.test('a malformed introspection response refuses the token', async (t) => {
  const { server, verifier } = await createScene(t)
  const bad: Exclude<Awaited<ReturnType<Script>>, null>[] = [
    ...nonsense.slice(0, 9).map(([, one]) => one),
    { body: { active: 'true' } },
    { body: { active: true } },
    { body: keySetAnswer({ client_id: undefined }) },
    { body: keySetAnswer({ organization_id: 1 }) },
    { body: keySetAnswer({ permissions: 'readData' }) },
    { body: keySetAnswer({ workspace_ids: undefined }) },
    { body: keySetAnswer({ interface: 'current' }) },
    { body: keySetAnswer({ exp: 'soon' }) },
  ]
  for (const answer of bad) {
    server.script = ({ path }) => (path === '/api/oauth/introspect' ? answer : null)
    t.equal(await outcomeOf(verifier.verify('lkks_secret')), unavailable('bad_answer'))
  }
})

t.test('a server that rejects the credentials: tokens are refused', async (t) => {
  const { server, verifier, problems } = await createScene(t, {}, (one) => {
    one.script = ({ authorization }) => (authorization ? { status: 401, body: {} } : null)
  })
  t.equal(await outcomeOf(verifier.verify('lkks_secret')), unavailable('refused'))
  t.equal(await outcomeOf(verifier.verify(server.token())), unavailable('starting'))
  t.ok(problems.includes('refused'))
})

t.test('a server that does not answer in time counts as unavailable', async (t) => {
  const { verifier } = await createScene(t, { timeout: 0.05 }, (one) => {
    one.script = ({ path }) => (path === '/api/oauth/introspect' ? new Promise(() => {}) : null)
  })
  t.equal(await outcomeOf(verifier.verify('lkks_secret')), unavailable('unreachable'))
})

t.test('after an unknown cursor the feed is read from the start', async (t) => {
  const { server, verifier } = await createScene(t)
  const token = server.token()
  await verifier.verify(token)
  server.script = ({ query }) =>
    query.has('cursor') ? { status: 400, body: { error: 'invalid_request' } } : null
  server.tell({ type: 'grant', id: 'grn1' })
  await eventually(async () => (await outcomeOf(verifier.verify(token))) !== 'user')
  server.script = null
  server.tell({ type: 'app', id: 'app1', epoch: 0 })
  const other = server.token({ grant_id: 'grn2' })
  await eventually(async () => (await outcomeOf(verifier.verify(other))) !== 'user')
  t.equal(await outcomeOf(verifier.verify(token)), 'token-invalid: grant_revoked')
})

t.test('a server that never holds the feed is not polled without a pause', async (t) => {
  const { server, verifier } = await createScene(t, {}, (one) => {
    one.script = ({ path }) =>
      path === '/api/oauth/revocations'
        ? { body: { cursor: 'c', reset: false, more: false, changes: [] } }
        : null
  })
  await verifier.verify(server.token())
  await new Promise((resolve) => setTimeout(resolve, 300))
  t.ok(server.count('/api/oauth/revocations') <= 3)
})

t.test('a log callback that throws or rejects does no harm', async (t) => {
  const full = () => {
    throw new Error('the log is full')
  }
  for (const onProblem of [full, async () => full()]) {
    let problems = 0
    const { server, verifier } = await createScene(
      t,
      {
        timeout: 0.05,
        onProblem: () => {
          problems++
          return onProblem()
        },
      },
      (one) => one.stop(),
    )
    t.equal(await outcomeOf(verifier.verify(server.token())), unavailable('starting'))
    await eventually(() => problems > 0)
    await server.start()
    await eventually(async () => (await outcomeOf(verifier.verify(server.token()))) === 'user')
  }
})

t.test('accepts a custom fetch', async (t) => {
  let count = 0
  const { server, verifier } = await createScene(t, {
    fetch: (...request) => {
      count++
      return fetch(...request)
    },
  })
  const token = server.token()
  t.equal(await outcomeOf(verifier.verify(token)), 'user')
  server.tell({ type: 'grant', id: 'grn1' })
  await eventually(async () => (await outcomeOf(verifier.verify(token))) !== 'user')
  t.ok(count >= server.seen.length)
  server.script = () => ({ body: `{"cursor":"${'c'.repeat(9_000_000)}"}` })
  t.equal(await outcomeOf(verifier.verify('lkks_secret')), unavailable('bad_answer'))
})

t.test('neither an open nor a closed verifier keeps the process running', async (t) => {
  const server = await startScriptedServer()
  t.teardown(() => server.stop())
  const options = { issuer: server.issuer, audience, resourceServer }
  const library = join(import.meta.dirname, '../../../packages/verify/src/verify.ts')
  const program = (end: string) => `
    import { createVerifier } from ${JSON.stringify(library)}
    const verifier = createVerifier(${JSON.stringify(options)})
    await verifier.verify(${JSON.stringify(server.token())})
    await new Promise((resolve) => setTimeout(resolve, 100))
    ${end}
    console.log('done')`
  for (const end of ['', 'await verifier.close()']) {
    const args = [...process.execArgv, '--input-type=module', '--eval', program(end)]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    t.equal(stdout, 'done\n')
  }
})

t.test('an idle connection that was closed causes no error', async (t) => {
  const { server, verifier } = await createScene(t, { introspectionCache: { active: 0 } })
  server.known.set('lkks_secret', keySetAnswer())
  for (let round = 0; round < 5; round++) {
    t.equal(await outcomeOf(verifier.verify('lkks_secret')), 'key_set')
    await server.stop()
    await server.start()
  }
})

t.test('a verifier can be closed during requests', async (t) => {
  const server = await startScriptedServer()
  t.teardown(() => server.stop())
  server.script = () => new Promise(() => {})
  const verifier = createVerifier({
    issuer: server.issuer,
    audience,
    resourceServer,
    timeout: 0.1,
  })
  const verifying = [server.token(), 'lkks_secret'].map((one) => outcomeOf(verifier.verify(one)))
  await eventually(() => server.seen.length >= 3)
  await verifier.close()
  for (const outcome of await Promise.all(verifying)) t.match(outcome, /^temporarily_unavailable/)
})
