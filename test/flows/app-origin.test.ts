import type { Test } from 'tap'
import { beginDevice, createDeviceApp, enterCode } from '../support/device.ts'
import { authorizeUrl, challengeOf, legacyAuthorizeUrl, newVerifier } from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import type { VisitedPage } from '../support/visitor.ts'
import { createApp, install, legacyPermissions } from '../support/world.ts'

const origin = {
  location: 'https://frames.reports.example/start?in=frame',
  kind: 'inside',
  publisher: 'Reports & Sons',
}

const wordsOf = ({ dom }: VisitedPage) => dom.text.replaceAll(/\s+/g, ' ')

const showsOrigin = (t: Test, page: VisitedPage, where: string) => {
  const words = wordsOf(page)
  t.match(words, 'Published by Reports & Sons', where)
  t.match(words, 'Runs in a frame inside Latchkey', where)
  t.match(words, 'Address: frames.reports.example', where)
  t.match(page.text, `href="${origin.location}"`, where)
}

await onEachBackend('location, kind and publisher of an app', async (t, { running, ...scene }) => {
  const { issuer, world } = scene
  const { acme, ana, kim } = world
  const requested = () => ({ code_challenge: challengeOf(newVerifier()), prompt: 'consent' })

  t.test('are shown where people decide', async (t) => {
    const app = await createApp(running, { name: 'Framed', ...origin })
    const url = authorizeUrl(issuer, app, requested())
    const member = await signedIn(issuer, ana)
    const asking = await member.get(url)
    t.match(asking.text, 'Ask an admin')
    showsOrigin(t, asking, 'ask an admin')
    await member.submit(asking, { decision: 'request' })
    const admin = await signedIn(issuer, kim)
    showsOrigin(t, await admin.get(`/organizations/${acme}/apps`), 'the request')
    const installing = await admin.get(url)
    t.match(installing.text, /<h1>Install /)
    showsOrigin(t, installing, 'install')
    await install(running, acme, app)
    const consent = await member.get(authorizeUrl(issuer, app, requested()))
    t.match(consent.text, 'name="decision" value="approve"')
    showsOrigin(t, consent, 'consent')
  })

  t.test('are shown on the legacy interface and for devices', async (t) => {
    const visitor = await signedIn(issuer, ana)
    const legacy = await createApp(running, { interface: 'legacy', name: 'Old', ...origin })
    await install(running, acme, legacy, { permissions: legacyPermissions })
    const page = await visitor.get(legacyAuthorizeUrl(issuer, legacy, { force_prompt: 'true' }))
    showsOrigin(t, page, 'legacy consent')
    const device = await createDeviceApp(running, world, origin)
    const { body } = await beginDevice(issuer, device)
    showsOrigin(t, await enterCode(visitor, body.user_code), 'device')
  })

  t.test('each is optional', async (t) => {
    const visitor = await signedIn(issuer, ana)
    const shown = async (part: object) => {
      const app = await createApp(running, { name: 'Some', ...part })
      await install(running, acme, app)
      return wordsOf(await visitor.get(authorizeUrl(issuer, app, requested())))
    }
    const none = await shown({})
    for (const words of ['Published by', 'Runs ', 'Address:']) t.notMatch(none, words)
    t.match(await shown({ kind: 'outside' }), 'Runs outside Latchkey')
    t.match(await shown({ kind: 'hybrid' }), 'Runs both inside and outside Latchkey')
    const local = await shown({ location: 'http://localhost:4000/app' })
    t.match(local, 'Address: localhost:4000')
    t.notMatch(local, 'Runs ')
  })
})
