import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import type { Attempt } from '../../../src/core/webhooks/schedule.ts'
import { createWebhookSender, type SenderOptions } from '../../../src/core/webhooks/sender.ts'
import { startCanary } from '../../support/canary.ts'
import { eventually } from '../../support/eventually.ts'
import { freePort } from '../../support/free-port.ts'
import { type Answer, startReceiver } from '../../support/webhook-receiver.ts'

const never = new AbortController().signal
const message = (url: string) => ({ url, headers: { 'webhook-id': 'msg1' }, body: '{"type":"ž"}' })

const sender = (options: Partial<SenderOptions> = {}) =>
  createWebhookSender({ allowPrivate: true, now: Date.now, timeout: 1000, ...options })

const send = (url: string, options: Partial<SenderOptions> = {}) =>
  sender(options)(message(url), never)

const failed = (fault: string) => ({ kind: 'failed', fault })

t.test('a message is posted unchanged', async (t) => {
  const receiver = await startReceiver()
  t.teardown(receiver.stop)
  t.same(await send(`${receiver.url}/hooks?key=1`), {
    kind: 'answered',
    status: 200,
    retryAfter: null,
  })
  const [one] = receiver.received
  t.match(one, {
    method: 'POST',
    path: '/hooks?key=1',
    text: '{"type":"ž"}',
    headers: {
      'webhook-id': 'msg1',
      'content-length': String(Buffer.byteLength('{"type":"ž"}')),
      connection: 'close',
    },
  })
})

t.test('any status is a result, and redirects are not followed', async (t) => {
  const [receiver, canary] = [await startReceiver(), await startCanary()]
  t.teardown(receiver.stop)
  t.teardown(canary.stop)
  for (const status of [204, 301, 302, 303, 307, 308, 400, 404, 410, 500, 599]) {
    receiver.answerWith((response) => response.writeHead(status, { location: canary.url }).end())
    t.match(await send(receiver.url), { kind: 'answered', status })
  }
  t.same(canary.requested, [])
})

t.test('reads Retry-After as seconds or as a date, and ignores nonsense', async (t) => {
  const receiver = await startReceiver()
  t.teardown(receiver.stop)
  const now = () => Date.parse('2026-05-03T12:00:00Z')
  const cases: [text: string, seconds: number | null][] = [
    ['120', 120],
    ['0', 0],
    ['Sun, 03 May 2026 12:01:30 GMT', 90],
    ['Sun, 03 May 2026 11:00:00 GMT', 0],
    ['soon', null],
    ['-1', null],
    ['1.5', null],
    ['99999999999', null],
    ['2026', 2026],
  ]
  for (const [text, retryAfter] of cases) {
    receiver.answerWith((response) => response.writeHead(503, { 'retry-after': text }).end())
    t.same(await send(receiver.url, { now }), { kind: 'answered', status: 503, retryAfter }, text)
  }
})

t.test('an endless response is not read', async (t) => {
  const receiver = await startReceiver()
  t.teardown(receiver.stop)
  let written = 0
  let closed = 0
  const flood: Answer = (response) => {
    response.writeHead(200)
    const chunk = Buffer.alloc(16 * 1024)
    const more = () => {
      while (!response.destroyed && written < 512 * 1024 * 1024) {
        written += chunk.length
        if (!response.write(chunk)) return void response.once('drain', more)
      }
    }
    response.on('close', () => closed++)
    more()
  }
  const drip: Answer = (response) => {
    response.writeHead(200).write('x')
    response.on('close', () => closed++)
  }
  for (const answer of [flood, drip]) {
    receiver.answerWith(answer)
    t.match(await send(receiver.url, { timeout: 5000 }), { kind: 'answered', status: 200 })
  }
  await eventually(() => closed === 2) // The connections are closed.
  t.ok(written < 32 * 1024 * 1024, `${written} bytes`)
})

const listen = (server: Server) =>
  new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })

t.test('silent, disconnecting or malformed receivers do not block the sender', async (t) => {
  type Fault = (Attempt & { kind: 'failed' })['fault']
  const cases: [what: string, onConnection: (socket: Socket) => unknown, Fault][] = [
    ['silence', () => undefined, 'timeout'],
    ['half a head', (socket) => socket.write('HTTP/1.1 200 OK\r\nx: '), 'timeout'],
    ['hanging up', (socket) => socket.destroy(), 'connection_failed'],
    ['nonsense', (socket) => socket.end('nonsense\r\n\r\n'), 'connection_failed'],
    [
      'an endless header',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`),
      'connection_failed',
    ],
  ]
  for (const [what, onConnection, fault] of cases) {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.resume()
      onConnection(socket)
    })
    const port = await listen(server)
    const timeout = fault === 'timeout' ? 300 : 10_000
    t.same(await send(`http://127.0.0.1:${port}/`, { timeout }), failed(fault), what)
    server.close()
  }
  t.same(await send(`http://127.0.0.1:${await freePort()}/`), failed('connection_failed'))
})

t.test('the timeout applies although garbage is collected meanwhile', async (t) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const receiver = await startReceiver()
  t.teardown(receiver.stop)
  receiver.answerWith(() => undefined)
  const collecting = setInterval(collect, 20)
  const late = sleep(60_000, 'too late', { ref: false })
  const attempts = [...Array(10)].map(() => send(receiver.url, { timeout: 300 }))
  t.same(
    await Promise.race([Promise.all(attempts), late]),
    attempts.map(() => failed('timeout')),
  )
  clearInterval(collecting)
})

t.test('TLS to a plain receiver fails, and a stalled handshake times out', async (t) => {
  const receiver = await startReceiver()
  t.teardown(receiver.stop)
  t.same(await send(receiver.url.replace('http:', 'https:')), failed('tls_failed'))
  receiver.answerWith(() => undefined)
  const stop = new AbortController()
  const attempt = sender({ timeout: 10_000 })(message(receiver.url), stop.signal)
  setTimeout(() => stop.abort(), 50)
  t.same(await attempt, failed('timeout'))
})

t.test('a name is resolved once, and only allowed addresses are connected', async (t) => {
  const canary = await startCanary()
  t.teardown(canary.stop)
  const port = new URL(canary.url).port
  const url = `https://rebind.example:${port}/`
  const cases: [addresses: string[], fault: string][] = [
    [['127.0.0.1'], 'address_refused'],
    [['10.0.0.1', '192.168.1.1', '169.254.169.254'], 'address_refused'],
    [['::1'], 'address_refused'],
    [['::ffff:127.0.0.1'], 'address_refused'],
    [['0.0.0.0', '::'], 'address_refused'],
    [['64:ff9b::7f00:1', 'fe80::1', 'fd00::1'], 'address_refused'],
    [['not an address'], 'address_refused'],
    [[], 'address_refused'],
  ]
  for (const [addresses, fault] of cases) {
    let requested = 0
    const resolve = async () => {
      requested++
      return addresses
    }
    t.same(await send(url, { allowPrivate: false, resolve }), failed(fault), addresses.join(' '))
    t.equal(requested, 1)
  }

  // DNS rebinding: a second lookup could differ, so only the first answer is used.
  let answers = 0
  const rebinding = async () => (answers++ === 0 ? ['192.0.2.1'] : ['127.0.0.1'])
  for (let round = 0; round < 3; round++)
    t.same(await send(url, { allowPrivate: false, resolve: rebinding }), failed('address_refused'))

  // One address is public (and unassigned since 2006): it is tried, and the private one is not.
  const mixed = async () => ['127.0.0.1', '3ffe::1', '::1']
  const attempt = await send(url, { allowPrivate: false, resolve: mixed, timeout: 500 })
  t.equal(attempt.kind, 'failed')
  t.not(attempt.kind === 'failed' && attempt.fault, 'address_refused')
  t.same(canary.requested, [], 'no request reached the private network')
})

t.test(
  'INJ-03 with private addresses allowed, metadata services are still never connected',
  async (t) => {
    const receiver = await startReceiver()
    t.teardown(receiver.stop)
    const url = `http://metadata.example:${new URL(receiver.url).port}/`
    const metadata = [
      '169.254.169.254',
      '100.100.100.200',
      '168.63.129.16',
      '192.0.0.192',
      'fd00:ec2::254',
      'fd20:ce::254',
      'fe80::a9fe:a9fe',
      '::ffff:169.254.169.254',
      '64:ff9b::a9fe:a9fe',
      '2002:a9fe:a9fe::1',
    ]
    for (const address of metadata)
      t.same(
        await send(url, { resolve: async () => [address] }),
        failed('address_refused'),
        address,
      )
    t.same(await send(url, { resolve: async () => metadata }), failed('address_refused'))
    t.same(receiver.received, [])

    const mixed = async () => [...metadata, '127.0.0.1']
    t.match(
      await send(url, { resolve: mixed }),
      { kind: 'answered' },
      'only the allowed address is used',
    )
    t.equal(receiver.received.length, 1)
  },
)

t.test('literal addresses in the URL are checked too', async (t) => {
  const canary = await startCanary()
  t.teardown(canary.stop)
  const { port } = new URL(canary.url)
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    'localhost',
    '[::1]',
    '[::ffff:7f00:1]',
  ]
  for (const host of hosts)
    for (const scheme of ['http', 'https'])
      t.same(
        await send(`${scheme}://${host}:${port}/`, { allowPrivate: false }),
        failed('address_refused'),
        host,
      )
  for (const host of ['0.0.0.0', '[::]', '[::ffff:7f00:1]'])
    t.same(await send(`http://${host}:${port}/`), failed('address_refused'), `${host}, never`)
  t.same(canary.requested, [])
})

t.test('where private addresses are allowed, the hosts file applies', async (t) => {
  const receiver = await startReceiver()
  t.teardown(receiver.stop)
  t.match(await send(`http://localhost:${receiver.port}/`), { kind: 'answered', status: 200 })
  t.same(await send('http://nothing.invalid/'), failed('name_unknown'))
})
