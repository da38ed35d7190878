import { AsyncLocalStorage } from 'node:async_hooks'
import { connect } from 'node:net'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import { pino } from 'pino'
import t from 'tap'
import { createRequestSpans } from '../../../src/app/telemetry/request-spans.ts'
import { createServer } from '../../../src/http/server/server.ts'
import { eventually } from '../../support/eventually.ts'

t.test('spans of pipelined requests end when the connection is lost', async (t) => {
  let [begun, ended] = [0, 0]
  const provider = new BasicTracerProvider({
    spanProcessors: [
      {
        onStart: () => void begun++,
        onEnd: () => void ended++,
        forceFlush: async () => undefined,
        shutdown: async () => undefined,
      },
    ],
  })
  const server = await createServer({
    logger: pino({ level: 'silent' }),
    trustedProxies: [],
    issuer: 'http://127.0.0.1',
    watch: createRequestSpans(provider.getTracer('test'), new AsyncLocalStorage(), []),
  })
  server.get('/quick', async () => 'done')
  server.get('/never', () => new Promise(() => undefined))
  const url = new URL(await server.listen({ port: 0, host: '127.0.0.1' }))
  t.teardown(() => server.close())
  const socket = connect(Number(url.port), '127.0.0.1')
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
  socket.write(get('/quick').repeat(2) + get('/never').repeat(20))
  await eventually(() => begun === 3 && ended === 2)
  socket.resetAndDestroy()
  await eventually(() => ended === 3)
  t.same([begun, ended], [3, 3])
})
