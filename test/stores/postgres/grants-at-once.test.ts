/** Concurrent grants are inserted with one statement, and none depends on another one's fate. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import t from 'tap'
import type { Grant } from '../../../src/core/grants/grant.ts'
import { onEachStores } from '../../support/open-stores.ts'
import { sql } from '../../support/traces.ts'

const parallel = 40

const world = `
  insert into users (id, email, name) values ('ana', 'ana@acme.test', 'Ana'), ('kim', 'kim@acme.test', 'Kim');
  insert into organizations (id, name) values ('acme', 'Acme'), ('other', 'Other');
  insert into apps (client_id, name, interface, client_type, redirect_uris, permissions) values
    ('app', 'App', 'current', 'confidential', '{}', '{records:create}');
  insert into installs (id, organization_id, client_id, permissions) values
    ('i-acme', 'acme', 'app', '{}'), ('i-other', 'other', 'app', '{}')`

const grant = (part: Partial<Grant> = {}): Grant => ({
  id: randomUUID(),
  userId: 'ana',
  clientId: 'app',
  organizationId: 'acme',
  installId: 'i-acme',
  appEpoch: 0,
  userEpoch: 0,
  permissions: ['records:create'],
  workspaceIds: null,
  openidScopes: [],
  signIn: null,
  redirectUri: 'https://app.example/cb?a="b"',
  codeChallenge: null,
  dpopJkt: null,
  lifetime: null,
  ...part,
})
const elsewhere = { organizationId: 'other', installId: 'i-other' }

await onEachStores(t, 'grants at once', async (t, { grants }, setup) => {
  await sql(setup, world)
  const insertAll = (all: Grant[]) => Promise.all(all.map((one) => grants.insert(one, 100)))

  t.test('each is stored as it is', async (t) => {
    const all = Array.from({ length: parallel }, (_, at) =>
      grant({
        ...(at % 2 === 0 && elsewhere),
        permissions: at % 3 === 0 ? [] : ['records:create', `with "quotes", {braces} and é ${at}`],
        workspaceIds: at % 4 === 0 ? [`w${at}`] : null,
        openidScopes: ['openid'],
        signIn: { nonce: `n${at}`, authenticatedAt: at, methods: ['password'] },
        codeChallenge: at % 2 === 0 ? 'challenge' : null,
        dpopJkt: at % 5 === 0 ? 'thumbprint' : null,
        lifetime: at % 7 === 0 ? 600 : null,
      }),
    )
    const inserted = await insertAll(all)
    t.match(inserted, Array(parallel).fill({ connectionEpoch: 0, others: Number }))
    for (const one of all)
      t.same(
        (await grants.loadGrant('app', one.id))?.grant?.grant,
        { ...one, connectionEpoch: 0, byDevice: false, resources: null, authentication: null },
        one.id,
      )
  })

  t.test('of several for one id one is inserted', async (t) => {
    const one = grant()
    const inserted = await insertAll(Array(parallel).fill(one))
    t.equal(inserted.filter((found) => found !== false).length, 1)
    t.same(await insertAll([one, grant()]).then((all) => all.map(Boolean)), [false, true])
  })

  t.test('each counts those of the same user and app that were inserted before it', async (t) => {
    const kim = (part: Partial<Grant> = {}) => grant({ userId: 'kim', ...part })
    const count = (all: (false | null | { others: number })[]) =>
      all.flatMap((one) => (one ? [one.others] : [])).toSorted((one, other) => one - other)
    const mixed = [kim(), kim({ lifetime: 600 }), kim(elsewhere), kim(), kim()]
    t.same(count(await insertAll(mixed)), [0, 0, 0, 1, 2])
    t.same(count(await insertAll([kim(), kim()])), [3, 4])
  })

  t.test('a grant whose user is gone does not affect the others', async (t) => {
    const gone = grant({ userId: 'gone' })
    const [lost, ...kept] = await insertAll([gone, ...Array.from({ length: 5 }, () => grant())])
    t.equal(lost, null)
    t.ok(kept.every(Boolean))
  })

  t.test('no grant waits for the deletion of the organization of another', async (t) => {
    const client = new pg.Client(setup.databaseUrl)
    await client.connect()
    t.teardown(() => client.end())
    await client.query('begin')
    await client.query(`delete from organizations where id = 'other'`)
    let isOver = false
    const waiting = Promise.all(
      Array.from({ length: 3 }, () => grants.insert(grant(elsewhere), 100)),
    ).finally(() => {
      isOver = true
    })
    const rest = await insertAll(Array.from({ length: parallel }, () => grant()))
    t.ok(rest.every(Boolean))
    t.notOk(isOver)
    await client.query('commit')
    t.same(await waiting, [null, null, null])
  })
})
