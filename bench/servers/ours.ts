import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { createLatchkey } from '#dist/app.js'
import { readConfig } from '#dist/config.js'
import { createKeyring } from '#dist/domain/keyring.js'
import { encodeGrantToken } from '#dist/domain/token-format.js'
import { createLogger } from '#dist/log.js'
import { connectRedis } from '#dist/stores/redis/connection.js'
import { createFamilyStore } from '#dist/stores/redis/families.js'
import { codeChallenge, codeVerifier } from '../pkce.ts'
import {
  environmentOf,
  form,
  formHeaders,
  type Operation,
  operations,
  type Shot,
  serve,
} from '../protocol.ts'
import { redirectUri, type Sample, type SeededGrant } from '../seed.ts'

const environment = environmentOf()
const sample = JSON.parse(await readFile(environment.sample, 'utf8')) as Sample
const keyring = createKeyring([Buffer.from(environment.masterKey, 'base64')])
const path = '/api/oauth/token'
let latchkey: Awaited<ReturnType<typeof createLatchkey>>

const appOf = (at: number) => {
  const app = sample.apps[at]
  if (!app) throw new Error('the sample has no such app')
  return { client_id: app.clientId, client_secret: app.secret }
}

const cycle = <Item>(items: Item[], count: number) =>
  Array.from({ length: count }, (_, at) => items[at % items.length] as Item)

const clientCredentials = (count: number): Shot[] =>
  cycle(sample.installs, count).map(({ app, organizationId }) => ({
    path,
    headers: formHeaders,
    body: form({
      grant_type: 'client_credentials',
      organization_id: organizationId,
      ...appOf(app),
    }),
  }))

const introspected = 1000
const chainOf = (grant: SeededGrant): Shot => ({
  path,
  headers: formHeaders,
  body: `${form({ grant_type: 'refresh_token', ...appOf(grant.app) })}&refresh_token={token}`,
  token: encodeGrantToken(keyring, { familyId: grant.id, generation: 1 }),
})

/** The families' first refresh tokens; those of the first families are kept for the access tokens to introspect. */
const refreshes = (count: number): Shot[] =>
  sample.grants.slice(introspected).slice(0, count).map(chainOf)

const codes = async (count: number): Promise<Shot[]> => {
  const client = new pg.Client(environment.databaseUrl)
  await client.connect()
  const redis = await connectRedis({
    url: environment.redisUrl,
    timeout: 10_000,
    onError: () => undefined,
  })
  const families = createFamilyStore(redis)
  const made = cycle(sample.grants, count).map((grant) => ({ grant, id: randomUUID() }))
  await client.query(
    `insert into grants (id, user_id, client_id, organization_id, install_id, app_epoch, user_epoch,
       permissions, redirect_uri, code_challenge)
     select n.id, g.user_id, g.client_id, g.organization_id, g.install_id, 0, 0, g.permissions, $3, $4
       from unnest($1::uuid[], $2::uuid[]) as n(id, of) join grants g on g.id = n.of`,
    [made.map(({ id }) => id), made.map(({ grant }) => grant.id), redirectUri, codeChallenge],
  )
  // Longer than 60 s: all of them are made before the first is redeemed.
  await Promise.all(made.map(({ id }) => families.create(id, 0, 3600)))
  await client.end()
  await redis.close()
  return made.map(({ grant, id }) => codeShot(grant, id))
}

const codeShot = (grant: SeededGrant, id: string): Shot => ({
  path,
  headers: formHeaders,
  body: form({
    grant_type: 'authorization_code',
    code: encodeGrantToken(keyring, { familyId: id, generation: 0 }),
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
    ...appOf(grant.app),
  }),
})

const introspections = async (): Promise<Shot[]> => {
  const { clientId, secret } = sample.resourceServer
  const authorization = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`
  const shots: Shot[] = []
  for (const { path: at, headers, body, token = '' } of sample.grants
    .slice(0, introspected)
    .map(chainOf)) {
    const answer = await latchkey.server.inject({
      method: 'POST',
      url: at,
      headers,
      payload: body.replace('{token}', token),
    })
    const tokens = answer.json()
    shots.push({
      path: '/api/oauth/introspect',
      headers: { ...formHeaders, authorization },
      body: form({ token: tokens.access_token }),
    })
  }
  return shots
}

await serve({
  operations,
  start: async () => {
    latchkey = await createLatchkey(
      readConfig({
        PORT: '0',
        ISSUER: 'http://127.0.0.1:3000',
        DATABASE_URL: environment.databaseUrl,
        REDIS_URL: environment.redisUrl,
        LATCHKEY_MASTER_KEY: environment.masterKey,
        LATCHKEY_OPERATOR_TOKEN: 'operator-token-of-the-benchmark',
      }),
      createLogger('info'),
    )
    await latchkey.listen()
    const address = latchkey.server.server.address()
    return typeof address === 'object' && address ? address.port : 0
  },
  prepare: async (operation: Operation, count: number) => {
    switch (operation) {
      case 'client_credentials':
        return clientCredentials(count)
      case 'refresh':
        return refreshes(count)
      case 'authorization_code':
        return codes(count)
      case 'introspection':
        return introspections()
    }
  },
  stop: () => latchkey.close(),
})
