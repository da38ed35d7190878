import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createLastUsed, type UsedIds } from '../../../src/core/audit/last-used.ts'
import { onEachStores } from '../../support/open-stores.ts'
import { sql } from '../../support/traces.ts'

await onEachStores(t, 'last use', async (t, stores, setup) => {
  const grants = [randomUUID(), randomUUID(), randomUUID()]
  const world = `
    insert into users (id, email, name) values ('usr1', 'a@b.c', 'A');
    insert into organizations (id, name) values ('org1', 'O');
    insert into apps (client_id, name, interface, client_type, redirect_uris, permissions)
      values ('app1', 'App', 'current', 'confidential', '{}', '{}');
    insert into installs (id, organization_id, client_id, permissions)
      values ('ins1', 'org1', 'app1', '{}');
    insert into app_secrets (id, client_id, digest, hint)
      values ('sec1', 'app1', '', ''), ('sec2', 'app1', '', '');`
  await sql(setup, world)
  for (const id of grants) {
    await sql(
      setup,
      `insert into grants (id, user_id, client_id, organization_id, install_id, app_epoch,
         user_epoch, permissions, redirect_uri)
       values ($1, 'usr1', 'app1', 'org1', 'ins1', 0, 0, '{}', '')`,
      [id],
    )
  }
  const usedOf = async (table: string) =>
    (
      await sql<{ id: string }>(
        setup,
        `select id::text from ${table} where last_used_at is not null order by id`,
      )
    ).map((row) => row.id)

  t.test('last use is recorded in batches, once for each', async (t) => {
    const batches: unknown[] = []
    const store = {
      touch: (used: UsedIds) => {
        batches.push([used.grants.length, used.secrets.length, used.installs.length])
        return stores.grants.touch(used)
      },
    }
    const lastUsed = createLastUsed(store, (error) => t.fail(String(error)))
    for (let i = 0; i < 5; i++) {
      for (const id of grants.slice(0, 2)) lastUsed.grant(id)
      lastUsed.secret('sec1')
      lastUsed.install('ins1')
    }
    t.same(await usedOf('grants'), [], 'not on the request path')
    await lastUsed.close()
    t.same(batches, [[2, 1, 1]])
    t.same(await usedOf('grants'), grants.slice(0, 2).toSorted())
    t.same(await usedOf('app_secrets'), ['sec1'])
    t.same(await usedOf('installs'), ['ins1'])
    await lastUsed.close()
    t.equal(batches.length, 1, 'without any use there is no query')
  })

  t.test('a failed write of last use is logged, not thrown', async (t) => {
    const faults: unknown[] = []
    const away = new Error('away')
    const store = { touch: () => Promise.reject(away) }
    const lastUsed = createLastUsed(store, (error) => faults.push(error))
    lastUsed.secret('sec2')
    await lastUsed.close()
    t.same(faults, [away])
  })
})
