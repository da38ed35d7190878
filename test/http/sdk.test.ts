import { gzipSync } from 'node:zlib'
import { onEachBackend } from '../support/on-each-backend.ts'
import { createApp } from '../support/world.ts'

const platforms = ['https://platform.example', 'http://127.0.0.1:4001']
const most = 6000 // Compressed bytes of each script.

await onEachBackend(
  'SDK responses',
  async (t, { running, issuer, world }) => {
    const read = async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(issuer + path, { headers })
      return { response, text: await response.text() }
    }

    for (const name of ['v1.js', 'host-v1.js']) {
      t.test(`/sdk/${name}`, async (t) => {
        const { response, text } = await read(`/sdk/${name}`, {
          origin: 'https://any.example',
          'accept-encoding': 'br',
        })
        t.equal(response.status, 200)
        t.equal(response.headers.get('content-type'), 'text/javascript; charset=utf-8')
        t.equal(response.headers.get('x-content-type-options'), 'nosniff')
        t.equal(response.headers.get('access-control-allow-origin'), '*')
        t.equal(response.headers.get('cross-origin-resource-policy'), 'cross-origin')
        t.match(response.headers.get('cache-control'), /^public, max-age=3600\b/)
        t.equal(response.headers.get('content-encoding'), 'br')
        t.equal(response.headers.get('vary'), 'Accept-Encoding')
        t.ok(gzipSync(text, { level: 9 }).length < most, 'small')

        const etag = response.headers.get('etag') ?? ''
        t.match(etag, /^"[\w-]{43}-br"$/)
        for (const known of [etag, `"other", W/${etag}`]) {
          const again = await read(`/sdk/${name}`, {
            'accept-encoding': 'br',
            'if-none-match': known,
          })
          t.equal(again.response.status, 304)
          t.equal(again.text, '')
          t.equal(again.response.headers.get('etag'), etag)
        }
        const changed = await read(`/sdk/${name}`, { 'if-none-match': '"other"' })
        t.equal(changed.response.status, 200)
      })

      t.test(`/sdk/${name} names a target for every message and loads nothing`, async (t) => {
        const { text } = await read(`/sdk/${name}`)
        t.notMatch(text, /["'`]\*["'`]/, 'no wildcard')
        t.notMatch(text, /\bimport\b|\bexport\b|\beval\b|new Function|innerHTML|document\.cookie/)
        t.notMatch(text, /localStorage|sessionStorage|indexedDB/, 'tokens stay in memory')
      })
    }

    t.test('the configuration of an app is readable for its own pages only', async (t) => {
      const app = await createApp(running, {
        name: 'Framed',
        client_type: 'public',
        redirect_uris: [
          'https://app.example/one',
          'https://other.example:8443/two',
          'https://other.example:8443/three',
          'com.example.app:/cb',
        ],
      })
      const path = `/sdk/v1/configuration?client_id=${app.client_id}`
      const common = {
        platform_origins: platforms,
        client_id: app.client_id,
        interface: 'current',
        client_type: 'public',
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/api/oauth/token`,
      }
      const cases: [string | undefined, string | null][] = [
        ['https://app.example', 'https://app.example/one'],
        ['https://other.example:8443', 'https://other.example:8443/two'],
        ['https://other.example', null],
        ['https://platform.example', null],
        ['null', null],
        [undefined, null],
      ]
      for (const [origin, redirect_uri] of cases) {
        const { response, text } = await read(path, origin === undefined ? {} : { origin })
        t.equal(response.status, 200)
        t.same(JSON.parse(text), { ...common, redirect_uri }, String(origin))
        t.equal(response.headers.get('access-control-allow-origin'), '*')
        t.match(response.headers.get('vary'), 'Origin')
      }
    })

    t.test('the configuration of a legacy app', async (t) => {
      const path = `/sdk/v1/configuration?client_id=${world.legacyPublic.client_id}`
      const { text } = await read(path, { origin: 'https://view.example' })
      t.match(JSON.parse(text), {
        interface: 'legacy',
        authorization_endpoint: `${issuer}/oauth/authorize`,
        token_endpoint: null,
        redirect_uri: 'https://view.example/cb',
      })
    })

    t.test('the configuration without an app has the trusted origins', async (t) => {
      const { response, text } = await read('/sdk/v1/configuration')
      t.equal(response.status, 200)
      t.same(JSON.parse(text), { platform_origins: platforms })
    })

    t.test('an unknown or deleted app has no configuration', async (t) => {
      const disabled = await createApp(running, { name: 'Disabled' })
      await running.operator('PATCH', `/apps/${disabled.client_id}`, { disabled: true })
      const ids = [disabled.client_id, 'appUnknown', '', '%00', "'", '__proto__']
      const queries = [...ids.map((id) => `client_id=${id}`), 'client_id=a&client_id=b']
      for (const query of queries) {
        const { response, text } = await read(`/sdk/v1/configuration?${query}`)
        t.equal(response.status, 404, query)
        t.same(JSON.parse(text), { error: 'unknown_app' }, query)
      }
    })
  },
  { environment: { PLATFORM_ORIGINS: platforms.join(', ') } },
)

await onEachBackend(
  'a legacy origin of its own',
  async (t, { issuer, world }) => {
    const { client_id } = world.legacy
    const response = await fetch(`${issuer}/sdk/v1/configuration?client_id=${client_id}`)
    t.match(await response.json(), {
      platform_origins: [],
      authorization_endpoint: 'https://legacy.example/oauth/authorize',
    })
  },
  { environment: { LEGACY_ORIGIN: 'https://legacy.example' } },
)
