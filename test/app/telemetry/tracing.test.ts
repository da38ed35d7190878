import t, { type Test } from 'tap'
import { eventually } from '../../support/eventually.ts'
import {
  clientCredentials,
  currentCode,
  exchangeCode,
  legacyCode,
  legacyToken,
  post,
  refresh,
} from '../../support/flows.ts'
import { type Running, startLatchkey } from '../../support/latchkey.ts'
import { startServerProcess } from '../../support/server-process.ts'
import { type StoreSetup, testStores } from '../../support/stores.ts'
import { type ReceivedSpan, startTraceReceiver } from '../../support/trace-receiver.ts'
import { createWorld } from '../../support/world.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'
const traceparent = `00-${traceId}-${spanId}-01`
const tracestate = 'vendor=free-text-of-anybody'

/** A server of its own and a collector. Returns the server's log after it, for failures. */
const traced = async (t: Test, stores: StoreSetup, environment: NodeJS.ProcessEnv = {}) => {
  const collector = await startTraceReceiver()
  const running = await startLatchkey(stores, {
    environment: { ...collector.environment, ...environment },
  })
  t.teardown(async () => {
    await running.stop()
    await collector.stop()
  })
  return { collector, running, issuer: running.issuer }
}

const named = (name: string) => (span: ReceivedSpan) => span.name === name
const served = (name: string) => (span: ReceivedSpan) => span.kind === 2 && span.name === name
const told = (path: string, outcome: string) => (span: ReceivedSpan) =>
  span.name === path && span.attributes['latchkey.outcome'] === outcome

for (const stores of await testStores()) {
  t.test(`traces (${stores.name})`, async (t) => {
    t.teardown(() => stores.drop())
    const { collector, running, issuer } = await traced(t, stores)
    const world = await createWorld(running)
    const { confidential, legacy, ana, acme } = world
    const family = stores.redisUrl ? 'latchkeyFamilyAdvance' : 'advance_family'

    t.test('a token request has one span, with a child span for each store', async (t) => {
      await clientCredentials(issuer, confidential, acme)
      const span = await collector.waitFor(told('POST /api/oauth/token', 'ok'))
      t.equal(span.parentId, '')
      t.equal(span.kind, 2)
      t.equal(span.status, 0)
      t.same(span.attributes, {
        'http.request.method': 'POST',
        'http.route': '/api/oauth/token',
        'http.response.status_code': 200,
        'url.scheme': 'http',
        'latchkey.outcome': 'ok',
        'latchkey.reason': 'ok',
        'latchkey.grant': 'client_credentials',
        'latchkey.client_id': confidential.client_id,
      })
      t.match(span.resource, { 'service.name': 'latchkey' })
      const [query, ...more] = collector.childrenOf(span)
      t.same(more, [])
      t.match(query, { name: 'load_install', kind: 3, traceId: span.traceId })
      t.same(query?.attributes, {
        'db.system.name': 'postgresql',
        'db.operation.name': 'load_install',
      })
      t.ok(query && span.start <= query.start && query.start <= query.end && query.end <= span.end)
    })

    t.test('a sign-in and a code exchange have their spans', async (t) => {
      const grant = await currentCode(running, confidential, ana)
      const { body } = await exchangeCode(issuer, confidential, grant)
      await refresh(issuer, confidential, body.refresh_token)
      const isRefresh = ({ attributes }: ReceivedSpan) =>
        attributes['latchkey.grant'] === 'refresh_token'
      const refreshed = await collector.waitFor(isRefresh)
      const exchanged = collector.spans.find(
        ({ attributes }) => attributes['latchkey.grant'] === 'authorization_code',
      ) as ReceivedSpan
      for (const one of [exchanged, refreshed])
        t.same(
          collector
            .childrenOf(one)
            .map(({ name }) => name)
            .sort(),
          ['load_grant', family].sort(),
        )
      for (const name of ['GET /authorize', 'POST /login', 'POST /interaction/:id']) {
        const span = collector.spans.find(served(name)) as ReceivedSpan
        t.ok(span, name)
        t.ok(collector.childrenOf(span).length > 1, `${name} asks the stores`)
      }
      const { code } = await legacyCode(running, legacy, ana)
      await legacyToken(issuer, legacy, { grant_type: 'authorization_code', code })
      await collector.waitFor(told('POST /api/oauth/access_token', 'ok'))
      t.ok(collector.spans.some(served('GET /oauth/authorize')))
      const names = collector.spans.filter(({ kind }) => kind === 2).map(({ name }) => name)
      t.same(
        names.filter((name) => !/^[A-Z]+ (\/[a-z_.-]+|\/v1|\/:[a-z_]+)+$/.test(name)),
        [],
        'named by their routes',
      )
    })

    t.test('requests that share a query each have a span of it', async (t) => {
      const before = collector.spans.length
      const count = 24
      const ids = await Promise.all(
        Array.from({ length: count }, async () => {
          const { headers } = await clientCredentials(issuer, confidential, acme)
          return headers.get('x-request-id') as string
        }),
      )
      const traces = ids.map((id) => {
        const line = running.log.find((one) => one.includes(id) && one.includes('answered'))
        return JSON.parse(line ?? '{}').trace_id
      })
      const arrived = () => collector.spans.slice(before)
      await eventually(() => arrived().filter(served('POST /api/oauth/token')).length === count)
      await eventually(() => arrived().filter(named('load_install')).length === count)
      for (const span of arrived().filter(served('POST /api/oauth/token'))) {
        t.ok(traces.includes(span.traceId))
        const children = collector.childrenOf(span)
        t.same(
          children.map(({ name }) => name),
          ['load_install'],
        )
        t.ok(children.every(({ start, end }) => span.start <= start && end <= span.end))
      }
    })

    t.test('the span of a refusal has its reason', async (t) => {
      await refresh(issuer, confidential, 'no-such-token')
      const refused = await collector.waitFor(told('POST /api/oauth/token', 'invalid_grant'))
      t.match(refused.attributes, {
        'http.response.status_code': 400,
        'latchkey.reason': 'token_unreadable',
        'latchkey.grant': 'refresh_token',
        'latchkey.client_id': confidential.client_id,
      })
      t.equal(refused.status, 0, 'not a server error')
      const invented = { grant_type: 'invented-by-somebody' }
      await post(`${issuer}/api/oauth/token`, invented)
      const odd = await collector.waitFor(told('POST /api/oauth/token', 'unsupported_grant_type'))
      t.match(odd.attributes, { 'latchkey.grant': 'other' })
      await fetch(`${issuer}/oauth/authorize?client_id=made-up-by-somebody`)
      const page = await collector.waitFor(
        ({ attributes }) => attributes['latchkey.reason'] === 'client_unknown',
      )
      t.equal(page.name, 'GET /oauth/authorize')
      t.notMatch(collector.text(), /by-somebody/)
    })

    t.test('an unknown path has no span name of its own', async (t) => {
      const path = '/nowhere/typed-by-somebody'
      await fetch(issuer + path)
      await fetch(issuer + path, { method: 'DELETE' })
      const lost = await collector.waitFor(served('GET'))
      await collector.waitFor(served('DELETE'))
      t.match(lost.attributes, { 'http.response.status_code': 404 })
      t.equal(lost.attributes['http.route'], undefined)
      t.notMatch(collector.text(), /typed-by-somebody/)
    })

    t.test('each log line has the trace id', async (t) => {
      const { headers } = await refresh(issuer, confidential, 'no-such-token')
      const isOurs = (line: string) => line.includes(headers.get('x-request-id') as string)
      await eventually(() => running.log.filter(isOurs).length >= 2)
      const lines = running.log.filter(isOurs).map((line) => JSON.parse(line))
      const [id] = lines.map((line) => line.trace_id)
      t.match(id, /^[0-9a-f]{32}$/)
      t.ok(lines.every((line) => line.trace_id === id))
      await collector.waitFor((span) => span.traceId === id)
    })

    t.test('a caller’s trace is not continued, only linked', async (t) => {
      await fetch(`${issuer}/health/live`, { headers: { traceparent, tracestate } })
      const span = await collector.waitFor(({ links }) => links.length > 0)
      t.not(span.traceId, traceId)
      t.equal(span.parentId, '')
      t.same(span.links, [{ traceId, spanId, traceState: '' }])
      for (const bad of ['', 'x', '00-0-0-01', `00-${'0'.repeat(32)}-${spanId}-01`, traceId])
        t.equal(
          (await fetch(`${issuer}/health/live`, { headers: { traceparent: bad } })).status,
          200,
        )
      t.notMatch(collector.text(), /free-text/)
    })
  })
}

const [stores, ...others] = await testStores()
if (!stores) throw new Error('there is no store to test with')
t.teardown(() => Promise.all([stores, ...others].map((one) => one.drop())))

t.test('a trusted proxy’s trace is continued, with its sampling decision', async (t) => {
  const { collector, issuer } = await traced(t, stores, { TRUSTED_PROXIES: '10.0.0.0/8 127.0.0.1' })
  const url = `${issuer}/oauth/authorize?response_type=code&client_id=app0000000000000001`
  const unsampled = `00-${'1'.repeat(32)}-${spanId}-00`
  await fetch(url, { headers: { traceparent: unsampled } })
  await fetch(url, { headers: { traceparent, tracestate } })
  const span = await collector.waitFor(served('GET /oauth/authorize'))
  t.match(span, { traceId, parentId: spanId, links: [], traceState: tracestate })
  t.ok(collector.childrenOf(span).length > 0)
  t.ok(collector.spans.every((one) => one.traceId === traceId))
})

t.test('sampler, resource and headers come from the environment', async (t) => {
  const collector = await startTraceReceiver()
  t.teardown(() => collector.stop())
  const common = {
    ...collector.environment,
    OTEL_SERVICE_NAME: 'sign-in',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,team=a%20b',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
  }
  const off = await startLatchkey(stores, {
    environment: { ...common, OTEL_TRACES_SAMPLER: 'always_off' },
  })
  await fetch(`${off.issuer}/health/live`)
  await off.stop()
  t.same(collector.requests, [], 'nothing is sampled')

  const on = await startLatchkey(stores, {
    environment: {
      ...common,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/own/path`,
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '1',
    },
  })
  await fetch(`${on.issuer}/health/live`)
  await on.stop()
  t.match(collector.requests, [
    {
      path: '/own/path',
      headers: {
        authorization: 'Bearer of-the-collector',
        'content-type': 'application/x-protobuf',
      },
    },
  ])
  t.match(collector.spans, [
    {
      name: 'GET /health/live',
      resource: {
        'service.name': 'sign-in',
        'deployment.environment.name': 'test',
        team: 'a b',
      },
    },
  ])
  t.notMatch(on.log.join(''), /of-the-collector/)
})

/** Requests and shutdown work normally. */
const goesOn = async (t: Test, running: Running) => {
  const ask = async () => (await fetch(`${running.issuer}/health/ready`)).status
  for (let turn = 0; turn < 8; turn++)
    t.same(await Promise.all(Array.from({ length: 5 }, ask)), Array(5).fill(200))
}

t.test(
  'a collector that is unavailable, refuses or is silent does not affect the server',
  async (t) => {
    const fates = [
      ['away', 'take'],
      ['refusing', 'refuse'],
      ['silent', 'say nothing'],
    ] as const
    for (const [fate, answer] of fates) {
      const collector = await startTraceReceiver(answer)
      if (fate === 'away') await collector.stop()
      const running = await startLatchkey(stores, {
        environment: {
          ...collector.environment,
          METRICS_TOKEN: 'metrics',
          // So long that a server that waits for it would fail the test.
          OTEL_EXPORTER_OTLP_TIMEOUT: fate === 'refusing' ? '1000' : '600000',
          OTEL_BSP_MAX_QUEUE_SIZE: '4',
        },
      })
      await goesOn(t, running)
      if (fate === 'refusing') {
        await eventually(() => running.log.some((line) => line.includes('traces not exported')))
        const headers = { authorization: 'Bearer metrics' }
        const metrics = await (await fetch(`${running.issuer}/metrics`, { headers })).text()
        t.match(metrics, /latchkey_trace_spans_total\{outcome="lost"\} [1-9]/)
      }
      await running.stop()
      const warnings = running.log.filter((line) => line.includes('traces not exported'))
      t.ok(warnings.length <= 1, `${fate}: told once`)
      if (fate === 'silent') {
        // One batch was under way, and a queued one is sent at the end; the others were dropped.
        t.ok(
          collector.requests.length > 0 && collector.requests.length <= 2,
          'the queue is bounded',
        )
      }
      if (fate !== 'away') await collector.stop()
    }
  },
)

t.test('queued spans are sent before the process ends', async (t) => {
  const collector = await startTraceReceiver()
  t.teardown(() => collector.stop())
  const server = await startServerProcess(t, {
    stores,
    environment: { ...collector.environment, OTEL_BSP_SCHEDULE_DELAY: '600000' },
  })
  await fetch(`${server.url}/health/live`, { headers: { connection: 'close' } })
  t.same(collector.spans, [])
  server.signal('SIGTERM')
  t.match(await server.ended, { code: 0 })
  t.ok(collector.spans.some(named('GET /health/live')))
})
