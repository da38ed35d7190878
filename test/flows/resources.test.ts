/** Resource indicators (RFC 8707): a token is for the data APIs that the app asked for, and for no other. */
import { answerDevice, beginDevice, createDeviceApp, poll } from '../support/device.ts'
import {
  authorizeUrl,
  challengeOf,
  claimsOf,
  clientCredentials,
  credentials,
  currentCode,
  exchangeCode,
  newVerifier,
  post,
  refresh,
} from '../support/flows.ts'
import { createSuccessor, exchange, legacyTokens } from '../support/migration.ts'
import { onEachBackend, type Scene } from '../support/on-each-backend.ts'
import { introspectAt, type ResourceServer } from '../support/resource-server.ts'
import { createVisitor, type VisitedPage, walk } from '../support/visitor.ts'
import { createApp, currentPermissions, install, type TestApp } from '../support/world.ts'

const files = 'https://files.example/api'
const maps = 'https://maps.example/api?v=2'
const elsewhere = 'urn:example:elsewhere'
const unknown = 'https://unknown.example'

/** Three data APIs beside the default one: with few permissions, without limits, and for the other organization. */
const dataApis = async ({ running, world }: Scene) => {
  const register = async (part: Record<string, unknown>): Promise<ResourceServer> => {
    const { status, body } = await running.operator('POST', '/resource-servers', part)
    if (status !== 201) throw new Error(`resource server: ${status} ${JSON.stringify(body)}`)
    const { client_id: clientId, client_secret: clientSecret } = body
    const authorization = `Basic ${btoa(`${clientId}:${clientSecret}`)}`
    return { clientId, clientSecret, authorization }
  }
  return {
    plain: await register({ name: 'Tables' }),
    files: await register({
      name: 'Files',
      resource: [files],
      permissions: ['records:update', 'documents:read'],
    }),
    maps: await register({ name: 'Maps', resource: [maps] }),
    elsewhere: await register({
      name: 'Elsewhere',
      resource: [elsewhere],
      organization_ids: [world.other],
    }),
  }
}

/** An authorization request with any number of resources. */
const askFor = (
  issuer: string,
  app: TestApp,
  resources: readonly string[],
  parameters: Record<string, string> = {},
) => {
  const verifier = newVerifier()
  const url = new URL(
    authorizeUrl(issuer, app, { code_challenge: challengeOf(verifier), ...parameters }),
  )
  for (const one of resources) url.searchParams.append('resource', one)
  return { url: url.href, verifier }
}

const errorIn = ({ left }: VisitedPage) => left?.searchParams.get('error')

await onEachBackend('resources', async (t, scene) => {
  const { running, issuer, world } = scene
  const { confidential, ana, acme } = world
  const apis = await dataApis(scene)
  const visitor = createVisitor(issuer)

  const grantFor = async (resources: string[], parameters: Record<string, string> = {}) => {
    const { url, verifier } = askFor(issuer, confidential, resources, parameters)
    const page = await walk(visitor, url, ana)
    const code = page.left?.searchParams.get('code')
    if (!code) throw new Error(`no code: ${page.left?.href ?? page.text}`)
    return { code, verifier }
  }
  const tokensFor = async (resources: string[], parameters: Record<string, string> = {}) =>
    (await exchangeCode(issuer, confidential, await grantFor(resources, parameters))).body
  const audienceOf = (answer: { access_token: string }) => claimsOf(answer.access_token).aud

  t.test('without a resource, a token is for the default audience', async (t) => {
    const tokens = await tokensFor([])
    t.equal(audienceOf(tokens), issuer)
    t.equal(tokens.scope, currentPermissions.join(' '))
    const again = await refresh(issuer, confidential, tokens.refresh_token, { resource: issuer })
    t.equal(audienceOf(again.body), issuer, 'which may also be named')
    const wider = await refresh(issuer, confidential, again.body.refresh_token, { resource: files })
    t.match(wider, { status: 400, body: { error: 'invalid_target' } })
    t.equal((await refresh(issuer, confidential, again.body.refresh_token)).status, 200)
  })

  t.test('a token is for the resource of its request', async (t) => {
    const tokens = await tokensFor([files])
    t.equal(audienceOf(tokens), files)
    t.equal(tokens.scope, 'records:update', 'permissions that it does not know are left out')
    t.strictSame(claimsOf(tokens.access_token).permissions, ['records:update'])
    const at = async (server: ResourceServer, token: string) =>
      (await introspectAt(issuer, server, token)).body.active
    t.same(await at(apis.files, tokens.access_token), true)
    t.same(await at(apis.plain, tokens.access_token), false, 'the default data API')
    t.same(await at(apis.maps, tokens.access_token), false, 'another data API')
    t.same(await at(apis.files, tokens.refresh_token), true)
    t.same(await at(apis.plain, tokens.refresh_token), false)
    const { body } = await refresh(issuer, confidential, tokens.refresh_token)
    t.equal(audienceOf(body), files, 'after a refresh too')
  })

  t.test('a token request narrows the resources, and the next one has all again', async (t) => {
    const grant = await grantFor([maps, issuer, files, files])
    const narrow = await exchangeCode(issuer, confidential, grant, { resource: maps })
    t.equal(audienceOf(narrow.body), maps)
    t.equal(narrow.body.scope, currentPermissions.join(' '))
    const all = await refresh(issuer, confidential, narrow.body.refresh_token)
    t.strictSame(audienceOf(all.body), [maps, issuer, files], 'in the order of the request')
    const two = await refresh(issuer, confidential, all.body.refresh_token, {
      resource: [files, issuer],
    })
    t.strictSame(audienceOf(two.body), [files, issuer])
    const plain = await refresh(issuer, confidential, two.body.refresh_token, { resource: issuer })
    t.equal(audienceOf(plain.body), issuer)
  })

  t.test('a scope of which the resource knows nothing is refused', async (t) => {
    const tokens = await tokensFor([files, maps])
    const part = { scope: 'records:update records:create', resource: files }
    const known = await refresh(issuer, confidential, tokens.refresh_token, part)
    t.match(known, { status: 200, body: { scope: 'records:update' } })
    const { refresh_token: token } = known.body
    const none = await refresh(issuer, confidential, token, { ...part, scope: 'records:create' })
    t.match(none, { status: 400, body: { error: 'invalid_scope' } })
    t.equal((await refresh(issuer, confidential, token)).status, 200, 'nothing was consumed')
    const { url } = askFor(issuer, confidential, [files], { scope: 'records:create' })
    t.equal(errorIn(await walk(visitor, url, ana)), 'invalid_scope')
  })

  const malformed = [
    'relative',
    '/api',
    `${files}#part`,
    'https://a b',
    '//files.example',
    'https:',
  ]
  for (const resource of [...malformed, unknown, `${files}/`, files.toUpperCase()]) {
    t.test(`${resource} is no resource`, async (t) => {
      const { url } = askFor(issuer, confidential, [resource])
      const page = await walk(visitor, url, ana)
      t.equal(errorIn(page), 'invalid_target')
      t.equal(page.left?.searchParams.get('state'), 'the-state')
      t.equal(page.left?.searchParams.get('iss'), issuer)
      const own = { ...credentials(confidential), resource }
      const pushed = await post(`${issuer}/api/oauth/par`, {
        ...own,
        redirect_uri: confidential.redirect_uri,
        code_challenge: challengeOf(newVerifier()),
      })
      t.match(pushed, { status: 400, body: { error: 'invalid_target' } }, 'pushed')
      const grant = await grantFor([files])
      const refused = await exchangeCode(issuer, confidential, grant, { resource })
      t.match(refused, { status: 400, body: { error: 'invalid_target' } }, 'a code')
      t.equal((await exchangeCode(issuer, confidential, grant)).status, 200, 'is not consumed')
      const machine = await clientCredentials(issuer, confidential, acme, { resource })
      t.match(machine, { status: 400, body: { error: 'invalid_target' } })
    })
  }

  t.test('before the client is known, nothing is redirected', async (t) => {
    const { url } = askFor(issuer, { ...confidential, redirect_uri: 'https://evil.example/' }, [
      unknown,
    ])
    const page = await createVisitor(issuer).get(url)
    t.equal(page.status, 400)
    t.equal(page.left, null)
    const token = await post(`${issuer}/api/oauth/token`, {
      grant_type: 'client_credentials',
      organization_id: acme,
      resource: unknown,
      client_id: confidential.client_id,
      client_secret: 'wrong',
    })
    t.match(token, { status: 401, body: { error: 'invalid_client' } })
  })

  t.test('a pushed request keeps its resources', async (t) => {
    const verifier = newVerifier()
    const pushed = await post(`${issuer}/api/oauth/par`, {
      ...credentials(confidential),
      redirect_uri: confidential.redirect_uri,
      code_challenge: challengeOf(verifier),
      resource: [files, maps],
    })
    t.equal(pushed.status, 201)
    const { request_uri } = pushed.body
    const url = `${issuer}/authorize?${new URLSearchParams({ client_id: confidential.client_id, request_uri })}`
    const code = (await walk(visitor, url, ana)).left?.searchParams.get('code') as string
    const { body } = await exchangeCode(issuer, confidential, { code, verifier })
    t.strictSame(audienceOf(body), [files, maps])
  })

  t.test('an app gets a token for itself', async (t) => {
    const one = await clientCredentials(issuer, confidential, acme, { resource: files })
    t.match(one, { status: 200, body: { scope: 'records:update' } })
    t.equal(audienceOf(one.body), files)
    const two = await clientCredentials(issuer, confidential, acme, { resource: [files, maps] })
    t.strictSame(audienceOf(two.body), [files, maps])
    t.equal(two.body.scope, currentPermissions.join(' '))
    const plain = await clientCredentials(issuer, confidential, acme, { resource: '' })
    t.equal(audienceOf(plain.body), issuer, 'an empty value counts as absent')
    t.equal((await introspectAt(issuer, apis.maps, one.body.access_token)).body.active, false)
  })

  t.test('a data API that does not serve the organization', async (t) => {
    const machine = await clientCredentials(issuer, confidential, acme, { resource: elsewhere })
    t.match(machine, { status: 400, body: { error: 'invalid_target' } })
    const { url } = askFor(issuer, confidential, [elsewhere], { organization_id: acme })
    t.equal(errorIn(await walk(visitor, url, ana)), 'invalid_target')
    const silent = askFor(issuer, confidential, [elsewhere], { prompt: 'none' })
    const page = await visitor.get(silent.url)
    t.equal(errorIn(page), 'interaction_required', 'a silent answer says nothing of memberships')
    const both = await createApp(running, { name: 'Both' })
    await install(running, world.other, both)
    const granted = await clientCredentials(issuer, both, world.other, { resource: elsewhere })
    t.equal(granted.status, 200)
  })

  t.test('a data API that is no longer there', async (t) => {
    const gone = 'https://gone.example'
    const { body } = await running.operator('POST', '/resource-servers', {
      name: 'Gone',
      resource: [gone],
    })
    const tokens = await tokensFor([gone, files])
    t.strictSame(audienceOf(tokens), [gone, files])
    await running.operator('DELETE', `/resource-servers/${body.client_id}`)
    const { refresh_token } = tokens
    const named = await refresh(issuer, confidential, refresh_token, { resource: gone })
    t.match(named, { status: 400, body: { error: 'invalid_target' } })
    const rest = await refresh(issuer, confidential, refresh_token)
    t.equal(audienceOf(rest.body), files, 'a token is for those that remain')
  })

  t.test('the user sees which API the app asks for, and is asked again for another', async (t) => {
    const app = await createApp(running, { name: 'Asks' })
    await install(running, acme, app)
    await currentCode(running, app, ana, {}, visitor)
    const shown = await visitor.get(askFor(issuer, app, [files, issuer]).url)
    t.match(shown.text, /asks for access to <bdi>Files<\/bdi> and/)
    t.match(shown.text, /the API of this platform/)
    const approved = await visitor.submit(shown, { decision: 'approve' })
    t.ok(approved.left?.searchParams.has('code'))
    const { left } = await visitor.get(askFor(issuer, app, [files]).url)
    t.ok(left?.searchParams.has('code'), 'within what was allowed')
    const other = await visitor.get(askFor(issuer, app, [maps]).url)
    t.equal(other.left, null)
    t.match(other.text, /Maps/)
    const silent = await visitor.get(askFor(issuer, app, [maps], { prompt: 'none' }).url)
    t.equal(errorIn(silent), 'interaction_required')
    const plain = await visitor.get(askFor(issuer, app, []).url)
    t.ok(plain.left?.searchParams.has('code'))
    const limited = await createApp(running, { name: 'Limited' })
    await install(running, acme, limited)
    const page = await visitor.get(askFor(issuer, limited, [files]).url)
    t.match(page.text, /value="records:update"/)
    t.notMatch(page.text, /value="records:create"/, 'the API does not know it')
    const granted = async () => {
      const path = `/audit?client_id=${app.client_id}&type=consent.granted`
      const { items } = (await running.operator('GET', path)).body
      return items.map(({ detail }: { detail: { resources?: string[] } }) => detail.resources)
    }
    t.strictSame(await granted(), [[files, issuer], undefined])
  })

  t.test('a consent to one API is none to another, and its permissions are kept', async (t) => {
    const app = await createApp(running, { name: 'Both ways' })
    await install(running, acme, app)
    const page = await visitor.get(askFor(issuer, app, [files]).url)
    t.ok((await visitor.submit(page, { decision: 'approve' })).left?.searchParams.has('code'))
    const plain = await visitor.get(askFor(issuer, app, []).url)
    t.equal(plain.left, null, 'the default API was not on the page')
    t.match(plain.text, /value="records:create"/)
    t.ok((await visitor.submit(plain, { decision: 'approve' })).left?.searchParams.has('code'))
    const third = await visitor.get(askFor(issuer, app, [files, maps]).url)
    t.equal(third.left, null)
    await visitor.submit(third, { decision: 'approve', permissions: ['records:update'] })
    const tokens = await currentCode(running, app, ana, {}, visitor)
    const { body } = await exchangeCode(issuer, app, tokens)
    t.equal(body.scope, 'records:update', 'the latest answer about a permission counts')
    const again = createVisitor(issuer)
    const silent = askFor(issuer, app, [issuer, maps, files])
    t.equal((await walk(again, silent.url, ana)).left?.searchParams.has('code'), true)
    const quiet = await again.get(askFor(issuer, app, [maps], { prompt: 'none' }).url)
    t.ok(quiet.left?.searchParams.has('code'))
  })

  t.test('a user of two organizations chooses among those that the API serves', async (t) => {
    const { operator } = running
    const person = { email: 'two@acme.test', name: 'Two', password: 'correct horse battery staple' }
    const { id } = (await operator('POST', '/users', person)).body
    const app = await createApp(running, { name: 'Chosen' })
    for (const organization of [acme, world.other]) {
      await operator('PUT', `/organizations/${organization}/members/${id}`, { role: 'member' })
      await install(running, organization, app)
    }
    const two = createVisitor(issuer)
    const { url } = askFor(issuer, app, [elsewhere])
    const signIn = await two.get(url)
    const choice = await two.submit(signIn, { email: person.email, password: person.password })
    const offered = choice.dom.querySelectorAll('input[name=organization_id]')
    t.strictSame(
      offered.map((one) => one.getAttribute('value')),
      [world.other],
    )
    const consent = await two.submit(choice, { organization_id: world.other })
    const { left } = await two.submit(consent, { decision: 'approve' })
    t.ok(left?.searchParams.has('code'))
    const hinted = await two.get(askFor(issuer, app, [elsewhere], { organization_id: acme }).url)
    t.equal(errorIn(hinted), 'invalid_target')
  })

  t.test('a device', async (t) => {
    const app = await createDeviceApp(running, world)
    t.match(await beginDevice(issuer, app, { resource: unknown }), {
      status: 400,
      body: { error: 'invalid_target' },
    })
    const { body } = await beginDevice(issuer, app, { resource: [files, maps] })
    await answerDevice(running, ana, body.user_code)
    const wider = await poll(issuer, app, body.device_code, { resource: issuer })
    t.match(wider, { status: 400, body: { error: 'invalid_target' } })
    const narrow = await poll(issuer, app, body.device_code, { resource: maps })
    t.equal(audienceOf(narrow.body), maps)
    const again = await refresh(issuer, app, narrow.body.refresh_token)
    t.strictSame(audienceOf(again.body), [files, maps])
  })

  t.test('an exchange from the legacy interface', async (t) => {
    const twin = await createSuccessor(running, world, world.legacy)
    const { refresh_token: old } = await legacyTokens(running, world.legacy, world)
    const refused = await exchange(issuer, twin, old, { resource: unknown })
    t.match(refused, { status: 400, body: { error: 'invalid_target' } })
    const moved = await exchange(issuer, twin, old, { resource: [files, maps] })
    t.strictSame(audienceOf(moved.body), [files, maps])
    const narrow = await refresh(issuer, twin, moved.body.refresh_token, { resource: maps })
    t.equal(audienceOf(narrow.body), maps)
    const wider = await refresh(issuer, twin, narrow.body.refresh_token, { resource: issuer })
    t.match(wider, { status: 400, body: { error: 'invalid_target' } })
  })

  t.test('many requests for one code: each names another resource, one wins', async (t) => {
    const grant = await grantFor([files, maps])
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        exchangeCode(issuer, confidential, grant, { resource: at % 2 === 0 ? files : maps }),
      ),
    )
    t.equal(answers.filter(({ status }) => status === 200).length, 1)
  })
})
