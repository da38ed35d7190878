/** How access ends at the data API. */
import type { Test } from 'tap'
import { ask, type Question, type RunningDataApi, startDataApi } from '../../support/data-api.ts'
import { credentials } from '../../support/flows.ts'
import type { Json } from '../../support/latchkey.ts'
import { onEachBackend, type Scene } from '../../support/on-each-backend.ts'
import { createKeySet, registerResourceServer } from '../../support/resource-server.ts'
import { createSubscriber, type Subscription } from '../../support/subscriber.ts'
import {
  type Credential,
  currentPermissions,
  installedApp,
  legacyApp,
  legacyKeys,
  legacyPermissions,
  selfSigner,
} from './tokens.ts'

const workspaces = { query: '{ workspaces { id } }' }
const databases = '{ databases { _id fields { _id } } }'

const subscribing = (credential: Credential, field: string, databaseId: string): Question => {
  const [[name, value]] = Object.entries(credential) as [[string, string]]
  return {
    query: `subscription ($${name}: String!, $databaseId: ID!) {
      ${field}(databaseId: $databaseId, ${name}: $${name}) { _id }
    }`,
    variables: { [name]: value, databaseId },
  }
}

/** Writes until the subscription reports it, because starting a subscription returns no data. */
const firstTold = async (subscription: Subscription, write: () => Promise<unknown>) => {
  let told: Json = null
  const waiting = subscription.next().then((message) => {
    told = message
  })
  while (told === null) {
    await write()
    await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 50))])
  }
  return told
}

/** The error that ends the subscription; earlier messages are skipped. */
const endOf = async (subscription: Subscription): Promise<Json> => {
  for (;;) {
    const message = await subscription.next()
    if (message.type !== 'next') return message
  }
}

/** Resolves to the milliseconds until the token is refused. */
const refusedAfter = async (api: RunningDataApi, question: Question, token?: string) => {
  const begun = performance.now()
  for (;;) {
    const { code } = await ask(api, question, token)
    if (code === 'invalid_token' || code === 'token-invalid') return performance.now() - begun
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const customersOf = async (api: RunningDataApi, credential: Credential): Promise<string> =>
  (await ask(api, { query: databases, variables: { ...credential } })).value[0]._id

const inserting = (databaseId: string, credential: Credential): Question => ({
  query: 'mutation ($databaseId: ID!) { insert(databaseId: $databaseId, cols: []) { _id } }',
  variables: { databaseId, ...credential },
})

const uninstall = ({ running, world }: Scene, clientId: string) =>
  running.operator('DELETE', `/organizations/${world.acme}/installs/${clientId}`)

await onEachBackend('subscriptions', async (t, scene) => {
  const { running, world } = scene
  const resourceServer = await registerResourceServer(running)
  let later = 0
  const now = () => Date.now() + later
  const [api, another] = [
    await startDataApi(t, scene, resourceServer, { now }),
    await startDataApi(t, scene, resourceServer),
  ]
  const writer = await legacyKeys(scene, world.acme)(legacyPermissions)
  const foreign = await legacyKeys(scene, world.other)(legacyPermissions)
  const database = await customersOf(api, writer)
  const insert = () => ask(another, inserting(database, writer))
  const listen = async (t: Test, credential: Credential, field = 'rowsChanged') => {
    const subscriber = await createSubscriber(t, api)
    return subscriber.subscribe(subscribing(credential, field, database))
  }

  t.test(
    'subscriptions report writes of another instance in the form of the queries',
    async (t) => {
      const rows = await listen(t, writer)
      const { type, payload } = await firstTold(rows, insert)
      t.equal(type, 'next')
      t.match(payload.data.rowsChanged, [{ _id: /^rec/ }])

      const structure = await listen(t, writer, 'databaseUpdated')
      const add = `mutation ($database: ID!) {
      addField(databaseId: $database, field: {name: "More", type: "number"}) { _id }
    }`
      const told = await firstTold(structure, () =>
        ask(another, { query: add, variables: { database, ...writer } }),
      )
      t.same(told.payload.data, { databaseUpdated: { _id: database } })
    },
  )

  t.test('subscriptions are refused like other operations', async (t) => {
    const { user } = await legacyApp(scene)
    const cases: [string, Credential, string][] = [
      ['a good secret of another organization', foreign, 'not-found'],
      ['nonsense', { secretKey: 'nonsense' }, 'token-invalid'],
      ['no permission', await user(['insertData']), 'insufficient_scope'],
    ]
    for (const [name, credential, code] of cases) {
      const { type, payload } = await (await listen(t, credential)).next()
      t.equal(type, 'error', name)
      t.equal(payload[0].extensions.code, code, name)
    }
    const subscriber = await createSubscriber(t, api)
    const invalid = [
      'subscription ($secretKey: String!) { rowsChanged(databaseId: "x") { _id } }',
      `subscription ($secretKey: String!, $databaseId: ID!) {
        rowsChanged(databaseId: $databaseId, secretKey: $secretKey) { _id }
        databaseUpdated(databaseId: $databaseId, secretKey: $secretKey) { _id }
      }`,
    ]
    for (const query of invalid) {
      const variables = { ...writer, databaseId: database }
      t.equal((await subscriber.subscribe({ query, variables }).next()).type, 'error')
    }
  })

  const endings: [
    name: string,
    begin: () => Promise<{ credential: Credential; end(): unknown }>,
  ][] = [
    [
      'the app is uninstalled',
      async () => {
        const { app, user } = await legacyApp(scene)
        const credential = await user(['readData'])
        return { credential, end: () => uninstall(scene, app.client_id) }
      },
    ],
    [
      'the secret key is rotated',
      async () => {
        const part = { interface: 'legacy', permissions: ['readData'] }
        const { id, secret } = await createKeySet(running, world.acme, part)
        const path = `/organizations/${world.acme}/key-sets/${id}/rotate`
        return { credential: { secretKey: secret }, end: () => running.operator('POST', path) }
      },
    ],
    [
      'the access token expires',
      async () => {
        const credential = await (await legacyApp(scene)).user(['readData'])
        return {
          credential,
          end: () => {
            later = 7300 * 1000
          },
        }
      },
    ],
  ]
  for (const [name, begin] of endings) {
    t.test(`subscriptions end when ${name}, with or without new events`, async (t) => {
      const { credential, end } = await begin()
      const [busy, quiet] = [
        await listen(t, credential),
        await listen(t, credential, 'databaseUpdated'),
      ]
      t.equal((await firstTold(busy, insert)).type, 'next')
      await end()
      for (const subscription of [busy, quiet]) {
        const { type, payload } = await endOf(subscription)
        t.equal(type, 'error')
        t.equal(payload[0].extensions.code, 'token-invalid')
      }
      later = 0
    })
  }
})

await onEachBackend(
  'a revoked token is refused within 2 s, whichever instance the data API uses',
  async (t, scene) => {
    const { running, issuer, world } = scene
    const server = running.urls[1] as string
    const api = await startDataApi(t, scene, await registerResourceServer(running), { server })
    const { app, user, machine } = await installedApp(scene)
    const old = await legacyApp(scene)
    const tokens = [await user(currentPermissions), await machine(currentPermissions)]
    const revoked = await machine(currentPermissions)
    const legacy = { query: databases, variables: { ...(await old.user(['readData'])) } }
    for (const token of [...tokens, revoked])
      t.equal((await ask(api, workspaces, token)).code, null, 'valid until then')
    t.equal((await ask(api, legacy)).code, null)

    /** Milliseconds until each revocation is known. */
    const took: number[] = []
    const isRefused = async (what: string, question: Question, token?: string) => {
      const after = await refusedAfter(api, question, token)
      t.ok(after < 20_000, `${what}, after ${Math.round(after)} ms`)
      return after
    }

    const body = new URLSearchParams({ token: revoked, ...credentials(app) })
    t.equal((await fetch(`${issuer}/api/oauth/revoke`, { method: 'POST', body })).status, 200)
    took.push(await isRefused('a revoked token', workspaces, revoked))
    t.equal((await ask(api, workspaces, tokens[1])).code, null, 'no other token is refused')

    await Promise.all([app, old.app].map((one) => uninstall(scene, one.client_id)))
    const uninstalled = performance.now()
    for (const token of tokens) await isRefused('an app that is gone', workspaces, token)
    await isRefused('a legacy app that is gone', legacy)
    took.push(performance.now() - uninstalled)

    const { make, id } = await selfSigner(scene, world.acme)
    const signed = await make([])
    t.equal((await ask(api, workspaces, signed)).code, null)
    await running.operator('POST', `/organizations/${world.acme}/key-sets/${id}/rotate`)
    took.push(await isRefused('signed with a secret of before', workspaces, signed))
    // A busy machine only makes it slower.
    t.ok(Math.min(...took) < 2000, 'within 2 s')
  },
  { instances: 2 },
)
