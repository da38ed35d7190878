/**
 * Rotated secrets and signing keys: the old ones are refused everywhere at once, the new ones are
 * shown once.
 */
import { createPublicKey, verify } from 'node:crypto'
import {
  claimsOf,
  clientCredentials,
  currentCode,
  exchangeCode,
  refresh,
} from '../support/flows.ts'
import type { Json } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import {
  createKeySet,
  introspectAt,
  readFeed,
  registerResourceServer,
  selfSign,
} from '../support/resource-server.ts'
import { signedIn } from '../support/signed-in.ts'
import { dumpStores, sql } from '../support/traces.ts'
import { createApp, install } from '../support/world.ts'

const seconds = () => Math.floor(Date.now() / 1000)

await onEachBackend(
  'rotation',
  async (t, { running, issuer, world, stores }) => {
    const { acme } = world
    const { operator } = running
    const [one, two] = running.urls as [string, string]
    const server = await registerResourceServer(running)
    const isActive = async (url: string, token: string): Promise<boolean> =>
      (await introspectAt(url, server, token)).body.active
    const keySetPath = (id: string) => `/organizations/${acme}/key-sets/${id}`

    t.test('KEY-01 a revoked secret of an app is refused on the other instance', async (t) => {
      const app = await createApp(running, { name: 'Rotated' })
      await install(running, acme, app)
      t.equal((await clientCredentials(two, app, acme)).status, 200)
      const { body } = await operator('POST', `/apps/${app.client_id}/secrets`, {})
      t.match(await clientCredentials(two, app, acme), {
        status: 401,
        body: { error: 'invalid_client' },
      })
      const fresh = { ...app, client_secret: body.client_secret as string }
      t.equal((await clientCredentials(two, fresh, acme)).status, 200)
      const shown = JSON.stringify([
        (await operator('GET', `/apps/${app.client_id}`)).body,
        (await operator('GET', `/apps/${app.client_id}/secrets`)).body,
      ])
      for (const secret of [app.client_secret, fresh.client_secret])
        t.notOk(shown.includes(secret), 'it cannot be read again')
    })

    t.test('KEY-01 a rotated key set secret is refused on both interfaces', async (t) => {
      for (const generation of ['current', 'legacy'] as const) {
        const permissions = generation === 'current' ? ['records:create'] : ['readData']
        const keySet = await createKeySet(running, acme, { interface: generation, permissions })
        const credential = (secret: string) =>
          generation === 'current'
            ? selfSign(secret, { iss: keySet.client_id, iat: seconds() })
            : secret
        t.equal(await isActive(two, credential(keySet.secret)), true, generation)
        const { body } = await operator('POST', `${keySetPath(keySet.id)}/rotate`)
        for (const url of [one, two]) {
          t.equal(await isActive(url, credential(keySet.secret)), false, `${generation}, old`)
          t.equal(await isActive(url, credential(body.secret)), true, `${generation}, new`)
        }
        const shown = JSON.stringify((await operator('GET', keySetPath(keySet.id))).body)
        t.notOk(shown.includes(body.secret) || shown.includes(keySet.secret))
      }
    })

    t.test('KEY-04 a rotated secret is shown once and stored nowhere in clear text', async (t) => {
      const keySet = await createKeySet(running, acme)
      const app = await createApp(running, { name: 'Noted nowhere' })
      const answers = [
        await operator('POST', `${keySetPath(keySet.id)}/rotate`),
        await operator('POST', `/apps/${app.client_id}/secrets`, {}),
      ]
      const secrets = [keySet.secret, app.client_secret]
      for (const { status, headers, body } of answers) {
        t.ok(status === 200 || status === 201)
        t.equal(headers.get('cache-control'), 'no-store')
        secrets.push(body.secret ?? body.client_secret)
      }
      const trail = JSON.stringify((await operator('GET', '/audit')).body)
      const stored = await dumpStores(stores)
      for (const secret of secrets) {
        t.ok(secret.length > 30)
        t.notOk(trail.includes(secret), 'not in the audit trail')
        t.notOk(stored.includes(secret), 'not in a store')
        t.notOk(
          running.log.some((line) => line.includes(secret)),
          'not in a log',
        )
      }
      t.match(trail, /key_set\.[a-z_]*rotated/)
    })

    t.test('KEY-07 the tokens of a leaked secret end with it, if asked', async (t) => {
      const app = await createApp(running, { name: 'Leaky' })
      await install(running, acme, app)
      const path = `/apps/${app.client_id}/secrets`
      const rotated = async (body: object) => {
        const answer = await operator('POST', path, body)
        t.equal(answer.status, 201)
        return { ...app, client_secret: answer.body.client_secret as string }
      }
      const grantOf = async (client: typeof app) =>
        (await exchangeCode(one, client, await currentCode(running, client, world.ana))).body
      const first = await grantOf(app)
      const machine = (await clientCredentials(one, app, acme)).body.access_token
      const code = await currentCode(running, app, world.ana)
      const bystander = (await clientCredentials(one, world.second, acme)).body.access_token

      const second = await rotated({})
      for (const token of [first.access_token, machine])
        t.equal(await isActive(two, token), true, 'not asked: tokens stay valid')
      const renewed = (await refresh(two, second, first.refresh_token)).body
      t.ok(renewed.refresh_token)
      await operator('POST', path, { retire_others_after_seconds: 600 })
      const refused = await operator('POST', path, {
        retire_others_after_seconds: 600,
        end_tokens: true,
      })
      t.equal(refused.status, 409, 'a third secret')
      t.equal(await isActive(two, renewed.access_token), true, 'a refused request ends nothing')

      const third = await rotated({ end_tokens: true })
      for (const token of [first.access_token, renewed.access_token, machine])
        t.equal(await isActive(two, token), false)
      t.equal(await isActive(two, bystander), true, 'of another app')
      const dead = { status: 400, body: { error: 'invalid_grant' } }
      t.match(await refresh(two, third, renewed.refresh_token), dead)
      t.match(await exchangeCode(two, third, code), dead, 'a code that was not redeemed')
      t.match(await clientCredentials(two, second, acme), { status: 401 })
      const { changes } = await readFeed(two, server)
      const told = changes.find(({ type, id }) => type === 'app' && id === app.client_id)
      t.match(told, { active: true, epoch: 1 }, 'data APIs are notified')
      const again = await grantOf(third)
      t.equal(await isActive(two, again.access_token), true, 'users can authorize it again')
      const { body } = await operator('GET', `/audit?client_id=${app.client_id}`)
      const ended = body.items.filter(({ detail }: Json) => detail?.end_tokens === true)
      t.match(ended, [{ type: 'app_secret.created' }])
    })

    t.test('KEY-07 no token survives rotations and refreshes at the same time', async (t) => {
      const app = await createApp(running, { name: 'Leaky, often' })
      await install(running, acme, app)
      const visitor = await signedIn(issuer, world.ana)
      const grants: Json[] = []
      while (grants.length < 6) {
        const code = await currentCode(running, app, world.ana, {}, visitor)
        grants.push((await exchangeCode(one, app, code)).body)
      }
      const issued = grants.flatMap(({ access_token }) => [access_token as string])
      const left = grants.map(({ refresh_token }) => refresh_token as string)
      const ask = async (url: string, token: string) => {
        const answer = await refresh(url, app, token)
        if (answer.status !== 200) return
        issued.push(answer.body.access_token)
        left.push(answer.body.refresh_token)
      }
      const path = `/apps/${app.client_id}/secrets`
      const [rotations] = await Promise.all([
        Promise.all(Array.from({ length: 8 }, () => operator('POST', path, { end_tokens: true }))),
        ...grants.map((grant, at) => ask(at % 2 ? one : two, grant.refresh_token)),
      ])
      for (const { status } of rotations) t.equal(status, 201)
      const clients = rotations.map(({ body }) => ({ ...app, client_secret: body.client_secret }))
      const statuses = await Promise.all(
        clients.map(async (client) => (await clientCredentials(two, client, acme)).status),
      )
      t.same(statuses.toSorted(), [200, ...Array(7).fill(401)], 'one secret is left')
      const client = clients[statuses.indexOf(200)] as typeof app
      for (const token of issued) t.equal(await isActive(one, token), false)
      for (const token of left)
        t.match(await refresh(one, client, token), {
          status: 400,
          body: { error: 'invalid_grant' },
        })
    })

    t.test('KEY-05 a deleted key set stays invalid', async (t) => {
      const keySet = await createKeySet(running, acme, { name: 'Export' })
      const token = selfSign(keySet.secret, { iss: keySet.client_id, iat: seconds() })
      t.equal(await isActive(two, token), true)
      t.equal((await operator('DELETE', keySetPath(keySet.id))).status, 204)
      for (const url of [one, two]) t.equal(await isActive(url, token), false)
      const again = await createKeySet(running, acme, { name: 'Export' })
      t.not(again.id, keySet.id)
      t.not(again.client_id, keySet.client_id)
      t.equal(
        await isActive(two, token),
        false,
        'a new key set of the same name does not restore it',
      )
      const secondHand = selfSign(keySet.secret, { iss: again.client_id, iat: seconds() })
      t.equal(await isActive(one, secondHand), false, 'the old secret is refused for the new one')
      t.equal((await operator('POST', `${keySetPath(keySet.id)}/rotate`)).status, 404)
    })

    t.test('KEY-06 signing keys can be rotated while tokens are issued', async (t) => {
      const visitor = await signedIn(issuer, world.ana)
      const grant = await currentCode(running, world.confidential, world.ana, {}, visitor)
      const before = (await exchangeCode(one, world.confidential, grant)).body.access_token
      const issue = (url: string) => clientCredentials(url, world.confidential, acme)
      const [rotated, ...issued] = await Promise.all([
        operator('POST', '/signing-keys/rotate', {}),
        ...Array.from({ length: 20 }, (_, at) => issue(at % 2 ? one : two)),
      ])
      t.equal(rotated.status, 200)
      const tokens = issued.map(({ status, body }) => {
        t.equal(status, 200)
        return body.access_token as string
      })
      tokens.push(before, (await issue(one)).body.access_token)
      const kids = new Set(tokens.map((token) => headerOf(token).kid))
      t.ok(kids.size > 1, 'some under the old key, some under the new one')
      for (const url of [one, two]) {
        const jwks = (await (await fetch(`${url}/.well-known/jwks.json`)).json()) as Json
        t.notMatch(JSON.stringify(jwks), /"[dpqk]"|"dp"|"dq"|"qi"/, 'no private part')
        for (const token of tokens) {
          t.ok(isSignedBy(jwks, token), 'published')
          t.equal(await isActive(url, token), true, 'valid until it expires')
        }
      }
      t.ok(claimsOf(before).exp > seconds())
      const rows = await sql<{ line: string }>(stores, 'select s::text as line from signing_keys s')
      t.notMatch(rows.map(({ line }) => line).join(), /PRIVATE KEY|"d"/)
    })
  },
  { instances: 2 },
)

const headerOf = (token: string): Json =>
  JSON.parse(Buffer.from(token.split('.')[0] as string, 'base64url').toString())

const isSignedBy = (jwks: Json, token: string): boolean => {
  const { kid } = headerOf(token)
  const jwk = jwks.keys.find((key: Json) => key.kid === kid)
  if (!jwk) return false
  const at = token.lastIndexOf('.')
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const signature = Buffer.from(token.slice(at + 1), 'base64url')
  const text = Buffer.from(token.slice(0, at))
  return verify('sha256', text, { key, dsaEncoding: 'ieee-p1363' }, signature)
}
