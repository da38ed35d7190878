import t, { type Test } from 'tap'
import type { Stores } from '../../../src/app/stores.ts'
import type { AuditEvent } from '../../../src/core/audit/audit.ts'
import { createKeyring } from '../../../src/core/crypto/keyring.ts'
import {
  createWebhookDelivery,
  type DueMessage,
  type WebhookDeliveryOptions,
} from '../../../src/core/webhooks/delivery.ts'
import type { Attempt, MessageState } from '../../../src/core/webhooks/schedule.ts'
import { createWebhookSender } from '../../../src/core/webhooks/sender.ts'
import { createWebhooks, type NewWebhook } from '../../../src/core/webhooks/webhooks.ts'
import { insertAuditEvents } from '../../../src/stores/postgres/audit/audit.ts'
import { freePort } from '../../support/free-port.ts'
import { masterKey } from '../../support/latchkey.ts'
import { onEachStores, openTestStores } from '../../support/open-stores.ts'
import type { StoreSetup } from '../../support/stores.ts'
import { sql } from '../../support/traces.ts'
import { isSignedWith, startReceiver, until } from '../../support/webhook-receiver.ts'

const keyring = createKeyring([Buffer.from(masterKey, 'base64')])
const origin = { actor: { kind: 'operator', id: 'opt1' }, address: null, requestId: null } as const
const quick = { first: 0.05, factor: 2, longest: 0.4, giveUpAfter: 60 }

const world = `
  insert into organizations (id, name) values ('org1', 'One'), ('org2', 'Two');
  insert into apps (client_id, name, interface, client_type, redirect_uris, permissions)
    values ('app1', 'App', 'current', 'confidential', '{}', '{}'),
      ('app2', 'App', 'current', 'confidential', '{}', '{}');`

const approved = (clientId: string, organizationId = 'org1', n = 0): AuditEvent => ({
  ...origin,
  type: 'install.approved',
  organizationId,
  clientId,
  address: '192.0.2.77',
  requestId: 'req_secret',
  detail: { install_id: `ins${n}`, permissions: ['records:create'], workspace_ids: null },
})

interface Tried {
  message: DueMessage
  attempt: Attempt
  state: MessageState
}

/**
 * @param timeout milliseconds; long by default, so that a busy machine does not look like a silent
 * receiver
 */
const sender = (timeout = 60_000) =>
  createWebhookSender({ allowPrivate: true, now: Date.now, timeout })

/** The environment of a worker, with an accelerated clock. */
const stage = async (t: Test, stores: Stores, setup: StoreSetup) => {
  await sql(setup, world)
  const receiver = await startReceiver()
  t.teardown(receiver.stop)
  const webhooks = createWebhooks({ store: stores.webhooks, keyring, allowPrivate: true })
  const tried: Tried[] = []
  const errors: unknown[] = []
  const work = (part: Partial<WebhookDeliveryOptions> = {}, on = stores) => {
    const delivery = createWebhookDelivery({
      outbox: on.webhookOutbox,
      keyring,
      send: sender(),
      now: Date.now,
      random: Math.random,
      onAttempt: (message, attempt, state) => tried.push({ message, attempt, state }),
      onBacklog: () => undefined,
      onError: (error) => errors.push(error),
      schedule: quick,
      interval: 20,
      ...part,
    })
    t.teardown(delivery.close)
    return delivery
  }
  const create = async (path: string, part: Partial<NewWebhook> = {}) => {
    const { webhook, secret } = await webhooks.create({ url: receiver.url + path, ...part }, origin)
    return { id: webhook.id, secret }
  }
  const listed = async (id: string) =>
    (await webhooks.deliveries(id, { limit: 1000, after: null })).items
  const trail = (type: string) =>
    sql<{ organization_id: string; client_id: string; detail: Record<string, unknown> }>(
      setup,
      'select organization_id, client_id, detail from audit_events where type = $1 order by id',
      [type],
    )
  const settled = (id: string) =>
    eventually(async () => (await listed(id)).every(({ outcome }) => outcome !== 'waiting'))
  t.teardown(() => {
    if (errors.length > 0) throw errors[0]
  })
  return { receiver, webhooks, work, create, listed, trail, settled, tried, errors }
}

const eventually = async (isSo: () => Promise<boolean>) => {
  const end = Date.now() + 60_000
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('waited in vain')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

await onEachStores(t, 'who is told what', async (t, stores, setup) => {
  const { receiver, webhooks, work, create, listed, settled } = await stage(t, stores, setup)
  const off = await create('/off')
  await webhooks.change(off.id, { disabled: true }, origin)
  const all = await create('/all')
  const some = await create('/some', { events: ['install.deleted', 'user.disabled'] })
  const app = await create('/app1', { clientId: 'app1' })
  const other = await create('/app2', { clientId: 'app2' })
  work()

  const before = Date.now()
  await stores.audit.append([
    approved('app1'),
    { ...origin, type: 'install.ended', organizationId: 'org1', clientId: 'app1' },
    { ...origin, type: 'install.requested', organizationId: 'org2', clientId: 'app1', userId: 'u' },
    { ...origin, type: 'user.disabled', userId: 'usr1' },
    { ...origin, type: 'session.signed_in', userId: 'usr1' },
    { ...origin, type: 'token.refused', clientId: 'app1', organizationId: 'org1' },
  ])
  for (const { id } of [all, some, app, other, off]) await settled(id)
  t.same(receiver.types('/all').sort(), [
    'install.created',
    'install.deleted',
    'install.requested',
    'user.disabled',
  ])
  t.same(receiver.types('/some').sort(), ['install.deleted', 'user.disabled'])
  t.same(receiver.types('/app1').sort(), ['install.created', 'install.deleted'])
  t.same(receiver.types('/app2'), [], 'another app gets no event')
  t.same(receiver.types('/off'), [])

  const [created] = receiver.at('/app1').filter(({ body }) => body.type === 'install.created')
  const { timestamp, ...message } = created!.body
  t.same(message, {
    type: 'install.created',
    data: {
      organization_id: 'org1',
      client_id: 'app1',
      install_id: 'ins0',
      permissions: ['records:create'],
      workspace_ids: null,
    },
  })
  t.ok(Math.abs(Date.parse(timestamp) - before) < 10_000)
  t.match(created!.headers, {
    'content-type': 'application/json',
    'webhook-id': /^msg[0-9A-Za-z]+$/,
    'webhook-timestamp': /^\d{10}$/,
    'webhook-signature': /^v1,[A-Za-z0-9+/]{43}=$/,
  })
  t.ok(isSignedWith(app.secret, created!))
  t.notOk(isSignedWith(all.secret, created!))
  for (const one of receiver.received)
    t.notMatch(JSON.stringify(one), /192\.0\.2\.77|req_secret|opt1|whsec_|operator/)

  const [same] = receiver.at('/all').filter(({ body }) => body.type === 'install.created')
  t.equal(same?.id, created?.id, 'the same event has the same id everywhere')
  t.match(await listed(app.id), [
    { outcome: 'delivered', attempts: 1, lastStatus: 200, lastError: null, nextAttemptAt: null },
    { outcome: 'delivered' },
  ])
})

await onEachStores(t, 'a change that is rolled back tells nobody', async (t, stores, setup) => {
  const { receiver, work, create, listed } = await stage(t, stores, setup)
  const { id } = await create('/all')
  work()
  const undone = stores.database.transaction(async (tx) => {
    await insertAuditEvents(tx, [approved('app1')])
    const { count } = await tx.query('select 1 from webhook_deliveries where webhook_id = $1', [id])
    t.equal(count, 1, 'it had arrived already')
    throw new Error('undo')
  })
  await t.rejects(undone, { message: 'undo' })
  await rest(200)
  t.same(await listed(id), [])
  t.same(receiver.received, [])
  t.same(await sql(setup, `select id from audit_events where type = 'install.approved'`), [])
})

await onEachStores(t, 'tried again until it is taken', async (t, stores, setup) => {
  const { receiver, webhooks, work, create, listed, settled, tried } = await stage(t, stores, setup)
  const { id, secret } = await create('/flaky')
  receiver.answerWith((response) =>
    response.writeHead(receiver.received.length < 4 ? 500 : 204).end(),
  )
  work({ send: sender(1000) })
  await stores.audit.append([approved('app1')])
  await settled(id)
  t.equal(receiver.received.length, 4)
  t.equal(new Set(receiver.received.map((one) => one.id)).size, 1, 'with the same id')
  t.equal(new Set(receiver.received.map((one) => one.text)).size, 1, 'with the same body')
  t.ok(receiver.received.every((one) => isSignedWith(secret, one)))
  t.match(await listed(id), [{ outcome: 'delivered', attempts: 4, lastStatus: 204 }])
  t.equal(tried.filter(({ state }) => typeof state === 'object').length, 3)

  t.test('a delivery is repeated after a timeout', async (t) => {
    let silent = true
    receiver.answerWith((response) => {
      if (!silent) response.writeHead(200).end()
      silent = false
    })
    await stores.audit.append([approved('app1', 'org1', 1)])
    await settled(id)
    t.match((await listed(id))[0], { outcome: 'delivered', attempts: 2, lastError: null })
    t.match(tried.at(-2)?.attempt, { kind: 'failed', fault: 'timeout' })
  })

  t.test('a delivery is repeated after a refused connection', async (t) => {
    const port = await freePort()
    await webhooks.change(id, { url: `http://127.0.0.1:${port}/` }, origin)
    await stores.audit.append([approved('app1', 'org1', 2)])
    await eventually(async () => ((await listed(id))[0]?.attempts ?? 0) >= 2)
    t.match((await listed(id))[0], { outcome: 'waiting', lastError: 'connection_failed' })
    const late = await startReceiver(port)
    t.teardown(late.stop)
    await settled(id)
    t.equal(late.received.length, 1)
    await webhooks.change(id, { url: `${receiver.url}/flaky` }, origin)
  })

  t.test('a delivery is repeated when Retry-After allows', async (t) => {
    let first = true
    receiver.answerWith((response) => {
      response.writeHead(first ? 429 : 200, { 'retry-after': '2' }).end()
      first = false
    })
    const before = receiver.received.length
    await stores.audit.append([approved('app1', 'org1', 3)])
    await settled(id)
    const [one, two] = receiver.received.slice(before)
    t.ok((two?.at ?? 0) - (one?.at ?? 0) >= 1900, 'two seconds later')
  })

  t.test('a redirect is not followed and counts as a failure', async (t) => {
    receiver.answerWith((response, { path }) => {
      response.writeHead(path === '/flaky' ? 307 : 200, { location: `${receiver.url}/else` }).end()
    })
    await stores.audit.append([approved('app1', 'org1', 4)])
    await eventually(async () => ((await listed(id))[0]?.attempts ?? 0) >= 2)
    t.match((await listed(id))[0], { outcome: 'waiting', lastStatus: 307 })
    t.same(receiver.at('/else'), [])
    receiver.answerWith(200)
    await settled(id)
  })
})

await onEachStores(t, 'given up', async (t, stores, setup) => {
  const { receiver, webhooks, work, create, listed, trail, settled } = await stage(t, stores, setup)
  const schedule = { ...quick, giveUpAfter: 3 }
  work({ schedule })

  t.test(
    'an endpoint without any success is disabled, and each organization gets an event',
    async (t) => {
      const { id } = await create('/dead', { clientId: 'app1' })
      receiver.answerWith(500)
      const events = [0, 1, 2].map((n) => approved('app1', 'org1', n))
      await stores.audit.append([...events, approved('app1', 'org2', 3)])
      await settled(id)
      t.equal((await webhooks.read(id)).disabledReason, 'failing')
      t.ok((await listed(id)).every(({ outcome }) => outcome === 'given_up'))
      t.same(await trail('webhook.disabled'), [
        {
          organization_id: null,
          client_id: 'app1',
          detail: { webhook_id: id, reason: 'failing' },
        },
      ])
      t.same(await trail('webhook.given_up'), [
        {
          organization_id: 'org1',
          client_id: 'app1',
          detail: { webhook_id: id, undelivered: 3 },
        },
        {
          organization_id: 'org2',
          client_id: 'app1',
          detail: { webhook_id: id, undelivered: 1 },
        },
      ])
      const before = receiver.received.length
      await stores.audit.append([approved('app1', 'org1', 5)])
      await rest(150)
      t.equal(receiver.received.length, before, 'nothing is sent any more')
      await t.rejects(webhooks.test(id, origin), { message: 'the webhook is disabled' })

      receiver.answerWith(200)
      await webhooks.change(id, { disabled: false }, origin)
      await stores.audit.append([approved('app1', 'org1', 6)])
      await settled(id)
      const [latest] = receiver.at('/dead').slice(-1)
      t.equal(latest?.body.data.install_id, 'ins6', 'after enabling, only new events are sent')
      t.equal(receiver.received.length, before + 1)
      await webhooks.remove(id, origin)
    },
  )

  t.test('a message that is always refused while others arrive is dropped alone', async (t) => {
    const { id } = await create('/picky', { clientId: 'app2' })
    receiver.answerWith((response, { body }) => {
      response.writeHead(body.data.install_id === 'ins7' ? 422 : 200).end()
    })
    await stores.audit.append([approved('app2', 'org1', 7)])
    await until(() => receiver.at('/picky').length > 0, 'the first attempt')
    await stores.audit.append([approved('app2', 'org1', 8)])
    await settled(id)
    t.equal((await webhooks.read(id)).disabledReason, null)
    t.match(await listed(id), [{ outcome: 'delivered' }, { outcome: 'given_up', lastStatus: 422 }])
    t.match((await trail('webhook.given_up')).at(-1), {
      organization_id: 'org1',
      client_id: 'app2',
      detail: { undelivered: 1 },
    })
    await webhooks.remove(id, origin)
  })

  t.test(
    '410 disables the endpoint at once and notifies the operator’s other endpoint',
    async (t) => {
      const watching = await create('/watching', { events: ['webhook.disabled'] })
      const { id } = await create('/gone', { events: ['install.created'] })
      receiver.answerWith((response, { path }) => {
        response.writeHead(path === '/gone' ? 410 : 200).end()
      })
      const events = [...Array(12)].map((_, n) => approved('app1', 'org1', 20 + n))
      await stores.audit.append(events)
      await settled(id)
      t.equal((await webhooks.read(id)).disabledReason, 'gone')
      t.ok(receiver.at('/gone').length <= 12)
      await until(() => receiver.at('/watching').length === 1, 'the watching endpoint')
      t.match(receiver.at('/watching')[0]?.body, {
        type: 'webhook.disabled',
        data: { webhook_id: id, reason: 'gone' },
      })
      t.match((await trail('webhook.given_up')).at(-1), { organization_id: null, client_id: null })
      t.equal((await trail('webhook.disabled')).length, 2, 'once for each endpoint')
      await webhooks.remove(watching.id, origin)
    },
  )
})

await onEachStores(t, 'secrets change without a gap', async (t, stores, setup) => {
  const { receiver, webhooks, work, create, settled } = await stage(t, stores, setup)
  const { id, secret: first } = await create('/hooks')
  work()
  const next = async () => {
    const sent = await webhooks.test(id, origin)
    await settled(id)
    return receiver.received.find((one) => one.id === sent.id)!
  }
  t.match((await next()).body, { type: 'webhook.test', data: { webhook_id: id } })

  const { secret: second } = await webhooks.rotate(id, 600, origin)
  const both = await next()
  t.ok(isSignedWith(first, both) && isSignedWith(second, both), 'signed with both')
  t.equal(String(both.headers['webhook-signature']).split(' ').length, 2)
  await t.rejects(webhooks.rotate(id, 60, origin), {
    message: '2 secrets are active; delete one, or revoke the others at once',
  })

  await sql(setup, `update webhook_secrets set expires_at = expires_at - interval '600 s'`)
  const later = await next()
  t.ok(isSignedWith(second, later))
  t.notOk(isSignedWith(first, later), 'the old secret has expired')

  const { secret: third } = await webhooks.rotate(id, 0, origin)
  const last = await next()
  t.same(
    [first, second, third].map((one) => isSignedWith(one, last)),
    [false, false, true],
  )
  const rows = await sql<{ sealed: Buffer }>(setup, 'select sealed from webhook_secrets')
  for (const { sealed } of rows) t.notMatch(sealed.toString('latin1'), /whsec_/)

  t.test('a secret that was moved to another row is not used', async (t) => {
    await sql(setup, `update webhook_secrets set id = 'moved' where expires_at is null`)
    const before = receiver.received.length
    const sent = await webhooks.test(id, origin)
    await rest(200)
    t.equal(receiver.received.length, before)
    const [waiting] = (await webhooks.deliveries(id, { limit: 1, after: null })).items
    t.match(waiting, { id: sent.id, outcome: 'waiting', lastError: 'secret_unreadable' })
    await webhooks.remove(id, origin)
    t.same(await sql(setup, 'select id from webhook_deliveries'), [], 'everything is deleted')
  })
})

await onEachStores(t, 'two instances deliver each message once', async (t, stores, setup) => {
  const { receiver, work, create, listed, settled, tried } = await stage(t, stores, setup)
  const another = await openTestStores(setup)
  t.teardown(() => another.close())
  const hooks = await Promise.all(['/one', '/two', '/three'].map((path) => create(path)))
  receiver.answerWith((response) =>
    setTimeout(() => response.writeHead(200).end(), Math.random() * 10),
  )
  const [first, second] = [work({ interval: 5 }), work({ interval: 5 }, another)]
  const amount = 200
  for (let n = 0; n < amount; n += 20)
    await Promise.all([
      stores.audit.append([...Array(10)].map((_, at) => approved('app1', 'org1', n + at))),
      another.audit.append([...Array(10)].map((_, at) => approved('app1', 'org1', n + 10 + at))),
    ])
  for (const { id } of hooks) await settled(id)
  for (const path of ['/one', '/two', '/three']) {
    const ids = receiver.at(path).map((one) => one.id)
    t.equal(ids.length, amount, `${path}: every message`)
    t.equal(new Set(ids).size, amount, `${path}: once`)
    const installs = receiver.at(path).map(({ body }) => body.data.install_id)
    t.equal(new Set(installs).size, amount)
  }
  t.ok(tried.every(({ message }) => message.attempts === 1))
  t.ok((await listed(hooks[0]!.id)).every(({ attempts }) => attempts === 1))
  await Promise.all([first.close(), second.close()])
})

await onEachStores(t, 'an instance that dies or closes', async (t, stores, setup) => {
  const { receiver, work, create, listed, settled } = await stage(t, stores, setup)
  const { id } = await create('/hooks')

  t.test('after a kill another worker sends again, with the same id', async (t) => {
    await stores.audit.append([approved('app1')])
    // A killed worker leaves a claim, and possibly a delivered message.
    const claimed = (await stores.webhookOutbox.claim(id, '', 3))?.message
    const send = sender()
    const headers = { 'webhook-id': claimed!.id }
    await send({ url: claimed!.url, headers, body: '{}' }, new AbortController().signal)
    const worker = work()
    await rest(200)
    t.equal(receiver.received.length, 1, 'not during the claim')
    await settled(id)
    t.same(
      receiver.received.map((one) => one.id),
      [claimed!.id, claimed!.id],
    )
    t.match(await listed(id), [{ outcome: 'delivered', attempts: 2 }])
    // The first worker was only slow: its late result is ignored.
    await stores.webhookOutbox.retry(claimed!, { kind: 'failed', fault: 'timeout' }, 0)
    await stores.webhookOutbox.release(claimed!)
    await rest(100)
    t.equal(receiver.received.length, 2)
    await worker.close()
  })

  t.test('a closing worker finishes or releases its deliveries', async (t) => {
    const before = receiver.received.length
    receiver.answerWith((response) => setTimeout(() => response.writeHead(200).end(), 200))
    const patient = work()
    await stores.audit.append([approved('app1', 'org1', 1)])
    await receiver.waitFor(before + 1)
    await patient.close()
    t.match((await listed(id))[0], { outcome: 'delivered', attempts: 1 })

    receiver.answerWith(() => undefined)
    const hasty = work({ grace: 50 })
    await stores.audit.append([approved('app1', 'org1', 2)])
    await receiver.waitFor(before + 2)
    await hasty.close()
    const [given] = await listed(id)
    t.match(given, { outcome: 'waiting', attempts: 0 })
    await stores.audit.append([approved('app1', 'org1', 3)])
    await rest(100)
    t.equal(receiver.received.length, before + 2, 'it starts none')

    receiver.answerWith(200)
    const last = work()
    await settled(id)
    await last.close()
    t.equal(receiver.received.filter((one) => one.id === given?.id).length, 2)
  })
})

await onEachStores(t, 'one slow endpoint does not hold up the others', async (t, stores, setup) => {
  const { receiver, work, create, listed, settled } = await stage(t, stores, setup)
  const slow = await create('/slow', { clientId: 'app1' })
  const fast = await create('/fast', { clientId: 'app2' })
  receiver.answerWith((response, { path }) => {
    if (path === '/fast') response.writeHead(200).end()
  })
  work({ send: sender(1000) })
  await stores.audit.append([...Array(40)].map((_, n) => approved('app1', 'org1', n)))
  await receiver.waitFor(1)
  await stores.audit.append([...Array(40)].map((_, n) => approved('app2', 'org1', n)))
  await settled(fast.id)
  t.ok((await listed(slow.id)).every(({ outcome }) => outcome === 'waiting'))
  const { waiting, overdue } = await stores.webhookOutbox.backlog()
  t.equal(waiting, 40)
  t.ok(overdue >= 0 && overdue < 30)
  receiver.answerWith(200)
  await settled(slow.id)
  t.same(await stores.webhookOutbox.backlog(), { waiting: 0, overdue: 0 })
})
