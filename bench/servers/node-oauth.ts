import { generateKeyPairSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import formbody from '@fastify/formbody'
import OAuth2Server from '@node-oauth/oauth2-server'
import Fastify from 'fastify'
import { Redis } from 'ioredis'
import { environmentOf, form, formHeaders, type Operation, type Shot, serve } from '../protocol.ts'
import type { Sample } from '../seed.ts'
import { signed } from '../signature.ts'

// @node-oauth/oauth2-server as shipped, behind Fastify: clients in memory, refresh tokens in Redis, ES256 tokens.
const { Request, Response } = OAuth2Server
const environment = environmentOf()
const sample = JSON.parse(await readFile(environment.sample, 'utf8')) as Sample
const redis = new Redis(environment.redisUrl)
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const header = Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid: 'bench' })).toString(
  'base64url',
)
const keyOf = (token: string) => `node-oauth:${token}`

const clients = new Map(
  sample.apps.map(({ clientId, secret }) => [
    clientId,
    {
      client: { id: clientId, grants: ['client_credentials', 'refresh_token'] },
      secret: Buffer.from(secret),
    },
  ]),
)

const oauth = new OAuth2Server({
  model: {
    getClient: async (id: string, secret: string) => {
      const known = clients.get(id)
      const sent = Buffer.from(secret ?? '')
      const matches =
        known && sent.length === known.secret.length && timingSafeEqual(sent, known.secret)
      return matches ? known.client : null
    },
    getUserFromClient: async ({ id }: { id: string }) => ({ id }),
    validateScope: async (_user: unknown, _client: unknown, scope: string[]) =>
      scope ?? ['records:create'],
    generateAccessToken: async (client: { id: string }, user: { id: string }, scope: string[]) => {
      const iat = Math.floor(Date.now() / 1000)
      const claims = {
        iss: 'http://127.0.0.1',
        sub: user.id,
        client_id: client.id,
        scope: scope?.join(' '),
        iat,
        exp: iat + 3600,
        jti: randomBytes(16).toString('base64url'),
      }
      const input = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
      return signed(input, privateKey)
    },
    saveToken: async (
      token: OAuth2Server.Token,
      client: OAuth2Server.Client,
      user: OAuth2Server.User,
    ) => {
      if (token.refreshToken) {
        const value = JSON.stringify({ clientId: client.id, user, scope: token.scope })
        await redis.set(keyOf(token.refreshToken), value, 'EX', 30 * 86_400)
      }
      return { ...token, client, user }
    },
    getRefreshToken: async (refreshToken: string) => {
      const text = await redis.get(keyOf(refreshToken))
      if (text === null) return null
      const { clientId, user, scope } = JSON.parse(text)
      return { refreshToken, client: clients.get(clientId)?.client, user, scope }
    },
    revokeToken: async ({ refreshToken }: { refreshToken: string }) =>
      (await redis.del(keyOf(refreshToken))) === 1,
  } as never,
})

const server = Fastify()
await server.register(formbody)
server.post('/token', async (request, reply) => {
  const { method, headers, query, body } = request
  const response = new Response()
  try {
    await oauth.token(new Request({ method, headers, query, body } as never), response)
  } catch {
    // The answer contains the error.
  }
  return reply
    .code(response.status ?? 500)
    .headers(response.headers ?? {})
    .send(response.body)
})

const appOf = (at: number) => {
  const app = sample.apps[at % sample.apps.length]
  return { client_id: app?.clientId ?? '', client_secret: app?.secret ?? '' }
}

const prepare = async (operation: Operation, count: number): Promise<Shot[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const app = appOf(at)
      if (operation === 'client_credentials') {
        return {
          path: '/token',
          headers: formHeaders,
          body: form({ grant_type: operation, ...app }),
        }
      }
      const token = randomBytes(32).toString('hex')
      const value = JSON.stringify({
        clientId: app.client_id,
        user: { id: `user-${at}` },
        scope: ['records:create'],
      })
      await redis.set(keyOf(token), value, 'EX', 30 * 86_400)
      const body = `${form({ grant_type: 'refresh_token', ...app })}&refresh_token={token}`
      return { path: '/token', headers: formHeaders, body, token }
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
