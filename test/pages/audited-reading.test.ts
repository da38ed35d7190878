/**
 * Reading that an organization's admins should know of: downloads of the trail, and the token
 * inspector.
 */
import { once } from 'node:events'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { type NamedEvents, noNames } from '../../src/core/audit/activity.ts'
import { trailReader } from '../../src/pages/organization/activity/reader.ts'
import { activityCsv } from '../../src/pages/rendering/activity/csv.ts'
import { downloadCsv } from '../../src/pages/rendering/activity/csv-download.ts'
import { textIn } from '../../src/words/text.ts'
import { builtInCatalogue } from '../support/catalogue.ts'
import { eventually } from '../support/eventually.ts'
import { clientCredentials } from '../support/flows.ts'
import type { Json } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { sql } from '../support/traces.ts'

await onEachBackend('audited reading', async (t, { running, issuer, world, stores }) => {
  const { acme, other, kim, ana, confidential } = world
  const { operator } = running
  const admin = await signedIn(issuer, kim)
  const trail = async (type: string, organization = acme) =>
    (await operator('GET', `/audit?type=${type}&organization_id=${organization}`)).body
      .items as Json[]
  const untilAudited = (type: string, count: number) =>
    eventually(async () => (await trail(type)).length === count)

  t.test('each inspection is audited, without the token', async (t) => {
    const { access_token: token } = (await clientCredentials(issuer, confidential, acme)).body
    const address = `${issuer}/organizations/${acme}/inspect`
    await admin.submit(await admin.get(address), { token, decision: 'inspect' })
    await admin.submit(await admin.get(address), { token: 'made-up', decision: 'inspect' })
    t.equal((await operator('POST', '/tokens/inspect', { token })).status, 200)
    await untilAudited('token.inspected', 3)
    const [byOperator, unknown, byAdmin] = await trail('token.inspected')
    t.match(byAdmin, {
      actor: { kind: 'user', id: kim.id },
      client_id: confidential.client_id,
      detail: { outcome: 'accepted' },
    })
    t.match(unknown, { client_id: null, detail: { outcome: 'unknown' } })
    t.match(byOperator, { actor: { kind: 'operator' }, client_id: confidential.client_id })
    t.notMatch(JSON.stringify(await trail('token.inspected')), /made-up|eyJ/)
    t.same(await trail('token.inspected', other), [])
  })

  t.test('each simulation is audited', async (t) => {
    const address = `${issuer}/organizations/${acme}/inspect`
    const fields = { client_id: confidential.client_id, user_id: ana.id }
    await admin.submit(await admin.get(address), { ...fields, decision: 'simulate' })
    const requested = { client_id: confidential.client_id, organization_id: acme }
    t.equal((await operator('POST', '/tokens/simulate', requested)).status, 200)
    await untilAudited('token.simulated', 2)
    const [byOperator, byAdmin] = await trail('token.simulated')
    t.match(byAdmin, { actor: { kind: 'user' }, user_id: ana.id })
    t.match(byOperator, { actor: { kind: 'operator' }, user_id: null })
    const words = (await admin.get(`${issuer}/organizations/${acme}/activity?group=access`)).text
    t.match(words, /inspected a token of/)
    t.match(words, /simulated a token of/)
  })

  t.test('downloads run one at a time and are audited with their extent', async (t) => {
    await sql(
      stores,
      `insert into audit_events (type, actor_kind, organization_id, detail)
       select 'install.approved', 'system', $1, jsonb_build_object('filler', repeat('x', 500))
         from generate_series(1, 60000)`,
      [acme],
    )
    const address = `${issuer}/organizations/${acme}/activity?format=csv`
    const cookie = [...admin.cookies].map((pair) => pair.join('=')).join('; ')
    const open = async () => {
      const request = httpGet(address, { headers: { cookie } })
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      return { request, response }
    }
    const first = await open()
    t.equal(first.response.statusCode, 200)
    const refused = await admin.get(address)
    t.equal(refused.status, 429, 'while one is running')
    t.match(refused.headers.get('retry-after'), /^[1-9]\d*$/)
    first.request.destroy()
    await untilAudited('activity.exported', 1)
    const [left] = await trail('activity.exported')
    t.match(left, { actor: { kind: 'user', id: kim.id }, detail: { complete: false } })
    t.ok(left.detail.events < 50_000, 'reads nothing for a client that has disconnected')

    await eventually(async () => {
      const { request, response } = await open()
      if (response.statusCode !== 200) {
        request.destroy()
        return false
      }
      let lines = 0
      for await (const chunk of response) lines += String(chunk).split('\n').length - 1
      t.equal(lines, 50_001, 'never more')
      return true
    })
    await untilAudited('activity.exported', 2)
    t.match((await trail('activity.exported'))[0], { detail: { events: 50_000, complete: true } })
  })
})

t.test('a download does not wait for a client that stops reading', async (t) => {
  const reader = trailReader({
    ...{ text: textIn('en'), catalogue: builtInCatalogue },
    ...{ base: '/organizations/org1', organization: { id: 'org1' } },
  })
  const names = noNames
  let read = 0
  async function* endless(): AsyncGenerator<NamedEvents> {
    const at = new Date()
    const none = { organizationId: null, clientId: null, userId: null, address: null }
    const event = { ...none, id: '1', at, type: 'x'.repeat(10_000), requestId: null, detail: {} }
    for (;;) {
      read++
      yield { events: [{ ...event, actor: { kind: 'system', id: null } }], names }
    }
  }
  const awake = setInterval(() => undefined, 1000)
  t.teardown(() => clearInterval(awake))
  const outcomes: unknown[] = []
  const ended = async (outcome: object) => void outcomes.push({ ...outcome })
  const stream = await downloadCsv(
    activityCsv(reader, endless()),
    { stalled: 1, longest: 60_000 },
    ended,
  )
  stream.on('readable', () => undefined) // Only as much as fits the buffers.
  await once(stream, 'close')
  t.equal(outcomes.length, 1)
  t.match(outcomes[0], { complete: false })
  t.ok(read < 50, `${read} read`)

  const rushed = await downloadCsv(
    activityCsv(reader, endless()),
    { stalled: 60_000, longest: 1 },
    ended,
  )
  rushed.resume()
  await once(rushed, 'close')
  t.match(outcomes[1], { complete: false }, 'nor for one that reads too slowly')

  async function* slow() {
    yield { text: 'id\n', rows: 0 }
    yield { text: '1\n', rows: 1 }
    await setTimeout(1500)
    yield { text: '2\n', rows: 1 }
  }
  const complete = await downloadCsv(slow(), { stalled: 500, longest: 60_000 }, ended)
  t.equal(await text(complete), 'id\n1\n2\n', 'a slow server is not a reader that stops')
})
