// Nightly, and when bench/ changes: it tries the benchmark.
import { createServer } from 'node:http'
import t from 'tap'
import { Agent } from 'undici'
import { openBrowser } from '../../bench/browser.ts'

/** Pages that redirect from one to the next, and record what they got. */
const startPages = async (next: (path: string) => { location?: string; cookie?: string }) => {
  const got: { method: string; path: string; cookie: string; body: string }[] = []
  const server = createServer(async (request, answer) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const path = request.url ?? ''
    got.push({ method: request.method ?? '', path, cookie: request.headers.cookie ?? '', body })
    const { location, cookie } = next(path)
    if (cookie) answer.setHeader('set-cookie', [cookie, 'other=1; Path=/; HttpOnly'])
    if (location) answer.writeHead(302, { location })
    answer.end('page')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const address = server.address()
  return { got, base: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` }
}

const agent = new Agent()
t.teardown(() => agent.close())

t.test(
  'follows redirects on this machine with all cookies, and stops before another machine',
  async (t) => {
    const { got, base } = await startPages((path) =>
      path === '/auth'
        ? { location: '/login', cookie: 'csrf=a=b; Secure; Path=/' }
        : { location: 'https://app.example/cb?code=1' },
    )
    const browser = openBrowser(agent, 'session=s')
    const page = await browser.get(`${base}/auth`)
    t.match(page, { statusCode: 302, location: 'https://app.example/cb?code=1' })
    t.same(
      got.map(({ path, cookie }) => [path, cookie]),
      [
        ['/auth', 'session=s'],
        ['/login', 'session=s; csrf=a=b; other=1'],
      ],
    )
    t.equal(browser.cookieHeader(), 'session=s; csrf=a=b; other=1')
  },
)

t.test('a server that expects a proxy with TLS is called without it', async (t) => {
  const { got, base } = await startPages((path) =>
    path === '/auth' ? { location: `${base.replace('http:', 'https:')}/again` } : {},
  )
  const page = await openBrowser(agent).get(`${base}/auth`)
  t.match(page, { statusCode: 200, location: '', text: 'page' })
  t.same(
    got.map(({ path }) => path),
    ['/auth', '/again'],
  )
})

t.test('a form is sent once; the redirect after it is a GET', async (t) => {
  const { got, base } = await startPages((path) => (path === '/login' ? { location: '/done' } : {}))
  await openBrowser(agent).post(`${base}/login`, { user: 'ada', password: 'a b' })
  t.same(
    got.map(({ method, path, body }) => [method, path, body]),
    [
      ['POST', '/login', 'user=ada&password=a+b'],
      ['GET', '/done', ''],
    ],
  )
})

t.test('redirects in a circle are an error', async (t) => {
  const { base } = await startPages(() => ({ location: '/again' }))
  await t.rejects(openBrowser(agent).get(`${base}/auth`), { message: /more than 10 redirects/ })
})
