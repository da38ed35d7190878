import t, { type Test } from 'tap'
import type { Stores } from '../../../src/app/stores.ts'
import type { LoggedEvent } from '../../../src/core/audit/audit-log.ts'
import {
  type AuditStreams,
  createAuditStreams,
  type StreamDraft,
} from '../../../src/core/audit-streams/audit-streams.ts'
import { ocsfOf } from '../../../src/core/audit-streams/ocsf.ts'
import {
  createStreamDelivery,
  type StreamDeliveryOptions,
} from '../../../src/core/audit-streams/stream-delivery.ts'
import { newId } from '../../../src/core/crypto/identifiers.ts'
import { createKeyring } from '../../../src/core/crypto/keyring.ts'
import { createWebhookSender } from '../../../src/core/webhooks/sender.ts'
import { newWebhookSecret } from '../../../src/core/webhooks/signature.ts'
import { auditEventJson } from '../../../src/http/operator/reports/audit.ts'
import { endRestored } from '../../../src/stores/postgres/connection/after-restore.ts'
import { eventually } from '../../support/eventually.ts'
import { masterKey } from '../../support/latchkey.ts'
import { onEachStores, openTestStores } from '../../support/open-stores.ts'
import type { StoreSetup } from '../../support/stores.ts'
import { sql } from '../../support/traces.ts'
import {
  isSignedWith,
  type Received,
  startReceiver,
  until,
} from '../../support/webhook-receiver.ts'

const keyring = createKeyring([Buffer.from(masterKey, 'base64')])
const cause = { actor: { kind: 'operator', id: 'opt1' }, address: null, requestId: null } as const
const secret = newWebhookSecret()

/** The events of a batch, by their lines. */
const eventsIn = ({ text }: Received) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

const idsIn = (batches: readonly Received[]): string[] =>
  batches.flatMap(eventsIn).map((event) => event.id ?? event.metadata.uid)

const stage = async (t: Test, stores: Stores, setup: StoreSetup) => {
  await sql(
    setup,
    `insert into organizations (id, name) values ('org1', 'One'), ('org2', 'Two'), ('org3', 'Three')`,
  )
  const receiver = await startReceiver()
  t.teardown(receiver.stop)
  const store = stores.auditStreams
  const streams: AuditStreams = createAuditStreams({ store, keyring, allowPrivate: true })
  const errors: unknown[] = []
  const work = (part: Partial<StreamDeliveryOptions> = {}, on = stores) => {
    const delivery = createStreamDelivery({
      outbox: on.streamOutbox,
      keyring,
      send: createWebhookSender({ allowPrivate: true, now: Date.now, timeout: 60_000 }),
      lineOf: {
        latchkey: (event: LoggedEvent) => JSON.stringify(auditEventJson(event)),
        ocsf: (event: LoggedEvent) => JSON.stringify(ocsfOf(event)),
      },
      newMessageId: () => newId('webhookMessage'),
      now: Date.now,
      onAttempt: () => undefined,
      onBacklog: () => undefined,
      onError: (error) => errors.push(error),
      interval: 20,
      grace: 0,
      ...part,
    })
    t.teardown(delivery.close)
    return delivery
  }
  t.teardown(() => {
    if (errors.length > 0) throw errors[0]
  })
  const create = (id: string, draft: Partial<StreamDraft> = {}) => {
    const url = `${receiver.url}/${id}`
    return streams.put(id, { url, format: 'latchkey', secret, ...draft }, null, cause)
  }
  /** @returns their ids, in their order */
  const append = async (count: number, organizationId: string | null = null) => {
    const [{ before = '0' } = {}] = await sql<{ before: string }>(
      setup,
      'select coalesce(max(id), 0)::text as before from audit_events',
    )
    await sql(
      setup,
      `insert into audit_events (type, actor_kind, organization_id, detail)
       select 'organization.changed', 'operator', $2, '{"changed": ["name"]}' from generate_series(1, $1)`,
      [count, organizationId],
    )
    const added = await sql<{ id: string }>(
      setup,
      'select id::text from audit_events where id > $1 order by audit_events.id',
      [before],
    )
    return added.map(({ id }) => id)
  }
  /** Waits until its receiver has accepted the last event. */
  const caughtUp = (id: string) =>
    eventually(async () => {
      const { organizationId, lastEventId, behind } = await streams.read(id, null)
      const [{ last = null } = {}] = await sql<{ last: string | null }>(
        setup,
        'select max(id)::text as last from audit_events where $1::text is null or organization_id = $1',
        [organizationId],
      )
      return lastEventId === last && behind === 0
    })
  return { receiver, streams, work, create, append, caughtUp, errors }
}

await onEachStores(t, 'a stream sends each event in order', async (t, stores, setup) => {
  const { receiver, streams, work, create, append, caughtUp } = await stage(t, stores, setup)
  const earlier = await append(3)
  await create('new')
  await create('all', { from: 'start', format: 'ocsf' })
  await create('one', { organizationId: 'org1' })
  // Events count once no earlier transaction of the database server is running.
  await eventually(async () => (await streams.read('new', null)).behind === 2)
  t.match(await streams.read('new', null), { lastEventId: null, lastError: null })
  const later = [...(await append(2)), ...(await append(2, 'org1')), ...(await append(1, 'org2'))]
  work()
  for (const id of ['new', 'all', 'one']) await caughtUp(id)

  const trail = await sql<{ id: string; organization_id: string | null }>(
    setup,
    'select id::text, organization_id from audit_events order by transaction, audit_events.id',
  )
  const ids = trail.map(({ id }) => id)
  t.same(idsIn(receiver.at('/all')), ids, 'from the start')
  t.same(idsIn(receiver.at('/new')).slice(-later.length), later)
  t.notOk(
    idsIn(receiver.at('/new')).some((id) => earlier.includes(id)),
    'not before its creation',
  )
  const own = trail.filter(({ organization_id }) => organization_id === 'org1')
  t.same(
    idsIn(receiver.at('/one')),
    own.slice(1).map(({ id }) => id),
    'of the organization only',
  )
  for (const batch of receiver.received) {
    t.ok(isSignedWith(secret, batch))
    t.equal(batch.headers['content-type'], 'application/x-ndjson')
  }
  const { lastEventId, lastSuccessAt } = await streams.read('all', null)
  t.equal(lastEventId, ids.at(-1))
  t.ok(lastSuccessAt)
})

await onEachStores(t, 'a silent receiver delays only itself', async (t, stores, setup) => {
  const { receiver, streams, work, create, append, caughtUp } = await stage(t, stores, setup)
  const amount = 10_000
  for (let n = 0; n < 20; n++) await create(`silent${n}`, { organizationId: 'org1' })
  await create('slow')
  await create('other', { organizationId: 'org2' })
  let isSilent = true
  receiver.answerWith((response, { path }) => {
    if (path === '/other' || !isSilent) response.writeHead(200).end()
  })
  const delivery = work()
  await append(amount, 'org3')
  await append(5, 'org1')
  const others = await append(3, 'org2')
  await until(
    () => receiver.at('/slow').length > 0 && idsIn(receiver.at('/other')).length === 3,
    'events of the other organization',
  )
  t.same(idsIn(receiver.at('/other')), others)
  await eventually(async () => (await streams.read('slow', null)).behind >= amount)
  t.equal((await streams.read('slow', null)).lastEventId, null, 'the cursor waits for the answer')
  const reached = new Set(
    receiver.received.map(({ path }) => path).filter((path) => /silent/.test(path)),
  )
  t.ok(reached.size <= 4, 'an organization with many streams has its share of the slots')

  await delivery.close()
  isSilent = false
  work()
  for (const id of ['slow', 'silent0', 'silent19']) await caughtUp(id)
  const batches = receiver.at('/slow')
  t.equal(batches[1]?.id, batches[0]?.id, 'the batch without an answer is sent again')
  t.equal(batches[1]?.text, batches[0]?.text)
  const once = [...new Set(idsIn(batches))]
  t.equal(once.length, idsIn(batches.slice(1)).length, 'the others are sent once')
  t.same(
    once,
    [...once].sort((one, other) => Number(one) - Number(other)),
  )
  t.ok(once.length >= amount + 3)
})

await onEachStores(t, 'another instance continues', async (t, stores, setup) => {
  const { receiver, work, create, append, caughtUp } = await stage(t, stores, setup)
  const another = await openTestStores(setup)
  t.teardown(() => another.close())
  await create('one', { from: 'start' })
  await append(2000)
  const answers: (() => void)[] = []
  let isHeld = false
  receiver.answerWith((response) => {
    const answer = () => response.writeHead(200).end()
    if (isHeld) answers.push(answer)
    else answer()
  })
  // Its answers arrive, but it no longer writes: as if it were killed between the two.
  const outbox = { ...stores.streamOutbox }
  const killed = work({ outbox, lease: 1 })
  await until(() => receiver.received.length >= 2, 'the first batches')
  isHeld = true
  outbox.accepted = outbox.failed = outbox.release = async () => undefined
  await until(() => answers.length > 0, 'a batch that is held')
  const held = receiver.received.at(-1)
  work({}, another)
  await until(
    () => receiver.received.filter(({ id }) => id === held?.id).length > 1,
    'the same batch',
  )
  isHeld = false
  for (const answer of answers) answer()
  await caughtUp('one')
  await killed.close()
  const ids = await sql<{ id: string }>(
    setup,
    'select id::text from audit_events order by transaction, audit_events.id',
  )
  t.same(
    [...new Set(idsIn(receiver.received))],
    ids.map(({ id }) => id),
    'in order, none is missing',
  )
  const ofHeld = receiver.received.filter(({ id }) => id === held?.id)
  t.equal(new Set(ofHeld.map(({ text }) => text)).size, 1, 'with the same events')
})

await onEachStores(t, 'a receiver that refuses', async (t, stores, setup) => {
  const { receiver, streams, work, create, append, caughtUp } = await stage(t, stores, setup)
  await create('one', { from: 'start' })
  const pauses: number[] = []
  const { failed } = stores.streamOutbox
  const outbox: typeof stores.streamOutbox = {
    ...stores.streamOutbox,
    failed: (stream, messageId, error, after) => {
      pauses.push(after)
      return failed(stream, messageId, error, 0)
    },
  }
  receiver.answerWith((response) => response.writeHead(302, { location: '/elsewhere' }).end())
  await append(2)
  const delivery = work({ outbox })
  await until(() => pauses.length >= 5, 'attempts')
  await delivery.close()
  t.same(pauses.slice(0, 5), [1, 5, 30, 60, 60], 'seconds until the next attempt')
  t.equal(new Set(receiver.received.map(({ id, text }) => id + text)).size, 1, 'the same batch')
  t.same(receiver.at('/elsewhere'), [], 'no redirect is followed')
  t.match(await streams.read('one', null), { lastError: '302', lastSuccessAt: null })

  t.test('what is no longer kept is skipped, and this is shown', async (t) => {
    await sql(setup, `delete from audit_events where id = (select min(id) from audit_events)`)
    receiver.answerWith(200)
    const before = receiver.received.length
    const again = work()
    await caughtUp('one')
    await again.close()
    const kept = await sql<{ id: string }>(
      setup,
      'select id::text from audit_events order by audit_events.id',
    )
    const later = receiver.received.slice(before)
    t.same(
      idsIn(later),
      kept.map(({ id }) => id),
    )
    t.not(later[0]?.id, receiver.received[0]?.id, 'another batch')
    t.equal((await streams.read('one', null)).lastError, 'events_expired')
  })

  t.test(
    'a test is one event that is not in the trail, and a changed stream is due at once',
    async (t) => {
      const url = `${receiver.url}/moved`
      await streams.put('one', { url, format: 'ocsf' }, null, cause)
      work()
      await caughtUp('one')
      await streams.test('one', null)
      await until(() => receiver.at('/moved').length === 2, 'the test event')
      const [changed, test] = receiver.at('/moved').map(eventsIn)
      t.match(changed, [{ metadata: { event_code: 'audit_stream.changed' } }])
      t.match(test, [{ type_uid: 600399, metadata: { event_code: 'audit_stream.test' } }])
      t.same(await sql(setup, `select from audit_events where type = 'audit_stream.test'`), [])
      t.equal((await streams.read('one', null)).lastError, null)
    },
  )

  t.test('large events are sent in several batches, the largest alone', async (t) => {
    const before = receiver.received.length
    const sizes = [300_000, 300_000, 900_000, 10]
    for (const size of sizes)
      await sql(
        setup,
        `insert into audit_events (type, actor_kind, detail)
         values ('app.changed', 'system', json_build_object('text', repeat('x', $1)))`,
        [size],
      )
    await caughtUp('one')
    const large = receiver.received.slice(before).flatMap((batch) => [eventsIn(batch).length])
    t.equal(
      large.reduce((sum, count) => sum + count, 0),
      sizes.length,
    )
    t.ok(
      receiver.received
        .slice(before)
        .every((batch) => eventsIn(batch).length === 1 || batch.text.length < 600_000),
    )
  })
})

await onEachStores(t, 'the rules of streams', async (t, stores, setup) => {
  const { receiver, streams, create } = await stage(t, stores, setup)
  const draft = { url: receiver.url, format: 'latchkey', secret } as const
  const put = (id: string, more: Partial<StreamDraft>, reach: string[] | null = null) =>
    streams.put(id, { ...draft, ...more }, reach, cause)
  const faults = (reason: string) => ({ faults: [{ reason }] })
  const refused = async (call: Promise<unknown>, pattern: object) =>
    t.match(
      await call.then(
        () => 'accepted',
        (error: unknown) => error,
      ),
      pattern,
    )
  await refused(put('a', { secret: undefined }), faults('required'))
  for (const wrong of ['', 'whsec_', 'whsec_c2hvcnQ=', `whsec_${'A'.repeat(90)}`, secret.slice(6)])
    await refused(put('a', { secret: wrong }), faults('webhook_secret'))
  for (const url of ['ftp://a.example', 'https://u:p@a.example', 'http://169.254.169.254/'])
    await refused(put('a', { url }), faults('webhook_url'))
  await refused(put('a', { organizationId: 'none' }), faults('unknown_organization'))
  await refused(put('a', {}, ['org1']), { name: 'Forbidden' })
  await put('all', {})
  await create('mine', { organizationId: 'org1' })
  for (const id of ['all', 'mine']) {
    await refused(streams.read(id, ['org2']), { name: 'NotFound' })
    await refused(streams.test(id, ['org2']), { name: 'NotFound' })
    await refused(streams.remove({ id, reach: ['org2'] }, cause), { name: 'NotFound' })
    await refused(put(id, { organizationId: 'org2' }, ['org2']), { reason: 'id_taken' })
  }
  await refused(put('mine', { organizationId: null }), { reason: 'id_taken' })
  const page = { limit: 10, after: null }
  t.same(
    (await streams.list(page, ['org1'])).items.map(({ id }) => id),
    ['mine'],
  )
  t.same((await streams.list(page, ['org2'])).items, [])
  t.equal((await put('mine', { secret: undefined }, ['org1'])).created, false)
  await streams.remove({ id: 'mine', reach: ['org1'] }, cause)

  const events = await sql<{ type: string; organization_id: string; detail: object }>(
    setup,
    'select type, organization_id, detail from audit_events order by id',
  )
  t.match(events, [
    { type: 'audit_stream.created', organization_id: null, detail: { audit_stream_id: 'all' } },
    { type: 'audit_stream.created', organization_id: 'org1', detail: { format: 'latchkey' } },
    { type: 'audit_stream.changed', detail: { changed: ['url'] } },
    { type: 'audit_stream.deleted', detail: { audit_stream_id: 'mine' } },
  ])
  t.notMatch(JSON.stringify(events), /127\.0\.0\.1|whsec_/)
  const rows = await sql<{ sealed: Buffer }>(setup, 'select sealed from audit_streams')
  for (const { sealed } of rows) t.notMatch(sealed.toString('latin1'), /whsec_/)

  await sql(
    setup,
    `insert into audit_streams (id, url, format, organization_id, sealed, transaction)
     select 'many' || n, 'https://siem.example', 'ocsf', 'org2', '', '0' from generate_series(1, 98) n`,
  )
  const more = await Promise.allSettled(
    [1, 2, 3, 4, 5, 6].map((n) => put(`more${n}`, { organizationId: 'org2' })),
  )
  const made = more.filter(({ status }) => status === 'fulfilled')
  t.equal(made.length, 2, 'an organization has at most 100, also at once')
})

await onEachStores(t, 'a restored database on another server', async (t, stores, setup) => {
  const { receiver, work, create, append, caughtUp } = await stage(t, stores, setup)
  await create('one', { from: 'start' })
  await append(2)
  const before = work()
  await caughtUp('one')
  await before.close()
  // The server of the dump had more transactions.
  for (const table of ['audit_events', 'audit_streams'])
    await sql(setup, `update ${table} set transaction = '900000000000'`)
  await append(2)
  await endRestored(setup.databaseUrl)
  work()
  await caughtUp('one')
  const ids = await sql<{ id: string }>(
    setup,
    'select id::text from audit_events order by audit_events.id',
  )
  t.same(
    idsIn(receiver.received),
    ids.map(({ id }) => id),
    'each once, in order',
  )
})
