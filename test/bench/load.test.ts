// Nightly, and when bench/ changes: it tries the benchmark.
import { createServer } from 'node:http'
import t from 'tap'
import { fire } from '../../bench/load.ts'
import type { Shot } from '../../bench/protocol.ts'

const startServer = async (answerTo: (path: string, body: string) => object | string) => {
  const server = createServer(async (request, answer) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const found = answerTo(request.url ?? '', body)
    if (typeof found === 'string') answer.writeHead(302, { location: found }).end()
    else answer.end(JSON.stringify(found))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

const shot = (more: Partial<Shot>): Shot => ({ path: '/', headers: {}, body: 'a=b', ...more })

t.test('an introspection that finds the token inactive is a failure', async (t) => {
  const port = await startServer((path) => ({ active: path === '/valid' }))
  const load = { port, connections: 1, seconds: 10 }
  const shots = [shot({ path: '/valid' }), shot({ path: '/invalid' })]
  const { requests, failed, firstFailure } = await fire({ ...load, shots }, true)
  t.match({ requests, failed }, { requests: 2, failed: 1 })
  t.match(firstFailure, '{"active":false}')
})

t.test('a chain sends the refresh token of its last answer', async (t) => {
  const sent: string[] = []
  const port = await startServer((_, body) => {
    sent.push(body)
    return { refresh_token: `token-${sent.length}` }
  })
  const chain = shot({ body: 'refresh_token={token}', token: 'token-0' })
  const { failed } = await fire({ port, connections: 1, seconds: 2, shots: [chain] }, false)
  t.equal(failed, 0)
  t.ok(sent.length > 1)
  t.same(
    sent,
    sent.map((_, at) => `refresh_token=token-${at}`),
  )
})

t.test('an authorization through pages counts as one request and needs a code', async (t) => {
  const port = await startServer((path) =>
    path === '/auth'
      ? '/login'
      : `https://app.example/cb?${path === '/login' ? 'code=1' : 'error=x'}`,
  )
  const load = { port, connections: 1, seconds: 10 }
  const shots = [
    shot({ path: '/auth', body: null, follow: true }),
    shot({ path: '/refused', body: null, follow: true }),
  ]
  const { requests, failed, firstFailure } = await fire({ ...load, shots }, true)
  t.match({ requests, failed }, { requests: 2, failed: 1 })
  t.match(firstFailure, 'error=x')
})
