import { beginDevice, createDeviceApp, enterCode } from '../support/device.ts'
import { authorizeUrl, challengeOf, newVerifier } from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { createVisitor } from '../support/visitor.ts'
import { createApp, install, type TestApp } from '../support/world.ts'

await onEachBackend('reviewed apps', async (t, { running, issuer, world }) => {
  const { operator } = running
  const { acme, ana } = world
  const requested = () => ({ code_challenge: challengeOf(newVerifier()), prompt: 'consent' })
  const isShown = async (app: TestApp, more: Record<string, string> = {}) => {
    const visitor = await signedIn(issuer, ana)
    const page = await visitor.get(authorizeUrl(issuer, app, { ...requested(), ...more }))
    t.equal(page.status, 200)
    return page.text.includes('>Reviewed<')
  }
  const patch = async ({ client_id }: TestApp, body: object) =>
    (await operator('PATCH', `/apps/${client_id}`, body)).body

  t.test('UI-20 an app is shown as reviewed only if the operator says so', async (t) => {
    const app = await createApp(running, { name: 'Web' })
    await install(running, acme, app)
    const { body } = await operator('GET', `/apps/${app.client_id}`)
    t.match(body, { reviewed: false, reviewed_at: null })
    t.notOk(await isShown(app))
    t.match(await patch(app, { reviewed: true }), { reviewed: true, reviewed_at: /^\d{4}-/ })
    t.ok(await isShown(app))
    const { body: audit } = await operator('GET', `/audit?client_id=${app.client_id}`)
    const changes = audit.items.filter((one: { type: string }) => one.type === 'app.changed')
    t.match(changes, [{ detail: { changed: ['reviewed'], reviewed: true } }])
    t.match(await patch(app, { reviewed: false }), { reviewed: false, reviewed_at: null })
    t.notOk(await isShown(app))
    const { client_id } = await createApp(running, { name: 'Born so', reviewed: true })
    t.match((await operator('GET', `/apps/${client_id}`)).body, { reviewed: true })
  })

  t.test('UI-20 a new app with the same id is not reviewed', async (t) => {
    const start = {
      name: 'Same',
      permissions: ['records:create', 'records:update'],
      redirect_uris: ['https://a.example/cb', 'https://b.example/cb'],
      reviewed: true,
    }
    const changes: [body: object, stays: boolean][] = [
      [{ name: 'Other' }, false],
      [{ description: 'Other' }, false],
      [{ logo_uri: 'https://a.example/logo' }, false],
      [{ homepage_uri: 'https://a.example/' }, false],
      [{ location: 'https://a.example/' }, false],
      [{ kind: 'outside' }, false],
      [{ publisher: 'Other' }, false],
      [{ setup_uri: 'https://c.example/setup' }, false],
      [{ listed: true }, true],
      [{ redirect_uris: ['https://a.example/cb', 'https://c.example/cb'] }, false],
      [{ post_logout_redirect_uris: ['https://c.example/'] }, false],
      [{ permissions: ['records:create', 'records:delete'] }, false],
      [{ client_type: 'public' }, false],
      [{ openid: true }, false],
      [{ device_flow: true }, false],
      [{ permissions: ['records:create'] }, true],
      [{ redirect_uris: ['https://b.example/cb'] }, true],
      [{ retry_window_seconds: 5 }, true],
      [{ disabled: true }, true],
      [{ name: 'Other', reviewed: true }, true],
    ]
    for (const [body, stays] of changes) {
      const app = await createApp(running, start)
      t.equal((await patch(app, body)).reviewed, stays, JSON.stringify(body))
    }
  })

  t.test('UI-20 an app that others can impersonate is never shown as reviewed', async (t) => {
    const native = ['com.example.app:/cb', 'http://127.0.0.1/cb', 'https://app.example/cb']
    const part = { client_type: 'public', reviewed: true, redirect_uris: native }
    const app = await createApp(running, { ...part, name: 'Native' })
    await install(running, acme, app)
    for (const redirect_uri of native)
      t.equal(await isShown(app, { redirect_uri }), redirect_uri.startsWith('https'), redirect_uri)
    const device = await createDeviceApp(running, world, { reviewed: true })
    const { body } = await beginDevice(issuer, device)
    const page = await enterCode(await signedIn(issuer, ana), body.user_code)
    t.match(page.text, body.user_code)
    t.notMatch(page.text, '>Reviewed<')
    const web = await createApp(running, { name: 'Leaves', openid: true, reviewed: true })
    const out = await (await signedIn(issuer, ana)).get(`/end-session?client_id=${web.client_id}`)
    t.match(out.text, 'Leaves')
    t.notMatch(out.text, '>Reviewed<', 'any site can name the app in a link')
    const before = await createVisitor(issuer).get(authorizeUrl(issuer, app, requested()))
    t.notMatch(before.text, '>Reviewed<', 'not on the sign-in page either')
  })
})
