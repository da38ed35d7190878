import { eventually } from '../support/eventually.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import type { StoreSetup } from '../support/stores.ts'
import { sql } from '../support/traces.ts'
import { startReceiver } from '../support/webhook-receiver.ts'
import { createApp } from '../support/world.ts'

const options = { environment: { WEBHOOK_ALLOW_PRIVATE: 'true' }, instances: 2 }

/** Queues messages of an organization at these webhooks. */
const queue = (stores: StoreSetup, webhooks: string[], organization: string, count: number) =>
  sql(
    stores,
    `insert into webhook_deliveries (webhook_id, id, type, organization_id, data)
     select webhook, $2 || n, 'install.changed', $2, jsonb_build_object('organization_id', $2)
       from unnest($1::text[]) webhook, generate_series(1, $3::integer) n`,
    [webhooks, organization, count],
  )

await onEachBackend(
  'WHK-01 receivers of one owner that do not answer delay no other webhook',
  async (t, { stores, running, world }) => {
    const receiver = await startReceiver()
    t.teardown(receiver.stop)
    let ended = 0
    receiver.answerWith((response, { path }) => {
      if (path.startsWith('/fast')) response.writeHead(200).end()
      else response.on('close', () => ended++)
    })
    const create = async (path: string, clientId?: string) => {
      const part = clientId && { client_id: clientId }
      const body = { url: receiver.url + path, ...part }
      return String((await running.operator('POST', '/webhooks', body)).body.id)
    }
    const own = async (name: string, owner: string) => {
      const { client_id } = await createApp(running, { name })
      await sql(stores, 'insert into app_owners values ($1, $2, 1)', [client_id, owner])
      return client_id
    }
    // One owner, apps of which each has ten webhooks; and more owners with a silent one each.
    const silent: string[] = []
    for (const name of ['One', 'Two']) {
      const app = await own(name, world.kim.id)
      for (let at = 0; at < 10; at++) silent.push(await create(`/silent-${name}-${at}`, app))
    }
    for (const app of [world.confidential, world.second, world.publicApp, world.legacy])
      silent.push(await create('/silent', app.client_id))
    for (let at = 0; at < 6; at++) silent.push(await create(`/silent-operator-${at}`))
    const ofAna = await create('/fast-ana', await own('Three', world.ana.id))
    const ofOperator = await create('/fast-operator')

    await queue(stores, silent, world.acme, 5)
    await eventually(() => receiver.received.length >= 8)
    await queue(stores, [ofAna, ofOperator], world.acme, 10)
    const arrived = (path: string) => receiver.at(path).length
    await eventually(() => arrived('/fast-ana') === 10 && arrived('/fast-operator') === 10)
    t.equal(ended, 0, 'no attempt at a silent receiver has ended')
    const ids = ['/fast-ana', '/fast-operator'].flatMap((path) =>
      receiver.at(path).map(({ id }) => `${path} ${id}`),
    )
    t.equal(new Set(ids).size, 20, 'each message once')
    receiver.answerWith(200)
  },
  options,
)

await onEachBackend(
  'WHK-02 events of one organization do not delay those of others at the same webhook',
  async (t, { stores, running, world }) => {
    const receiver = await startReceiver()
    t.teardown(receiver.stop)
    receiver.answerWith((response) => setTimeout(() => response.writeHead(200).end(), 20))
    const { body } = await running.operator('POST', '/webhooks', { url: `${receiver.url}/all` })
    const count = 400
    await queue(stores, [body.id], world.acme, count)
    await eventually(() => receiver.received.length > 10)
    await queue(stores, [body.id], world.other, 3)
    await eventually(() => receiver.received.length >= count + 3)
    const places = receiver.received.flatMap(({ body: { data } }, at) =>
      data.organization_id === world.other ? [at] : [],
    )
    t.equal(places.length, 3)
    t.ok(Number(places.at(-1)) < count / 2, `at ${places}`)
    t.equal(new Set(receiver.received.map(({ id }) => id)).size, count + 3, 'each message once')
  },
  options,
)
