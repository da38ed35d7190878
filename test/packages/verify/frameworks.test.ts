/** The middleware of every framework answers the same, over real HTTP. */
import { once } from 'node:events'
import { type Server, request as send } from 'node:http'
import t, { type Test } from 'tap'
import type { GuardOptions } from '../../../packages/verify/src/guard.ts'
import { createHolder, hashOf } from '../../support/dpop.ts'
import { addressOf, type Framework, frameworks } from './frameworks.ts'
import { createScene } from './scene.ts'

const publicUrl = 'https://api.example'

const createApi = async (
  t: Test,
  framework: Framework,
  options: Partial<GuardOptions> = {},
  scene: Parameters<typeof createScene>[1] = {},
) => {
  const { server, verifier, problems } = await createScene(t, scene)
  const api: Server = await framework.start({ verifier, realm: 'data', ...options })
  const address = addressOf(api)
  t.teardown(() => {
    api.closeAllConnections()
    api.close()
  })
  const get = (path: string, token?: string, headers: Record<string, string> = {}) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
    return fetch(address + path, { headers: { ...authorization, ...headers } })
  }
  return { server, verifier, address, get, problems }
}

/** Sends header lines and a target as they are. */
const sendRaw = async (address: string, path: string, headers: string[]) => {
  const { port } = new URL(address)
  const sent = send({ port, host: '127.0.0.1', path, headers: ['Host', 'api', ...headers] }).end()
  const [response] = await once(sent, 'response')
  response.resume()
  return response
}

for (const framework of frameworks) {
  t.test(framework.name, async (t) => {
    t.test('a request needs a token, its permissions and its workspace', async (t) => {
      const { server, get } = await createApi(t, framework)
      const token = server.token()
      t.match(await (await get('/any', token)).json(), { kind: 'user', userId: 'usr1' })
      t.equal((await get('/create', token)).status, 200)
      t.equal((await get('/workspaces/wks1', token)).status, 200)
      t.equal((await get('/workspaces/wks3', token)).status, 403)

      const none = await get('/any')
      t.equal(none.status, 401)
      t.equal(none.headers.get('www-authenticate'), 'Bearer realm="data"')
      const bad = await get('/any', `${token}x`)
      t.equal(bad.status, 401)
      t.match(bad.headers.get('www-authenticate'), /^Bearer realm="data", error="invalid_token"/)
      t.match(bad.headers.get('content-type'), /^application\/json/)
      t.match(await bad.json(), { error: 'invalid_token' })
      const little = await get('/delete', token)
      t.equal(little.status, 403)
      t.match(
        little.headers.get('www-authenticate'),
        /error="insufficient_scope".*scope="records:delete"/,
      )
    })

    t.test('a function that finds undefined: 500, and the console says why once', async (t) => {
      const warnings = t.capture(console, 'warn', () => {})
      const { server, get, problems } = await createApi(t, framework, {}, { log: console })
      for (const _ of [1, 2]) {
        const answer = await get('/nowhere', server.token())
        t.equal(answer.status, 500)
        t.match(await answer.json(), { error: 'server_error' })
      }
      t.match(warnings(), [{ args: [/`organization` returned undefined: return/] }])
      t.equal(warnings().length, 0)
      t.same(problems, ['organization', 'organization'])
      t.equal((await get('/nowhere')).status, 401, 'first of all a token')
      t.equal((await get('/lacking', server.token())).status, 403, 'the request may lack an id')
    })

    t.test('tokens of one interface are refused on the other', async (t) => {
      const { server, get, address } = await createApi(t, framework)
      const legacy = { interface: 'legacy', permissions: ['readData'], workspace_ids: undefined }
      const ask = (accessToken: string) =>
        fetch(`${address}/legacy`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ variables: { accessToken } }),
        })
      t.equal((await ask(server.token(legacy))).status, 200)
      t.equal((await ask(server.token())).status, 401)
      t.equal((await get('/any', server.token(legacy))).status, 401)
    })

    t.test('repeated headers are refused', async (t) => {
      const { server, address } = await createApi(t, framework)
      const authorization = ['Authorization', `Bearer ${server.token()}`]
      t.equal((await sendRaw(address, '/any', authorization)).statusCode, 200)
      const twice = [...authorization, 'Authorization', 'Bearer x']
      t.equal((await sendRaw(address, '/any', twice)).statusCode, 401)
    })

    t.test('bound tokens are accepted with a proof of the public address', async (t) => {
      const { server, get } = await createApi(t, framework, { publicUrl: `${publicUrl}/` })
      const holder = await createHolder()
      const token = server.token({ cnf: { jkt: holder.jkt } })
      const ask = async (url: string) => {
        const dpop = await holder.prove(url, { htm: 'GET', ath: hashOf(token) })
        return get('/any?limit=1', undefined, { authorization: `DPoP ${token}`, dpop })
      }
      t.equal((await ask(`${publicUrl}/any`)).status, 200)
      const elsewhere = await ask('https://other.example/any')
      t.equal(elsewhere.status, 401)
      t.match(elsewhere.headers.get('www-authenticate'), /^DPoP .*error="invalid_dpop_proof"/)
      const stolen = await get('/any', token)
      t.equal(stolen.status, 401)
      t.match(stolen.headers.get('www-authenticate'), /^DPoP .*error="invalid_token".*algs="ES256/)
      t.match((await get('/any')).headers.get('www-authenticate'), /^Bearer .*, DPoP /)
    })

    t.test('a target that is no path is not joined to the public address', async (t) => {
      const { server, address } = await createApi(t, framework, { publicUrl })
      const holder = await createHolder()
      const token = server.token({ cnf: { jkt: holder.jkt } })
      const dpop = await holder.prove(`${publicUrl}/any`, { htm: 'GET', ath: hashOf(token) })
      const headers = ['Authorization', `DPoP ${token}`, 'DPoP', dpop]
      const { statusCode } = await sendRaw(address, 'http://evil.example/any', headers)
      // Hono makes a path of it, for which the proof is right.
      t.equal(statusCode, framework.name === 'hono' ? 200 : 401)
    })

    t.test('without the server the response is 503 with Retry-After', async (t) => {
      const { server, get } = await createApi(
        t,
        framework,
        {},
        { timeout: 0.1, mode: 'introspect' },
      )
      await server.stop()
      const answer = await get('/any', server.token())
      t.equal(answer.status, 503)
      t.equal(answer.headers.get('retry-after'), '1')
      t.match(await answer.json(), { error: 'temporarily_unavailable' })
    })

    t.test('an error of the route itself is passed on', async (t) => {
      t.capture(console, 'error', () => {})
      const { server, get } = await createApi(t, framework)
      t.equal((await get('/failing', server.token())).status, 500)
    })

    t.test('incomplete options are refused at the start', async (t) => {
      const { verifier } = await createScene(t)
      await t.rejects(framework.start({ verifier: undefined as never }), /`verifier` must be/)
      await t.rejects(framework.start({ verifier, publicUrl: 'api.example' }), /`publicUrl`/)
    })
  })
}
