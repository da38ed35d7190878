// Nightly, and when migrations/ changes: it migrates the database of an earlier version.
/**
 * An upgrade: the database of an earlier version (made by make-state.test.ts) is migrated by today's server, and
 * everything that users, apps and operators got from the earlier version still works.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose'
import pg from 'pg'
import t, { type Test } from 'tap'
import { clientCredentials, legacyToken, refresh } from '../support/flows.ts'
import { type Running, startLatchkey } from '../support/latchkey.ts'
import { signedByServer } from '../support/openid.ts'
import { introspectAt, selfSign } from '../support/resource-server.ts'
import { signedIn } from '../support/signed-in.ts'
import { type StoreSetup, testStores } from '../support/stores.ts'
import { sql } from '../support/traces.ts'
import { createVisitor } from '../support/visitor.ts'
import { readDump, readState } from './previous-state.ts'

const state = readState()
/** Milliseconds since the state was made. */
const age = Date.now() - state.madeAt

/** All have a fixed expiry, so they are expired by now. */
const accessTokens = [state.current, state.install, state.legacyTokens].map(
  (tokens) => tokens.access_token,
)

const migrations = readdirSync(join(import.meta.dirname, '../../migrations')).length

/**
 * Restores the dump, with all times as if the earlier server had run until now.
 * @returns the number of its migrations
 */
const restore = async (stores: StoreSetup): Promise<number> => {
  const client = new pg.Client(stores.databaseUrl)
  await client.connect()
  try {
    await client.query(readDump())
    const { rows } = await client.query<{ table: string; column: string }>(
      `select c.table_name as table, c.column_name as column
         from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
        where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
          and c.data_type = 'timestamp with time zone'`,
    )
    for (const { table, column } of rows)
      await client.query(
        `update public."${table}" set "${column}" = "${column}" + $1 * interval '1 millisecond'`,
        [age],
      )
    const applied = await client.query<{ count: number }>(
      'select count(*)::int as count from public.migrations',
    )
    return applied.rows[0]?.count ?? 0
  } finally {
    await client.end()
  }
}

interface Upgraded {
  running: Running
  url: string
  stores: StoreSetup
  /** Migrations of the earlier version. */
  before: number
}
const isActive = async ({ url }: Upgraded, token: string) =>
  (await introspectAt(url, state.resourceServer, token)).body.active

/** The checks in this order: the last one revokes. */
const checks: [what: string, check: (t: Test, upgraded: Upgraded) => Promise<void>][] = [
  [
    'all migrations are applied, and the data is there',
    async (t, { stores, running, before }) => {
      const [applied] = await sql<{ count: number }>(
        stores,
        'select count(*)::int as count from migrations',
      )
      t.equal(applied?.count, migrations)
      t.ok(before <= migrations, `${before} of them were there`)
      const { body } = await running.operator('GET', `/organizations/${state.organization}`)
      t.match(body, { name: 'Acme' })
    },
  ],
  [
    'a token of an operator works',
    async (t, { url }) => {
      const ask = (token: string) =>
        fetch(`${url}/api/admin/v1/apps`, { headers: { authorization: `Bearer ${token}` } })
      t.equal((await ask(state.operatorToken)).status, 200)
      t.equal((await ask(`${state.operatorToken}x`)).status, 401)
    },
  ],
  [
    'secrets of apps match, also none other',
    async (t, { url }) => {
      const answer = await clientCredentials(url, state.confidential, state.organization)
      t.equal(answer.status, 200)
      const wrong = { ...state.confidential, client_secret: `${state.confidential.client_secret}x` }
      t.equal((await clientCredentials(url, wrong, state.organization)).status, 401)
    },
  ],
  [
    'the published keys verify the access tokens that the earlier version signed',
    async (t, { url }) => {
      const answer = await fetch(`${url}/.well-known/jwks.json`)
      const keys = (await answer.json()) as JSONWebKeySet
      for (const token of accessTokens) {
        const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
          issuer: state.issuer,
          audience: state.issuer,
          typ: 'at+jwt',
          currentDate: new Date(state.madeAt),
        })
        t.equal(payload.organization_id, state.organization)
      }
    },
  ],
  [
    'access tokens are active',
    async (t, upgraded) => {
      for (const token of accessTokens) {
        const { iat = 0, exp = 0, ...claims } = decodeJwt(token)
        const seconds = Math.floor(age / 1000)
        // The same token, as if it had just been issued.
        const fresh = { ...claims, iat: iat + seconds, exp: exp + seconds }
        t.equal(
          await isActive(upgraded, await signedByServer(upgraded.stores, fresh, 'at+jwt')),
          true,
        )
        const ended = {
          ...fresh,
          grant_id: '00000000-0000-4000-8000-000000000000',
          kind: 'user',
          sub: state.ana.id,
        }
        const forged = await signedByServer(upgraded.stores, ended, 'at+jwt')
        t.equal(await isActive(upgraded, forged), false, 'but not one of an unknown grant')
      }
    },
  ],
  [
    'sessions are open, and passwords match',
    async (t, { url }) => {
      const browser = createVisitor(url)
      for (const [name, value] of state.cookies) browser.cookies.set(name, value)
      const page = await browser.get('/account/sessions')
      t.equal(page.status, 200)
      t.match(page.text, state.ana.email ?? '', 'Ana is signed in')
      const stranger = await createVisitor(url).get('/account/sessions')
      t.equal(stranger.url.pathname, '/login')
      const again = await (await signedIn(url, state.kim)).get('/account/sessions')
      t.match(again.text, state.kim.email)
    },
  ],
  [
    'key sets of both interfaces work',
    async (t, upgraded) => {
      const { current, legacy } = state.keySets
      t.equal(await isActive(upgraded, legacy.secret), true)
      const now = Math.floor(Date.now() / 1000)
      const claims = { iss: current.client_id, iat: now, exp: now + 60 }
      t.equal(await isActive(upgraded, selfSign(current.secret, claims)), true)
      t.equal(await isActive(upgraded, selfSign(legacy.secret, claims)), false)
    },
  ],
  [
    'refresh tokens of both interfaces work once',
    async (t, upgraded) => {
      const { url } = upgraded
      const renewed = await refresh(url, state.confidential, state.current.refresh_token)
      t.equal(renewed.status, 200)
      t.equal(await isActive(upgraded, renewed.body.access_token), true)
      const legacy = await legacyToken(url, state.legacy, {
        grant_type: 'refresh_token',
        refresh_token: state.legacyTokens.refresh_token,
      })
      t.equal(legacy.status, 200)
      t.equal(await isActive(upgraded, legacy.body.access_token), true)
    },
  ],
  [
    'the reuse of a refresh token that the earlier version consumed revokes its family',
    async (t, upgraded) => {
      const replayed = await refresh(upgraded.url, state.confidential, state.rotated.used)
      t.match(replayed, { status: 400, body: { error: 'invalid_grant' } })
      const newest = await refresh(upgraded.url, state.confidential, state.rotated.newest)
      t.match(newest, { status: 400, body: { error: 'invalid_grant' } })
    },
  ],
]

for (const stores of await testStores({ content: 'nothing' })) {
  t.test(`a server of ${state.commit.slice(0, 7)} is upgraded (${stores.name})`, async (t) => {
    t.teardown(() => stores.drop())
    const before = await restore(stores)
    // The earlier server had no Redis.
    const alone = { ...stores, redisUrl: null }
    const running = await startLatchkey(alone, { environment: { ISSUER: state.issuer } })
    t.teardown(() => running.stop())
    const upgraded = { running, url: running.urls[0] as string, stores: alone, before }
    for (const [what, check] of checks) await t.test(what, (t) => check(t, upgraded))
  })
}
