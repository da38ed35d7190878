// Prepares the requests for our server in a separate process, so that the memory of the server process contains only
// server data.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { createKeyring } from '#dist/core/crypto/keyring.js'
import { encodeGrantToken } from '#dist/core/grants/token-format.js'
import { openDatabase } from '#dist/stores/postgres/connection/database.js'
import { connectRedis } from '#dist/stores/redis/connection.js'
import { createFamilyStore } from '#dist/stores/redis/families.js'
import { authorizeQuery, codeChallenge, codeVerifier, redirectUri } from '../authorization.ts'
import { sessionsOf } from '../open-sessions.ts'
import {
  environmentOf,
  form,
  formHeaders,
  type Operation,
  operations,
  type Shot,
  serve,
} from '../protocol.ts'
import type { Sample, SeededGrant } from '../seed.ts'

const environment = environmentOf()
const sample = JSON.parse(await readFile(environment.sample, 'utf8')) as Sample
const keyring = createKeyring([Buffer.from(environment.masterKey, 'base64')])
const path = '/api/oauth/token'

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

/** Number of families whose access tokens are introspected. The others are refreshed. */
const introspected = Math.min(1000, Math.floor(sample.grants.length / 4))
const chainOf = (grant: SeededGrant): Shot => ({
  path,
  headers: formHeaders,
  body: `${form({ grant_type: 'refresh_token', ...appOf(grant.app) })}&refresh_token={token}`,
  token: encodeGrantToken(keyring, { familyId: grant.id, generation: 1 }),
})

/** The first refresh tokens of families whose access tokens are not introspected. */
const refreshes = (count: number): Shot[] =>
  sample.grants.slice(introspected).slice(0, count).map(chainOf)

const openRedis = () =>
  connectRedis({ url: environment.redisUrl, timeout: 10_000, onError: () => undefined })

const codes = async (count: number): Promise<Shot[]> => {
  const client = new pg.Client(environment.databaseUrl)
  await client.connect()
  const redis = await openRedis()
  const families = createFamilyStore(redis)
  const made = cycle(sample.grants, count).map((grant) => ({ grant, id: randomUUID() }))
  await client.query(
    `insert into grants (id, user_id, client_id, organization_id, install_id, app_epoch, user_epoch,
       permissions, redirect_uri, code_challenge)
     select n.id, g.user_id, g.client_id, g.organization_id, g.install_id, 0, 0, g.permissions, $3, $4
       from unnest($1::uuid[], $2::uuid[]) as n(id, of) join grants g on g.id = n.of`,
    [made.map(({ id }) => id), made.map(({ grant }) => grant.id), redirectUri, codeChallenge],
  )
  // Longer than 60 s, because all codes are created before the first is redeemed.
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

/**
 * Leaves the users of the sample only the grants that were seeded. Codes and authorizations of earlier rounds would give each
 * user dozens for one app: beyond half of GRANTS_PER_USER_AND_APP, which no real user reaches, each further one is counted.
 */
const forgetGrants = async () => {
  const client = new pg.Client(environment.databaseUrl)
  await client.connect()
  await client.query('delete from grants where user_id = any($1) and not id = any($2)', [
    sample.grants.map(({ userId }) => userId),
    sample.grants.map(({ id }) => id),
  ])
  await client.end()
}

/** Requests of signed-in users who have approved the app and whose grants were seeded. */
const authorizations = async (count: number): Promise<Shot[]> => {
  await forgetGrants()
  const database = openDatabase({
    url: environment.databaseUrl,
    poolSize: 4,
    timeout: 30_000,
    onError: () => undefined,
  })
  const sessions = sessionsOf(database)
  const shots = await Promise.all(
    sample.grants.slice(0, count).map(async ({ app, userId }): Promise<Shot> => {
      const cookie = `latchkey_session=${await sessions.open(userId)}`
      const query = authorizeQuery(appOf(app).client_id)
      return { path: `/authorize?${query}`, headers: { cookie }, body: null }
    }),
  )
  await database.close()
  return shots
}

/** Refreshes, so that the chain continues with the new refresh token. @returns the access token */
const tokenFor = async (chain: Shot): Promise<string> => {
  const { path: at, headers, body, token = '' } = chain
  const answer = await fetch(`http://127.0.0.1:${environment.port}${at}`, {
    method: 'POST',
    headers,
    body: body?.replace('{token}', token) ?? null,
  })
  const tokens = (await answer.json()) as { access_token: string; refresh_token: string }
  chain.token = tokens.refresh_token
  return tokens.access_token
}

const introspectedChains = sample.grants.slice(0, introspected).map(chainOf)

const introspections = async (): Promise<Shot[]> => {
  const { clientId, secret } = sample.resourceServer
  const authorization = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`
  const shots: Shot[] = []
  for (const chain of introspectedChains) {
    shots.push({
      path: '/api/oauth/introspect',
      headers: { ...formHeaders, authorization },
      body: form({ token: await tokenFor(chain) }),
    })
  }
  return shots
}

await serve({
  operations,
  start: async () => environment.port,
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
      case 'authorize':
        return authorizations(count)
    }
  },
  stop: async () => undefined,
})
