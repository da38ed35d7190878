/**
 * Every URI that can be registered can be used, also beside others: the code arrives there only.
 */
import t, { type Test } from 'tap'
import { challengeOf, exchangeCode, legacyToken, newVerifier, refresh } from '../support/flows.ts'
import { startLatchkey } from '../support/latchkey.ts'
import { storesNamed } from '../support/open-stores.ts'
import { approve, signedIn } from '../support/signed-in.ts'
import { sql } from '../support/traces.ts'
import { createVisitor, walk } from '../support/visitor.ts'
import { createApp, createWorld, install, legacyPermissions } from '../support/world.ts'

const web = [
  'https://app.example/cb',
  'https://app.example:8443/cb?tenant=1&x=%2f',
  'HTTPS://App.Example/Cb',
  'https://localhost:3000/cb',
  'http://localhost:3000/cb',
  'http://127.0.0.1:3000/cb',
  'http://[::1]:3000/cb',
]
const native = ['com.example.app:/cb', 'com.example.app://cb', 'com.example.pocket-tables://cb?x=1']
const withoutPort = 'http://127.0.0.1/native'
const anyPort = 'http://127.0.0.1:51004/native'

/** The URI of a response, without the added parameters. */
const arrivedAt = (left: string) => left.replace(/[?&]code=.*$/, '')

const visit = async (t: Test, generation: 'legacy' | 'current', clientType: string) => {
  const { issuer } = running
  const registered = clientType === 'public' ? [...web, ...native, withoutPort] : web
  const app = await createApp(running, {
    interface: generation,
    client_type: clientType,
    name: `${generation} ${clientType}`,
    redirect_uris: registered,
  })
  await install(
    running,
    world.acme,
    app,
    generation === 'legacy' ? { permissions: legacyPermissions } : {},
  )
  const demandsChallenge = generation === 'current' || clientType === 'public'
  const visitor = createVisitor(issuer)
  const requested = clientType === 'public' ? [...registered, anyPort] : registered
  for (const uri of requested) {
    const verifier = newVerifier()
    const path = generation === 'legacy' ? '/oauth/authorize' : '/authorize'
    const query = new URLSearchParams({
      client_id: app.client_id,
      response_type: 'code',
      redirect_uri: uri,
      state: 's',
      ...(demandsChallenge && { code_challenge: challengeOf(verifier) }),
    })
    const page = await walk(visitor, `${issuer}${path}?${query}`, world.ana)
    const code = page.left?.searchParams.get('code')
    t.ok(code, `${generation} ${clientType} ${uri}: ${page.status}`)
    if (!code) continue
    t.equal(arrivedAt(page.left?.href ?? ''), new URL(uri).href.replace(/[?&]$/, ''), uri)
    const sent = { ...app, redirect_uri: uri }
    const tokens =
      generation === 'current'
        ? await exchangeCode(issuer, sent, { code, verifier })
        : await legacyToken(issuer, sent, {
            grant_type: 'authorization_code',
            code,
            redirect_uri: uri,
            ...(demandsChallenge && { code_verifier: verifier }),
          })
    t.equal(tokens.status, 200, `${uri}: ${tokens.body.error}`)
    if (generation === 'current')
      t.equal((await refresh(issuer, sent, tokens.body.refresh_token)).status, 200)
  }
}

const stores = (await storesNamed('embedded')) ?? (await storesNamed('servers'))
if (!stores) throw new Error('no store to test with')
const running = await startLatchkey(stores)
t.teardown(async () => {
  await running.stop()
  await stores.drop()
})
const world = await createWorld(running)
for (const generation of ['current', 'legacy'] as const) {
  for (const clientType of ['confidential', 'public'])
    t.test(`redirects to every registered URI: ${generation}, ${clientType}`, (t) =>
      visit(t, generation, clientType),
    )
}

/** The user is asked, the URI is removed from the app, and the user approves. */
const takenAway = async (
  t: Test,
  generation: 'current' | 'legacy',
  requested: Record<string, string>,
) => {
  const { issuer } = running
  const [kept, taken] = ['https://app.example/cb', 'https://sold.example/cb']
  const app = await createApp(running, {
    interface: generation,
    name: `Moved away, ${generation} ${Object.values(requested)}`,
    redirect_uris: [kept, taken],
  })
  const { acme, ana } = world
  await install(
    running,
    acme,
    app,
    generation === 'legacy' ? { permissions: legacyPermissions } : {},
  )
  const visitor = await signedIn(issuer, ana)
  const path = generation === 'legacy' ? '/oauth/authorize' : '/authorize'
  const query = new URLSearchParams({
    client_id: app.client_id,
    response_type: 'code',
    redirect_uri: taken,
    code_challenge: challengeOf(newVerifier()),
    ...requested,
  })
  const page = await visitor.get(`${issuer}${path}?${query}`)
  const end = await approve(visitor, page)
  const uris = { redirect_uris: [kept] }
  t.equal((await running.operator('PATCH', `/apps/${app.client_id}`, uris)).status, 200)
  const refused = await visitor.get(end)
  t.equal(refused.status, 400)
  t.equal(refused.left, null, 'nothing is sent there')
  t.notMatch(refused.text, 'sold.example')
  t.notMatch(refused.text, /lkac_|access_token/)
}

const answers: ['current' | 'legacy', Record<string, string>][] = [
  ['current', {}],
  ['current', { response_mode: 'form_post' }],
  ['current', { response_mode: 'web_message' }],
  ['legacy', {}],
  ['legacy', { response_type: 'token' }],
  ['legacy', { response_mode: 'web_message' }],
]
for (const [generation, requested] of answers)
  t.test(`a removed URI receives nothing: ${generation} ${JSON.stringify(requested)}`, (t) =>
    takenAway(t, generation, requested),
  )

const answerAt = async (generation: 'legacy' | 'current', more: Record<string, string>) => {
  const { issuer } = running
  const uri = 'https://app.example/cb?code=old&x=%2f&state=old&error=old'
  const part = {
    interface: generation,
    client_type: 'public',
    redirect_uris: ['https://app.example/cb'],
  }
  const app = await createApp(running, { ...part, name: `Early ${Object.values(more)}` })
  const permissions = generation === 'legacy' ? { permissions: legacyPermissions } : {}
  await install(running, world.acme, app, permissions)
  await sql(stores, 'update apps set redirect_uris = $2 where client_id = $1', [
    app.client_id,
    [uri],
  ])
  const query = new URLSearchParams({
    client_id: app.client_id,
    response_type: 'code',
    redirect_uri: uri,
    state: 's',
    code_challenge: challengeOf(newVerifier()),
    ...more,
  })
  const path = generation === 'legacy' ? '/oauth/authorize' : '/authorize'
  return walk(createVisitor(issuer), `${issuer}${path}?${query}`, world.ana)
}

t.test(
  'parameters of an answer in the query of an earlier registration are replaced',
  async (t) => {
    for (const generation of ['current', 'legacy'] as const) {
      const { left } = await answerAt(generation, {})
      t.match(left?.search, /^\?x=%2f&code=lkac_/, generation)
      t.same(left?.searchParams.getAll('state'), ['s'])
      t.equal(left?.searchParams.get('error'), null)
    }
    const implicit = await answerAt('legacy', { response_type: 'token' })
    t.equal(implicit.left?.search, '?x=%2f')
    const form = await answerAt('current', { response_mode: 'form_post' })
    t.equal(form.dom.querySelector('form')?.getAttribute('action'), 'https://app.example/cb?x=%2f')
  },
)
