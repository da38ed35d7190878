import { onEachBackend } from '../support/on-each-backend.ts'
import { rawRequest, sendRaw } from '../support/raw-http.ts'

await onEachBackend(
  'the sign-in page on the host of the legacy endpoints',
  async (t, { running, issuer }) => {
    const url = running.urls[0] as string
    const pageOn = async (host: string) =>
      (await sendRaw(url, rawRequest(url, 'GET /login', []).replace(/Host: .*/, `Host: ${host}`)))
        .text

    for (const host of ['legacy.example', 'legacy.example:8443']) {
      const page = await pageOn(host)
      t.match(page, 'type="password"', host)
      t.notMatch(page, /passkey/i, 'offers no passkey, which would not work there')
    }
    t.match(await pageOn(new URL(issuer).host), /passkeys\.[\w-]+\.js/)
  },
  { host: 'localhost', environment: { LEGACY_ORIGIN: 'http://legacy.example' } },
)

await onEachBackend(
  'the sign-in page where both have one host name',
  async (t, { running, issuer }) => {
    const url = running.urls[0] as string
    for (const host of [new URL(issuer).host, 'localhost:8443']) {
      const bytes = rawRequest(url, 'GET /login', []).replace(/Host: .*/, `Host: ${host}`)
      t.match((await sendRaw(url, bytes)).text, /passkeys\.[\w-]+\.js/, host)
    }
  },
  { host: 'localhost', environment: { LEGACY_ORIGIN: 'http://localhost:8443' } },
)
