import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import t, { type Test } from 'tap'
import { serveInOrder } from '../../../src/http/server/pipelining.ts'
import { eventually } from '../../support/eventually.ts'
import { sendRaw } from '../../support/raw-http.ts'

const get = (path: string, ...headers: string[]) =>
  `${[`GET ${path} HTTP/1.1`, 'Host: x', ...headers].join('\r\n')}\r\n\r\n`

const start = async (
  t: Test,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
) => {
  const begun: string[] = []
  const server = createServer(
    serveInOrder((request, response) => {
      begun.push(request.url ?? '')
      answer(request, response)
    }, 60_000),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const enter = () => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    t.teardown(() => socket.destroy())
    return socket
  }
  return { begun, url: `http://127.0.0.1:${port}`, enter }
}

t.test('requests of a connection are served one after another', async (t) => {
  const held: ServerResponse[] = []
  const { begun, enter } = await start(t, (_request, response) => held.push(response))
  const [one, other] = [enter(), enter()]
  let text = ''
  one.on('data', (chunk) => {
    text += chunk
  })
  one.write(get('/1') + get('/2') + get('/3'))
  await eventually(() => begun.length === 1)
  other.write(get('/other'))
  await eventually(() => begun.length === 2)
  t.same(begun, ['/1', '/other'], 'connections do not wait for each other')
  for (const path of ['/2', '/3']) {
    held[path === '/2' ? 0 : 2]?.end(`before ${path}`)
    await eventually(() => begun.at(-1) === path)
  }
  held[3]?.end('last')
  await eventually(() => text.includes('last'))
  t.ok(text.indexOf('before /2') < text.indexOf('before /3'), 'in order')
  one.write(get('/4'))
  await eventually(() => begun.at(-1) === '/4')
  t.pass('the connection stays open')
})

t.test('many pipelined requests are answered, also with bodies', async (t) => {
  const { url } = await start(t, (request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.once('end', () => response.end(`${request.url} ${body};`))
  })
  const requested = Array.from({ length: 200 }, (_, at) =>
    at % 3 > 0
      ? get(`/${at}`)
      : `POST /${at} HTTP/1.1\r\nHost: x\r\nContent-Length: ${1 + (at % 7)}\r\n\r\n${'b'.repeat(1 + (at % 7))}`,
  )
  const { text, statuses } = await sendRaw(url, requested.join(''), { quiet: 1000 })
  t.equal(statuses.length, 200)
  const paths = [...text.matchAll(/^\/(\d+) (b*);/gm)]
  t.ok(statuses.every((status) => status === 200))
  t.ok(paths.length > 0)
})

t.test('no request is served after an answer that closes the connection', async (t) => {
  const { begun, url } = await start(t, (_request, response) => {
    response.setHeader('connection', 'close')
    response.end('ok')
  })
  const { statuses, closed } = await sendRaw(url, get('/1') + get('/2'))
  t.same([statuses, closed, begun], [[200], true, ['/1']], 'RFC 9112 §9.6')
})

t.test('a connection with too many waiting requests is closed', async (t) => {
  let closed = 0
  const { begun, enter } = await start(t, (_request, response) => {
    response.once('close', () => closed++)
  })
  const socket = enter()
  socket.write(get('/').repeat(600))
  await once(socket, 'close')
  await eventually(() => closed === 1)
  t.equal(begun.length, 1, 'the others were never started')
})

t.test('a lost connection closes the pending response and drops the other requests', async (t) => {
  let closed = 0
  const { begun, enter } = await start(t, (_request, response) => {
    response.once('close', () => closed++)
  })
  const socket = enter()
  socket.write(get('/').repeat(100))
  await eventually(() => begun.length === 1)
  socket.resetAndDestroy()
  await eventually(() => closed === 1)
  t.equal(begun.length, 1)
})
