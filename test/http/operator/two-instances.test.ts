import pg from 'pg'
import type { Test } from 'tap'
import { clientCredentials } from '../../support/flows.ts'
import { type Json, operatorToken } from '../../support/latchkey.ts'
import { onEachBackend, type Scene } from '../../support/on-each-backend.ts'
import { createApp, install, type TestApp } from '../../support/world.ts'

const parallel = 10

const callOn = async (url: string, method: string, path: string, body?: unknown) => {
  const response = await fetch(`${url}/api/admin/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${operatorToken}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const { request_id: _, ...answer }: Json = text ? JSON.parse(text) : {}
  return { status: response.status, body: answer as Json }
}

/** The secrets that authenticate, the same on every instance. */
const goodOnes = async (t: Test, { running, world }: Scene, app: TestApp, secrets: string[]) => {
  const good: string[] = []
  for (const client_secret of secrets) {
    const answers = await Promise.all(
      running.urls.map((url) => clientCredentials(url, { ...app, client_secret }, world.acme)),
    )
    const statuses = new Set(answers.map(({ status }) => status))
    t.equal(statuses.size, 1, 'the instances agree')
    t.match([...statuses][0], /^(200|401)$/)
    if (statuses.has(200)) good.push(client_secret)
  }
  return good
}

await onEachBackend(
  'changes on two instances at once',
  async (t, scene) => {
    const { running, world, stores } = scene
    const { acme } = world
    const url = (at: number) => running.urls[at % running.urls.length] as string
    const many = (method: string, path: string, body: (at: number) => unknown) =>
      Promise.all(
        Array.from({ length: parallel }, (_, at) => callOn(url(at), method, path, body(at))),
      )
    const agree = async (path: string) => {
      const [one, two] = await Promise.all([0, 1].map((at) => callOn(url(at), 'GET', path)))
      // Last use is written in batches, possibly between the two answers.
      const lasting = (answer: unknown) =>
        JSON.parse(
          JSON.stringify(answer, (name, value) => (name === 'last_used_at' ? null : value)),
        )
      t.same(lasting(one), lasting(two), `the instances agree about ${path}`)
      return one?.body
    }

    t.test('of many concurrent rotations of an app one secret remains', async (t) => {
      const app = await createApp(running, {})
      await install(running, acme, app)
      const path = `/apps/${app.client_id}/secrets`
      for (let round = 0; round < 3; round++) {
        const answers = await many('POST', path, () => ({}))
        t.ok(answers.every(({ status }) => status === 201))
        const secrets = answers.map(({ body }) => body.client_secret as string)
        t.equal(new Set(secrets).size, parallel)
        const good = await goodOnes(t, scene, app, [app.client_secret, ...secrets])
        t.equal(good.length, 1, 'exactly one')
        t.ok(secrets.includes(good[0] as string), 'it was returned')
        const { items } = await agree(path)
        const winner = answers.find(({ body }) => body.client_secret === good[0])
        t.same(
          items.map(({ id }: Json) => id),
          [winner?.body.id],
        )
      }
    })

    t.test('an overlap leaves two secrets at most', async (t) => {
      const app = await createApp(running, {})
      await install(running, acme, app)
      const path = `/apps/${app.client_id}/secrets`
      const answers = await many('POST', path, () => ({ retire_others_after_seconds: 600 }))
      const made = answers.filter(({ status }) => status === 201)
      t.equal(made.length, 1)
      t.ok(answers.every(({ status }) => status === 201 || status === 409))
      const secrets = made.map(({ body }) => body.client_secret as string)
      const good = await goodOnes(t, scene, app, [app.client_secret, ...secrets])
      t.same(good, [app.client_secret, ...secrets])
      t.equal((await agree(path)).items.length, 2)
    })

    t.test('of many concurrent rotations of a key set one secret remains', async (t) => {
      const created = await callOn(url(0), 'POST', `/organizations/${acme}/key-sets`, {
        name: 'Export',
        interface: 'legacy',
        permissions: ['readData'],
      })
      const path = `/organizations/${acme}/key-sets/${created.body.id}`
      const answers = await many('POST', `${path}/rotate`, () => ({}))
      t.ok(answers.every(({ status }) => status === 200))
      t.equal(new Set(answers.map(({ body }) => body.secret)).size, parallel)
      const { secrets } = await agree(path)
      t.equal(secrets.length, 1)
      const hints = answers.map(({ body }) => `…${String(body.secret).slice(-4)}`)
      t.ok(hints.includes(secrets[0].hint))
      const client = new pg.Client(stores.databaseUrl)
      await client.connect()
      const { rows } = await client
        .query('select count(*)::integer as count from key_set_secrets where key_set_id = $1', [
          created.body.id,
        ])
        .finally(() => client.end())
      t.equal(rows[0].count, parallel + 1, 'none is lost')
    })

    t.test('two equal PUT requests have one effect', async (t) => {
      const app = await createApp(running, {})
      const user = (await callOn(url(0), 'POST', '/users', { email: 'put@acme.test', name: 'P' }))
        .body.id
      const puts: [path: string, body: unknown][] = [
        [
          `/organizations/${acme}/installs/${app.client_id}`,
          { permissions: [], workspace_ids: null },
        ],
        [`/organizations/${acme}/members/${user}`, { role: 'member' }],
        [`/workspaces/${world.sales}/members/${user}`, {}],
      ]
      for (const [path, body] of puts) {
        const answers = await many('PUT', path, () => body)
        t.same(answers.map(({ status }) => status).sort(), [...Array(parallel - 1).fill(200), 201])
        const bodies = new Set(answers.map((answer) => JSON.stringify(answer.body)))
        t.equal(bodies.size, 1, `${path}: the same answer`)
        t.same(JSON.parse([...bodies][0] as string), (await callOn(url(1), 'PUT', path, body)).body)
      }
      const audit = await agree(`/audit?client_id=${app.client_id}&type=install.approved`)
      t.equal(audit.items.length, 1, 'one event')
    })

    t.test('a change on one instance is visible on the other at once', async (t) => {
      const app = await createApp(running, {})
      await install(running, acme, app)
      const path = `/apps/${app.client_id}`
      for (let round = 0; round < 10; round++) {
        const disabled = round % 2 === 0
        t.equal((await callOn(url(round), 'PATCH', path, { disabled })).status, 200)
        const answers = await Promise.all(
          running.urls.map((at) => clientCredentials(at, app, acme)),
        )
        t.same(
          answers.map(({ status }) => status),
          disabled ? [401, 401] : [200, 200],
        )
        t.equal((await agree(path)).disabled, disabled)
      }
    })

    t.test('after concurrent changes the instances agree', async (t) => {
      const app = await createApp(running, {})
      const path = `/organizations/${acme}/installs/${app.client_id}`
      const choices = [['records:create'], ['records:update'], [], ['workspace_members:read']]
      for (let round = 0; round < 3; round++) {
        const answers = await many('PUT', path, (at) => ({
          permissions: choices[at % choices.length],
          workspace_ids: at % 2 === 0 ? null : [world.sales],
        }))
        t.same(answers.map(({ status }) => status).sort(), [...Array(parallel - 1).fill(200), 201])
        const { permissions } = await agree(path)
        t.ok(choices.some((one) => JSON.stringify(one) === JSON.stringify(permissions)))
        const removed = await many('DELETE', path, () => undefined)
        t.equal(removed.filter(({ status }) => status === 204).length, 1)
        t.equal(removed.filter(({ status }) => status === 404).length, parallel - 1)
        await agree(path)
      }
    })
  },
  { instances: 2 },
)
