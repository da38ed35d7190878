// Keycloak with Postgres in its production mode: TLS ends at a proxy, which is the load generator here.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Agent } from 'undici'
import { authorizeQuery } from '../authorization.ts'
import { openBrowser, type Page } from '../browser.ts'
import { type ForeignServer, startForeign } from '../foreign-server.ts'
import { freePort } from '../free-port.ts'
import { madeOnce } from '../making.ts'
import { postgresAddress, relayPostgres } from '../postgres-relay.ts'
import { environmentOf, form, formHeaders, operations, serve } from '../protocol.ts'
import { checkSignature } from '../signature.ts'
import { codeIn, prepareRequests } from './foreign-requests.ts'
import {
  appId,
  apps,
  createRealm,
  password,
  realm,
  resourceServer,
  secret,
  userName,
  users,
} from './keycloak-realm.ts'

const home = process.env.KEYCLOAK_HOME ?? ''
const postgres = postgresAddress(environmentOf().databaseUrl)
const atOnce = 16
const agent = new Agent({ connections: atOnce })
const [port, managementPort] = await Promise.all([freePort(), freePort()])
const relay = await relayPostgres(postgres)
const administrator = { clientId: 'administrator', secret: randomBytes(24).toString('base64url') }
const base = `http://127.0.0.1:${port}`
const path = `/realms/${realm}/protocol/openid-connect`

const settings = {
  PATH: process.env.PATH,
  ...(process.env.JAVA_HOME && { JAVA_HOME: process.env.JAVA_HOME }),
  KC_DB_URL: `jdbc:postgresql://127.0.0.1:${relay.port}/${postgres.database}`,
  KC_DB_USERNAME: postgres.user,
  KC_DB_PASSWORD: 'none',
  // Of one size, as the manual recommends, so that no connection is opened under load.
  KC_DB_POOL_INITIAL_SIZE: '32',
  KC_DB_POOL_MIN_SIZE: '32',
  KC_DB_POOL_MAX_SIZE: '32',
  KC_HOSTNAME: base,
  KC_HTTP_ENABLED: 'true',
  KC_HTTP_HOST: '127.0.0.1',
  KC_HTTP_PORT: String(port),
  KC_HTTP_MANAGEMENT_PORT: String(managementPort),
  KC_BOOTSTRAP_ADMIN_CLIENT_ID: administrator.clientId,
  KC_BOOTSTRAP_ADMIN_CLIENT_SECRET: administrator.secret,
  // The cluster of one node stays on this machine.
  JAVA_OPTS_APPEND: '-Djgroups.bind.address=127.0.0.1',
}

const credentialsOf = (at: number) => ({ client_id: appId(at), client_secret: secret })
const authorizePath = (at: number) => `${path}/auth?${authorizeQuery(appId(at))}`

const attribute = (html: string, pattern: RegExp) =>
  pattern.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''

/** Sends the form of a page for sign-in or consent. */
const submit = (
  browser: ReturnType<typeof openBrowser>,
  { text }: Page,
  fields: Record<string, string>,
) => {
  const action = attribute(text, /<form[^>]* action="([^"]+)"/)
  if (!action) throw new Error(`the page has no form: ${text.slice(0, 1000)}`)
  return browser.post(new URL(action, base).href, fields)
}

/** Signs a user in and approves the app, once. @returns the cookies */
const sessionOf = madeOnce(async (at) => {
  const browser = openBrowser(agent)
  const login = await browser.get(`${base}${authorizePath(at)}`)
  const consent = await submit(browser, login, { username: userName(at), password })
  const code = attribute(consent.text, /name="code" value="([^"]+)"/)
  const { location } = await submit(browser, consent, { code, accept: 'Yes' })
  if (!location.includes('code=')) throw new Error(`no code after the consent: ${location}`)
  return browser.cookieHeader()
})

const codeOf = async (user: number) => {
  const browser = openBrowser(agent, await sessionOf(user))
  return codeIn(await browser.get(`${base}${authorizePath(user)}`))
}

const prepare = prepareRequests({
  port,
  tokenPath: `${path}/token`,
  apps,
  users,
  atOnce,
  credentialsOf,
  codeOf,
  check: checkSignature,
  introspection: (token) => ({
    path: `${path}/token/introspect`,
    headers: formHeaders,
    body: form({ token, client_id: resourceServer, client_secret: secret }),
  }),
  authorization: async (user) => ({
    path: authorizePath(user),
    headers: { cookie: await sessionOf(user) },
    body: null,
  }),
})

let keycloak: ForeignServer

await serve({
  operations,
  start: async () => {
    const script = join(home, 'bin', 'kc.sh')
    const ready = `${base}/realms/master`
    keycloak = await startForeign(script, ['start', '--optimized'], settings, ready)
    await createRealm(base, administrator)
    return port
  },
  about: async () => ({
    version: /[\d.]+\d/.exec(await readFile(join(home, 'version.txt'), 'utf8'))?.[0] ?? '?',
    runtime: 'Java',
    store: 'Postgres, sessions in memory',
    algorithm: 'ES256',
  }),
  prepare,
  usage: () => keycloak.usage(),
  stop: async () => {
    await keycloak.stop()
    relay.stop()
    await agent.close()
  },
})
