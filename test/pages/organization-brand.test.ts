/** The logo and accent of an organization, on its pages and on those that decide for it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { eventually } from '../support/eventually.ts'
import { authorizeUrl, challengeOf, newVerifier } from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import type { VisitedPage } from '../support/visitor.ts'
import { createApp } from '../support/world.ts'

await onEachBackend(
  'the brand of an organization',
  async (t, { running, issuer, world }) => {
    const { acme, other, ana, kim, zoe, confidential } = world
    const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#369' } })
      .png()
      .toBuffer()
    const host = createServer((_, response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end(png),
    )
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
    t.teardown(() => host.close())
    const { port } = host.address() as AddressInfo
    const brandOf = ({ dom }: VisitedPage) => ({
      logo: dom.querySelector('img.own-logo')?.getAttribute('src') ?? null,
      stylesheet: dom.querySelector('link[href^="/assets/accent/"]')?.getAttribute('href') ?? null,
    })
    const admin = await signedIn(issuer, kim)
    const pages = ['apps', 'keys', 'activity', 'directory'].map(
      (name) => `/organizations/${acme}/${name}`,
    )
    const none = { logo: null, stylesheet: null }
    for (const path of pages) t.same(brandOf(await admin.get(path)), none, path)

    const body = { logo_uri: `http://127.0.0.1:${port}/logo.png`, accent: '#A1B2C3' }
    t.equal((await running.operator('PATCH', `/organizations/${acme}`, body)).status, 200)
    const [first = ''] = pages
    await eventually(async () => brandOf(await admin.get(first)).logo !== null)
    const shown = brandOf(await admin.get(first))
    t.match(shown, { logo: /^\/logos\/[0-9a-f]{64}$/, stylesheet: '/assets/accent/a1b2c3.css' })
    for (const path of pages) t.same(brandOf(await admin.get(path)), shown, path)

    const requested = () => ({ code_challenge: challengeOf(newVerifier()), prompt: 'consent' })
    const member = await signedIn(issuer, ana)
    const consent = await member.get(authorizeUrl(issuer, confidential, requested()))
    t.same(brandOf(consent), shown, 'the consent page')
    const app = await createApp(running, { name: 'New' })
    t.same(
      brandOf(await admin.get(authorizeUrl(issuer, app, requested()))),
      shown,
      'the install page',
    )
    t.same(brandOf(await member.get('/account/apps')), none, 'not on pages of a person')
    const stranger = await signedIn(issuer, zoe)
    t.same(brandOf(await stranger.get(`/organizations/${other}/directory`)), none)

    const style = await fetch(`${issuer}${shown.stylesheet}`)
    t.equal(await style.text(), ':root { --brand-accent: #a1b2c3; }\n')
    t.equal(style.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    t.equal((await fetch(`${issuer}${shown.logo}`)).status, 200)
    for (const colour of ['red.css', 'a1b2c3', 'A1B2C3.css', 'fff%3B%7D.css'])
      t.equal((await fetch(`${issuer}/assets/accent/${colour}`)).status, 404, colour)

    const gone = { logo_uri: null, accent: null }
    t.equal((await running.operator('PATCH', `/organizations/${acme}`, gone)).status, 200)
    t.same(brandOf(await admin.get(first)), none)
  },
  { environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } },
)
