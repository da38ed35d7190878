/** Receivers of the audit trail, through the Operator API of running servers. */
import { type Json, operatorToken } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import {
  isSignedWith,
  type Received,
  startReceiver,
  until,
} from '../../support/webhook-receiver.ts'

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
const linesOf = ({ text }: Received): Json[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

await onEachBackend(
  'audit streams',
  async (t, { running, world }) => {
    const { acme, other } = world
    const receiver = await startReceiver()
    t.teardown(receiver.stop)
    const tokenFor = async (permissions: string[], organization_ids: string[] | null = null) => {
      const body = { name: 'Streams', permissions, organization_ids }
      return (await running.operator('POST', '/operator-tokens', body)).body.token as string
    }
    const call = async (method: string, path: string, body?: object, token = operatorToken) => {
      const response = await fetch(`${running.issuer}/api/admin/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return {
        status: response.status,
        headers: response.headers,
        body: (text ? JSON.parse(text) : null) as Json,
      }
    }
    const settings = { url: `${receiver.url}/siem`, format: 'latchkey' }

    await t.test('a stream sends what the trail has', async (t) => {
      t.equal((await call('PUT', '/audit-streams/siem', settings)).status, 400, 'without a secret')
      const made = await call('PUT', '/audit-streams/siem', { ...settings, secret })
      t.equal(made.status, 201)
      t.match(made.body, {
        ...{ id: 'siem', ...settings, organization_id: null, last_event_id: null },
        ...{ last_success_at: null, behind: 0, last_error: null },
      })
      t.notMatch(JSON.stringify(made.body), /whsec_/)
      t.equal((await call('PUT', '/audit-streams/siem', settings)).status, 200)
      for (const name of ['One', 'Two', 'Three'])
        await call('PATCH', `/organizations/${acme}`, { name })
      await until(() => receiver.at('/siem').flatMap(linesOf).length >= 3, 'three events')
      const sent = receiver.at('/siem').flatMap(linesOf)
      const { body } = await call(
        'GET',
        `/audit?organization_id=${acme}&type=organization.changed&limit=3`,
      )
      t.same(sent, body.items.reverse(), 'as in the list')
      for (const batch of receiver.at('/siem')) t.ok(isSignedWith(secret, batch))
      const { etag } = Object.fromEntries(made.headers)
      t.equal((await call('GET', '/audit-streams/siem')).headers.get('etag'), etag, 'one version')
    })

    await t.test('a test is one event, which is not in the trail', async (t) => {
      const before = receiver.received.length
      t.equal((await call('POST', '/audit-streams/siem/test', {})).status, 202)
      await until(() => receiver.received.length > before, 'the test event')
      t.match(receiver.received.slice(before).flatMap(linesOf), [{ type: 'audit_stream.test' }])
      t.same((await call('GET', '/audit?type=audit_stream.test')).body.items, [])
    })

    await t.test('a token reaches the streams of its organizations', async (t) => {
      const own = await tokenFor(['audit:read', 'webhooks:write'], [acme])
      const foreign = await tokenFor(['audit:read', 'webhooks:write'], [other])
      const mine = { ...settings, url: `${receiver.url}/mine`, secret, organization_id: acme }
      t.equal(
        (await call('PUT', '/audit-streams/mine', { ...mine, organization_id: undefined }, own))
          .status,
        403,
      )
      t.equal((await call('PUT', '/audit-streams/mine', mine, foreign)).status, 404)
      t.equal((await call('PUT', '/audit-streams/mine', mine, own)).status, 201)
      t.equal(
        (await call('PUT', '/audit-streams/mine', { url: mine.url, format: 'ocsf' }, own)).status,
        200,
      )
      for (const [token, ids] of [
        [own, ['mine']],
        [foreign, []],
        [operatorToken, ['siem', 'mine']],
      ] as const) {
        const { items } = (await call('GET', '/audit-streams', undefined, token)).body
        t.same(
          items.map(({ id }: Json) => id),
          ids,
        )
      }
      for (const id of ['siem', 'mine', 'none']) {
        const path = `/audit-streams/${id}`
        t.equal((await call('GET', path, undefined, foreign)).status, 404)
        t.equal((await call('POST', `${path}/test`, {}, foreign)).status, 404)
        t.equal((await call('DELETE', path, undefined, foreign)).status, 404)
      }
      for (const id of ['siem', 'mine'])
        t.equal(
          (await call('PUT', `/audit-streams/${id}`, { ...mine, organization_id: other }, foreign))
            .status,
          409,
          'the id is taken',
        )
      const reader = await tokenFor(['audit:read'])
      t.equal((await call('GET', '/audit-streams/mine', undefined, reader)).status, 200)
      t.equal((await call('PUT', '/audit-streams/mine', mine, reader)).status, 403)
      const writer = await tokenFor(['webhooks:write', 'webhooks:read'])
      t.equal((await call('GET', '/audit-streams/mine', undefined, writer)).status, 403)
      t.equal((await call('PUT', '/audit-streams/mine', mine, writer)).status, 200)
      t.equal((await call('DELETE', '/audit-streams/mine', undefined, own)).status, 204)
    })

    await t.test('addresses and ids are checked', async (t) => {
      for (const url of [
        'ftp://a.example/',
        'http://169.254.169.254/',
        'https://a:b@a.example/',
        'x',
      ])
        t.equal(
          (await call('PUT', '/audit-streams/bad', { ...settings, url, secret })).status,
          400,
          url,
        )
      for (const id of ['-a', 'a'.repeat(65), 'a%20b'])
        t.equal(
          (await call('PUT', `/audit-streams/${id}`, { ...settings, secret })).status,
          400,
          id,
        )
      const unknown = { ...settings, secret, organization_id: 'none' }
      t.equal((await call('PUT', '/audit-streams/bad', unknown)).status, 400)
      for (const wrong of [
        { format: 'xml' },
        { from: 'end' },
        { secret: 'whsec_short' },
        { extra: 1 },
      ])
        t.equal(
          (await call('PUT', '/audit-streams/bad', { ...settings, secret, ...wrong })).status,
          400,
        )
    })
  },
  { environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } },
)
