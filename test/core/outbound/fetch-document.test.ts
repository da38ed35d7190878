import { gzipSync } from 'node:zlib'
import t from 'tap'
import {
  createFetchDocument,
  type DocumentBounds,
  FetchFailed,
} from '../../../src/core/outbound/fetch-document.ts'
import { OutboundBusy } from '../../../src/core/outbound/waits.ts'
import { startCanary } from '../../support/canary.ts'
import { freePort } from '../../support/free-port.ts'
import { type Respond, startOtherServer } from '../../support/other-server.ts'

const bounds: DocumentBounds = {
  mostBytes: 1000,
  seconds: 5,
  accept: 'application/json',
  owner: 'owner',
}
const fetchDocument = createFetchDocument({ allowPrivate: true })

const reasonOf = async (fetching: Promise<unknown>) => {
  try {
    await fetching
    return 'fetched'
  } catch (error) {
    if (error instanceof OutboundBusy) return 'busy'
    if (!(error instanceof FetchFailed)) throw error
    return error.reason
  }
}

t.test('a document is fetched with its headers, and without credentials', async (t) => {
  const other = await startOtherServer()
  t.teardown(other.stop)
  other.onJson('/doc?x=1', { a: 'ž' }, { etag: '"1"', 'set-cookie': 'a=b' })
  const document = await fetchDocument(`${other.url}/doc?x=1`, bounds)
  t.match(document, { status: 200, headers: { etag: '"1"', 'content-type': 'application/json' } })
  t.same(JSON.parse(document.body.toString()), { a: 'ž' })
  await fetchDocument(`${other.url}/doc?x=1`, bounds)
  t.same(
    Object.keys(other.requested[1]?.headers ?? {}).sort(),
    ['accept', 'accept-encoding', 'connection', 'host'],
    'no cookie and no credentials',
  )
})

t.test('an unchanged document is answered by 304 only where a version is known', async (t) => {
  const other = await startOtherServer()
  t.teardown(other.stop)
  other.on('/doc', (response, { headers }) =>
    response
      .writeHead(headers['if-none-match'] === '"1"' ? 304 : 200, {
        'content-type': 'application/json',
      })
      .end(),
  )
  t.match(await fetchDocument(`${other.url}/doc`, { ...bounds, etag: '"1"' }), { status: 304 })
  t.match(await fetchDocument(`${other.url}/doc`, { ...bounds, etag: '"2"' }), { status: 200 })
  other.on('/doc', (response) => response.writeHead(304).end())
  t.equal(await reasonOf(fetchDocument(`${other.url}/doc`, bounds)), 'redirect')
})

t.test('hostile responses are refused, each for its reason', async (t) => {
  const [other, canary] = [await startOtherServer(), await startCanary()]
  t.teardown(other.stop)
  t.teardown(canary.stop)
  const json = { 'content-type': 'application/json' }
  const bomb = gzipSync(Buffer.alloc(1_000_000))
  const cases: [what: string, respond: Respond, reason: string][] = [
    ...[301, 302, 303, 307, 308].map((status): [string, Respond, string] => [
      String(status),
      (response) => response.writeHead(status, { location: canary.url, ...json }).end('{}'),
      'redirect',
    ]),
    ...[201, 204, 400, 401, 404, 410, 500].map((status): [string, Respond, string] => [
      String(status),
      (response) => response.writeHead(status, json).end(),
      'status',
    ]),
    ['no type', (response) => response.writeHead(200).end('{}'), 'content_type'],
    [
      'a page',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('{}'),
      'content_type',
    ],
    [
      'a type that only begins so',
      (response) => response.writeHead(200, { 'content-type': 'application/jsonx' }).end('{}'),
      'content_type',
    ],
    [
      'compressed',
      (response) => response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb),
      'content_type',
    ],
    [
      'too much',
      (response) => response.writeHead(200, json).end(Buffer.alloc(1001, 32)),
      'too_large',
    ],
    [
      'endless',
      (response) => {
        response.writeHead(200, json)
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(16_384, 32)));
          if (!response.destroyed) response.once('drain', more)
        }
        more()
      },
      'too_large',
    ],
    [
      'cut off',
      (response) => {
        response.writeHead(200, { ...json, 'content-length': '100' }).write('{')
        setTimeout(() => response.destroy(), 20)
      },
      'unreachable',
    ],
    [
      'a switch to another protocol',
      (response) =>
        response.writeHead(101, { connection: 'upgrade', upgrade: 'websocket' }).flushHeaders(),
      'unreachable',
    ],
    ['hanging up', (response) => response.destroy(), 'unreachable'],
    ['silence', () => undefined, 'timeout'],
    ['half a body', (response) => response.writeHead(200, json).write('{'), 'timeout'],
  ]
  for (const [what, respond, reason] of cases) {
    other.on('/', respond)
    const seconds = reason === 'timeout' ? 0.2 : 10
    t.equal(await reasonOf(fetchDocument(`${other.url}/`, { ...bounds, seconds })), reason, what)
  }
  t.same(canary.requested, [], 'no redirect was followed')
  other.on('/', (response) => response.writeHead(200, json).end(Buffer.alloc(1000, 32)))
  t.equal(await reasonOf(fetchDocument(`${other.url}/`, bounds)), 'fetched', 'exactly the most')
  t.equal(
    await reasonOf(fetchDocument(`http://127.0.0.1:${await freePort()}/`, bounds)),
    'unreachable',
  )
})

t.test('media types: the accepted one, and JSON by its suffix', async (t) => {
  const other = await startOtherServer()
  t.teardown(other.stop)
  for (const type of [
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/jwk-set+json',
  ]) {
    other.on('/', (response) => response.writeHead(200, { 'content-type': type }).end('{}'))
    t.equal(await reasonOf(fetchDocument(`${other.url}/`, bounds)), 'fetched', type)
  }
})

t.test('only public addresses, by https, and as resolved for the connection', async (t) => {
  const canary = await startCanary()
  t.teardown(canary.stop)
  const { port } = new URL(canary.url)
  const requested: string[] = []
  const guarded = createFetchDocument({
    allowPrivate: false,
    resolve: async (host) => {
      requested.push(host)
      return ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::ffff:127.0.0.1', '::1']
    },
  })
  for (const url of [
    `https://127.0.0.1:${port}/`,
    `https://2130706433:${port}/`,
    `https://[::1]:${port}/`,
    `https://localhost:${port}/`,
    `http://public.example:${port}/`,
    `https://user:password@public.example:${port}/`,
    `https://public.example:${port}/#here`,
    'https://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'nonsense',
  ])
    t.equal(await reasonOf(guarded(url, bounds)), 'address', url)
  t.same(requested, [], 'none of these names is resolved')
  t.equal(await reasonOf(guarded(`https://rebind.example:${port}/`, bounds)), 'address')
  t.same(requested, ['rebind.example'])
  t.same(canary.requested, [])
})

t.test(
  'a silent host or owner takes few slots, and what waits for them has not failed',
  async (t) => {
    const [dead, other] = [await startOtherServer(), await startOtherServer()]
    t.teardown(dead.stop)
    t.teardown(other.stop)
    other.onJson('/', {})
    dead.on('/', () => undefined)
    const named = createFetchDocument({ allowPrivate: true, resolve: async () => ['127.0.0.1'] })
    const at = (host: string, { url }: { url: string }) => `http://${host}:${new URL(url).port}/`
    const fetch = (host: string, owner: string, server = dead) =>
      reasonOf(named(at(host, server), { ...bounds, seconds: 1, owner }))
    const cases: [what: string, fetch: (index: number) => Promise<string>][] = [
      ['one host', (index) => fetch('dead.example', `owner ${index}`)],
      ['one owner', (index) => fetch(`${index}.example`, 'hostile')],
    ]
    for (const [what, fetchOne] of cases) {
      dead.requested.length = 0
      const waiting = [...Array(100).keys()].map(fetchOne)
      t.equal(await fetch('other.example', 'another', other), 'fetched', what)
      const results = await Promise.all(waiting)
      t.equal(dead.requested.length, 4, `${what}: four at once`)
      t.equal(results.filter((one) => one === 'timeout').length, 4, what)
      t.equal(results.filter((one) => one === 'busy').length, 96, 'the others have not failed')
    }
    dead.onJson('/', {})
    t.equal(await fetch('dead.example', 'hostile'), 'fetched', 'slots are released')
  },
)
