/** A resource is a URI: however it is written, it is the same data API (RFC 3986 §6.2.2.1, §6.2.3). */
import { answerDevice, beginDevice, createDeviceApp, poll } from '../support/device.ts'
import {
  authorizeUrl,
  challengeOf,
  claimsOf,
  clientCredentials,
  credentials,
  exchangeCode,
  newVerifier,
  post,
  refresh,
} from '../support/flows.ts'
import { createSuccessor, exchange, legacyTokens } from '../support/migration.ts'
import { onEachBackend, type Scene } from '../support/on-each-backend.ts'
import { introspectAt, type ResourceServer, readFeed } from '../support/resource-server.ts'
import { sql } from '../support/traces.ts'
import { createVisitor, walk } from '../support/visitor.ts'
import { createApp, install } from '../support/world.ts'

const registered = 'https://forms.example'
const same = [
  'https://forms.example/',
  'https://FORMS.example',
  'HTTPS://forms.example:443',
  'https://Forms.Example:/',
]
const others = [
  'https://forms.example//',
  'https://forms.example/?',
  'https://forms.example:8443',
  'http://forms.example',
  'https://forms.example@other.example',
]

const register = async (
  { running }: Scene,
  limits: Record<string, unknown>,
): Promise<ResourceServer> => {
  const { status, body } = await running.operator('POST', '/resource-servers', {
    name: 'Forms',
    ...limits,
  })
  if (status !== 201) throw new Error(`resource server: ${status} ${JSON.stringify(body)}`)
  const { client_id: clientId, client_secret: clientSecret } = body
  return { clientId, clientSecret, authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` }
}

const audienceOf = (answer: { access_token: string }) => claimsOf(answer.access_token).aud

await onEachBackend('a resource that is written in another way', async (t, scene) => {
  const { running, issuer, world } = scene
  const { confidential, ana, acme } = world
  const forms = await register(scene, { resource: [registered], permissions: ['records:update'] })
  const paths = await register(scene, { resource: ['https://paths.example/a'] })
  const plain = await register(scene, {})
  const isActive = async (server: ResourceServer, token: string) =>
    (await introspectAt(issuer, server, token)).body.active

  t.test('an app gets a token for itself, and aud is what it asked for', async (t) => {
    for (const resource of [registered, ...same]) {
      const { status, body } = await clientCredentials(issuer, confidential, acme, { resource })
      t.equal(status, 200, resource)
      t.equal(audienceOf(body), resource)
      t.equal(body.scope, 'records:update', 'narrowed to what the data API knows')
      t.equal(await isActive(forms, body.access_token), true, resource)
      t.equal(await isActive(paths, body.access_token), false, resource)
      t.equal(await isActive(plain, body.access_token), false, resource)
    }
    for (const resource of [...others, 'https://paths.example/a/', 'https://paths.example/A']) {
      const refused = await clientCredentials(issuer, confidential, acme, { resource })
      t.match(refused, { status: 400, body: { error: 'invalid_target' } }, resource)
    }
    const twice = await clientCredentials(issuer, confidential, acme, { resource: same })
    t.equal(audienceOf(twice.body), same[0], 'one resource is named once')
  })

  t.test('authorization, refresh, and a consent that holds for every spelling', async (t) => {
    const app = await createApp(running, { name: 'Spelled' })
    await install(running, acme, app)
    const visitor = createVisitor(issuer)
    const verifier = newVerifier()
    const asked = (resource: string) => {
      const url = new URL(authorizeUrl(issuer, app, { code_challenge: challengeOf(verifier) }))
      url.searchParams.append('resource', resource)
      return url.href
    }
    const code = (await walk(visitor, asked(same[1] as string), ana)).left?.searchParams.get('code')
    const { body } = await exchangeCode(issuer, app, { code: code ?? '', verifier })
    t.equal(audienceOf(body), same[1])
    t.equal(await isActive(forms, body.refresh_token), true)
    const again = await refresh(issuer, app, body.refresh_token, { resource: same[2] })
    t.equal(audienceOf(again.body), same[2], 'a narrower request may spell it differently')
    const rest = await refresh(issuer, app, again.body.refresh_token)
    t.equal(audienceOf(rest.body), same[1], 'the grant keeps what was asked for')
    const { left } = await visitor.get(asked(same[0] as string))
    t.ok(left?.searchParams.has('code'), 'the user is not asked again')
    const wrong = await visitor.get(asked(others[0] as string))
    t.equal(wrong.left?.searchParams.get('error'), 'invalid_target')
  })

  t.test('a pushed request, a device and exchanges', async (t) => {
    const [resource = ''] = same
    const verifier = newVerifier()
    const pushed = await post(`${issuer}/api/oauth/par`, {
      ...credentials(confidential),
      redirect_uri: confidential.redirect_uri,
      code_challenge: challengeOf(verifier),
      resource,
    })
    const { client_id } = confidential
    const parameters = new URLSearchParams({ client_id, request_uri: pushed.body.request_uri })
    const page = await walk(createVisitor(issuer), `${issuer}/authorize?${parameters}`, ana)
    const code = page.left?.searchParams.get('code') as string
    const { body } = await exchangeCode(issuer, confidential, { code, verifier })
    t.equal(audienceOf(body), resource)

    const app = await createDeviceApp(running, world)
    const device = (await beginDevice(issuer, app, { resource })).body
    await answerDevice(running, ana, device.user_code)
    t.equal(audienceOf((await poll(issuer, app, device.device_code)).body), resource)

    const delegated = await post(`${issuer}/api/oauth/token`, {
      ...credentials(confidential),
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: body.access_token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      audience: `${issuer}/`,
      resource: same[2],
    })
    t.equal(audienceOf(delegated.body), same[2])

    const twin = await createSuccessor(running, world, world.legacy)
    const { refresh_token: old } = await legacyTokens(running, world.legacy, world)
    t.equal(audienceOf((await exchange(issuer, twin, old, { resource })).body), resource)
  })

  t.test('the default audience', async (t) => {
    const { port } = new URL(issuer)
    for (const resource of [`${issuer}/`, `HTTP://LOCALHOST:${port}`]) {
      if (resource !== `${issuer}/` && !issuer.startsWith('http://localhost')) continue
      const { status, body } = await clientCredentials(issuer, confidential, acme, { resource })
      t.equal(status, 200, resource)
      t.equal(audienceOf(body), resource)
      t.equal(await isActive(plain, body.access_token), true, resource)
      t.equal(await isActive(forms, body.access_token), false, resource)
    }
  })

  t.test('the feed announces a revoked token, and operators see why it is accepted', async (t) => {
    const [, resource] = same
    const token = (await clientCredentials(issuer, confidential, acme, { resource })).body
      .access_token
    const inspected = await running.operator('POST', '/tokens/inspect', { token })
    t.match(inspected.body, { accepted: true })
    const seenBy = async (server: ResourceServer) =>
      (await readFeed(issuer, server)).changes.some(({ id }) => id === claimsOf(token).jti)
    await post(`${issuer}/api/oauth/revoke`, { ...credentials(confidential), token })
    t.ok(await seenBy(forms))
    t.notOk(await seenBy(paths))
  })
})

await onEachBackend('one data API for a resource', async (t, scene) => {
  const { running, issuer, world, stores } = scene
  const create = (resource: string[]) =>
    running.operator('POST', '/resource-servers', { name: 'Another', resource })

  t.test('a resource is taken in every spelling, and keeps its text', async (t) => {
    const written = 'HTTPS://Forms.example:443'
    const { status, body } = await create([written, ...same])
    t.match({ status, resource: body.resource }, { status: 201, resource: [written] })
    for (const resource of [registered, ...same]) {
      const refused = await create(['urn:free', resource])
      t.equal(refused.status, 409, resource)
    }
    const free = (await create(['urn:free'])).body.client_id
    const moved = await running.operator('PATCH', `/resource-servers/${free}`, { resource: same })
    t.equal(moved.status, 409)
    for (const one of others) t.equal((await create([one])).status, 201, one)
  })

  t.test('two that an earlier version has registered both work, and can be changed', async (t) => {
    const [one, two] = [await register(scene, {}), await register(scene, {})]
    const set = (server: ResourceServer, uri: string, permission: string) =>
      sql(
        stores,
        'update resource_servers set resource = array[$2], permissions = array[$3] where client_id = $1',
        [server.clientId, uri, permission],
      )
    await set(one, 'https://twice.example', 'records:create')
    await set(two, 'https://twice.example/', 'records:update')
    const tokenFor = async (resource: string) =>
      (await clientCredentials(issuer, world.confidential, world.acme, { resource })).body
    t.equal((await tokenFor('https://twice.example')).scope, 'records:create', 'its own text first')
    t.equal((await tokenFor('https://twice.example/')).scope, 'records:update')
    const { access_token: token } = await tokenFor('https://twice.example/')
    for (const server of [one, two])
      t.equal((await introspectAt(issuer, server, token)).body.active, true)
    const path = `/resource-servers/${one.clientId}`
    t.equal((await running.operator('PATCH', path, { name: 'Renamed' })).status, 200)
    t.equal((await create(['https://TWICE.example'])).status, 409)
  })
})
