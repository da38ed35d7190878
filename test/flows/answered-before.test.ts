/**
 * Access may end between the user's approval and the token response: the app gets no ended access.
 */
import type { Test } from 'tap'
import { beginDevice, createDeviceApp, enterCode, poll } from '../support/device.ts'
import { authorizeUrl, challengeOf, legacyAuthorizeUrl, newVerifier } from '../support/flows.ts'
import type { Running } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { approve, filled, signedIn } from '../support/signed-in.ts'
import type { VisitedPage } from '../support/visitor.ts'
import { createApp, createWorld, install, legacyPermissions, type World } from '../support/world.ts'

type Change = [what: string, method: string, path: string, body?: unknown]

const change = async (t: Test, running: Running, [what, method, path, body]: Change) =>
  t.ok((await running.operator(method, path, body)).status < 300, what)

const fragmentOf = (page: VisitedPage) =>
  Object.fromEntries(new URLSearchParams(page.left?.hash.slice(1)))

const implicitApp = async (running: Running, { acme }: World) => {
  const app = await createApp(running, {
    name: 'Sheet View',
    interface: 'legacy',
    client_type: 'public',
  })
  await install(running, acme, app, { permissions: legacyPermissions })
  return app
}

await onEachBackend('answered before, collected now', async (t, { running, issuer, world }) => {
  const { acme, ana, kim } = world

  /** Approved by Ana, with the result after the access has changed. */
  const afterwards = async (t: Test, changeOf: (clientId: string) => Change) => {
    const app = await implicitApp(running, world)
    const visitor = await signedIn(issuer, ana)
    const page = await visitor.get(legacyAuthorizeUrl(issuer, app, { response_type: 'token' }))
    const end = await approve(visitor, page)
    await change(t, running, changeOf(app.client_id))
    return { end, visitor, answer: await visitor.get(end) }
  }

  t.test('an implicit token is refused after the user lost access', async (t) => {
    const ends: ((clientId: string) => Change)[] = [
      (id) => ['uninstalled', 'DELETE', `/organizations/${acme}/installs/${id}`],
      (id) => ['suspended', 'PATCH', `/organizations/${acme}/installs/${id}`, { suspended: true }],
      () => ['left', 'DELETE', `/organizations/${acme}/members/${ana.id}`],
    ]
    for (const changeOf of ends) {
      const { end, visitor, answer } = await afterwards(t, changeOf)
      t.match(fragmentOf(answer), { error: 'access_denied', state: 'the-state' })
      t.notOk('access_token' in fragmentOf(answer))
      t.match(await visitor.get(end), { status: 400, left: null }, 'once')
    }
    await change(t, running, [
      'back',
      'PUT',
      `/organizations/${acme}/members/${ana.id}`,
      { role: 'member' },
    ])
  })

  t.test('an implicit token has only the permissions that are still approved', async (t) => {
    const permissions = ['readData']
    const ends: ((clientId: string) => Change)[] = [
      (id) => ['install', 'PATCH', `/organizations/${acme}/installs/${id}`, { permissions }],
      (id) => ['app', 'PATCH', `/apps/${id}`, { permissions }],
    ]
    for (const changeOf of ends) {
      const { answer } = await afterwards(t, changeOf)
      t.match(fragmentOf(answer), { access_token: /^ey/, scope: 'readData' })
    }
  })

  t.test('a second click continues an interrupted answer, which stays unchanged', async (t) => {
    const device = await createDeviceApp(running, world)
    const { body } = await beginDevice(issuer, device)
    const visitor = await signedIn(issuer, ana)
    const current = authorizeUrl(issuer, world.confidential, {
      code_challenge: challengeOf(newVerifier()),
      prompt: 'consent',
    })
    const goOn = (page: VisitedPage) => page.dom.querySelector('a.primary')?.getAttribute('href')
    for (const [page, isDevice] of [
      [await visitor.get(current), false],
      [await visitor.get(legacyAuthorizeUrl(issuer, world.legacy, { force_prompt: '1' })), false],
      [await enterCode(visitor, body.user_code), true],
    ] as const) {
      await approve(visitor, page)
      const denied = await visitor.submit(page, { decision: 'deny' })
      t.match(denied, { status: 400, text: 'You have already done this' })
      const again = await visitor.submit(page, { decision: 'approve' })
      t.match(again, { status: 400, left: null, text: 'You have already answered this' })
      const end = await visitor.get(goOn(again) ?? '')
      if (isDevice) t.match(end.text, 'The device is connected')
      else t.match(end.left?.searchParams.get('code'), /^lkac_/)
      const late = await visitor.submit(page, { decision: 'approve' })
      const once = await visitor.get(goOn(late) ?? '')
      t.match(once, isDevice ? { status: 200 } : { status: 400, left: null })
    }
    t.equal((await poll(issuer, device, body.device_code)).status, 200)

    const other = await signedIn(issuer, kim)
    const page = await visitor.get(current)
    await approve(visitor, page)
    for (const [name, value] of visitor.cookies)
      if (name !== 'latchkey_session') other.cookies.set(name, value)
    const form = filled(await other.get('/account/password'), { decision: 'approve' })
    const foreign = await other.fetch(page.url, { method: 'POST', body: form })
    t.equal(foreign.status, 400)
    t.notMatch(await foreign.text(), 'already answered this', 'of another user')
  })

  t.test('the organization is deleted', async (t) => {
    const lost = await createWorld(running)
    const device = await createDeviceApp(running, lost)
    const { body } = await beginDevice(issuer, device)
    const current = authorizeUrl(issuer, lost.confidential, {
      code_challenge: challengeOf(newVerifier()),
      prompt: 'consent',
    })
    const visitor = await signedIn(issuer, lost.ana)
    const ends: URL[] = []
    for (const page of [
      await visitor.get(current),
      await visitor.get(legacyAuthorizeUrl(issuer, lost.legacy, { force_prompt: '1' })),
      await visitor.get(legacyAuthorizeUrl(issuer, lost.legacyPublic, { response_type: 'token' })),
      await enterCode(visitor, body.user_code),
    ])
      ends.push(await approve(visitor, page))
    await change(t, running, ['organization', 'DELETE', `/organizations/${lost.acme}`])
    for (const end of ends)
      t.match(await visitor.get(end), { status: 400, left: null }, end.pathname)
    t.equal((await poll(issuer, device, body.device_code)).status, 400)
  })
})
