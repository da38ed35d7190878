/** Files that attachments copy from other servers: the bounds of size, time and number. */
import { readdir } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { png } from '../../support/images.ts'
import { type Answers, listen, open, other, url } from './files.ts'

t.test('answers that are no file', async (t) => {
  const status = (code: number) => (response: ServerResponse) => response.writeHead(code).end('x')
  const base = await other(t, {
    '204': status(204),
    '206': status(206),
    '304': status(304),
    '404': status(404),
    '500': status(500),
    gzip: (response) =>
      response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(100_000))),
    brotli: (response) => response.setHeader('content-encoding', 'br').end('x'),
    headers: (response) => response.setHeader('x-large', 'x'.repeat(20_000)).end(),
    cut: (response) => {
      response.writeHead(200, { 'content-length': 100 }).write('x')
      setImmediate(() => response.destroy())
    },
    closed: (response) => response.destroy(),
  })
  const { refuses, storage } = await open(t)
  for (const code of [204, 206, 304, 404, 500])
    await refuses(`${base}/${code}`, new RegExp(`status ${code}`))
  for (const path of ['gzip', 'brotli']) await refuses(`${base}/${path}`, /compressed/)
  for (const path of ['headers', 'cut', 'closed'])
    await refuses(`${base}/${path}`, /could not be fetched/)

  const switching = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')
  })
  await refuses(await listen(t, switching), /was not answered/, '101')
  const noise = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.end('220 mail.example ESMTP\r\n')
  })
  await refuses(await listen(t, noise), /could not be fetched/, 'another protocol')
  t.same(await readdir(storage), [], 'nothing is stored')
})

t.test('the size is bounded, whatever the server announces', async (t) => {
  let closed = () => {}
  const ended = new Promise<void>((resolve) => {
    closed = resolve
  })
  let sent = 0
  const base = await other(t, {
    most: (response) => response.end(Buffer.alloc(1000)),
    large: (response) => response.end(Buffer.alloc(1001)),
    announced: (response) => response.writeHead(200, { 'content-length': 10_000_000 }).write('x'),
    endless: (response) => {
      const chunk = Buffer.alloc(500)
      const send = () => {
        sent += chunk.length
        if (!response.destroyed) response.write(chunk, send)
      }
      response.on('close', closed)
      send()
    },
    nothing: (response) => response.end(),
  })
  const { store, refuses, server } = await open(t)
  t.match(await store(`${base}/most`), { size: 1000 })
  for (const path of ['large', 'announced', 'endless'])
    await refuses(`${base}/${path}`, /1000 bytes/)
  await ended
  t.ok(sent < 50_000_000, 'the connection is closed at once')

  const empty = await store(`${base}/nothing`)
  t.match(empty, { size: 0, type: 'application/octet-stream' })
  const read = await server.inject(empty.val.slice(url.length))
  t.match(read, { statusCode: 200, body: '', headers: { 'content-length': /^0$/ } })
})

t.test('the time is bounded, from the first byte to the last', async (t) => {
  const dripping = (response: ServerResponse) => {
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(timer))
  }
  const base = await other(t, {
    silent: () => {},
    slow: (response) => response.writeHead(200, { 'content-length': 900 }).write('x'),
    dripping,
    again: (response) => response.writeHead(302, { location: '/silent' }).end(),
  })
  const { refuses } = await open(t, { milliseconds: 200 })
  for (const path of ['silent', 'slow', 'dripping', 'again'])
    await refuses(`${base}/${path}`, /not answered in time/)
  const unresolved = await open(t, { milliseconds: 200, resolve: () => new Promise(() => {}) })
  await unresolved.refuses('https://name.example/', /not answered in time/)
})

t.test('the type is the one that the server names, and no file is a page', async (t) => {
  const page = '<script>alert(1)</script>'
  const types: [
    path: string,
    header: string | null,
    body: Buffer | string,
    type: string,
    as: string,
  ][] = [
    ['page', 'text/html; charset=utf-8', page, 'text/html', 'application/octet-stream'],
    ['xhtml', 'application/xhtml+xml', page, 'application/xhtml+xml', 'application/octet-stream'],
    ['svg', 'image/svg+xml', '<svg/>', 'image/svg+xml', 'application/octet-stream'],
    ['script', 'text/javascript', page, 'text/javascript', 'application/octet-stream'],
    ['xml', 'text/xml', page, 'text/xml', 'application/octet-stream'],
    ['pdf', 'application/PDF', '%PDF', 'application/pdf', 'application/pdf'],
    ['text', 'text/plain', page, 'text/plain', 'text/plain'],
    ['named', 'image/png', page, 'image/png', 'image/png'],
    ['image', 'text/html', png, 'text/html', 'application/octet-stream'],
    ['unnamed', null, png, 'image/png', 'image/png'],
    ['unknown', null, page, 'application/octet-stream', 'application/octet-stream'],
    ['wrong', 'x', page, 'application/octet-stream', 'application/octet-stream'],
    ['odd', 'text/<b>', page, 'application/octet-stream', 'application/octet-stream'],
    ['long', `a/${'b'.repeat(500)}`, page, 'application/octet-stream', 'application/octet-stream'],
  ]
  const answers = types.map(([path, header, body]): [string, Answers[string]] => [
    path,
    (response) => {
      if (header !== null) response.setHeader('content-type', header)
      response.end(body)
    },
  ])
  const base = await other(t, Object.fromEntries(answers))
  const { store, server } = await open(t)
  for (const [path, , body, type, as] of types) {
    const file = await store(`${base}/${path}`)
    t.match(file, { type, size: body.length }, path)
    const { headers, rawPayload } = await server.inject(file.val.slice(url.length))
    t.same(rawPayload, Buffer.from(body), path)
    t.equal(headers['content-type']?.toString().split(';')[0], as, path)
    t.equal(headers['content-disposition'], as === 'image/png' ? 'inline' : 'attachment', path)
    t.equal(headers['x-content-type-options'], 'nosniff', path)
    t.match(headers['content-security-policy'], /^sandbox; /, path)
  }
})

t.test('few files are fetched at once, and one organization delays no other', async (t) => {
  const held: ServerResponse[] = []
  let most = 0
  let arrived = () => {}
  const base = await other(t, {
    file: (response) => response.end('x'),
    held: (response) => {
      held.push(response)
      most = Math.max(most, held.length)
      arrived()
    },
  })
  const { store, refuses } = await open(t)
  const full = new Promise<void>((resolve) => {
    arrived = () => held.length === 4 && resolve()
  })
  const stored = Array.from({ length: 54 }, () => store(`${base}/held`))
  await full
  t.match(await store(`${base}/file`, 'org2'), { size: 1 }, 'another organization')
  await refuses(`${base}/held`, /has to wait/, 'neither fetched nor kept waiting')

  arrived = () => {
    for (const response of held.splice(0)) response.end('x')
  }
  arrived()
  for (const file of await Promise.all(stored)) t.match(file, { size: 1 })
  t.equal(most, 4)
})

t.test('slots are released when the time is over', async (t) => {
  const base = await other(t, { silent: () => {}, file: (response) => response.end('x') })
  const { store } = await open(t, { milliseconds: 2000 })
  const silent = Array.from({ length: 6 }, () => store(`${base}/silent`))
  for (const { status } of await Promise.allSettled(silent)) t.equal(status, 'rejected')
  t.match(await store(`${base}/file`), { size: 1 })
})
