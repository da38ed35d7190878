/** `status()` and the log name what is wrong: once in the log, and until it has passed in the status. */
import t, { type Test } from 'tap'
import type { Problem, Verifier } from '../../../packages/verify/src/verify.ts'
import { eventually } from '../../support/eventually.ts'
import { keySetAnswer, type ScriptedServer } from '../../support/scripted-server.ts'
import { createScene, outcomeOf } from './scene.ts'

const namesOf = (verifier: Verifier) =>
  verifier
    .status()
    .problems.map(({ part, reason }) => `${part} ${reason}`)
    .sort()

const find = (verifier: Verifier, part: string, reason: string): Problem | undefined =>
  verifier.status().problems.find((one) => one.part === part && one.reason === reason)

/** A scene whose verifier writes into `lines`. */
const createLogged = async (
  t: Test,
  options: Parameters<typeof createScene>[1] = {},
  prepare?: (server: ScriptedServer) => unknown,
) => {
  const lines: string[] = []
  const log = { warn: (line: string) => lines.push(line) }
  return { lines, ...(await createScene(t, { log, ...options }, prepare)) }
}

t.test('a verifier without problems is ready and says how fresh its state is', async (t) => {
  const { server, verifier, lines } = await createLogged(t)
  t.equal(await outcomeOf(verifier.verify(server.token())), 'user')
  const { ready, feedAge, keysReadAt, problems } = verifier.status()
  t.equal(ready, true)
  t.ok(feedAge !== null && feedAge >= 0 && feedAge < 60)
  t.ok(Math.abs(Date.now() - Number(keysReadAt)) < 60_000)
  t.same(problems, [])
  t.same(lines, [])
  await verifier.close()
  t.equal(verifier.status().ready, false)
})

t.test('an unreachable server: one line for each part, until it returns', async (t) => {
  const { server, verifier, lines } = await createLogged(t, {}, (one) => one.stop())
  t.match(verifier.status(), { ready: false, feedAge: null, keysReadAt: null })
  await eventually(() => (find(verifier, 'feed', 'unreachable')?.count ?? 0) >= 3)
  const problem = find(verifier, 'feed', 'unreachable')
  t.match(problem?.message, /does not answer in time: check `issuer`/)
  t.ok(problem && problem.since.getTime() <= Date.now())
  t.same(namesOf(verifier), ['feed unreachable', 'keys unreachable'])
  t.equal(await outcomeOf(verifier.verify('lkks_a')), 'temporarily_unavailable: unreachable')
  t.ok(find(verifier, 'introspection', 'unreachable'))
  t.equal(lines.length, 3)
  t.ok(lines.some((line) => /^latchkey: .* \(feed, unreachable, ECONNREFUSED\)$/.test(line)))

  await server.start()
  await verifier.verify('lkks_b').catch(() => undefined)
  await eventually(() => verifier.status().ready && verifier.status().problems.length === 0)
  t.equal(lines.length, 3)
})

t.test('a wrong secret of the resource server', async (t) => {
  const { verifier, server, lines } = await createLogged(t, {}, (one) => {
    one.script = ({ authorization }) => (authorization ? { status: 401, body: {} } : null)
  })
  await verifier.verify('lkks_secret').catch(() => undefined)
  await eventually(() => namesOf(verifier).length === 2)
  t.same(namesOf(verifier), ['feed refused', 'introspection refused'])
  t.match(find(verifier, 'feed', 'refused')?.message, /check `clientId` and `clientSecret`/)
  t.ok(lines.every((line) => /credentials of the resource server.*status 401\)$/.test(line)))
  t.notOk(lines.some((line) => line.includes('lkrs_') || line.includes('lkks_')))
  server.script = null
  server.known.set('lkks_secret', keySetAnswer())
  await eventually(async () => (await outcomeOf(verifier.verify('lkks_secret'))) === 'key_set')
  await eventually(() => namesOf(verifier).length === 0)
})

t.test('an issuer with a trailing slash, or of another name', async (t) => {
  const { server } = await createScene(t)
  for (const [issuer, hint] of [
    [`${server.issuer}/`, true],
    ['https://auth.example', false],
  ] as const) {
    const { verifier, lines } = await createLogged(t, { issuer, server: server.issuer })
    await eventually(() => find(verifier, 'metadata', 'issuer') !== undefined)
    const { message = '' } = find(verifier, 'metadata', 'issuer') ?? {}
    t.equal(message.includes('differ only in the slash'), hint)
    t.ok(message.includes(JSON.stringify(server.issuer)) && message.includes(`"${issuer}"`))
    t.equal(await outcomeOf(verifier.verify(server.token())), 'token-invalid: issuer')
    t.match(find(verifier, 'tokens', 'issuer')?.message, /^the issuer of a token is/)
    t.equal(lines.length, 2)
  }
})

t.test('metadata that cannot be read is no problem', async (t) => {
  for (const answer of [{ status: 404, body: {} }, { body: { issuer: 1 } }, { body: 'null' }]) {
    const { verifier, server } = await createScene(t, {}, (one) => {
      one.script = ({ path }) =>
        path === '/.well-known/oauth-authorization-server' ? answer : null
    })
    t.equal(await outcomeOf(verifier.verify(server.token())), 'user')
    await eventually(() => server.count('/.well-known/oauth-authorization-server') === 1)
    t.same(namesOf(verifier), [])
  }
})

t.test('a wrong audience is named until a token is accepted', async (t) => {
  const { server, verifier, lines } = await createLogged(t)
  const other = () => server.token({ aud: ['https://other.example'] })
  for (const _ of [1, 2])
    t.equal(await outcomeOf(verifier.verify(other())), 'token-invalid: audience')
  const problem = find(verifier, 'tokens', 'audience')
  t.equal(problem?.count, 2)
  t.match(problem?.message, /is \["https:\/\/other.example"\], but `audience` is "https:\/\/api/)
  t.equal(lines.length, 1)

  t.equal(await outcomeOf(verifier.verify(server.token())), 'user')
  t.same(namesOf(verifier), [], 'the configuration is right')
  await verifier.verify(other()).catch(() => undefined)
  t.same(namesOf(verifier), [], 'so this sender is at fault')
})

t.test('a forged token cannot report a problem', async (t) => {
  const { server, verifier } = await createScene(t)
  const token = server.token({ aud: 'https://other.example', iat: 9_999_999_999 })
  const forged = `${token.slice(0, token.lastIndexOf('.'))}.${'A'.repeat(86)}`
  t.equal(await outcomeOf(verifier.verify(forged)), 'token-invalid: signature')
  t.same(namesOf(verifier), [])
})

t.test('a clock that is behind or ahead of the server', async (t) => {
  for (const [late, word] of [
    [-95_000, 'behind'],
    [95_000, 'ahead of'],
  ] as const) {
    let wrong: number = late
    const { verifier, server, lines } = await createLogged(t, { now: () => Date.now() + wrong })
    await eventually(() => find(verifier, 'clock', 'clock') !== undefined)
    const { message = '' } = find(verifier, 'clock', 'clock') ?? {}
    const seconds = Number(/(\d+) seconds/.exec(message)?.[1])
    t.ok(seconds >= 93 && seconds <= 95, message)
    t.ok(message.includes(`seconds ${word} the server's`))
    t.ok(lines.length >= 1)
    if (late < 0) {
      t.equal(await outcomeOf(verifier.verify(server.token())), 'token-invalid: not_yet_valid')
      t.match(find(verifier, 'tokens', 'clock')?.message, /becomes valid only in 9\d seconds/)
    }
    wrong = 0
    server.known.set('lkks_secret', keySetAnswer())
    await verifier.verify('lkks_secret')
    t.notOk(find(verifier, 'clock', 'clock'))
  }
})

t.test('a feed that is too old', async (t) => {
  let late = 0
  const now = () => Date.now() + late
  const { server, verifier, lines } = await createLogged(t, { maxRevocationAge: 60, now })
  t.equal(await outcomeOf(verifier.verify(server.token())), 'user')
  await server.stop()
  late = 70_000
  t.match(find(verifier, 'feed', 'stale')?.message, /no news of revocations for more than 60/)
  t.ok(lines.some((line) => line.endsWith('(feed, stale)')))
  await server.start()
  await eventually(() => !find(verifier, 'feed', 'stale'))
})

t.test('a log that throws or rejects does no harm, and can be silenced', async (t) => {
  const full = () => {
    throw new Error('the log is full')
  }
  for (const log of [{ warn: full }, { warn: async () => full() }, false as const]) {
    const { server, verifier } = await createScene(t, { log })
    t.match(await outcomeOf(verifier.verify(server.token({ aud: 'x' }))), /audience/)
    t.same(namesOf(verifier), ['tokens audience'])
  }
})

t.test('by default the console gets the line', async (t) => {
  const lines = t.capture(console, 'warn', () => {})
  const { server, verifier } = await createLogged(t, { log: undefined as never })
  await verifier.verify(server.token({ aud: 'x' })).catch(() => undefined)
  t.match(lines(), [{ args: [/^latchkey: the audience of a token is "x"/] }])
})

t.test('a problem that comes and goes is logged at most once a minute', async (t) => {
  let late = 0
  const now = () => Date.now() + late
  const { server, verifier, lines } = await createLogged(t, { now, clockTolerance: 60 })
  server.known.set('lkks_secret', keySetAnswer())
  const fail = async () => {
    server.script = ({ path }) =>
      path === '/api/oauth/introspect' ? { status: 500, body: {} } : null
    await verifier.verify(`lkks_${Math.random()}`).catch(() => undefined)
    t.ok(find(verifier, 'introspection', 'bad_answer'))
    server.script = null
    await verifier.verify(`lkks_${Math.random()}`).catch(() => undefined)
    t.notOk(find(verifier, 'introspection', 'bad_answer'))
  }
  await fail()
  await fail()
  t.equal(lines.length, 1)
  late = 61_000
  await fail()
  t.equal(lines.filter((line) => line.includes('bad_answer')).length, 2)
})
