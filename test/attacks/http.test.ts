import { connect, type Socket } from 'node:net'
import { authorizeUrl, challengeOf, clientCredentials, newVerifier } from '../support/flows.ts'
import { startLatchkey } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { rawRequest, sendRaw } from '../support/raw-http.ts'
import { filled, signedIn } from '../support/signed-in.ts'
import { amounts } from '../support/traces.ts'
import { createVisitor } from '../support/visitor.ts'
import { createApp, install } from '../support/world.ts'

const form = 'Content-Type: application/x-www-form-urlencoded'

await onEachBackend('HTTP', async (t, { running, issuer, world, stores }) => {
  const { confidential, ana, acme } = world
  const token = '/api/oauth/token'
  const right = String(
    new URLSearchParams({
      grant_type: 'client_credentials',
      organization_id: acme,
      client_id: confidential.client_id,
      client_secret: confidential.client_secret,
    }),
  )

  t.test('HTTP-01 Host and forwarding headers have no effect', async (t) => {
    const query = new URL(
      authorizeUrl(issuer, confidential, { code_challenge: challengeOf(newVerifier()) }),
    ).search
    const paths = [
      '/.well-known/oauth-authorization-server',
      '/.well-known/jwks.json',
      `/authorize${query}`,
      `/authorize${query}&prompt=none`,
      '/authorize',
      '/login',
      '/',
      '/account/apps',
      '/nowhere',
    ]
    const evil = 'evil.example'
    const variants: [string, string[]][] = [
      [`Host: ${evil}`, []],
      [`Host: ${evil}:443`, []],
      [`Host: ${new URL(issuer).host}`, [`X-Forwarded-Host: ${evil}`, 'X-Forwarded-Proto: https']],
      [`Host: ${new URL(issuer).host}`, [`Forwarded: for=1.2.3.4;host=${evil};proto=https`]],
      [`Host: ${new URL(issuer).host}`, [`X-Host: ${evil}`, `X-Original-URL: //${evil}/`]],
      [`Host: ${new URL(issuer).host}`, [`X-Rewrite-URL: /login`, `X-Forwarded-Prefix: /${evil}`]],
      [`Host: ${new URL(issuer).host}@${evil}`, []],
      [`Host: "><script>alert(1)</script>${evil}`, []],
    ]
    for (const path of paths) {
      for (const [host, more] of variants) {
        for (const target of [path, `http://${evil}${path}`]) {
          const lines = [`GET ${target} HTTP/1.1`, host, 'Connection: close', ...more]
          const { text } = await sendRaw(issuer, `${lines.join('\r\n')}\r\n\r\n`)
          t.match(text, /^HTTP\/1\.1 [234]/, `${target} ${host}`)
          t.notMatch(text, /evil\.example|<script>alert/, `${target} ${host}`)
        }
      }
    }
    const metadata = await sendRaw(
      issuer,
      `GET ${paths[0]} HTTP/1.1\r\nHost: ${evil}\r\nConnection: close\r\n\r\n`,
    )
    t.ok(metadata.text.includes(`"issuer":"${issuer}"`))
    const { body } = await clientCredentials(issuer, confidential, acme)
    t.ok(body.access_token)
  })

  t.test('HTTP-01 rejects two Host headers and a missing one', async (t) => {
    const own = `Host: ${new URL(issuer).host}`
    const close = 'Connection: close'
    for (const lines of [
      [own, 'Host: evil.example'],
      ['Host: evil.example', own],
      [own, own],
      [],
    ]) {
      for (const path of ['/login', '/authorize', '/nowhere', '/api/admin/v1/apps']) {
        const bytes = `${[`GET ${path} HTTP/1.1`, ...lines, close].join('\r\n')}\r\n\r\n`
        const { statuses, text, closed } = await sendRaw(issuer, bytes)
        t.match(statuses.join(), /^40[01]$/, `${path} ${lines.join()}`)
        t.match(text, /\r\nx-request-id: \S/i, 'like any other answer')
        t.ok(closed)
      }
    }
    const unknown = `GET /login HTTP/1.1\r\n${own}\r\nExpect: 200-maybe\r\n${close}\r\n\r\n`
    const answer = await sendRaw(issuer, unknown)
    t.same(answer.statuses, [200], 'RFC 9110 §10.1.1: an unknown expectation may be ignored')
    t.match(answer.text, /\r\nx-request-id: \S/i)
  })

  t.test('HTTP-03 rejects request smuggling', async (t) => {
    const host = `Host: ${new URL(issuer).host}`
    const hidden = `GET /health/live HTTP/1.1\r\n${host}\r\n\r\n`
    const start = `POST ${token} HTTP/1.1\r\n${host}\r\n${form}\r\n`
    const chunked = `${right.length.toString(16)}\r\n${right}\r\n0\r\n\r\n`
    const cases: Record<string, string> = {
      'CL and TE': `${start}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
      'TE and CL': `${start}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${hidden}`,
      'two lengths': `${start}Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
      'a list of lengths': `${start}Content-Length: 0, ${hidden.length}\r\n\r\n${hidden}`,
      'a signed length': `${start}Content-Length: +0\r\n\r\n${hidden}`,
      'a negative length': `${start}Content-Length: -1\r\n\r\n${hidden}`,
      'a hexadecimal length': `${start}Content-Length: 0x0\r\n\r\n${hidden}`,
      'an unknown encoding': `${start}Transfer-Encoding: xchunked\r\n\r\n${chunked}${hidden}`,
      'chunked twice': `${start}Transfer-Encoding: chunked, chunked\r\n\r\n${chunked}${hidden}`,
      'identity after chunked': `${start}Transfer-Encoding: chunked, identity\r\n\r\n${chunked}${hidden}`,
      'a folded header': `${start}X: a\r\n Content-Length: 5\r\nTransfer-Encoding:\r\n chunked\r\n\r\n${chunked}${hidden}`,
      'a space before the colon': `${start}Content-Length : 0\r\n\r\n${hidden}`,
      'bare LF': `${start.replaceAll('\r\n', '\n')}Content-Length: 0\n\n${hidden}`,
      'bare CR': `${start}X: a\rTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n${hidden}`,
      'NUL in a header': `${start}X: a\0b\r\nContent-Length: 0\r\n\r\n${hidden}`,
      'a bad chunk size': `${start}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n${hidden}`,
      'an endless chunk size': `${start}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n${hidden}`,
      'no version': `POST ${token}\r\n${host}\r\n\r\n${hidden}`,
      'HTTP/0.9 in the middle': `GET /\r\n\r\n${hidden}`,
      'a bad version': `GET / HTTP/3.9\r\n${host}\r\n\r\n${hidden}`,
      'a space in the path': `GET /a b HTTP/1.1\r\n${host}\r\n\r\n${hidden}`,
    }
    for (const [label, bytes] of Object.entries(cases)) {
      const { statuses, text, closed } = await sendRaw(issuer, bytes)
      t.equal(statuses[0], 400, `${label}: ${statuses}`)
      t.equal(statuses.length, 1, `${label}: the second request is not served`)
      t.ok(closed, `${label}: the server closes the connection`)
      t.notMatch(text, /access_token|"status":"ok"/, label)
    }
    const piped = `${start}Content-Length: ${right.length}\r\n\r\n${right}${hidden}`
    const { statuses } = await sendRaw(issuer, piped)
    t.same(statuses, [200, 200], 'valid pipelining is served')
    const inChunks = `${start}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunked}`
    t.same((await sendRaw(issuer, inChunks)).statuses, [200])
  })

  t.test('HTTP-04 rejects oversized requests', async (t) => {
    const many = Array.from({ length: 3000 }, (_, at) => `X-${at}: 1`)
    const heads = [
      rawRequest(issuer, `GET /login`, [`X-Big: ${'x'.repeat(32_000)}`]),
      rawRequest(issuer, `GET /login`, [`Cookie: ${'a=b; '.repeat(6000)}`]),
      rawRequest(issuer, `GET /login`, many),
      rawRequest(issuer, `GET /${'x'.repeat(64_000)}`, []),
      rawRequest(issuer, `GET /login?${'x'.repeat(64_000)}`, []),
      rawRequest(issuer, `POST ${token}`, [form, `Authorization: Basic ${'x'.repeat(32_000)}`]),
    ]
    for (const bytes of heads) {
      const { statuses, text } = await sendRaw(issuer, bytes)
      t.match(statuses.join(), /^(400|414|431)?$/, bytes.slice(0, 30))
      if (statuses.length > 0) t.match(text, /^x-request-id: req_[\w-]{16}\r$/im)
    }
    const visitor = await signedIn(issuer, ana)
    const page = await visitor.get('/logout')
    const big = filled(page, { extra: 'x'.repeat(2_000_000) })
    const answer = await visitor.fetch(`${issuer}/logout`, { method: 'POST', body: big })
    t.ok(answer.status >= 400 && answer.status < 500)
    t.equal((await visitor.fetch(`${issuer}/account/apps`)).status, 200, 'nothing was done')
    // The server answers early, not after 100 MB.
    const socket = connect(Number(new URL(issuer).port), '127.0.0.1')
    const told = new Promise<string>((resolve) => {
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk.toString()
      })
      socket.on('close', () => resolve(text))
      socket.on('error', () => resolve(text))
    })
    const { host } = new URL(issuer)
    socket.write(
      `POST ${token} HTTP/1.1\r\nHost: ${host}\r\n${form}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    )
    let sent = 0
    const feed = setInterval(() => {
      if (socket.writable && sent++ < 1600) socket.write(`10000\r\n${'x'.repeat(65_536)}\r\n`)
    }, 1)
    const text = await Promise.race([
      told,
      new Promise<string>((resolve) => setTimeout(() => resolve('still listening'), 10_000)),
    ])
    clearInterval(feed)
    socket.destroy()
    t.notMatch(text, 'still listening')
    t.ok(sent < 1600, `${sent} chunks of 64 KB`)
    const zipped = await fetch(issuer + token, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'content-encoding': 'gzip',
      },
      body: Buffer.from('1f8b08000000000000034bca49010086a6103604000000', 'hex'),
    })
    t.equal(zipped.status, 400)
  })

  t.test('HTTP-06 rejects other spellings of a path', async (t) => {
    const paths = [
      '//api/oauth/token',
      '/api//oauth/token',
      '/api/oauth/token/',
      '/api/oauth/token//',
      '/API/oauth/token',
      '/api/oauth/Token',
      '/api/oauth/token;x',
      '/api/oauth/token;x=1',
      '/api/oauth/token%20',
      '/api/oauth/token%00',
      '/api/oauth/token%2f',
      '/api%2foauth%2ftoken',
      '/api/oauth%5ctoken',
      '/api\\oauth\\token',
      '/x/../api/oauth/token',
      '/x/%2e%2e/api/oauth/token',
      '/./api/oauth/token',
      '/api/oauth/./token',
      '/api/oauth/token.json',
      '/api/oauth/%2574oken',
      '/api/oauth/token%23',
      '/api/oauth/access_token/',
      '//api/oauth/access_token',
      '/api/oauth/access_token;x',
      'api/oauth/token',
      '*',
    ]
    for (const path of paths) {
      const { text, statuses } = await sendRaw(
        issuer,
        rawRequest(issuer, `POST ${path}`, [form, 'Origin: https://spa.example'], right),
      )
      t.match(statuses.join(), /^40[04]$/, path)
      t.notMatch(text, /access_token"|access-control-allow/i, path)
    }
    for (const path of [
      '//authorize',
      '/authorize/',
      '/Authorize',
      '/login/',
      '//login',
      '/%2e/login',
    ])
      t.match(
        (await sendRaw(issuer, rawRequest(issuer, `GET ${path}`, []))).statuses.join(),
        /^40[04]$/,
        path,
      )
  })

  t.test('HTTP-07 rejects paths that cannot be decoded', async (t) => {
    const paths = [
      '/%',
      '/%zz',
      '/%c0%80',
      '/%ff',
      '/login%',
      '/interaction/%',
      '/interaction/%ff',
      '/interaction/%00',
      '/interaction/%0a',
      `/interaction/${'x'.repeat(5000)}`,
      '/interaction/..%2f..%2fetc',
      '/organizations/%00/apps',
      '/api/admin/v1/apps/%zz',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/assets/..%2f..%2fpackage.json',
      '/assets/../../package.json',
      '/assets/latchkey.css%00',
      '/docs/%2e%2e/%2e%2e/package.json',
      '/docs/..%2f..%2fpackage.json',
      '/docs/images/..%2f..%2f..%2fpackage.json',
      '/docs/../../package.json',
      '/docs/for-apps%00',
      '/<script>alert(1)</script>',
      '/%3Cscript%3Ealert(1)%3C/script%3E%',
    ]
    const cookie = `Cookie: latchkey_browser=${'A'.repeat(32)}; latchkey_session=${'A'.repeat(43)}`
    for (const path of paths) {
      for (const method of ['GET', 'POST']) {
        const bytes = rawRequest(
          issuer,
          `${method} ${path}`,
          [cookie, form],
          method === 'POST' ? 'a=b' : '',
        )
        const { text, statuses } = await sendRaw(issuer, bytes)
        // Pages for signed-in users redirect to the sign-in page first.
        t.match(statuses.join(), /^(303|4\d\d)$/, `${method} ${path.slice(0, 40)}`)
        t.match(text, /x-request-id: req_/i, path.slice(0, 40))
        t.match(text, /x-content-type-options: nosniff/i, path.slice(0, 40))
        t.notMatch(text, /<script>alert|"name": "latchkey"|at .*\.ts:/, path.slice(0, 40))
      }
    }
  })

  t.test('HTTP-09 serves no unneeded paths or methods', async (t) => {
    const paths = [
      '/reg',
      '/register',
      '/device',
      '/device/auth',
      '/me',
      '/session/end',
      '/request',
      '/token',
      '/jwks',
      '/backchannel',
      '/par',
      '/ca',
      '/auth',
      '/metrics',
      '/authorize/x',
      '/debug',
      '/.env',
      '/package.json',
      '/server-status',
    ]
    const visitor = await signedIn(issuer, ana)
    for (const path of paths) {
      for (const method of ['GET', 'POST']) {
        const { status } = await visitor.fetch(issuer + path, { method })
        t.ok([401, 404].includes(status), `${method} ${path}: ${status}`)
      }
    }
    const metadata = (await (
      await fetch(`${issuer}/.well-known/oauth-authorization-server`)
    ).json()) as Record<string, unknown>
    t.match(metadata, {
      issuer,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    })
    for (const name of ['registration_endpoint', 'userinfo_endpoint'])
      t.notOk(name in metadata, name)
    for (const [name, value] of Object.entries(metadata))
      if (/_(endpoint|uri)$/.test(name)) t.ok(String(value).startsWith(`${issuer}/`), name)
    const { keys } = (await (await fetch(`${issuer}/.well-known/jwks.json`)).json()) as {
      keys: Record<string, unknown>[]
    }
    t.ok(keys.length > 0)
    for (const key of keys)
      for (const part of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth']) t.notOk(part in key)
  })

  t.test('INJ-01 hostile ids cause no error', async (t) => {
    const odd = [
      "'",
      "'; select pg_sleep(5); --",
      '\\',
      '\\u0000',
      '\0',
      'a\0b',
      '\r\nFLUSHALL\r\n',
      '*',
      '\ud83d\ude00',
      '\ufffe',
      '../../x',
      'x'.repeat(5000),
      '__proto__',
      '{"$ne":null}',
    ]
    const visitor = await signedIn(issuer, ana)
    const out = await visitor.get('/logout')
    const before = await amounts(stores)
    for (const text of odd) {
      const value = encodeURIComponent(text)
      const label = value.slice(0, 40)
      const gets = [
        `/authorize?client_id=${value}&redirect_uri=${value}&state=${value}`,
        `/authorize?client_id=${confidential.client_id}&request_uri=${value}`,
        `/oauth/authorize?client_id=${value}&response_type=code`,
        `/oauth/authorize?client_id=${world.legacy.client_id}&redirect_uri=${value}&response_type=code`,
        `/interaction/${value}`,
        `/interaction/${value}/current`,
        `/interaction/${value}/legacy`,
        `/interaction/${value}?choose=${value}`,
        `/login?return_to=${value}`,
        `/login?return_to=/interaction/${value}`,
        `/account/apps?x=${value}`,
        `/organizations/${value}/apps`,
      ]
      for (const path of gets) {
        const { status } = await visitor.fetch(issuer + path)
        t.ok(status < 500, `GET ${path.slice(0, 60)}: ${status}`)
      }
      for (const path of [`/apps?name=${value}`, `/users?email=${value}`, `/apps/${value}`]) {
        const { status } = await running.operator('GET', path)
        t.ok(status < 500, `GET ${path.slice(0, 60)} of the Operator API: ${status}`)
      }
      const disconnect = filled(out, {
        client_id: text,
        organization_id: text,
        decision: 'disconnect',
      })
      const posts: [string, URLSearchParams][] = [
        ['/account/apps', disconnect],
        [`/interaction/${value}`, filled(out, { decision: 'approve', organization_id: text })],
        [
          token,
          new URLSearchParams({
            ...Object.fromEntries(new URLSearchParams(right)),
            organization_id: text,
          }),
        ],
        [token, new URLSearchParams({ grant_type: text, client_id: text, client_secret: text })],
        [
          token,
          new URLSearchParams({
            grant_type: 'authorization_code',
            code: text,
            redirect_uri: text,
            code_verifier: text,
            client_id: text,
            client_secret: text,
          }),
        ],
        [
          '/api/oauth/access_token',
          new URLSearchParams({
            grant_type: 'refresh_token',
            refresh_token: text,
            client_id: text,
          }),
        ],
        [
          '/api/oauth/par',
          new URLSearchParams({ client_id: text, client_secret: text, state: text }),
        ],
      ]
      for (const [path, body] of posts) {
        const { status } = await visitor.fetch(issuer + path, { method: 'POST', body })
        t.ok(status < 500, `POST ${path} ${label}: ${status}`)
      }
      const cookies = text.replaceAll(/[^\x21-\x7e]|[;,"\\]/g, '')
      const odder = createVisitor(issuer)
      for (const name of ['session', 'browser', 'csrf'])
        odder.cookies.set(`latchkey_${name}`, cookies)
      for (const path of ['/login', '/account/apps', '/interaction/x'])
        t.ok((await odder.fetch(issuer + path)).status < 500, `cookie ${label} ${path}`)
    }
    t.same(await amounts(stores), before)
  })

  t.test('INJ-02 logs one JSON line for each event, whatever the input', async (t) => {
    const from = running.log.length
    const forged = '{"level":30,"msg":"forged"}'
    const requests = [
      rawRequest(issuer, `GET /%0a${encodeURIComponent(forged)}`, []),
      rawRequest(issuer, `GET /login?%0d%0a${encodeURIComponent(forged)}`, []),
      rawRequest(issuer, `GET /authorize?client_id=%0a${encodeURIComponent(forged)}`, []),
      rawRequest(issuer, `GET /oauth/authorize?client_id=%1b%5b31m%0a`, []),
      rawRequest(issuer, 'GET /login', [`User-Agent: \x1b[31m${forged}`, `Referer: ${forged}`]),
      rawRequest(issuer, 'GET /login', [`User-Agent: ${'x'.repeat(15_000)}`]),
      rawRequest(issuer, 'GET /login', [`X-Request-Id: ${forged}`, `X-Forwarded-For: ${forged}`]),
      rawRequest(
        issuer,
        `POST ${token}`,
        [form],
        `grant_type=%0a${encodeURIComponent(forged)}&client_id=%0a`,
      ),
      rawRequest(
        issuer,
        `POST ${token}`,
        [form],
        `%0a${encodeURIComponent(forged)}=1&%0a${encodeURIComponent(forged)}=2`,
      ),
      rawRequest(issuer, `GET /${'x'.repeat(10_000)}`, []),
      `GET / HTTP/9.9\r\n${forged}\r\n\r\n`,
    ]
    for (const bytes of requests) await sendRaw(issuer, bytes)
    const lines = running.log
      .slice(from)
      .join('')
      .split('\n')
      .filter((line) => line !== '')
    t.ok(lines.length >= requests.length - 1)
    for (const line of lines) {
      const event = JSON.parse(line) as Record<string, unknown>
      t.not(event.msg, 'forged')
      t.equal(typeof event.time, 'number')
      t.ok(line.length < 2000, `${line.length} characters`)
      t.notOk(line.includes('\x1b'))
    }
  })

  t.test('HTTP-05 slow and silent connections are closed', async (t) => {
    const { port, hostname, host } = new URL(issuer)
    const open = (bytes: string) =>
      new Promise<Socket>((resolve, reject) => {
        const socket = connect(Number(port), hostname, () => {
          socket.write(bytes)
          resolve(socket)
        })
        socket.on('error', reject)
      })
    const slow = await Promise.all([
      ...Array.from({ length: 100 }, () => open(`POST ${token} HTTP/1.1\r\nHost: ${host}\r\n`)),
      ...Array.from({ length: 100 }, () =>
        open(`POST ${token} HTTP/1.1\r\nHost: ${host}\r\n${form}\r\nContent-Length: 100\r\n\r\na`),
      ),
      ...Array.from({ length: 100 }, () => open('')),
    ])
    t.equal((await fetch(`${issuer}/health/ready`)).status, 200)
    t.equal(
      (await clientCredentials(issuer, confidential, acme)).status,
      200,
      'other clients are served',
    )
    const [{ server: instance }] = running.instances as [(typeof running.instances)[number]]
    const { server } = instance
    t.ok(server.headersTimeout > 0 && server.headersTimeout <= 60_000)
    t.ok(server.requestTimeout > 0 && server.requestTimeout <= 60_000)
    t.ok(server.timeout > 0 && server.keepAliveTimeout > 0)
    for (const socket of slow) socket.destroy()

    const another = await startLatchkey(stores, { environment: { ISSUER: issuer } })
    const silent = connect(Number(new URL(another.urls[0] as string).port), '127.0.0.1')
    await new Promise((resolve) => silent.once('connect', resolve))
    t.equal((await fetch(`${another.urls[0]}/health/live`)).status, 200)
    const hungUp = new Promise((resolve) => silent.once('close', resolve))
    await another.stop()
    await hungUp
    t.pass('an idle connection does not delay shutdown')
  })
})

const legacyOrigin = 'http://legacy.example'

await onEachBackend(
  'the legacy address',
  async (t, { running, world }) => {
    const url = running.urls[0] as string
    const { legacy, confidential } = world

    t.test('XIF-01 legacy endpoints answer on the legacy host only', async (t) => {
      const app = await createApp(running, { interface: 'legacy', name: 'Old' })
      await install(running, world.acme, app, { permissions: ['readData'] })
      const lines: [string, string][] = [
        [`GET /oauth/authorize?client_id=${legacy.client_id}&response_type=code`, ''],
        ['POST /api/oauth/access_token', 'grant_type=refresh_token&refresh_token=x'],
      ]
      for (const [line, body] of lines) {
        const ask = async (host: string, more: string[] = []) => {
          const bytes = rawRequest(url, line, [form, ...more], body).replace(
            /Host: .*/,
            `Host: ${host}`,
          )
          return (await sendRaw(url, bytes)).statuses.join()
        }
        for (const host of ['legacy.example', 'LEGACY.Example', 'legacy.example:80'])
          t.match(await ask(host), /^(303|401)$/, `${line} at ${host}`)
        const others = [
          'evil.example',
          'LEGACY.example.evil.example',
          'evil.legacy.example',
          'legacyxexample',
          'legacy.example:443',
          'legacy.example:8080',
          'legacy.example:80:80',
        ]
        for (const host of [new URL(url).host, ...others])
          t.equal(await ask(host), '404', `${line} at ${host}`)
        const forwarded = await ask(new URL(url).host, ['X-Forwarded-Host: legacy.example'])
        t.equal(forwarded, '404', 'an untrusted header does not select the host')
      }
      t.equal((await clientCredentials(url, confidential, world.acme)).status, 200)
    })
  },
  { environment: { LEGACY_ORIGIN: legacyOrigin } },
)

await onEachBackend(
  'two legacy addresses',
  async (t, { running, world }) => {
    t.test('XIF-01 each legacy endpoint answers on its own host only', async (t) => {
      const url = running.urls[0] as string
      const ask = async (line: string, body: string, host: string) => {
        const bytes = rawRequest(url, line, [form], body).replace(/Host: .*/, `Host: ${host}`)
        return (await sendRaw(url, bytes)).statuses.join()
      }
      const query = `client_id=${world.legacy.client_id}&response_type=code`
      const onPages = (host: string) => ask(`GET /oauth/authorize?${query}`, '', host)
      const refresh = 'grant_type=refresh_token&refresh_token=x'
      const onApi = (host: string) => ask('POST /api/oauth/access_token', refresh, host)
      t.equal(await onPages('legacy.example'), '303')
      t.equal(await onApi('api.legacy.example'), '401')
      for (const host of ['api.legacy.example', new URL(url).host])
        t.equal(await onPages(host), '404', host)
      for (const host of ['legacy.example', new URL(url).host])
        t.equal(await onApi(host), '404', host)
    })
  },
  { environment: { LEGACY_ORIGIN: legacyOrigin, LEGACY_API_ORIGIN: 'http://api.legacy.example' } },
)
