// Nightly: it judges times, which takes minutes.
/**
 * F-29: one tenant works at full tilt, and an honest app of another organization is served as before
 * (`others-served.ts`). Tenants use what they may: SCIM, imports, downloads, and servers of their own that are slow, silent
 * or send large things. What waits behind a tenant is measured as well, and no request holds the event loop for long. A
 * test of a commit attacks one server, and the night those of all backends.
 */
import { performance } from 'node:perf_hooks'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { startDocumentServer } from '../support/document-server.ts'
import { eventually } from '../support/eventually.ts'
import { importLines } from '../support/import-lines.ts'
import { operatorToken } from '../support/latchkey.ts'
import {
  attackedSettings,
  createOthers,
  onlyAttacks,
  startPaced,
  type UnderWay,
} from '../support/others-served.ts'
import { connectProvider } from '../support/scim.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { signedIn } from '../support/signed-in.ts'
import { startSmtpServer } from '../support/smtp-server.ts'
import { type StoreSetup, testStores } from '../support/stores.ts'
import { sql } from '../support/traces.ts'
import { createVisitor } from '../support/visitor.ts'
import { startReceiver } from '../support/webhook-receiver.ts'
import { startWorkloadIssuer } from '../support/workload-issuer.ts'
import { createApp, createWorld, install, type World } from '../support/world.ts'

const users = 600
/** Milliseconds of CPU for one turn of the event loop. */
const longestTurn = 50
/** Milliseconds. */
const longestWait = { webhook: 5000, mail: 2000 }

interface Scene {
  stores: StoreSetup
  server: ServerProcess
  world: World
  smtp: Awaited<ReturnType<typeof startSmtpServer>>
}

interface Tenant {
  begin(pace: number, seconds: number): Promise<UnderWay>
  /** Milliseconds for what another tenant waits for. */
  longestWait?: number
}

const http = (method: string, path: string, headers: Record<string, string>, body = '') =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
  `${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`
const formType = { 'content-type': 'application/x-www-form-urlencoded' }

/** Asks for each of these again and again, on four connections each. */
const asking =
  ({ server }: Scene, payloads: string[], connections = 4) =>
  async (pace: number, seconds: number): Promise<UnderWay> => {
    const attack = { kind: 'ask', connections, bytesPerSecond: 2_000_000, reads: true } as const
    const started = await Promise.all(
      payloads.map((payload) => startPaced(server, { ...attack, payload }, pace, seconds)),
    )
    return { tally: Promise.all(started.map(async ({ tally }) => (await tally).statuses)) }
  }

/** Begins something, and measures how long another tenant waits for something else. */
const waiting = (begin: () => Promise<unknown>, wait: () => Promise<unknown>) => async () => {
  await begin()
  const began = performance.now()
  const waited = wait().then(() => ({ waited: Math.round(performance.now() - began) }))
  return { tally: waited }
}

/** A tenant with users and groups, and an app of its admin. */
const scimOf = async (scene: Scene): Promise<Record<string, Tenant>> => {
  const { stores, server, world } = scene
  await sql(
    stores,
    `with added as (insert into users (id, email, name)
       select 'usrMANY' || n, 'many' || n || '@other.test', repeat('a', 100) || n
         from generate_series(1, $2::integer) n returning id)
     insert into members (organization_id, user_id, role) select $1, id, 'member' from added`,
    [world.other, users],
  )
  const running = { operator: server.operator, urls: [server.url] }
  const scim = await connectProvider(running, world.other)
  const ids = Array.from({ length: users }, (_, at) => `usrMANY${at + 1}`)
  const group = await scim.call('POST', '/Groups', {
    displayName: 'All',
    members: ids.map((value) => ({ value })),
  })
  if (group.status !== 201) throw new Error(JSON.stringify(group.body))
  const headers = {
    authorization: `Bearer ${scim.token}`,
    'content-type': 'application/scim+json',
  }
  const get = (kind: string, filter: string) =>
    http('GET', `/scim/v2/${kind}?filter=${encodeURIComponent(filter)}`, headers)
  const patch = (path: string, Operations: unknown[]) => {
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
    return http('PATCH', `/scim/v2/${path}`, headers, JSON.stringify({ schemas, Operations }))
  }
  const terms = (count: number, term: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => term(at)).join(' or ')
  const all = `Groups/${group.body.id}`
  return {
    'SCIM filters': {
      begin: asking(scene, [
        get(
          'Users',
          terms(100, (at) => `displayName co "${'a'.repeat(40)}b${at}"`),
        ),
        get(
          'Users',
          terms(20, (at) => `displayName co "a${at}x"`),
        ),
        get(
          'Groups',
          terms(10, (at) => `members.value co "x${at}"`),
        ),
      ]),
    },
    'SCIM patches': {
      begin: asking(scene, [
        patch(
          all,
          Array.from({ length: 999 }, (_, at) => ({
            op: 'remove',
            path: `members[value eq "x${at}" or display co "zz"]`,
          })),
        ),
        patch(all, [{ op: 'remove', path: `members[${terms(50, (at) => `value eq "y${at}"`)}]` }]),
      ]),
    },
    'SCIM writes': {
      begin: asking(scene, [
        ...['One', 'Two'].map((value) =>
          patch('Users/usrMANY1', [{ op: 'replace', path: 'displayName', value }]),
        ),
        ...['add', 'remove'].map((op) =>
          patch(all, [{ op, path: 'members', value: ids.map((value) => ({ value })) }]),
        ),
      ]),
    },
  }
}

/** The provider of an organization with 20,000 members sends a group of all of them, in a body of 2 MB. */
const largeGroupOf = async (scene: Scene): Promise<Record<string, Tenant>> => {
  const { stores, server } = scene
  const organization = (await server.operator('POST', '/organizations', { name: 'Large' })).body.id
  await sql(
    stores,
    `with added as (insert into users (id, email, name)
       select 'usrLARGE' || n, 'large' || n || '@large.test', 'Kim' from generate_series(1, 20000) n returning id)
     insert into members (organization_id, user_id, role) select $1, id, 'member' from added`,
    [organization],
  )
  const scim = await connectProvider(
    { operator: server.operator, urls: [server.url] },
    organization,
  )
  const { body } = await scim.call('POST', '/Groups', { displayName: 'All' })
  const groupOf = (count: number) =>
    JSON.stringify({
      displayName: 'All',
      members: ids(count).map((at) => ({
        value: `usrLARGE${at + 1}`,
        display: 'x'.repeat(40),
        type: 'User',
      })),
    })
  const bodies = [groupOf(20_000), groupOf(10)]
  const putUntil = async (end: number) => {
    const statuses: Record<number, number> = {}
    for (let at = 0; performance.now() < end; at++) {
      const { status } = await scim.call('PUT', `/Groups/${body.id}`, bodies[at % 2])
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    return statuses
  }
  return {
    'groups of 20,000 members': {
      begin: async (_pace, seconds) => ({ tally: putUntil(performance.now() + seconds * 1000) }),
    },
  }
}

/** Bulk work of an admin and of an operator who moves users. */
const bulkOf = async (scene: Scene): Promise<Record<string, Tenant>> => {
  const { stores, server, world } = scene
  const lines = (name: string) =>
    ids(500)
      .map((at) => {
        const user = { type: 'user', id: `bulk-${at}`, email: `bulk${at}@other.test`, name }
        return `${JSON.stringify(user)}\n`
      })
      .join('')
  const stream = (body: string) =>
    http(
      'POST',
      '/api/admin/v1/import',
      { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/x-ndjson' },
      body,
    )
  await sql(
    stores,
    `insert into audit_events (type, actor_kind, organization_id, detail)
     select 'member.added', 'system', $1, jsonb_build_object('text', repeat('a', 500))
       from generate_series(1, 20000)`,
    [world.other],
  )
  await server.operator('PUT', `/organizations/${world.other}/members/${world.zoe.id}`, {
    role: 'admin',
  })
  const zoe = await signedIn(server.url, world.zoe)
  const cookie = [...zoe.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const address = `/organizations/${world.other}/activity?format=csv`
  return {
    imports: { begin: asking(scene, [stream(lines('One')), stream(lines('Two'))]) },
    downloads: { begin: asking(scene, [http('GET', address, { cookie })], 8) },
  }
}

/** Apps of an earlier server whose secrets are expensive hashes. Each has failures of its own before it is limited. */
const foreignSecretsOf = async ({ server, ...scene }: Scene): Promise<Record<string, Tenant>> => {
  const value = Buffer.alloc(32, 7).toString('base64')
  const lines = ids(40).map((at) => ({
    ...{ type: 'app', client_id: `old-${at}`, name: 'Old', interface: 'current', permissions: [] },
    ...{ client_type: 'confidential', redirect_uris: ['https://old.example/cb'] },
    secret_hash: `pbkdf2_sha256$1000000$salt${at}$${value}`,
  }))
  const answers = await importLines(server.url, lines)
  if (answers.some(({ status }) => status !== 'created')) throw new Error('not imported')
  const flood = lines.map(({ client_id }) => {
    const fields = { grant_type: 'refresh_token', refresh_token: 'old', client_id }
    const body = new URLSearchParams({ ...fields, client_secret: 'wrong' })
    return http('POST', '/api/oauth/token', formType, String(body))
  })
  return { 'wrong secrets of an earlier server': { begin: asking({ server, ...scene }, flood, 1) } }
}

const ids = (count: number) => Array.from({ length: count }, (_, at) => at)

/** Servers of the tenant that are silent, or send what costs most. */
const serversOf = async (t: Test, scene: Scene): Promise<Record<string, Tenant>> => {
  const { stores, server, world } = scene
  const host = await startDocumentServer(t)
  const issuer = await startWorkloadIssuer(server.issuer)
  t.teardown(issuer.stop)
  const silent = () => undefined

  issuer.on('/.well-known/openid-configuration', silent)
  const app = await createApp(server, {
    name: 'Jobs',
    workloads: [{ issuer: issuer.issuer, subject: 'job' }],
  })
  await install(server, world.other, app)
  const assertion = await issuer.token({ sub: 'job' })
  const tokenRequest = new URLSearchParams({
    grant_type: 'client_credentials',
    organization_id: world.other,
    client_id: app.client_id,
    client_assertion: assertion,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  })

  const keys = await startWorkloadIssuer(server.issuer)
  t.teardown(keys.stop)
  const { kid, publicJwk } = keys.key()
  const oversized = ids(100).map((at) => ({
    ...publicJwk,
    e: publicJwk.n,
    kid: at === 0 ? kid : `${at}`,
  }))
  keys.onJson('/keys', { keys: oversized })
  const trusting = await createApp(server, {
    name: 'Keys',
    workloads: [{ issuer: keys.issuer, subject: 'job' }],
  })
  await install(server, world.other, trusting)
  const keysRequest = new URLSearchParams(tokenRequest)
  keysRequest.set('client_id', trusting.client_id)
  keysRequest.set('client_assertion', await keys.token({ sub: 'job' }))

  const png = await sharp({
    create: { width: 3000, height: 3000, channels: 3, background: '#369' },
  })
    .png()
    .toBuffer()
  const logo = (name: string, answer: Parameters<typeof host.script>[1]) =>
    ids(40).map((at) => host.script(`/${name}-${at}`, answer))
  const large = logo('large', (response) =>
    response.writeHead(200, { 'content-type': 'image/png' }).end(png),
  )
  const addLogos = () =>
    sql(
      stores,
      `insert into apps (client_id, name, interface, client_type, redirect_uris, permissions, logo_uri)
       select 'logo' || gen_random_uuid(), 'Logo', 'current', 'confidential', '{https://a.example/cb}', '{}', uri
         from unnest($1::text[]) uri`,
      [[...large, ...logo('silent', silent)]],
    )

  await server.operator('PUT', `/client-hosts/${encodeURIComponent(host.host)}`, {
    policy: 'review',
  })
  const documents = ids(24).map((at) =>
    http(
      'GET',
      `/authorize?${new URLSearchParams({
        client_id: host.script(`/document-${at}`, silent),
        redirect_uri: 'https://agent.example/cb',
        response_type: 'code',
      })}`,
      {},
    ),
  )
  return {
    'a silent workload issuer': {
      begin: asking(scene, [http('POST', '/api/oauth/token', formType, String(tokenRequest))], 64),
    },
    'oversized foreign keys': {
      begin: asking(scene, [http('POST', '/api/oauth/token', formType, String(keysRequest))], 8),
    },
    logos: {
      begin: async () => {
        await addLogos()
        return { tally: Promise.resolve('queued') }
      },
    },
    'silent documents': { begin: asking(scene, [documents.join('')], 8) },
  }
}

/** What one tenant queues, and what another one waits for. */
const queuesOf = async (t: Test, scene: Scene): Promise<Record<string, Tenant>> => {
  const { stores, server, world, smtp } = scene
  const receiver = await startReceiver()
  t.teardown(receiver.stop)
  receiver.answerWith((response, { path }) => {
    if (path === '/operator') response.writeHead(200).end()
  })
  const newWebhook = async (path: string, clientId?: string): Promise<string> => {
    const part = clientId && { client_id: clientId }
    return (await server.operator('POST', '/webhooks', { url: receiver.url + path, ...part })).body
      .id
  }
  const app = await createApp(server, { name: 'Silent' })
  await sql(stores, 'insert into app_owners values ($1, $2, 1)', [app.client_id, world.zoe.id])
  const silent = await Promise.all(ids(10).map((at) => newWebhook(`/${at}`, app.client_id)))
  const own = await newWebhook('/operator')
  const queue = (webhooks: string[], count: number) =>
    sql(
      stores,
      `insert into webhook_deliveries (webhook_id, id, type, organization_id, data)
       select webhook, gen_random_uuid()::text, 'install.changed', $2, '{}'
         from unnest($1::text[]) webhook, generate_series(1, $3::integer)`,
      [webhooks, world.other, count],
    )

  await sql(
    stores,
    `insert into users (id, email, name, verified_email)
     select 'usrMAIL' || n, n || '@mails.test', 'Kim', n || '@mails.test' from generate_series(1, 500) n`,
  )
  const queueMails = (id: number) =>
    sql(
      stores,
      `insert into mails (user_id, event_id, type, category, organization_id, detail, next_attempt_at)
       select id, $2::text || category, type, category, $1, '{}', now()
         from users, (values ('install.requested', 'requests'), ('grant.reuse_detected', 'security'))
           as mail (type, category)
        where id like 'usrMAIL%'`,
      [world.other, id],
    )
  const passwordMails = () =>
    smtp.received.filter(({ header }) => header('x-latchkey-event') === 'password.requested').length
  const people = [world.kim, world.ana, world.zoe]
  let turn = 0
  return {
    'silent receivers of webhooks': {
      longestWait: longestWait.webhook,
      begin: waiting(
        async () => {
          const before = receiver.received.length
          await queue(silent, 20)
          await eventually(() => receiver.received.length > before)
        },
        async () => {
          const before = receiver.at('/operator').length
          await queue([own], 1)
          await eventually(() => receiver.at('/operator').length > before)
        },
      ),
    },
    'a thousand mails': {
      longestWait: longestWait.mail,
      begin: waiting(
        async () => {
          const before = smtp.received.length
          await queueMails(turn)
          await eventually(() => smtp.received.length > before + 5)
        },
        async () => {
          const before = passwordMails()
          const visitor = createVisitor(server.url)
          const { email } = people[turn++ % people.length] as World['kim']
          await visitor.submit(await visitor.get('/forgot-password'), { email })
          await eventually(() => passwordMails() > before)
        },
      ),
    },
  }
}

const all = await testStores()
t.teardown(() => Promise.all(all.map((one) => one.drop())))
for (const stores of all.slice(0, process.env.LATCHKEY_TEST_NIGHTLY ? all.length : 1)) {
  t.test(`F-29 while one tenant attacks, others are served (${stores.name})`, async (t: Test) => {
    const smtp = await startSmtpServer()
    t.teardown(smtp.stop)
    smtp.slowDown(80)
    const server = await startServerProcess(t, {
      stores,
      environment: {
        ...attackedSettings,
        SMTP_URL: smtp.url,
        MAIL_FROM: 'no-reply@mail.test',
        WEBHOOK_ALLOW_PRIVATE: 'true',
        NODE_TLS_REJECT_UNAUTHORIZED: '0',
      },
    })
    const scene: Scene = { stores, server, world: await createWorld(server), smtp }
    const tenants = {
      ...(await scimOf(scene)),
      ...(await largeGroupOf(scene)),
      ...(await bulkOf(scene)),
      ...(await serversOf(t, scene)),
      ...(await queuesOf(t, scene)),
      ...(await foreignSecretsOf(scene)),
    }
    const others = await createOthers(t, server, scene.world)
    for (const [name, tenant] of Object.entries(tenants))
      if (onlyAttacks.test(name)) await others(t, name, { ...tenant, longestTurn })
    t.equal(server.child.exitCode, null, 'the process was not restarted')
  })
}
