/** Actions of users and operators: each page, each decision, each operation. */
import type { Test } from 'tap'
import { fillStock, operations, pathOf, type Stock } from '../http/operator/catalogue.ts'
import { decide, undo } from '../pages/organization-visit.ts'
import type { Place } from './every-flow.ts'
import { authorizeUrl, challengeOf, currentCode, exchangeCode, newVerifier } from './flows.ts'
import type { Json } from './latchkey.ts'
import { signedIn } from './signed-in.ts'
import { createVisitor, type Visitor, walk } from './visitor.ts'
import { startReceiver } from './webhook-receiver.ts'
import { createApp, install, type World } from './world.ts'

/** Are these the same path, with other names of its parameters? */
const isLike = (path: string, other: string) =>
  path.replaceAll(/\{\w+\}/g, '{}').endsWith(`/v1${other.replaceAll(/\{\w+\}/g, '{}')}`)

/** Each list of the Operator API in each of its orders, with each of its filters, and what a text finds in it. */
const everyList = async (t: Test, { operator }: Place, stock: Stock) => {
  const { paths } = (await operator('GET', '/openapi.json')).body as { paths: Json }
  for (const one of operations.filter(
    ({ method, path }) => method === 'GET' && !path.includes('?'),
  )) {
    const described = Object.entries(paths).find(([path]) => isLike(path, one.path))?.[1] as Json
    const parameters = (described?.get?.parameters ?? []) as Json[]
    const orders: string[] = parameters.find(({ name }) => name === 'sort')?.schema.enum ?? []
    const filters = parameters.flatMap(({ name, in: place, schema }) =>
      place !== 'query' || ['limit', 'cursor', 'sort', 'email', 'from', 'to'].includes(name)
        ? []
        : [`${name}=${schema.enum?.[0] ?? (schema.type === 'boolean' ? 'true' : 'a')}`],
    )
    if (orders.length === 0) continue
    const path = pathOf(one, stock)
    for (const query of [...orders.map((order) => `sort=${order}`), ...filters]) {
      const { status, body } = await operator('GET', `${path}?limit=1&${query}`)
      t.equal(status, 200, `${path}?${query}`)
      const rest = `${path}?limit=1&${query}&cursor=${body.next ?? '0'}`
      t.equal((await operator('GET', rest)).status, 200, rest)
    }
  }
}

/** Every operation of the Operator API, on objects of its own. */
const everyOperation = async (t: Test, place: Place) => {
  const { operator } = place
  const receiver = await startReceiver()
  t.teardown(receiver.stop)
  const expect = async (status: number, method: string, path: string, body?: unknown) => {
    const answer = await operator(method, path, body)
    if (answer.status !== status)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body as Json
  }
  const stock = await fillStock({ expect, call: operator }, receiver.url)
  await everyList(t, place, stock)
  for (const one of operations) {
    const body = one.body?.url ? { ...one.body, url: `${receiver.url}/${one.method}` } : one.body
    const { status } = await operator(one.method, pathOf(one, stock), body)
    // A simulation with an unknown app and organization; a document without https.
    const isUninvited = one.path.endsWith('/invitation') && status === 409 // without a mail server
    const isRefused =
      status === 404 ||
      isUninvited ||
      (['/apps/import', '/app-reviews'].includes(one.path) && status === 400)
    t.ok(status < 300 || isRefused, `${one.method} ${one.path}: ${status}`)
  }
}

const read = async (t: Test, visitor: Visitor, paths: string[]) => {
  for (const path of paths) t.equal((await visitor.get(path)).status, 200, path)
}

const requests = async (t: Test, running: Place, world: World, admin: Visitor) => {
  const { acme, ana } = world
  const list = `/organizations/${acme}/apps`
  const requested = async () => {
    const app = await createApp(running, { name: 'Letters' })
    const url = authorizeUrl(running.issuer, app, { code_challenge: challengeOf(newVerifier()) })
    const visitor = createVisitor(running.issuer)
    await visitor.submit(await walk(visitor, url, ana), { decision: 'request', reason: 'Friday' })
    return { about: { client_id: app.client_id }, visitor }
  }
  const [approved, refused, withdrawn] = [await requested(), await requested(), await requested()]
  await read(t, admin, [list, `${list}?name=letters`])
  const met = await admin.get('/interaction/unknown-or-expired')
  const id = met.dom.querySelector('.reference .code')?.text
  await read(t, admin, [`/organizations/${acme}/activity/requests/${id}`])
  await decide(admin, await admin.get(list), 'approve', approved.about)
  await undo(admin, await decide(admin, await admin.get(list), 'refuse', refused.about))
  const own = await withdrawn.visitor.get('/account/apps')
  await decide(withdrawn.visitor, own, 'withdraw', withdrawn.about)
  const { client_id } = approved.about
  const page = `${list}/${client_id}`
  await decide(admin, await admin.get(`${page}/change`), 'change')
  for (const [at, decision] of [
    [`${page}/suspend`, 'suspend'],
    [page, 'resume'],
    [`${page}/uninstall`, 'uninstall'],
  ] as const)
    await decide(admin, await admin.get(at), decision, approved.about)
}

const keySets = async (running: Place, world: World, admin: Visitor) => {
  const path = `/organizations/${world.acme}/keys`
  for (const generation of ['current', 'legacy'])
    await decide(
      admin,
      await admin.get(`${path}/new?interface=${generation}`),
      'create',
      {},
      { name: generation },
    )
  const { items } = (await running.operator('GET', `/organizations/${world.acme}/key-sets`)).body
  const { id } = (items as Json[]).find((one) => one.name === 'current') as { id: string }
  await decide(admin, await admin.get(`${path}/${id}`), 'change', {}, { name: 'Changed' })
  const [secret] = (await running.operator('GET', `/organizations/${world.acme}/key-sets/${id}`))
    .body.secrets
  const about = { key_set_id: id }
  for (const [page, decision] of [
    ['rotate', 'rotate'],
    [`secrets/${secret.id}/retire`, 'retire'],
    ['delete', 'delete'],
  ] as const)
    await decide(admin, await admin.get(`${path}/${id}/${page}`), decision, about)
}

/** For whom an install is, and the request of a person outside. */
const audience = async (
  t: Test,
  running: Place,
  { acme, ana, kim, sales }: World,
  admin: Visitor,
) => {
  const app = await createApp(running, { name: 'For some' })
  await install(running, acme, app)
  const path = `/organizations/${acme}/installs/${app.client_id}`
  const chosen = { audience: { workspaces: [sales], users: [kim.id] } }
  t.equal((await running.operator('PATCH', path, chosen)).status, 200, path)
  const page = `/organizations/${acme}/apps/${app.client_id}`
  await read(t, admin, [
    ...[`${page}/audience`, `${page}/audience/names?name=a`, `${page}/members`],
    `${page}/people/${ana.id}/deny`,
  ])
  const outside = { audience: { users: [kim.id] } }
  t.equal((await running.operator('PATCH', path, outside)).status, 200, path)
  const url = authorizeUrl(running.issuer, app, { code_challenge: challengeOf(newVerifier()) })
  const visitor = createVisitor(running.issuer)
  await visitor.submit(await walk(visitor, url, ana), { decision: 'request' })
  const list = await admin.get(`/organizations/${acme}/apps`)
  await decide(admin, list, 'approve', { client_id: app.client_id })
}

/** The directory, and the page of a link to an installed app. */
const directory = async (t: Test, running: Place, { acme }: World, admin: Visitor) => {
  const { client_id } = await createApp(running, { name: 'Listed', listed: true })
  const path = `/organizations/${acme}/directory`
  await read(t, admin, ['/', `${path}?name=listed`, `${path}?after=0.${client_id}`])
  const about = { client_id }
  const page = await decide(admin, await admin.get(path), 'install', about)
  await admin.submit(page, { decision: 'approve' })
  await read(t, admin, [path, `/install?client_id=${client_id}`])
}

/** A member installs an app for themselves. */
const selfInstall = async (t: Test, running: Place, { acme, ana }: World) => {
  const path = `/organizations/${acme}/policy`
  const rule = (self_install: string) =>
    running.operator('PUT', path, { connect: 'all', self_install })
  t.equal((await rule('reviewed_read_only')).status, 200)
  const app = await createApp(running, { name: 'Reader', permissions: [], reviewed: true })
  const visitor = await signedIn(running.issuer, ana)
  const code_challenge = challengeOf(newVerifier())
  const page = await visitor.get(authorizeUrl(running.issuer, app, { code_challenge }))
  await visitor.submit(page, { decision: 'approve' })
  t.equal((await rule('never')).status, 200)
}

/** The pages of an app's owner; the app is one of its own, because its tokens end. */
const ownApp = async (t: Test, running: Place, { kim }: World, owner: Visitor) => {
  const { client_id } = await createApp(running, { name: 'Owned' })
  const owners = { owners: [kim.id] }
  t.equal((await running.operator('PATCH', `/apps/${client_id}`, owners)).status, 200)
  const path = `/developer/apps/${client_id}`
  await read(t, owner, ['/developer', path])
  const page = await owner.submit(await owner.get(`${path}/replace`), { in_use: 'leaked' })
  t.equal(page.status, 200, 'the new secret')
  const secrets = await running.operator('GET', `/apps/${client_id}/secrets`)
  const deletion = `${path}/secrets/${secrets.body.items[0].id}/delete`
  t.equal((await owner.submit(await owner.get(deletion), {})).status, 200, 'the deleted secret')
}

export const everyPage = async (t: Test, running: Place, world: World): Promise<void> => {
  const { acme, ana, kim, confidential, second, sales } = world
  await everyOperation(t, running)
  const admin = await signedIn(running.issuer, kim)
  const organization = `/organizations/${acme}`
  await requests(t, running, world, admin)
  await keySets(running, world, admin)
  await directory(t, running, world, admin)
  await selfInstall(t, running, world)
  const consent = `${organization}/installs/${confidential.client_id}/users/${ana.id}`
  t.equal((await running.operator('PATCH', consent, { idle_seconds: 86_400 })).status, 200, consent)
  const rules = await admin.get(`${organization}/policy`)
  await admin.submit(rules, { default_expires_days: '90' })
  const activity = `${organization}/activity`
  await read(t, admin, [
    '/',
    `${organization}/apps/${confidential.client_id}`,
    `${organization}/apps?state=unused`,
    `${organization}/members?name=an&role=member`,
    ...['name', '-name', 'last_used', '-last_used'].map(
      (one) => `${organization}/apps?sort=${one}`,
    ),
    ...['-name', 'role', '-role'].map((one) => `${organization}/members?sort=${one}`),
    ...['name', '-name', '-created_at'].map((one) => `${organization}/keys?sort=${one}`),
    ...['-name', 'created_at', '-created_at'].map((one) => `${organization}/directory?sort=${one}`),
    `${organization}/suspend-all`,
    activity,
    `${activity}?subject=grant`,
    `${activity}?app=${confidential.client_id}`,
    `${activity}?person=${ana.id}`,
    `${activity}?from=2020-01-01&to=2030-01-01`,
    `${activity}?newer=1`,
    `${activity}?older=100`,
    `${activity}/new-stream`,
    `${organization}/inspect`,
    `${organization}/review`,
    `${organization}/policy`,
    '/account/apps',
  ])
  const visitor = createVisitor(running.issuer)
  const code = await currentCode(running, confidential, ana, {}, visitor)
  const { access_token: token } = (await exchangeCode(running.issuer, confidential, code)).body
  const ofApp = `${organization}/apps/${confidential.client_id}`
  await read(t, admin, [ofApp, `${ofApp}/people/${ana.id}/end`])
  await audience(t, running, world, admin)
  const inspect = await admin.get(`${organization}/inspect`)
  t.equal((await admin.submit(inspect, { token })).status, 200)
  await ownApp(t, running, world, admin)
  const stranger = `/workspaces/${sales}/members/${world.zoe.id}`
  t.equal((await running.operator('PUT', stranger)).status, 409, 'of another organization')
  const bare = { client_type: 'public' }
  t.equal((await running.operator('PATCH', `/apps/${second.client_id}`, bare)).status, 200)
  const about = { client_id: confidential.client_id, organization_id: acme }
  await undo(
    visitor,
    await decide(visitor, await visitor.get('/account/apps'), 'disconnect', about),
  )
  const password = { current_password: ana.password, new_password: 'a brand new and longer one' }
  t.equal((await visitor.submit(await visitor.get('/account/password'), password)).status, 200)
  await visitor.submit(await visitor.get('/logout'), {})
}
