/**
 * Makes the state of an earlier version: builds the server of a commit, lets users and apps get tokens from it, and dumps
 * its database into previous-state.sql. After a release:
 *
 *   LATCHKEY_TEST_PREVIOUS=<tag> npx tap test/upgrade/make-state.test.ts
 */
import { execFileSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { clientCredentials, currentCode, exchangeCode, refresh } from '../support/flows.ts'
import { freePort } from '../support/free-port.ts'
import { masterKey } from '../support/latchkey.ts'
import { legacyTokens } from '../support/migration.ts'
import { createKeySet, registerResourceServer } from '../support/resource-server.ts'
import { startServerProcess } from '../support/server-process.ts'
import { testStores } from '../support/stores.ts'
import { findSystemPostgres } from '../support/system-postgres.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { createWorld } from '../support/world.ts'
import { dumpFile, type PreviousState, stateFile } from './previous-state.ts'

const root = join(import.meta.dirname, '../..')
const previous = process.env.LATCHKEY_TEST_PREVIOUS
const skip = previous ? {} : { skip: 'only on demand: LATCHKEY_TEST_PREVIOUS names a commit' }

/** @returns the program of the commit, built */
const buildAt = (commit: string, directory: string): string => {
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 28 })
  execFileSync('tar', ['-x', '-C', directory], { input: archive })
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: directory, stdio: 'inherit' })
  const { bin } = JSON.parse(
    execFileSync('git', ['show', `${commit}:package.json`], { cwd: root, encoding: 'utf8' }),
  )
  return join(directory, bin.latchkey)
}

t.test('the state of an earlier version', skip, async (t) => {
  const commit = execFileSync('git', ['rev-parse', `${previous}^{commit}`], {
    cwd: root,
    encoding: 'utf8',
  }).trim()
  const directory = await temporaryDirectory('previous')
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const program = buildAt(commit, directory)

  const [found] = await testStores({ only: 'servers', content: 'nothing' })
  const bin = await findSystemPostgres()
  if (!found || !bin) throw new Error('this needs the Postgres of the system')
  t.teardown(() => found.drop())
  const stores = { ...found, redisUrl: null }
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const server = await startServerProcess(t, {
    program,
    stores,
    port,
    environment: { ISSUER: issuer },
  })

  const world = await createWorld(server)
  const { visitor, ...code } = await currentCode(server, world.confidential, world.ana)
  const { body: current } = await exchangeCode(issuer, world.confidential, code)
  const kims = await currentCode(server, world.confidential, world.kim)
  const { body: first } = await exchangeCode(issuer, world.confidential, kims)
  const { body: second } = await refresh(issuer, world.confidential, first.refresh_token)
  const { body: install } = await clientCredentials(issuer, world.confidential, world.acme)
  const operatorToken = execFileSync(
    process.execPath,
    [program, 'operator-token', 'create', '--name', 'earlier'],
    {
      encoding: 'utf8',
      env: { DATABASE_URL: stores.databaseUrl, LATCHKEY_MASTER_KEY: masterKey },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  ).trim()
  const state: PreviousState = {
    commit,
    madeAt: Date.now(),
    issuer,
    organization: world.acme,
    ana: world.ana,
    kim: world.kim,
    confidential: world.confidential,
    legacy: world.legacy,
    resourceServer: await registerResourceServer(server),
    operatorToken,
    current: current as PreviousState['current'],
    rotated: { used: first.refresh_token, newest: second.refresh_token },
    install: install as PreviousState['install'],
    legacyTokens: (await legacyTokens(
      server,
      world.legacy,
      world,
    )) as PreviousState['legacyTokens'],
    keySets: {
      current: await createKeySet(server, world.acme, { interface: 'current' }),
      legacy: await createKeySet(server, world.acme, {
        interface: 'legacy',
        permissions: ['readData', 'insertData'],
      }),
    },
    cookies: [...visitor.cookies],
  }
  server.signal('SIGTERM')
  await server.ended

  const dump = ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-privileges']
  const sql = execFileSync(join(bin, 'pg_dump'), [...dump, stores.databaseUrl], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  writeFileSync(dumpFile, sql)
  writeFileSync(stateFile, `${JSON.stringify(state, null, 2)}\n`)
  t.ok(state.current.refresh_token && state.legacyTokens.access_token && state.operatorToken)
})
