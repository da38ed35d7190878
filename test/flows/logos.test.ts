/** Logos of apps on the pages: fetched by the server, served by the server. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { eventually } from '../support/eventually.ts'
import { authorizeUrl, challengeOf, newVerifier } from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { createApp } from '../support/world.ts'

await onEachBackend(
  'the logo of an app',
  async (t, { running, issuer, world }) => {
    const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#369' } })
      .png()
      .toBuffer()
    const host = createServer((_, response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end(png),
    )
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
    t.teardown(() => host.close())
    const { port } = host.address() as AddressInfo
    const logo_uri = `http://127.0.0.1:${port}/logo.png`
    const app = await createApp(running, { name: 'Painted', logo_uri, listed: true })
    const visitor = await signedIn(issuer, world.kim)
    const url = authorizeUrl(issuer, app, { code_challenge: challengeOf(newVerifier()) })
    const pathOn = async (page: string) =>
      (await visitor.get(page)).dom.querySelector('img.logo')?.getAttribute('src') ?? null

    // A picture that a busy machine draws too slowly is tried again only after a quarter of an hour, or when it changes.
    let asked = performance.now()
    await eventually(async () => {
      if ((await pathOn(url)) !== null) return true
      if (performance.now() - asked > 30_000) {
        asked = performance.now()
        const other = { logo_uri: `${logo_uri}?${asked}` }
        await running.operator('PATCH', `/apps/${app.client_id}`, other)
      }
      return false
    })
    const path = (await pathOn(url)) as string
    t.match(path, /^\/logos\/[0-9a-f]{64}$/)
    t.equal(await pathOn(`/organizations/${world.acme}/directory`), path)
    const page = await visitor.get(url)
    t.notMatch(page.text, logo_uri, 'no page names the address of the app')
    t.match(page.headers.get('content-security-policy'), "img-src 'self' data:;")

    const answer = await fetch(`${issuer}${path}`)
    t.equal(answer.status, 200)
    t.match(Object.fromEntries(answer.headers), {
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    const { width } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    t.equal(width, 128)
    for (const unknown of ['0'.repeat(64), 'x', '..%2f..%2fetc', 'A'.repeat(64)]) {
      const missing = await fetch(`${issuer}/logos/${unknown}`)
      t.match([missing.status, missing.headers.get('cache-control')], [404, 'no-store'], unknown)
    }
    await running.operator('PATCH', `/apps/${app.client_id}`, { logo_uri: null })
    t.equal(await pathOn(url), null)
  },
  { environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } },
)
