// Nightly, and when demo/, examples/ or scripts/ changes: it starts the demo.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { apps, organizations, people } from '../../demo/cast.ts'
import { startDemo } from '../../demo/demo.ts'
import { freePorts, portsNeeded } from '../../demo/ports.ts'
import { welcome } from '../../demo/welcome.ts'
import { createOperatorApi } from '../../src/cli/operator-api.ts'
import { operatorToken } from '../../src/cli/server-address.ts'
import { findPackage } from '../../src/stores/embedded/package.ts'
import { freePort, lowPort } from '../support/free-port.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { createVisitor, type VisitedPage, walk } from '../support/visitor.ts'

if (!(await findPackage().catch(() => null))) t.bailout('there is no packaged Postgres here')

const run = promisify(execFile)
const directory = await temporaryDirectory('demo')
const lines: string[] = []
const start = async () =>
  startDemo({
    port: lowPort(),
    directory,
    tell: (line) => lines.push(line),
    logLevel: 'silent',
  })
let demo = await start()
t.teardown(async () => {
  await demo.close()
  await rm(directory, { recursive: true, force: true, maxRetries: 5 })
})

const answersOf = (name: keyof typeof people) => {
  const { email } = people[name]
  return { email, password: demo.people.find((one) => one.email === email)?.password ?? '' }
}

const statuses = (page: VisitedPage) =>
  page.dom.querySelectorAll('.side .badge').map((badge) => badge.text)
const said = (page: VisitedPage) => page.dom.querySelector('main')?.text.replace(/\s+/g, ' ') ?? ''
const departure = (page: VisitedPage, at = 0) =>
  page.dom.querySelectorAll('.panel .buttons a')[at]?.getAttribute('href') ?? ''

/** The page's text about the first access token. */
const factsOf = (page: VisitedPage) =>
  Object.fromEntries(
    (page.dom.querySelector('.inside')?.querySelectorAll('.facts > div') ?? []).map((row) => [
      row.querySelector('dt')?.text,
      row.querySelector('dd')?.text,
    ]),
  )

/** A browser with the demo client in one tab and the server in another. */
const createBrowser = () => {
  const [client, server] = [createVisitor(demo.client), createVisitor(demo.issuer)]
  const send = async (path: string) => client.submit(await client.get(path), {})
  /** From a page of the client through the server's pages and back. */
  const go = async (
    page: VisitedPage,
    who: keyof typeof people,
    more: { decision?: 'approve' | 'deny'; at?: number } = {},
  ) => {
    const { left } = await walk(server, departure(page, more.at), { ...answersOf(who), ...more })
    if (!left) throw new Error('the browser did not come back')
    return client.get(left)
  }
  return { client, server, send, go }
}

t.test('the start reports its steps, addresses and sign-in data', async (t) => {
  t.match(lines, [/^start +\d+\.\d s$/, /^seed +\d+\.\d s$/, /^data API \d+\.\d s$/])
  const text = welcome(demo)
  for (const part of [
    demo.client,
    demo.issuer,
    demo.account,
    demo.dataApi,
    demo.mcpServer?.url,
    demo.mcpServer?.clientId,
    'ana@acme.test',
    'Ctrl-C',
  ])
    t.match(text, part)
  t.equal((await stat(join(directory, 'demo-apps.json'))).mode & 0o777, 0o600)
})

t.test(
  'each example has a settings file for its owner only, and the output shows no secret',
  async (t) => {
    const folder = join(directory, 'examples')
    const said = [...lines, welcome(demo), JSON.stringify(demo)].join('\n')
    const names = (await readdir(folder)).map((file) => file.replace('.env', ''))
    t.equal(names.length, demo.examples.length)
    let secrets = 0
    for (const name of names) {
      const path = join(folder, `${name}.env`)
      t.equal((await stat(path)).mode & 0o777, 0o600, name)
      t.match(said, `node --env-file=${path} examples/${name}/main.mjs`)
      const [, secret] = /^LATCHKEY_CLIENT_SECRET=(.+)$/m.exec(await readFile(path, 'utf8')) ?? []
      if (secret === undefined) continue
      secrets++
      t.notMatch(said, secret, name)
    }
    t.equal(secrets, 3, 'the web app, the job and the script have one')
  },
)

t.test('the MCP server runs beside the data API', async (t) => {
  const { url = '' } = demo.mcpServer ?? {}
  const { status, headers } = await fetch(url, { method: 'POST' })
  t.equal(status, 401)
  const [, metadata = ''] =
    /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '') ?? []
  t.match(await (await fetch(metadata)).json(), {
    resource: url,
    authorization_servers: [demo.issuer],
  })
})

/** The variables of a POSIX shell that has read the file. */
const sourced = async (path: string): Promise<Record<string, string>> => {
  const { stdout } = await run('sh', ['-euc', '. "$1"; env -0', 'sh', path], { env: {} })
  const pairs = stdout.split('\0').filter(Boolean)
  return Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s).slice(0, 2)))
}

t.test('app.env sets the variables of the documentation, for its owner only', async (t) => {
  t.equal(demo.appEnv, join(directory, 'app.env'))
  t.match(welcome(demo), `. ${demo.appEnv}`)
  t.equal((await stat(demo.appEnv)).mode & 0o777, 0o600)
  const env = await sourced(demo.appEnv)
  t.equal(env.ISSUER, demo.issuer)
  t.equal(env.DATA_API, demo.dataApi)
  t.equal(env.LATCHKEY_DATA, directory)
  const said = [...lines, welcome(demo), JSON.stringify(demo)].join('\n')
  for (const [name, value] of Object.entries(env))
    if (/SECRET|TOKEN/.test(name)) t.notMatch(said, value, `${name} is not printed`)
  const answer = await fetch(`${env.ISSUER}/api/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: env.CLIENT_ID ?? '',
      client_secret: env.CLIENT_SECRET ?? '',
      organization_id: env.ORGANIZATION_ID ?? '',
    }),
  })
  t.equal(answer.status, 200)
  const { access_token, workspace_ids } = (await answer.json()) as {
    access_token: string
    workspace_ids: string[]
  }
  t.ok(workspace_ids.includes(env.WORKSPACE_ID ?? ''))
  const basic = btoa(`${env.RS_ID}:${env.RS_SECRET}`)
  const introspected = await fetch(`${env.ISSUER}/api/oauth/introspect`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ token: access_token }),
  })
  t.match(await introspected.json(), { active: true, client_id: env.CLIENT_ID })
})

t.test('the redirect URI of the samples shows the code, but no other text', async (t) => {
  const { client } = createBrowser()
  const page = await client.get('/callback/samples?code=lkac_abc-1&state=the-state')
  t.match(page.dom.querySelector('pre')?.text, 'export CODE=lkac_abc-1')
  t.match(said(page), 'the-state')
  const hostile = await client.get('/callback/samples?code=%24(reboot)&state=x')
  t.equal(hostile.status, 400)
  t.notMatch(hostile.text, 'reboot')
  const denied = await client.get('/callback/samples?error=access_denied')
  t.match(said(denied), 'access_denied')
})

t.test('every page opens on a fresh demo', async (t) => {
  const { client } = createBrowser()
  const start = await client.get('/')
  t.equal(start.status, 200)
  const paths = start.dom
    .querySelectorAll('main a')
    .map((link) => link.getAttribute('href') ?? '')
    .filter((href) => href.startsWith('/'))
  t.ok(paths.length > 14)
  for (const path of [...paths, '/callback/sheet-view', '/assets/latchkey.css', '/assets/demo.css'])
    t.equal((await client.get(path)).status, 200, path)
  t.equal((await client.get('/current/nothing')).status, 404)
  t.equal((await client.get('/nothing/at/all')).status, 404)
})

t.test('the current interface works from consent to revocation', async (t) => {
  const { client, send, go } = createBrowser()
  const back = await go(await client.get('/current/authorize'), 'ana')
  t.equal(back.url.pathname, '/current/exchange')
  t.same(statuses(back), ['200 OK'])
  t.match(factsOf(back), {
    'Who acts': 'Report Builder, for Ana Sousa',
    Organization: 'Acme',
    Where: 'Sales and Support',
  })
  t.match(said(back), 'grant_type')
  t.match(said(back), 'code_verifier')

  t.same(statuses(await send('/current/refresh')), ['200 OK'])
  const fewer = await send('/current/fewer-permissions')
  t.same(statuses(fewer), ['200 OK'])
  t.match(fewer.text, '&quot;scope&quot;: &quot;records:create&quot;')
  const place = await send('/current/fewer-workspaces')
  t.same(statuses(place), ['200 OK'])
  t.match(factsOf(place).Where, /^(Sales|Support)$/)

  const refused = await send('/current/too-much')
  t.same(statuses(refused), ['400 Bad Request', '200 OK'])
  t.match(refused.text, 'invalid_scope')
  t.match(said(refused), 'the refresh token was not consumed')

  const replayed = await send('/current/replay')
  t.same(statuses(replayed), ['400 Bad Request', '400 Bad Request'])
  t.match(said(replayed), 'This token family was revoked')
  t.match(said(await client.get('/current/refresh')), 'Ask a user first')
})

t.test('the data API accepts the tokens of both interfaces within their permissions', async (t) => {
  const { send, client, go } = createBrowser()
  t.match(said(await client.get('/current/data')), 'There is no access token yet')
  await go(await client.get('/current/authorize'), 'ana')
  const current = await send('/current/data')
  t.same(statuses(current), ['200 OK', '200 OK', '403 Forbidden'])
  for (const part of ['Sales', 'Support', 'Renewal for Northwind', 'insufficient_scope'])
    t.match(said(current), part)
  t.notMatch(said(current), 'Finance')

  await go(await client.get('/legacy/authorize'), 'ana')
  const legacy = await send('/legacy/data')
  t.same(statuses(legacy), ['200 OK', '200 OK', '200 OK'])
  for (const part of ['Customers', 'Northwind', 'insufficient_scope']) t.match(said(legacy), part)
})

t.test('an error of the demo names its reason and a page that explains it', async (t) => {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'unknown' })
  const answer = await fetch(`${demo.issuer}/api/oauth/token`, { method: 'POST', body })
  const error = (await answer.json()) as Record<string, string>
  t.match(error, { error: 'invalid_client', error_description: /^[a-z_]+: / })
  t.equal((await fetch(error.error_uri ?? '')).status, 200)
})

t.test('client_credentials works in every workspace that Acme approved', async (t) => {
  const page = await createBrowser().send('/current/install-token')
  t.same(statuses(page), ['200 OK', '200 OK'])
  t.match(factsOf(page), {
    'Who acts': 'Report Builder, for itself',
    Where: 'Finance, Operations, Sales and Support',
  })
})

t.test('a pushed request puts only a reference into the URL', async (t) => {
  const { send, go } = createBrowser()
  const pushed = await send('/current/push')
  t.same(statuses(pushed), ['201 Created'])
  const address = new URL(departure(pushed))
  t.same([...address.searchParams.keys()].sort(), ['client_id', 'request_uri'])
  const back = await go(pushed, 'ana')
  t.same(statuses(back), ['200 OK'])
})

t.test('a user who denies causes no code and no tokens', async (t) => {
  const { client, go } = createBrowser()
  const requested = await client.get('/current/authorize')
  const back = await go(requested, 'ana', { decision: 'deny', at: 1 })
  t.match(said(back), 'The error is access_denied')
  t.same(statuses(back), [])
})

t.test('the app rejects a state of another browser', async (t) => {
  const { client } = createBrowser()
  const page = await client.get('/callback/report-builder?code=stolen&state=other')
  t.equal(page.status, 400)
  t.match(said(page), 'The app stops here')
})

t.test('the legacy interface issues, refreshes and narrows tokens', async (t) => {
  const { client, send, go } = createBrowser()
  const back = await go(await client.get('/legacy/authorize'), 'ana')
  t.same(statuses(back), ['200 OK'])
  t.match(back.text, '&quot;expires_in&quot;: 7200')
  t.same(statuses(await send('/legacy/refresh')), ['200 OK'])
  const fewer = await send('/legacy/fewer-permissions')
  t.match(fewer.text, '&quot;scope&quot;: &quot;readData&quot;')
})

t.test('the implicit flow returns the token in the fragment', async (t) => {
  const { client, server } = createBrowser()
  const address = departure(await client.get('/legacy/implicit'))
  const { left } = await walk(server, address, answersOf('ana'))
  const fragment = new URLSearchParams(left?.hash.slice(1))
  t.match(fragment.get('access_token'), /^eyJ/)
  t.equal(left?.search, '')
  const landing = await client.get(left as URL)
  const state = landing.dom.querySelector('#fragment')?.getAttribute('data-state')
  t.equal(fragment.get('state'), state)
})

t.test(
  'in Globex, where the app is missing, Kim can install it and Lee can request it',
  async (t) => {
    const { client, server } = createBrowser()
    const address = departure(await client.get('/current/authorize'))
    const lee = await walk(server, address, answersOf('lee'))
    t.equal(lee.left, null)
    t.ok(lee.dom.querySelector('button[value="request"]'))
  },
)

t.test('cross-site forms and other host names are refused', async (t) => {
  const { client } = createBrowser()
  const foreign = await client.fetch(`${demo.client}/current/install-token`, {
    method: 'POST',
    headers: { origin: 'https://evil.example' },
  })
  t.equal(foreign.status, 403)
  const { port } = new URL(demo.client)
  const other = await client.fetch(`http://localhost:${port}/current/refresh`).catch(() => null)
  if (other) t.equal(other.headers.get('location'), `${demo.client}/current/refresh`)
})

t.test('a restart on other ports adds nothing and works', async (t) => {
  await demo.close()
  demo = await start()
  const token = await operatorToken({ env: { LATCHKEY_DATA: directory } })
  const api = createOperatorApi({ url: demo.issuer, token })
  for (const [path, cast] of [
    ['/apps', apps],
    ['/users', people],
    ['/organizations', organizations],
  ] as const)
    t.equal((await api.list(path)).length, Object.keys(cast).length, path)
  const { client, go } = createBrowser()
  t.same(statuses(await go(await client.get('/current/authorize'), 'ana')), ['200 OK'])
})

t.test('a restart keeps all addresses, ids and secrets', async (t) => {
  const before = await readFile(demo.appEnv, 'utf8')
  await demo.close()
  demo = await startDemo({ directory, tell: (line) => lines.push(line), logLevel: 'silent' })
  t.equal(await readFile(demo.appEnv, 'utf8'), before)
  const { client, go } = createBrowser()
  t.same(statuses(await go(await client.get('/current/authorize'), 'ana')), ['200 OK'])
})

t.test('of demos on the same data only one runs, and the others change nothing', async (t) => {
  const before = await readFile(demo.appEnv, 'utf8')
  const others = [1, 2, 3].map(() => startDemo({ directory, tell: () => undefined }))
  for (const other of await Promise.allSettled(others)) {
    t.equal(other.status, 'rejected')
    if (other.status === 'rejected')
      t.match(other.reason.message, /already runs \(server 127\.0\.0\.1:\d+\)/)
  }
  t.equal(await readFile(demo.appEnv, 'utf8'), before)
  t.equal((await fetch(`${demo.issuer}/health/ready`)).status, 200)
})

t.test('a restart whose port is in use says so, and writes the new addresses', async (t) => {
  await demo.close()
  const port = Number(new URL(demo.issuer).port)
  const taken = createServer().listen(port + 1, '127.0.0.1')
  await once(taken, 'listening')
  lines.length = 0
  demo = await startDemo({ directory, tell: (line) => lines.push(line), logLevel: 'silent' })
  taken.close()
  t.match(lines[0], `Port ${port + 1} is in use, so all addresses are new`)
  t.match(lines[1], join(directory, 'app.env'))
  t.not(new URL(demo.issuer).port, String(port))
  t.match(await readFile(demo.appEnv, 'utf8'), `export ISSUER='${demo.issuer}'`)
  const { client, go } = createBrowser()
  t.same(statuses(await go(await client.get('/current/authorize'), 'ana')), ['200 OK'])
})

t.test('the output says where the data is', async (t) => {
  t.equal(demo.databaseElsewhere, null)
  t.match(welcome(demo), `The data stays in ${directory}. Delete it`)
  const moved = { ...demo, databaseElsewhere: '/var/lib/latchkey-1' }
  t.match(welcome(moved), 'Its database is in /var/lib/latchkey-1')
})

t.test('a taken port moves all to the next free ones', async (t) => {
  const { first: port } = await freePorts(await freePort())
  const taken = createServer().listen(port + 2, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => taken.close())
  const next = await freePorts(port)
  t.ok(next.first >= port + portsNeeded)
  t.equal((next.first - port) % portsNeeded, 0)
  t.same(next.taken, [port + 2])
})
