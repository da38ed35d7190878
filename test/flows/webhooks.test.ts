import type { Test } from 'tap'
import { eventually } from '../support/eventually.ts'
import { clientCredentials, currentCode, exchangeCode, refresh } from '../support/flows.ts'
import { masterKey, operatorToken } from '../support/latchkey.ts'
import { onEachBackend, type Scene } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { isSignedWith, type Receiver, startReceiver, until } from '../support/webhook-receiver.ts'
import { createApp, install } from '../support/world.ts'

const listening = async (t: Test, { running }: Scene) => {
  const receiver = await startReceiver()
  t.teardown(receiver.stop)
  const create = async (path: string, part: Record<string, unknown> = {}) => {
    const answer = await running.operator('POST', '/webhooks', {
      url: receiver.url + path,
      ...part,
    })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer.body as { id: string; secret: string }
  }
  return { receiver, create }
}

/** The message of this type that arrived at this path. */
const arrived = async (receiver: Receiver, path: string, type: string) => {
  const find = () => receiver.at(path).find(({ body }) => body.type === type)
  await until(() => find() !== undefined, `${type} at ${path}`)
  return find()!
}

await onEachBackend(
  'webhook events',
  async (t, scene) => {
    const { running, issuer, world } = scene
    const { acme, other, confidential, second, ana, kim, sales } = world
    const { receiver, create } = await listening(t, scene)
    const all = await create('/all')
    const mine = await create('/mine', { client_id: confidential.client_id })
    await create('/second', { client_id: second.client_id })
    const path = `/organizations/${acme}/installs/${confidential.client_id}`
    const subject = { organization_id: acme, client_id: confidential.client_id }
    const ends = ['install.changed', 'install.suspended', 'connection.ended', 'install.deleted']
    const told = async (type: string, data: Record<string, unknown>) => {
      const message = await arrived(receiver, '/mine', type)
      // The stop of what has ended less than before (decision 0125).
      const { stop_id: stop, ...rest } = message.body.data
      t.same(rest, { ...subject, ...data }, type)
      t.equal(stop !== undefined, ends.includes(type), `${type} has a stop`)
      t.ok(isSignedWith(mine.secret, message))
      t.ok(isSignedWith(all.secret, await arrived(receiver, '/all', type)))
    }
    const patch = async (body: unknown) =>
      t.equal((await running.operator('PATCH', path, body)).status, 200)
    const { id: install_id, permissions } = (await running.operator('GET', path)).body

    await patch({ permissions: ['records:create'], workspace_ids: [sales] })
    await told('install.changed', {
      install_id,
      permissions: ['records:create'],
      workspace_ids: [sales],
      changed: ['permissions', 'workspace_ids'],
      previous: { permissions, workspace_ids: null },
    })
    await patch({ suspended: true })
    await told('install.suspended', { install_id })
    await patch({ suspended: false })
    await told('install.resumed', { install_id })

    const rotated = await running.operator('POST', `/apps/${confidential.client_id}/secrets`, {
      retire_others_after_seconds: 600,
    })
    const ofApp = await arrived(receiver, '/mine', 'app_secret.created')
    t.same(ofApp.body.data, {
      client_id: confidential.client_id,
      secret_id: rotated.body.id,
      retire_others_after_seconds: 600,
    })

    const grant = await currentCode(running, confidential, ana)
    await told('consent.granted', {
      user_id: ana.id,
      permissions: ['records:create'],
      workspace_ids: null,
    })
    const { body: tokens } = await exchangeCode(issuer, confidential, grant)
    await refresh(issuer, confidential, tokens.refresh_token)
    t.equal((await refresh(issuer, confidential, tokens.refresh_token)).status, 400)
    await told('grant.reuse_detected', { user_id: ana.id })

    const visitor = await signedIn(issuer, ana)
    const page = await visitor.get('/account/apps')
    const { status } = await visitor.submit(page, {
      client_id: confidential.client_id,
      organization_id: acme,
      decision: 'disconnect',
    })
    t.equal(status, 200)
    await told('connection.ended', { user_id: ana.id })

    t.equal((await running.operator('DELETE', path)).status, 204)
    await told('install.deleted', {})
    await install(running, acme, confidential, { workspace_ids: [] })
    const created = await arrived(receiver, '/mine', 'install.created')
    t.match(created.body.data, { ...subject, permissions, workspace_ids: [] })
    t.not(created.body.data.install_id, install_id)
    const app = `/apps/${confidential.client_id}`
    await running.operator('PATCH', app, { disabled: true })
    for (const path of ['/mine', '/all']) await arrived(receiver, path, 'app.disabled')

    t.test('a refused request sends no event', async (t) => {
      const before = receiver.received.length
      const refused = await running.operator('PATCH', path, { permissions: ['moon:land'] })
      t.equal(refused.status, 400)
      t.equal((await clientCredentials(issuer, second, other)).status, 400)
      await new Promise((resolve) => setTimeout(resolve, 2500))
      t.equal(receiver.received.length, before)
    })

    t.test('each subscriber gets its own events only', async (t) => {
      t.same(receiver.types('/second'), [])
      for (const { body } of receiver.at('/mine'))
        t.equal(body.data.client_id, confidential.client_id)
      await running.operator('PUT', `/organizations/${other}/members/${kim.id}`, { role: 'admin' })
      await arrived(receiver, '/all', 'member.added')
      t.notOk(receiver.types('/mine').some((type: string) => /^(member|user)/.test(type)))
    })

    t.test('events and logs contain no secrets and no addresses', async (t) => {
      const secrets = [
        masterKey,
        operatorToken,
        confidential.client_secret,
        rotated.body.client_secret,
        tokens.refresh_token,
        tokens.access_token,
        grant.code,
        ana.password,
      ]
      const said = receiver.received.map((one) => JSON.stringify(one.body)).join('\n')
      for (const secret of secrets) t.notOk(said.includes(secret))
      t.notMatch(said, /127\.0\.0\.1|whsec_|req_|@acme\.test/)
      const log = running.log.join('')
      for (const secret of [all.secret, mine.secret]) {
        t.notOk(log.includes(secret))
        t.notOk(log.includes(secret.slice('whsec_'.length)))
      }
      for (const { headers } of receiver.received)
        t.notOk(log.includes(String(headers['webhook-signature'])))
    })

    t.test('reports the results of deliveries', async (t) => {
      const list = () => running.operator('GET', `/webhooks/${mine.id}/deliveries`)
      const { items } = (await list()).body
      t.ok(items.length >= 10)
      t.ok(items.every((one: { outcome: string }) => one.outcome === 'delivered'))
      const { body } = await running.operator('POST', `/webhooks/${mine.id}/test`)
      const test = await arrived(receiver, '/mine', 'webhook.test')
      t.equal(test.id, body.id)
      t.same(test.body.data, { webhook_id: mine.id })
    })
  },
  { environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } },
)

await onEachBackend(
  'an unreachable endpoint, as the organization sees it',
  async (t, scene) => {
    const { running, issuer, world } = scene
    const { receiver, create } = await listening(t, scene)
    const app = await createApp(running, { name: 'Night Shift' })
    const { id } = await create('/gone', { client_id: app.client_id })
    receiver.answerWith(410)
    await install(running, world.acme, app)
    const read = async () => (await running.operator('GET', `/webhooks/${id}`)).body
    await eventually(async () => (await read()).disabled)
    t.match(await read(), { disabled: true, disabled_reason: 'gone' })

    const visitor = await signedIn(issuer, world.kim)
    const page = await visitor.get(
      `/organizations/${world.acme}/activity?client_id=${app.client_id}`,
    )
    const words = page.dom.text.replace(/\s+/g, ' ')
    t.match(words, /The server stopped delivering webhook events to Night Shift/)
    t.match(words, '1 event not delivered')
    t.notMatch(words, receiver.url)

    t.same(
      (await running.operator('GET', `/audit?client_id=${app.client_id}`)).body.items.map(
        (event: { type: string }) => event.type,
      ),
      [
        'webhook.given_up',
        'webhook.disabled',
        'install.approved',
        'webhook.created',
        'app.created',
      ],
    )
  },
  { environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } },
)
