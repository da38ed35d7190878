/**
 * Headers and contents of every answer to a client, and the effect of a flood of wrong secrets on
 * other clients.
 */
import {
  authorizeUrl,
  challengeOf,
  clientCredentials,
  credentials,
  currentCode,
  exchangeCode,
  legacyCode,
  newVerifier,
  refresh,
} from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { registerResourceServer } from '../support/resource-server.ts'
import { signedIn } from '../support/signed-in.ts'
import { amounts } from '../support/traces.ts'

type Fields = Record<string, string>
type Ask = [
  what: string,
  status: number,
  path: string,
  fields: Fields,
  headers?: Record<string, string>,
]

const faultsOf = (status: number, answer: Response, text: string, sent: Fields) => {
  const { headers } = answer
  const body = JSON.parse(text) as Record<string, string>
  // A success may return ids and scopes; an error must not repeat the input.
  const echoed = Object.values(sent).filter((one) => one.length > 12 && text.includes(one))
  return [
    answer.status !== status && `status ${answer.status}: ${text}`,
    headers.get('content-type') !== 'application/json; charset=utf-8' && 'content type',
    headers.get('cache-control') !== 'no-store' && 'may be cached',
    headers.get('pragma') !== 'no-cache' && 'no Pragma',
    headers.get('x-content-type-options') !== 'nosniff' && 'may be sniffed',
    headers.get('referrer-policy') !== 'no-referrer' && 'sends a referrer',
    !/^req_/.test(headers.get('x-request-id') ?? '') && 'no request id',
    (headers.has('server') || headers.has('x-powered-by')) && 'names its software',
    headers.has('set-cookie') && 'sets a cookie',
    headers.has('access-control-allow-origin') && 'readable from elsewhere',
    headers.has('www-authenticate') !== (status === 401 && 'authorization' in sent) &&
      'WWW-Authenticate',
    status >= 400 && typeof body.error !== 'string' && 'no error',
    status >= 400 && echoed.length > 0 && `repeats ${echoed}`,
    /[^\x20-\x21\x23-\x5b\x5d-\x7e]/.test(body.error_description ?? '') && 'odd characters',
    /stack|node_modules|\.ts\b|FST_|ECONN|postgres|redis/i.test(text) && `internal: ${text}`,
  ].filter((one) => one !== false)
}

await onEachBackend('answers to clients', async (t, { running, issuer, world, stores }) => {
  const { confidential, second, publicApp, legacy, ana, acme } = world
  const server = await registerResourceServer(running)
  const visitor = await signedIn(issuer, ana)

  t.test('HTTP-08 every answer has the security headers and repeats no input', async (t) => {
    const grant = await currentCode(running, confidential, ana, {}, visitor)
    const used = await currentCode(running, confidential, ana, {}, visitor)
    const { body } = await exchangeCode(issuer, confidential, used)
    const old = await legacyCode(running, legacy, ana, {}, visitor)
    const [current, legacyPath] = ['/api/oauth/token', '/api/oauth/access_token']
    const own = credentials(confidential)
    const code = {
      grant_type: 'authorization_code',
      code: grant.code,
      code_verifier: grant.verifier,
      redirect_uri: confidential.redirect_uri,
    }
    const machine = { grant_type: 'client_credentials', organization_id: acme }
    const again = { grant_type: 'refresh_token', refresh_token: body.refresh_token }
    const basic = (id: string, secret: string) => ({
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
    })
    const odd = '<script>alert(1)</script>"\\\u00e9\r\nX-Injected: 1'
    const requested = {
      response_type: 'code',
      redirect_uri: confidential.redirect_uri,
      code_challenge: challengeOf(newVerifier()),
    }
    const asks: Ask[] = [
      ['no parameters', 400, current, {}],
      ['no parameters', 400, legacyPath, {}],
      ['a hostile grant type', 400, current, { ...own, grant_type: odd }],
      ['a hostile grant type', 400, legacyPath, { ...credentials(legacy), grant_type: odd }],
      ['a hostile code', 400, current, { ...own, ...code, code: odd }],
      ['a hostile code', 400, legacyPath, { ...credentials(legacy), ...code, code: odd }],
      ['a hostile client', 401, current, { ...machine, client_id: odd, client_secret: odd }],
      ['a hostile scope', 400, current, { ...own, ...machine, scope: odd }],
      ['hostile workspaces', 400, current, { ...own, ...machine, workspace_ids: odd }],
      ['a hostile organization', 400, current, { ...own, ...machine, organization_id: odd }],
      ['a wrong secret', 401, current, { ...own, ...machine, client_secret: odd }],
      ['a wrong secret', 401, legacyPath, { ...code, ...own, client_secret: odd }],
      ['a wrong secret in Basic', 401, current, machine, basic(confidential.client_id, 'wrong')],
      ['a broken Basic', 401, current, machine, { authorization: 'Basic %%%' }],
      ['a wrong verifier', 400, current, { ...own, ...code, code_verifier: newVerifier() }],
      ['a public app for itself', 400, current, { ...machine, ...credentials(publicApp) }],
      ['another client’s code', 400, current, { ...code, ...credentials(second) }],
      ['a code', 200, current, { ...own, ...code }],
      ['a used code', 400, current, { ...own, ...code }],
      ['a refresh token', 200, current, { ...own, ...again }],
      ['a used refresh token', 400, current, { ...own, ...again }],
      ['the client’s own grant', 200, current, { ...own, ...machine }],
      [
        'a code',
        200,
        legacyPath,
        { ...credentials(legacy), ...code, code: old.code, redirect_uri: '', code_verifier: '' },
      ],
      [
        'introspection without authentication',
        401,
        '/api/oauth/introspect',
        { token: body.access_token },
      ],
      [
        'introspection',
        200,
        '/api/oauth/introspect',
        { token: odd },
        { authorization: server.authorization },
      ],
      [
        'introspection without a token',
        400,
        '/api/oauth/introspect',
        {},
        { authorization: server.authorization },
      ],
      ['revocation without authentication', 401, '/api/oauth/revoke', { token: body.access_token }],
      ['revocation', 200, '/api/oauth/revoke', { ...own, token: odd }],
      ['a pushed request', 201, '/api/oauth/par', { ...own, ...requested }],
      [
        'a wrong pushed request',
        400,
        '/api/oauth/par',
        { ...own, ...requested, redirect_uri: odd },
      ],
      [
        'a pushed request without authentication',
        401,
        '/api/oauth/par',
        { ...requested, client_id: odd },
      ],
    ]
    for (const [what, status, path, fields, headers = {}] of asks) {
      const answer = await fetch(`${issuer}${path}`, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers,
      })
      const faults = faultsOf(status, answer, await answer.text(), { ...fields, ...headers })
      t.same(faults, [], `${path}: ${what}`)
    }
    t.notOk(running.log.some((line) => JSON.parse(line).level >= 50))
  })

  t.test('CLI-12 a flood of wrong secrets does not delay other clients', async (t) => {
    let { refresh_token: token } = (
      await exchangeCode(issuer, second, await currentCode(running, second, ana, {}, visitor))
    ).body
    const before = await amounts(stores)
    let isFlooding = true
    const attackers = Array.from({ length: 50 }, async (_, at) => {
      const wrong = { ...confidential, client_secret: `${at}`.repeat(at % 2 ? 1 : 2000) }
      const statuses: number[] = []
      while (isFlooding) statuses.push((await clientCredentials(issuer, wrong, acme)).status)
      return statuses
    })
    for (let at = 0; at < 6; at++) {
      const { status, body } = await refresh(issuer, second, token)
      t.equal(status, 200, 'a valid refresh during the flood')
      token = body.refresh_token
    }
    isFlooding = false
    const statuses = (await Promise.all(attackers)).flat()
    t.ok(statuses.every((status) => status === 401 || status === 429))
    t.ok(statuses.length >= 50)
    t.same(await amounts(stores), before, 'nothing is stored')
    t.equal((await visitor.fetch(authorizeUrl(issuer, second, {}))).status, 303)
    // Checking a slow hash 50 times at once would show here; bench/timing.ts measures the cost of
    // one answer.
  })
})
