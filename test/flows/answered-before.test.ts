/** Between a person's yes and what the app gets for it the world may have changed: nothing is given of what is over. */
import type { Test } from 'tap'
import { beginDevice, createDeviceApp, enterCode, poll } from '../support/device.ts'
import { authorizeUrl, challengeOf, legacyAuthorizeUrl, newVerifier } from '../support/flows.ts'
import type { Running } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { approve, signedIn } from '../support/signed-in.ts'
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
  const { acme, ana } = world

  /** Allowed by Ana, and what is there once the world has changed. */
  const afterwards = async (t: Test, changeOf: (clientId: string) => Change) => {
    const app = await implicitApp(running, world)
    const visitor = await signedIn(issuer, ana)
    const page = await visitor.get(legacyAuthorizeUrl(issuer, app, { response_type: 'token' }))
    const end = await approve(visitor, page)
    await change(t, running, changeOf(app.client_id))
    return { end, visitor, answer: await visitor.get(end) }
  }

  t.test('an implicit token is refused to who is out', async (t) => {
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

  t.test('and says no more than what is approved by then', async (t) => {
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

  t.test('the organization is gone', async (t) => {
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
