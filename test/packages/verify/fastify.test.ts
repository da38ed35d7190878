import fastify, { type FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import { latchkeyVerify } from '../../../packages/verify/src/fastify/fastify.ts'
import { legacyCredential } from '../../../packages/verify/src/verify.ts'
import { createScene, outcomeOf } from './scene.ts'

const createApi = async (t: Test, options: Parameters<typeof createScene>[1] = {}) => {
  const scene = await createScene(t, options)
  const api = fastify()
  t.teardown(() => api.close())
  await api.register(latchkeyVerify, { verifier: scene.verifier, realm: 'data' })
  const { requireToken } = api
  const organization = 'org1'
  const idOf = ({ request }: { request: FastifyRequest }) => (request.params as { id: string }).id
  api.get('/open', async ({ access }) => ({ access }))
  api.get('/any', { preHandler: requireToken({ organization }) }, async ({ access }) => access)
  api.get(
    '/create',
    { preHandler: requireToken({ organization, permissions: ['records:create'] }) },
    async ({ access }) => access,
  )
  api.get(
    '/delete',
    { preHandler: requireToken({ organization, permissions: ['records:delete'] }) },
    async () => 1,
  )
  api.get<{ Params: { id: string } }>(
    '/workspaces/:id',
    { preHandler: requireToken({ organization, workspace: idOf }) },
    async () => 'reached',
  )
  api.post(
    '/legacy',
    {
      preHandler: requireToken({
        interface: 'legacy',
        organization,
        token: ({ body }) => legacyCredential((body as { variables?: unknown }).variables),
      }),
    },
    async ({ access }) => access,
  )
  const get = (url: string, token?: string) =>
    api.inject({ url, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } })
  return { ...scene, api, get }
}

t.test('routes require a token, permissions and a workspace', async (t) => {
  const { server, get } = await createApi(t)
  const token = server.token()
  t.same((await get('/open')).json(), { access: null })
  t.match((await get('/any', token)).json(), { kind: 'user', userId: 'usr1' })
  t.equal((await get('/create', token)).statusCode, 200)
  t.equal((await get('/workspaces/wks1', token)).body, 'reached')

  const none = await get('/any')
  t.equal(none.statusCode, 401)
  t.equal(none.headers['www-authenticate'], 'Bearer realm="data"')
  const bad = await get('/any', `${token}x`)
  t.equal(bad.statusCode, 401)
  t.match(bad.headers['www-authenticate'], /^Bearer realm="data", error="invalid_token"/)
  t.equal(bad.json().error, 'invalid_token')
  const little = await get('/delete', token)
  t.equal(little.statusCode, 403)
  t.match(little.headers['www-authenticate'], /error="insufficient_scope".*scope="records:delete"/)
  t.equal((await get('/workspaces/wks3', token)).statusCode, 403)
})

t.test('tokens of one interface are refused on the other', async (t) => {
  const { server, get, api } = await createApi(t)
  const legacy = server.token({
    interface: 'legacy',
    permissions: ['readData'],
    workspace_ids: undefined,
  })
  const ask = (accessToken: string) =>
    api.inject({ method: 'POST', url: '/legacy', payload: { variables: { accessToken } } })
  t.equal((await ask(legacy)).statusCode, 200)
  t.equal((await ask(server.token())).statusCode, 401)
  t.equal((await get('/any', legacy)).statusCode, 401)
})

t.test('repeated headers on a real connection are refused', async (t) => {
  const { server, api } = await createApi(t)
  const address = await api.listen({ port: 0, host: '127.0.0.1' })
  const token = server.token()
  const good = await fetch(`${address}/any`, { headers: { authorization: `Bearer ${token}` } })
  t.equal(good.status, 200)
  const { request } = await import('node:http')
  const status = await new Promise((resolve, reject) => {
    const headers = ['Host', 'api', 'Authorization', `Bearer ${token}`, 'Authorization', 'Bearer x']
    request(`${address}/any`, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
  t.equal(status, 401)
})

t.test('without the server the response is 503 with Retry-After', async (t) => {
  const { server, get } = await createApi(t, { timeout: 0.1 })
  await server.stop()
  const answer = await get('/any', server.token())
  t.equal(answer.statusCode, 503)
  t.equal(answer.headers['retry-after'], '1')
  t.equal(answer.json().error, 'temporarily_unavailable')
})

t.test('an error of the route itself is passed on', async (t) => {
  const { verifier, server } = await createScene(t)
  const api = fastify()
  t.teardown(() => api.close())
  await api.register(latchkeyVerify, { verifier })
  const preHandler = api.requireToken({
    interface: 'current',
    organization: 'org1',
    token: () => {
      throw new Error('of the route')
    },
  })
  api.get('/', { preHandler }, async () => 1)
  t.equal((await api.inject('/')).statusCode, 500)
  t.ok(server.issuer)
})

t.test('closing the instance closes the verifier', async (t) => {
  const { api, verifier, server } = await createApi(t)
  await api.close()
  t.equal(await outcomeOf(verifier.verify(server.token())), 'temporarily_unavailable: closed')
})
