// Nightly, and when demo/, examples/ or scripts/ changes: it starts the demo.
import { rm } from 'node:fs/promises'
import pg from 'pg'
import t from 'tap'
import { people } from '../../demo/cast.ts'
import { challengeOf } from '../../demo/client/step.ts'
import { startDemo } from '../../demo/demo.ts'
import { openDemoPostgres } from '../../demo/postgres.ts'
import { welcome } from '../../demo/welcome.ts'
import { findPackage } from '../../src/stores/embedded/package.ts'
import { lowPort } from '../support/free-port.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { createVisitor, walk } from '../support/visitor.ts'

if (!(await findPackage().catch(() => null))) t.bailout('there is no packaged Postgres here')

const directory = await temporaryDirectory('demo')
const options = { port: lowPort(), directory, tell: () => undefined, logLevel: 'silent' }

/** What a demo with the data API of an older version has kept. */
const keepOlderDatabase = async () => {
  const postgres = await openDemoPostgres(directory)
  const client = new pg.Client(await postgres.dataApiUrl())
  await client.connect()
  await client.query('create database data_api')
  return async () => {
    await postgres.dataApiUrl()
    const { rows } = await client.query("select from pg_database where datname = 'data_api'")
    await client.end()
    await postgres.stop()
    return rows.length
  }
}

const countOlder = await keepOlderDatabase()
t.equal(await countOlder(), 0, 'the database of an older data API is dropped')

const demo = await startDemo(options)
t.teardown(async () => {
  await demo.close()
  await rm(directory, { recursive: true, force: true, maxRetries: 5 })
})
const { origin } = new URL(demo.dataApi ?? '')
const answersOf = (name: keyof typeof people) => ({
  email: people[name].email,
  password: demo.people[0]?.password ?? '',
})

t.test('the playground is linked, and signs in as an app of the demo', async (t) => {
  t.match(welcome(demo), `${origin}/playground`)
  const [client, server] = [createVisitor(demo.client), createVisitor(demo.issuer)]
  const links = (await client.get('/')).dom.querySelectorAll('main a')
  t.ok(links.some((link) => link.getAttribute('href') === `${origin}/playground`))
  const answer = await fetch(`${origin}/playground/settings.json`)
  const { clientIds } = (await answer.json()) as { clientIds: Record<string, string> }
  const proof = { code_challenge: challengeOf('a'.repeat(43)), code_challenge_method: 'S256' }
  for (const [path, parameters, token] of [
    ['/authorize', { response_type: 'code', ...proof }, 'code='],
    ['/oauth/authorize', { response_type: 'token' }, 'access_token='],
  ] as const) {
    const client_id = clientIds[path === '/authorize' ? 'current' : 'legacy'] ?? ''
    const redirect_uri = `${origin}/playground`
    const query = new URLSearchParams({ client_id, ...parameters, redirect_uri, state: 'any' })
    const { left } = await walk(server, `${demo.issuer}${path}?${query}`, answersOf('ana'))
    t.equal(`${left?.origin}${left?.pathname}`, redirect_uri)
    t.match(left?.href, token)
  }
})
