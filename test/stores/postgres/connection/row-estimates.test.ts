import { randomUUID } from 'node:crypto'
import t from 'tap'
import { onEachStores } from '../../../support/open-stores.ts'
import { sql } from '../../../support/traces.ts'

const world = `
  insert into users (id, email, name) values ('usr1', 'a@b.c', 'A');
  insert into organizations (id, name) values ('org1', 'O');
  insert into apps (client_id, name, interface, client_type, redirect_uris, permissions)
    values ('app1', 'App', 'current', 'confidential', '{}', '{}');
  insert into installs (id, organization_id, client_id, permissions)
    values ('ins1', 'org1', 'app1', '{}');`

const insertGrants = `
  insert into grants (id, user_id, client_id, organization_id, install_id, app_epoch, user_epoch, permissions,
      redirect_uri, ended_at)
    select id, 'usr1', 'app1', 'org1', 'ins1', 0, 0, '{}', '', case when $2 then now() end
      from unnest($1::uuid[]) as id`

await onEachStores(t, 'estimates', async (t, stores, setup) => {
  const ids = (count: number) => Array.from({ length: count }, () => randomUUID())
  t.test('families have no estimate before there are statistics', async (t) => {
    t.equal(await stores.estimateFamilies(), null)
  })
  t.test('families are estimated by whether they are revoked', async (t) => {
    await sql(setup, world)
    // In one transaction, because counts of other connections arrive at any time.
    await stores.database.transaction(async (tx) => {
      await tx.query(insertGrants, [ids(30), false])
      await tx.query(insertGrants, [ids(10), true])
      await tx.query('analyze grants')
    })
    t.same(await stores.estimateFamilies(), { live: 30, ended: 10 })
  })
  t.test('each table has its own row estimate', async (t) => {
    const estimates = new Map((await stores.estimateRows()).map(({ table, rows }) => [table, rows]))
    t.equal(estimates.get('grants'), 40)
    t.ok(estimates.has('webhooks'))
  })
})
