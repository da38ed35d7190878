// Hydra with Postgres, without its development mode: TLS ends at a proxy, which is the load generator here.
import { randomBytes } from 'node:crypto'
import { Agent } from 'undici'
import { authorizeQuery, redirectUri, scope } from '../authorization.ts'
import { openBrowser } from '../browser.ts'
import { type ForeignServer, runForeign, startForeign } from '../foreign-server.ts'
import { freePort } from '../free-port.ts'
import { inLanes, madeOnce } from '../making.ts'
import { environmentOf, form, formHeaders, operations, serve } from '../protocol.ts'
import { checkSignature } from '../signature.ts'
import { codeIn, prepareRequests } from './foreign-requests.ts'
import { startPages, userCookie } from './hydra-pages.ts'

const { databaseUrl } = environmentOf()
const binary = process.env.HYDRA ?? ''
const tokens = process.env.BENCH_HYDRA_TOKENS ?? 'opaque'
/** Of PBKDF2 over client secrets; absent: as shipped. */
const iterations = process.env.BENCH_HYDRA_ITERATIONS

const poolSize = 80
const apps = 200
const atOnce = 16
const offline = 'offline_access'
const agent = new Agent({ connections: atOnce })
const [port, adminPort] = await Promise.all([freePort(), freePort()])
const pages = await startPages(adminPort, agent)
const secret = randomBytes(24).toString('base64url')

const settings = {
  PATH: process.env.PATH,
  // More than twice the connections of the load: a request that signs needs a second one while it keeps the first, and
  // waits for ever if all requests do.
  DSN: `${databaseUrl}&max_conns=${poolSize}&max_idle_conns=${poolSize}`,
  SECRETS_SYSTEM: randomBytes(32).toString('hex'),
  URLS_SELF_ISSUER: `https://127.0.0.1:${port}`,
  URLS_LOGIN: `http://127.0.0.1:${pages.port}/login`,
  URLS_CONSENT: `http://127.0.0.1:${pages.port}/consent`,
  URLS_ERROR: `http://127.0.0.1:${pages.port}/error`,
  SERVE_PUBLIC_HOST: '127.0.0.1',
  SERVE_PUBLIC_PORT: String(port),
  SERVE_PUBLIC_TLS_ENABLED: 'false',
  SERVE_ADMIN_HOST: '127.0.0.1',
  SERVE_ADMIN_PORT: String(adminPort),
  SERVE_ADMIN_TLS_ENABLED: 'false',
  STRATEGIES_ACCESS_TOKEN: tokens,
  // Longer than the manual's default, because all codes are created before the first is redeemed.
  TTL_AUTH_CODE: '1h',
  ...(iterations && { OAUTH2_HASHERS_PBKDF2_ITERATIONS: iterations }),
}

const administer = async (path: string, body: object) => {
  const answer = await fetch(`http://127.0.0.1:${adminPort}/admin${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
}

const appOf = (at: number) => ({ client_id: `app-${at % apps}`, client_secret: secret })

const createApp = (at: number) =>
  administer('/clients', {
    ...appOf(at),
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    response_types: ['code'],
    scope: `${offline} ${scope}`,
    token_endpoint_auth_method: 'client_secret_post',
  })

/** The path of an authorization request of an app. */
const authorizePath = (at: number) => `/oauth2/auth?${authorizeQuery(appOf(at).client_id, offline)}`

const authorize = async (at: number, cookie: string) => {
  const browser = openBrowser(agent, cookie)
  const code = codeIn(await browser.get(`http://127.0.0.1:${port}${authorizePath(at)}`))
  return { code, session: browser.cookieHeader() }
}

/** Only the cookies that outlive an authorization. */
const sessionOf = (cookies: string) =>
  cookies
    .split('; ')
    .filter((pair) => !pair.includes('_csrf'))
    .join('; ')

/** Signs a user in and approves the app, once. @returns the cookies */
const signIn = madeOnce(async (at) =>
  sessionOf((await authorize(at, `${userCookie}=user-${at}`)).session),
)

/** Users who sign in. Each has one app. */
const users = 320

const prepare = prepareRequests({
  port,
  tokenPath: '/oauth2/token',
  apps,
  users,
  atOnce,
  credentialsOf: appOf,
  codeOf: async (user) => (await authorize(user, await signIn(user))).code,
  check: (token) => {
    if (tokens === 'jwt') checkSignature(token)
  },
  introspection: (token) => ({
    port: adminPort,
    path: '/admin/oauth2/introspect',
    headers: formHeaders,
    body: form({ token }),
  }),
  authorization: async (user) => ({
    path: authorizePath(user),
    headers: { cookie: await signIn(user) },
    body: null,
    follow: true,
  }),
})

let hydra: ForeignServer

/** A Hydra that Go has built knows its version only as that of its module. */
const versionOf = async () => {
  const modules = await runForeign('go', ['version', '-m', binary], process.env).catch(() => '')
  return /ory\/hydra\/v2\s+(v\S+)/.exec(modules)?.[1] ?? '?'
}

await serve({
  operations,
  start: async () => {
    await runForeign(binary, ['migrate', 'sql', 'up', '--read-from-env', '--yes'], settings)
    const ready = `http://127.0.0.1:${adminPort}/health/ready`
    hydra = await startForeign(binary, ['serve', 'all', '--sqa-opt-out'], settings, ready)
    // The same signature as ours, instead of RS256 with 4096 bits.
    await administer('/keys/hydra.jwt.access-token', { alg: 'ES256', use: 'sig', kid: 'bench' })
    await inLanes(apps, atOnce, createApp)
    return port
  },
  about: async () => ({
    version: await versionOf(),
    runtime: 'Go',
    store: 'Postgres',
    algorithm: tokens === 'jwt' ? 'ES256' : 'opaque',
  }),
  prepare,
  usage: () => hydra.usage(),
  stop: async () => {
    pages.stop()
    await hydra.stop()
    await agent.close()
  },
})
