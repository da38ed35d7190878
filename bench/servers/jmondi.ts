import { generateKeyPairSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import formbody from '@fastify/formbody'
import {
  AuthorizationServer,
  DateInterval,
  type GrantIdentifier,
  type JwtInterface,
  type OAuthClient,
  OAuthException,
  type OAuthScope,
  type OAuthToken,
} from '@jmondi/oauth2-server'
import {
  handleFastifyError,
  handleFastifyReply,
  requestFromFastify,
} from '@jmondi/oauth2-server/fastify'
import Fastify from 'fastify'
import { Redis } from 'ioredis'
import { environmentOf, form, formHeaders, type Operation, type Shot, serve } from '../protocol.ts'
import type { Sample } from '../seed.ts'
import { signed } from '../signature.ts'

// @jmondi/oauth2-server, tuned as far as its interfaces allow: clients in memory, opaque refresh tokens (one Redis
// command to consume, one to store), access tokens signed directly with a key object instead of by jsonwebtoken.
const environment = environmentOf()
const sample = JSON.parse(await readFile(environment.sample, 'utf8')) as Sample
const redis = new Redis(environment.redisUrl)
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const header = Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid: 'bench' })).toString(
  'base64url',
)
const keyOf = (token: string) => `jmondi:${token}`
const hour = 3600 * 1000
const month = 30 * 86_400

const scopes = new Map<string, OAuthScope>(
  ['records:create', 'records:update'].map((name) => [name, { name }]),
)
const allScopes = [...scopes.values()]
const clients = new Map<string, OAuthClient>(
  sample.apps.map(({ clientId, secret }) => [
    clientId,
    {
      id: clientId,
      name: clientId,
      secret,
      redirectUris: [],
      allowedGrants: ['client_credentials', 'refresh_token'] satisfies GrantIdentifier[],
      scopes: allScopes,
    },
  ]),
)

const clientOf = (id: string) => {
  const client = clients.get(id)
  if (!client) throw OAuthException.invalidClient()
  return client
}

const isSecretOf = (client: OAuthClient, sent: string) => {
  const [known, shown] = [Buffer.from(client.secret ?? ''), Buffer.from(sent)]
  return known.length === shown.length && timingSafeEqual(known, shown)
}

const jwt: JwtInterface = {
  sign: async (payload) => {
    const input = `${header}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}`
    return signed(input, privateKey)
  },
  verify: () => Promise.reject(new Error('not needed')),
  decode: () => null,
}

const newToken = (
  client: OAuthClient,
  granted: OAuthScope[],
  user: OAuthToken['user'],
): OAuthToken => ({
  accessToken: randomBytes(16).toString('base64url'),
  accessTokenExpiresAt: new Date(Date.now() + hour),
  client,
  user: user ?? null,
  scopes: granted,
})

const store = async (refreshToken: string, { client, user, scopes: granted }: OAuthToken) => {
  const names = granted.map(({ name }) => name)
  const value = JSON.stringify({ client: client.id, user: user?.id, scopes: names })
  await redis.set(keyOf(refreshToken), value, 'EX', month)
}

const oauth = new AuthorizationServer(
  {
    getByIdentifier: async (id) => clientOf(id),
    isClientValid: async (grant, client, secret) =>
      client.allowedGrants.includes(grant) && isSecretOf(client, secret ?? ''),
  },
  {
    issueToken: async (client, granted, user) => newToken(client, granted, user),
    issueRefreshToken: async (token) => {
      token.refreshToken = randomBytes(32).toString('base64url')
      token.refreshTokenExpiresAt = new Date(Date.now() + month * 1000)
      await store(token.refreshToken, token)
      return token
    },
    persist: async () => undefined,
    // It was consumed when it was read.
    revoke: async () => undefined,
    isRefreshTokenRevoked: async () => false,
    getByRefreshToken: async (refreshToken) => {
      const text = await redis.getdel(keyOf(refreshToken))
      if (text === null) throw OAuthException.invalidParameter('refresh_token')
      const { client, user, scopes: names } = JSON.parse(text)
      const granted = names.map((name: string) => ({ name }))
      const token = newToken(clientOf(client), granted, { id: user })
      return { ...token, refreshToken, refreshTokenExpiresAt: new Date(Date.now() + hour) }
    },
  },
  {
    getAllByIdentifiers: async (names) => names.flatMap((name) => scopes.get(name) ?? []),
    finalize: async (requested) => (requested.length > 0 ? requested : allScopes),
  },
  jwt,
  { useOpaqueRefreshTokens: true },
)
oauth.enableGrantTypes(
  ['client_credentials', new DateInterval('1h')],
  ['refresh_token', new DateInterval('1h')],
)

const server = Fastify()
await server.register(formbody)
server.post('/token', async (request, reply) => {
  try {
    const answer = await oauth.respondToAccessTokenRequest(requestFromFastify(request))
    return handleFastifyReply(reply, answer)
  } catch (error) {
    return handleFastifyError(error, reply)
  }
})

const prepare = (operation: Operation, count: number): Promise<Shot[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const { clientId = '', secret = '' } = sample.apps[at % sample.apps.length] ?? {}
      const fields = { grant_type: operation, client_id: clientId, client_secret: secret }
      const path = '/token'
      if (operation === 'client_credentials')
        return { path, headers: formHeaders, body: form(fields) }
      const token = randomBytes(32).toString('base64url')
      await store(token, newToken(clientOf(clientId), allScopes, { id: `user-${at}` }))
      const body = `${form({ ...fields, grant_type: 'refresh_token' })}&refresh_token={token}`
      return { path, headers: formHeaders, body, token }
    }),
  )

await serve({
  operations: ['client_credentials', 'refresh'],
  start: async () => {
    await server.listen({ port: 0, host: '127.0.0.1' })
    const address = server.server.address()
    return typeof address === 'object' && address ? address.port : 0
  },
  prepare,
  stop: async () => {
    await server.close()
    redis.disconnect()
  },
})
