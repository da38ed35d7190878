// Nightly, and when bench/ changes: it tries the benchmark.
/** The requests by which other servers are measured, against a token endpoint that remembers what it was sent. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { codeIn, prepareRequests } from '../../bench/servers/foreign-requests.ts'

const sent: URLSearchParams[] = []
let status = 200
const server = createServer(async (request, response) => {
  const form = new URLSearchParams(await text(request))
  sent.push(form)
  response.writeHead(status, { 'content-type': 'application/json' })
  const code = form.get('code')
  response.end(JSON.stringify({ access_token: `access-${code}`, refresh_token: `refresh-${code}` }))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
t.teardown(() => server.close())

const checked: string[] = []
const prepare = prepareRequests({
  port: (server.address() as AddressInfo).port,
  tokenPath: '/token',
  apps: 2,
  users: 3,
  atOnce: 2,
  credentialsOf: (at) => ({ client_id: `app-${at % 2}` }),
  codeOf: async (user) => `code-${user}`,
  check: (token) => void checked.push(token),
  introspection: (token) => ({ path: '/introspect', headers: {}, body: token }),
  authorization: async (user) => ({ path: `/auth/${user}`, headers: {}, body: null }),
})
const bodies = async (...requested: Parameters<typeof prepare>) =>
  (await prepare(...requested)).map(({ body }) =>
    Object.fromEntries(new URLSearchParams(body ?? '')),
  )

t.test('a request of each app for a token of its own', async (t) => {
  const shots = await bodies('client_credentials', 10)
  t.match(shots, [{ client_id: 'app-0' }, { client_id: 'app-1' }])
  t.equal(shots.length, 2)
})

t.test('as many codes as asked for, of all users in turn', async (t) => {
  const shots = await bodies('authorization_code', 4)
  t.match(
    shots.map(({ code }) => code),
    ['code-0', 'code-1', 'code-2', 'code-0'],
  )
  t.match(shots[1], {
    grant_type: 'authorization_code',
    client_id: 'app-1',
    redirect_uri: /^https/,
  })
})

t.test('refresh tokens and access tokens come from redeemed codes', async (t) => {
  sent.length = 0
  const refreshes = await prepare('refresh', 10)
  t.same(
    refreshes.map(({ token }) => token),
    ['refresh-code-0', 'refresh-code-1', 'refresh-code-2'],
    'one for each user',
  )
  t.match(refreshes[0]?.body, /^grant_type=refresh_token&client_id=app-0&refresh_token=\{token\}$/)
  t.equal(sent.length, 3)
  t.same(
    (await prepare('introspection', 2)).map(({ body }) => body),
    ['access-code-0', 'access-code-1'],
  )
  t.same(checked.slice(0, 3).sort(), ['access-code-0', 'access-code-1', 'access-code-2'])
  t.same(
    (await prepare('authorize', 2)).map(({ path }) => path),
    ['/auth/0', '/auth/1'],
  )
})

t.test('a refused code ends the preparation', async (t) => {
  status = 400
  await t.rejects(prepare('refresh', 1), /\/token: 400/)
})

t.test('finds the code of a redirect', async (t) => {
  const location = 'https://app.example/cb?state=s&code=abc'
  t.equal(codeIn({ statusCode: 302, location, text: '' }), 'abc')
  const error = { statusCode: 302, location: 'https://app.example/cb?error=x', text: 'page' }
  t.throws(() => codeIn(error), /no code: 302 .*error=x page/)
})
