/** The audit trail is followed through two servers while one of them is killed again and again. */
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { eventually } from '../../support/eventually.ts'
import { type Json, operatorToken } from '../../support/latchkey.ts'
import { isNight } from '../../support/property.ts'
import { type ServerProcess, startServerProcess } from '../../support/server-process.ts'
import { testStores } from '../../support/stores.ts'
import { sql } from '../../support/traces.ts'

const events = isNight ? 10_000 : 600
const kills = 3
const writers = 16
const headers = {
  authorization: `Bearer ${operatorToken}`,
  'content-type': 'application/json',
}

for (const stores of await testStores())
  t.test(`each event is told once, in order (${stores.name})`, async (t) => {
    t.teardown(() => stores.drop())
    const first = await startServerProcess(t, { stores })
    const start = () => startServerProcess(t, { stores, environment: { ISSUER: first.url } })
    const servers: [ServerProcess, ServerProcess] = [first, await start()]
    const { body: organization } = await first.operator('POST', '/organizations', { name: 'Acme' })
    const at = (server: number, path: string, init: object = {}) =>
      fetch(`${servers[server % 2 === 0 ? 0 : 1].url}/api/admin/v1${path}`, { headers, ...init })

    let written = 0
    let isDone = false
    const write = async (writer: number) => {
      while (written < events) {
        const body = JSON.stringify({ name: `Acme ${writer} ${written}` })
        const path = `/organizations/${organization.id}`
        const answer = await at(writer, path, { method: 'PATCH', body }).catch(() => null)
        if (answer?.ok) written++
        else await sleep(20)
      }
    }
    /** Asks one server, and goes on with its last cursor at the other one when that does not answer. */
    const follow = async () => {
      const told: Json[] = []
      for (let server = 0, after = 'start'; ; ) {
        const wasDone = isDone
        const answer = await at(server, `/audit?after=${after}&wait=1&limit=50`)
          .then(async (response) => ({
            status: response.status,
            body: (await response.json()) as Json,
          }))
          .catch(() => null)
        if (answer === null || answer.status === 503) server++
        else if (answer.status !== 200) throw new Error(JSON.stringify(answer))
        else {
          told.push(...answer.body.items)
          after = answer.body.next
          if (wasDone && answer.body.items.length === 0) return told
        }
      }
    }
    const following = follow()
    const writing = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
    for (let kill = 0; kill < kills; kill++) {
      const enough = ((kill + 1) * events) / (kills + 1)
      await eventually(() => written >= enough)
      const victim = kill % 2 === 0 ? 1 : 0
      servers[victim].signal('SIGKILL')
      await servers[victim].ended
      servers[victim] = await start()
    }
    await writing
    isDone = true
    const told = (await following).map(({ id }) => id)
    const kept = await sql(stores, 'select id from audit_events order by transaction, id')
    t.same(
      told,
      kept.map(({ id }: Json) => id),
    )
    t.ok(told.length > events)
  })
