import type { Test } from 'tap'
import {
  credentials,
  currentCode,
  exchangeCode,
  legacyCode,
  newVerifier,
  refresh,
} from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { rawRequest, sendRaw } from '../support/raw-http.ts'
import { signedIn } from '../support/signed-in.ts'
import { amounts } from '../support/traces.ts'

type Pairs = [string, string][]

const form = 'application/x-www-form-urlencoded'

/**
 * An error by RFC 6749 §5.2 and the contract: JSON, not cached, without internals or the client's
 * input.
 */
const expectOAuthError = async (
  t: Test,
  response: Response,
  status: number | number[],
  errors: string | string[],
  label: string,
) => {
  const text = await response.text()
  const { headers } = response
  const body = JSON.parse(text || '{}') as Record<string, string>
  const wrong = [
    ![status].flat().includes(response.status) && `status ${response.status}`,
    ![errors].flat().includes(body.error ?? '') && `error ${body.error}`,
    Object.keys(body).some((key) => key !== 'error' && key !== 'error_description') && text,
    !headers.get('content-type')?.startsWith('application/json') && 'no JSON',
    headers.get('cache-control') !== 'no-store' && 'may be cached',
    headers.get('pragma') !== 'no-cache' && 'no Pragma',
    headers.get('x-content-type-options') !== 'nosniff' && 'may be sniffed',
    !/^req_/.test(headers.get('x-request-id') ?? '') && 'no request id',
    (headers.has('server') || headers.has('x-powered-by')) && 'names its software',
    headers.has('access-control-allow-origin') && 'readable from elsewhere',
    /[^\x20-\x21\x23-\x5b\x5d-\x7e]/.test(body.error_description ?? '') && 'odd characters',
    /stack|node_modules|\.ts\b|FST_|SQL|canary/i.test(text) && `internal: ${text}`,
  ].filter((one) => one !== false)
  t.same(wrong, [], label)
}

await onEachBackend('token parameters', async (t, { running, issuer, world, stores }) => {
  const { confidential, legacy, ana, acme } = world
  const visitor = await signedIn(issuer, ana)
  const current = `${issuer}/api/oauth/token`
  const old = `${issuer}/api/oauth/access_token`

  const grant = await currentCode(running, confidential, ana, {}, visitor)
  const other = await currentCode(running, confidential, ana, {}, visitor)
  const token = (await exchangeCode(issuer, confidential, other)).body.refresh_token as string
  const legacyGrant = await legacyCode(running, legacy, ana, {}, visitor)

  /** Requests that would succeed. Each is changed in one way, and must not be consumed by that. */
  const good: Record<string, { url: string; pairs: Pairs }> = {
    'current code': {
      url: current,
      pairs: Object.entries({
        grant_type: 'authorization_code',
        code: grant.code,
        code_verifier: grant.verifier,
        redirect_uri: confidential.redirect_uri,
        scope: 'records:create',
        workspace_ids: world.sales,
        ...credentials(confidential),
      }),
    },
    'current refresh': {
      url: current,
      pairs: Object.entries({
        grant_type: 'refresh_token',
        refresh_token: token,
        scope: 'records:create',
        workspace_ids: world.sales,
        ...credentials(confidential),
      }),
    },
    'current install': {
      url: current,
      pairs: Object.entries({
        grant_type: 'client_credentials',
        organization_id: acme,
        ...credentials(confidential),
      }),
    },
    'legacy code': {
      url: old,
      pairs: Object.entries({
        grant_type: 'authorization_code',
        code: legacyGrant.code,
        scope: 'readData',
        ...credentials(legacy),
      }),
    },
  }
  const encoded = (pairs: Pairs) => String(new URLSearchParams(pairs))
  const without = (pairs: Pairs, name: string) => pairs.filter(([one]) => one !== name)
  const send = (url: string, body: string | Buffer, headers: Record<string, string> = {}) =>
    fetch(url, { method: 'POST', body, headers: { 'content-type': form, ...headers } })

  t.test('PAR-02 rejects each repeated parameter', async (t) => {
    for (const [label, { url, pairs }] of Object.entries(good)) {
      for (const [name, value] of pairs) {
        for (const second of [value, 'another', '']) {
          const answer = await send(url, encoded([...pairs, [name, second]]))
          await expectOAuthError(t, answer, 400, 'invalid_request', `${label}: ${name}`)
          const first = await send(url, encoded([[name, second], ...pairs]))
          await expectOAuthError(t, first, 400, 'invalid_request', `${label}: ${name} first`)
        }
      }
    }
  })

  t.test('PAR-04 rejects arrays and objects in parameter names', async (t) => {
    for (const [label, { url, pairs }] of Object.entries(good)) {
      for (const [name, value] of pairs) {
        if (name === 'scope' || name === 'workspace_ids') continue
        for (const shape of ['[]', '[0]', '[a]', '[$ne]', '.x', '[__proto__]', '%5B%5D', '\0']) {
          const answer = await send(
            url,
            encoded([...without(pairs, name), [`${name}${shape}`, value]]),
          )
          const errors = ['invalid_request', 'invalid_client', 'unsupported_grant_type']
          await expectOAuthError(t, answer, [400, 401], errors, `${label}: ${name}${shape}`)
        }
      }
    }
  })

  t.test('PAR-05 an empty parameter counts as absent', async (t) => {
    for (const [label, { url, pairs }] of Object.entries(good)) {
      for (const [name] of pairs) {
        if (name === 'scope' || name === 'workspace_ids') continue
        const [empty, absent] = await Promise.all([
          send(url, encoded([...without(pairs, name), [name, '']])),
          send(url, encoded(without(pairs, name))),
        ])
        const said = await absent.clone().text()
        t.equal(await empty.clone().text(), said, `${label}: ${name}`)
        const isClient = name.startsWith('client_')
        const [status, error] = isClient ? [401, 'invalid_client'] : [400, 'invalid_request']
        await expectOAuthError(t, empty, status, error, `${label}: ${name}`)
      }
    }
  })

  t.test('PAR-07 rejects other content types', async (t) => {
    const types = [
      'application/json',
      'application/json; charset=utf-8',
      'text/plain',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      `${form}; charset=utf-16`,
      `${form}; charset=iso-8859-1`,
      `${form} garbage`,
      `${form}garbage`,
      `${form}, application/json`,
      `text/plain; ${form}`,
      'application/x-www-form-urlencoded2',
      'application/octet-stream',
      'x',
      '/',
      ';',
    ]
    for (const [label, { url, pairs }] of Object.entries(good)) {
      for (const type of types) {
        const headers = { 'content-type': type }
        const bodies = [encoded(pairs), JSON.stringify(Object.fromEntries(pairs))]
        for (const body of bodies) {
          const answer = await send(url, Buffer.from(body), headers)
          await expectOAuthError(t, answer, 400, 'invalid_request', `${label}: ${type}`)
        }
      }
      const line = `POST ${new URL(url).pathname}`
      const raw = [
        rawRequest(url, line, [], encoded(pairs)),
        rawRequest(
          url,
          line,
          [`Content-Type: ${form}`, 'Content-Type: text/plain'],
          encoded(pairs),
        ),
        rawRequest(
          url,
          line,
          ['Content-Type: text/plain', `Content-Type: ${form}`],
          encoded(pairs),
        ),
        rawRequest(url, line, [`Content-Type: ${form}`, `Content-Type: ${form}`], encoded(pairs)),
        rawRequest(url, line, []),
      ]
      for (const bytes of raw) {
        const { statuses, text } = await sendRaw(url, bytes)
        t.same(statuses, [400], bytes.split('\r\n').slice(3, 5).join(' '))
        t.match(text, '"error":"invalid_request"')
      }
    }
    const answer = await send(
      current,
      encoded((good['current install'] as { pairs: Pairs }).pairs),
      {
        'content-type': 'Application/X-WWW-Form-Urlencoded ; charset="UTF-8"',
      },
    )
    t.equal(answer.status, 200, 'charset=UTF-8 is accepted')
  })

  t.test('PAR-08 rejects other methods', async (t) => {
    for (const [label, { url, pairs }] of Object.entries(good)) {
      for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH']) {
        const init = method === 'GET' || method === 'HEAD' ? {} : { body: encoded(pairs) }
        const answer = await fetch(`${url}?${encoded(pairs)}`, {
          method,
          headers: { 'content-type': form, 'x-http-method-override': 'POST' },
          ...init,
        })
        if (method === 'HEAD') t.equal(answer.status, 400)
        else await expectOAuthError(t, answer, 400, 'invalid_request', `${label}: ${method}`)
        t.equal(answer.headers.get('allow'), 'POST')
      }
      const body = encoded([...pairs, ['_method', 'POST']])
      for (const method of ['TRACE', 'post', 'Post', 'PROPFIND', 'CONNECT', 'PRI', 'X']) {
        const line = `${method} ${new URL(url).pathname}`
        const { text } = await sendRaw(url, rawRequest(url, line, [`Content-Type: ${form}`], body))
        t.notMatch(text, /access_token|HTTP\/1\.1 (2|5)/, method)
      }
    }
  })

  t.test('PAR-08 ignores parameters in the query', async (t) => {
    for (const [label, { url, pairs }] of Object.entries(good)) {
      const answer = await send(`${url}?${encoded(pairs)}`, 'x=1')
      await expectOAuthError(t, answer, 400, 'invalid_request', label)
      for (const [name, value] of pairs) {
        if (name === 'scope' || name === 'workspace_ids') continue
        const split = await send(
          `${url}?${encoded([[name, value]])}`,
          encoded(without(pairs, name)),
        )
        const errors = ['invalid_request', 'invalid_client']
        await expectOAuthError(t, split, [400, 401], errors, `${label}: ${name}`)
      }
    }
  })

  t.test('PAR-09 ignores names of JavaScript prototypes', async (t) => {
    const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'prototype', 'then']
    for (const [label, { url, pairs }] of Object.entries(good)) {
      for (const name of names) {
        const kind = await send(
          url,
          encoded([...without(pairs, 'grant_type'), ['grant_type', name]]),
        )
        await expectOAuthError(t, kind, 400, 'unsupported_grant_type', `${label}: ${name}`)
        const client = await send(
          url,
          encoded([...without(pairs, 'client_id'), ['client_id', name]]),
        )
        await expectOAuthError(t, client, 401, 'invalid_client', `${label}: ${name}`)
      }
      const polluted = encoded([
        ['__proto__[admin]', '1'],
        ['__proto__', 'x'],
        ['constructor[prototype][admin]', '1'],
        ...without(pairs, 'grant_type'),
      ])
      await expectOAuthError(t, await send(url, polluted), 400, 'invalid_request', label)
    }
    t.equal(({} as Record<string, unknown>).admin, undefined)
  })

  t.test('PAR-11 CCG-08 rejects unknown grant types', async (t) => {
    const types = [
      'password',
      'implicit',
      'urn:ietf:params:oauth:grant-type:saml2-bearer',
      'urn:ietf:params:oauth:grant-type:pre-authorized_code',
      'urn:openid:params:grant-type:ciba',
      'CLIENT_CREDENTIALS',
      'Refresh_Token',
      ' authorization_code',
      'authorization_code ',
      'authorization_code refresh_token',
      'authorization_code\0',
      'authorization_code\n',
    ]
    const currentOnly = [
      'client_credentials',
      'urn:ietf:params:oauth:grant-type:token-exchange',
      'urn:ietf:params:oauth:grant-type:device_code',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
    ]
    for (const [label, { url, pairs }] of Object.entries(good)) {
      const foreign = url === old ? [...types, ...currentOnly] : types
      for (const type of foreign) {
        const body = encoded([
          ...without(pairs, 'grant_type'),
          ['grant_type', type],
          ['username', ana.email],
          ['password', ana.password],
        ])
        const answer = await send(url, body)
        await expectOAuthError(t, answer, 400, 'unsupported_grant_type', `${label}: ${type}`)
      }
    }
  })

  t.test('CLI-01 a failed client authentication is reported before any other fault', async (t) => {
    for (const [label, { url, pairs }] of Object.entries(good)) {
      const isPublic = !pairs.some(([name]) => name === 'client_secret')
      const secretless = pairs.filter(([name]) => !name.startsWith('client_'))
      const [, id] = pairs.find(([name]) => name === 'client_id') as [string, string]
      const nobodies: Pairs[] = [
        [['client_id', 'nope']],
        [['client_id', 'app0000000000000000000']],
        [
          ['client_id', id],
          ['client_secret', 'wrong'],
        ],
        ...(isPublic ? [] : [[['client_id', id]] as Pairs]),
        [],
      ]
      const needed = ['code', 'refresh_token', 'organization_id'].filter((name) =>
        pairs.some(([one]) => one === name),
      )
      for (const nobody of nobodies) {
        const who = `${label}: ${JSON.stringify(nobody)}`
        for (const name of needed) {
          const answer = await send(url, encoded([...without(secretless, name), ...nobody]))
          await expectOAuthError(t, answer, 401, 'invalid_client', `${who} without ${name}`)
        }
        if (nobody.length === 0) continue
        const foreign = encoded([['grant_type', 'password'], ...nobody])
        await expectOAuthError(t, await send(url, foreign), 401, 'invalid_client', who)
        await expectOAuthError(t, await send(url, encoded(nobody)), 401, 'invalid_client', who)
      }
    }
  })

  t.test('PAR-12 rejects look-alikes of a client_id', async (t) => {
    for (const [label, { url, pairs }] of Object.entries(good)) {
      const [, id] = pairs.find(([name]) => name === 'client_id') as [string, string]
      const alike = [
        id.toUpperCase(),
        id.toLowerCase(),
        `${id} `,
        ` ${id}`,
        `${id}\n`,
        `${id}\t`,
        `${id}\0`,
        `${id}\u200b`,
        `\ufeff${id}`,
        id.replace('a', '\u0430'),
        id.replace('p', '\uff50'),
        encodeURIComponent(id).replace('a', '%61'),
        `${id}%00`,
        `${id}/`,
        `${id};`,
        `${id},${id}`,
        id.slice(0, -1),
        `${id}x`,
      ]
      for (const one of alike) {
        const answer = await send(
          url,
          encoded([...without(pairs, 'client_id'), ['client_id', one]]),
        )
        const name = `${label}: ${JSON.stringify(one)}`
        await expectOAuthError(t, answer, 401, 'invalid_client', name)
      }
    }
  })

  t.test('HTTP-04 HTTP-07 rejects malformed bodies', async (t) => {
    const bodies: (string | Buffer)[] = [
      '',
      '&&&===',
      '%',
      '%zz=%zz',
      'grant_type=%ff%fe',
      Buffer.from([0xff, 0xfe, 0x00]),
      Buffer.from('grant_type=authorization_code', 'utf16le'),
      'x'.repeat(70_000),
      `grant_type=refresh_token&refresh_token=${'x'.repeat(2_000_000)}`,
      Array.from({ length: 10_000 }, (_, at) => `p${at}=1`).join('&'),
      `${'a&'.repeat(30_000)}`,
      `scope=${'%20'.repeat(20_000)}`,
    ]
    for (const url of [current, old]) {
      for (const body of bodies) {
        const answer = await send(url, body)
        const errors = ['invalid_request', 'unsupported_grant_type']
        await expectOAuthError(t, answer, 400, errors, String(body).slice(0, 40))
      }
      const zipped = await send(url, encoded((good['current install'] as { pairs: Pairs }).pairs), {
        'content-encoding': 'gzip',
      })
      t.ok(zipped.status < 500)
    }
  })

  t.test('refused requests consume no code or token', async (t) => {
    const before = await amounts(stores)
    for (const [label, { url, pairs }] of Object.entries(good)) {
      const unknown: Pairs = [
        ['extra', 'foobar'],
        ['x-custom', '1'],
        ['resources', 'https://x.example'],
        ['audience', 'x'],
        ['__proto__', 'x'],
        ['code_challenge_method', 'plain'],
        ['state', 'x'],
        ['assertion', 'x'],
      ]
      const answer = await send(url, encoded([...unknown, ...pairs]))
      t.equal(answer.status, 200, `PAR-06 ${label}: ignores unknown parameters`)
      t.match(answer.headers.get('content-type'), 'application/json')
      t.equal(answer.headers.get('cache-control'), 'no-store')
      t.equal(answer.headers.get('pragma'), 'no-cache')
    }
    t.same(await amounts(stores), before)
  })

  t.test('XIF-02 the legacy endpoint answers JSON, whatever the Accept header', async (t) => {
    const fresh = await legacyCode(running, legacy, ana, {}, visitor)
    const pairs = Object.entries({
      grant_type: 'authorization_code',
      code: fresh.code,
      code_verifier: newVerifier(),
      ...credentials(legacy),
    })
    const accept = { accept: 'text/html' }
    for (const name of ['grant_type', 'code']) {
      const answer = await send(old, encoded(without(pairs, name)), accept)
      await expectOAuthError(t, answer, 400, 'invalid_request', name)
    }
    for (const name of ['client_id', 'client_secret']) {
      const answer = await send(old, encoded(without(pairs, name)), accept)
      await expectOAuthError(t, answer, 401, 'invalid_client', name)
    }
    // RFC 9700 §4.8.2; a refused request consumes nothing.
    await expectOAuthError(
      t,
      await send(old, encoded(pairs), accept),
      400,
      'invalid_grant',
      'verifier',
    )
    const answer = await send(old, encoded(without(pairs, 'code_verifier')), accept)
    t.equal(answer.status, 200)
    const { refresh_token } = (await answer.json()) as { refresh_token: string }
    const missing = await send(
      old,
      encoded(Object.entries({ grant_type: 'refresh_token', ...credentials(legacy) })),
      accept,
    )
    await expectOAuthError(t, missing, 400, 'invalid_request', 'refresh_token')
    t.equal((await refresh(issuer, confidential, refresh_token)).status, 400)
  })
})
