/** The audit trail, read forward by programs that follow it. */
import pg from 'pg'
import { migrate } from '../../../src/stores/postgres/connection/migrate.ts'
import { type Json, operatorToken } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { sql } from '../../support/traces.ts'

const writers = 20
const changes = 10

await onEachBackend(
  'the audit trail, followed',
  async (t, { running, stores, world }) => {
    const { operator } = running
    const { acme, other } = world
    const read = async (query: string, { url = running.issuer, token = operatorToken } = {}) => {
      const headers = { authorization: `Bearer ${token}` }
      const response = await fetch(`${url}/api/admin/v1/audit?${query}`, { headers })
      return { status: response.status, body: (await response.json()) as Json }
    }
    const all = async (query = '', from = 'start') => {
      const items: Json[] = []
      for (let after = from; ; ) {
        const { status, body } = await read(`after=${after}&limit=7&${query}`)
        if (status !== 200) throw new Error(JSON.stringify(body))
        items.push(...body.items)
        after = body.next
        if (body.items.length === 0) return { items, next: after }
      }
    }
    const ids = (items: Json[]) => items.map(({ id }) => id)
    const rename = (at: number, name: string) =>
      fetch(`${running.urls[at % running.urls.length]}/api/admin/v1/organizations/${acme}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
      })
    const renamed = ({ type }: Json) => type === 'organization.changed'

    await t.test('it tells the same events as the list, oldest first', async (t) => {
      const { items, next } = await all()
      const { body } = await read('limit=200')
      t.same(ids(items).slice(-200), ids(body.items).reverse())
      t.same((await read(`after=${next}`)).body.items, [])
      const ofOther = await all(`organization_id=${other}`)
      t.same(
        ids(ofOther.items),
        ids(items.filter(({ organization_id }) => organization_id === other)),
      )
    })

    await t.test('an event waits for every transaction that began before it', async (t) => {
      const { next } = await all()
      const slow = new pg.Client(stores.databaseUrl)
      await slow.connect()
      try {
        await slow.query('begin')
        await slow.query(
          `insert into audit_events (type, actor_kind) values ('organization.changed', 'system')`,
        )
        await rename(0, 'Ready first')
        t.same((await read(`after=${next}`)).body.items, [], 'none before the slow one')
        const waiting = read(`after=${next}&wait=25`, { url: running.urls[1] as string })
        await slow.query('commit')
        const found = [...(await waiting).body.items]
        t.same(
          found.map(({ actor }) => actor.kind),
          ['system', 'operator'],
        )
      } finally {
        await slow.end()
      }
    })

    await t.test('of many writers on two instances each event is told once', async (t) => {
      const { next } = await all()
      let done = false
      const follow = async (url: string) => {
        const told: Json[] = []
        for (let after = next; ; ) {
          const wasDone = done
          const { body } = await read(`after=${after}&wait=1&limit=3`, { url })
          told.push(...body.items)
          after = body.next
          if (wasDone && body.items.length === 0) return told.filter(renamed)
        }
      }
      const followers = running.urls.map(follow)
      await Promise.all(
        Array.from({ length: writers }, async (_, writer) => {
          for (let at = 0; at < changes; at++) await rename(writer + at, `Acme ${writer} ${at}`)
        }),
      )
      done = true
      const [one = [], two = []] = await Promise.all(followers)
      t.same(ids(one), ids(two), 'in one order')
      t.equal(new Set(ids(one)).size, one.length, 'none twice')
      const query = `organization_id=${acme}&type=organization.changed&limit=200`
      const { body } = await read(query)
      t.same([...ids(one)].sort(), ids(body.items.slice(0, one.length)).sort(), 'none missing')
      t.ok(one.length >= (writers * changes) / 2)
    })

    await t.test('a cursor belongs to its filter and its token', async (t) => {
      const { next } = await all(`organization_id=${acme}`)
      const draft = { name: 'SIEM', permissions: ['audit:read'], organization_ids: [acme] }
      const { token } = (await operator('POST', '/operator-tokens', draft)).body
      const refused: [query: string, pointer: string, token?: string][] = [
        [`after=${next}`, '/after'],
        [`after=${next}&organization_id=${other}`, '/after'],
        [`after=${next}&organization_id=${acme}`, '/after', token],
        [`after=${next.slice(0, -1)}`, '/after'],
        ['after=', '/after'],
        ['after=start&cursor=1', '/cursor'],
        ['after=start&wait=26', '/wait'],
        ['wait=1', '/wait'],
      ]
      for (const [query, pointer, its] of refused)
        t.match(
          await read(query, its ? { token: its } : {}),
          { status: 400, body: { errors: [{ pointer }] } },
          query,
        )
      const own = await read(`after=start&organization_id=${acme}&limit=200`, { token })
      t.ok(own.body.items.every((one: Json) => one.organization_id === acme))
      t.equal((await read('after=start', { token })).status, 403)
      t.equal((await read(`after=start&organization_id=${other}`, { token })).status, 404)
    })

    await t.test('a quiet filter stays current, and an event that is gone is said', async (t) => {
      const old = await all()
      const { next } = await all('type=key_set.created')
      await rename(0, 'Later')
      const quiet = await read(`after=${next}&type=key_set.created`)
      await sql(stores, `delete from audit_events where id < (select max(id) from audit_events)`)
      const gone = await read(`after=${old.next}`)
      t.match(gone, { status: 410, body: { type: 'urn:latchkey:problem:cursor-expired' } })
      t.equal((await read(`after=${quiet.body.next}&type=key_set.created`)).status, 200)
      t.equal((await read('after=start')).body.items.length, 1)
    })

    await t.test('events of another cluster come before those of this one', async (t) => {
      await sql(stores, `update audit_events set transaction = '9000000000000'`)
      t.same((await read('after=start')).body.items, [])
      await migrate(stores.databaseUrl)
      await rename(0, 'After the move')
      const { items } = await all()
      t.equal(items.length, 2)
      t.ok(renamed(items[1]))
    })
  },
  { instances: 2 },
)
