import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { Redis } from 'ioredis'
import type { Adapter, AdapterPayload, Provider as ProviderType } from 'oidc-provider'
import { authorizeQuery, codeChallenge, codeVerifier, redirectUri } from '../authorization.ts'
import {
  environmentOf,
  form,
  formHeaders,
  type Operation,
  operations,
  type Shot,
  serve,
} from '../protocol.ts'
import type { Sample } from '../seed.ts'

// oidc-provider as shipped: its token endpoint, clients in memory, all other data in Redis through an adapter as its
// documentation describes, ES256 access tokens.
const { Provider } = await import('oidc-provider')
const environment = environmentOf()
const sample = JSON.parse(await readFile(environment.sample, 'utf8')) as Sample
const redis = new Redis(environment.redisUrl)
const resource = 'https://api.example/'
const scope = 'records:create records:update'

const keyOf = (model: string, id: string) => `oidc:${model}:${id}`
const consumable = new Set(['AuthorizationCode', 'RefreshToken'])
const grantable = new Set(['AccessToken', 'AuthorizationCode', 'RefreshToken'])

/** One hash per consumable model, one string for others, and a list of the keys of each grant. */
const adapterFor = (model: string): Adapter => ({
  upsert: async (id: string, payload: AdapterPayload, expiresIn: number) => {
    const key = keyOf(model, id)
    const batch = redis.multi()
    const text = JSON.stringify(payload)
    if (consumable.has(model)) batch.hset(key, 'payload', text)
    else batch.set(key, text)
    if (expiresIn) batch.expire(key, expiresIn)
    if (grantable.has(model) && payload.grantId) {
      const list = keyOf('grant', payload.grantId)
      batch.rpush(list, key)
      if (expiresIn) batch.expire(list, expiresIn)
    }
    await batch.exec()
  },
  find: async (id: string) => {
    const key = keyOf(model, id)
    if (!consumable.has(model)) {
      const text = await redis.get(key)
      return text === null ? undefined : JSON.parse(text)
    }
    const { payload, consumed } = await redis.hgetall(key)
    if (payload === undefined) return undefined
    return { ...JSON.parse(payload), ...(consumed !== undefined && { consumed: Number(consumed) }) }
  },
  consume: async (id: string) => {
    await redis.hset(keyOf(model, id), 'consumed', Math.floor(Date.now() / 1000))
  },
  destroy: async (id: string) => {
    await redis.del(keyOf(model, id))
  },
  revokeByGrantId: async (grantId: string) => {
    const list = keyOf('grant', grantId)
    await redis.del(list, ...(await redis.lrange(list, 0, -1)))
  },
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
})

const signingKey = {
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  alg: 'ES256',
  use: 'sig',
}

const provider: ProviderType = new Provider('http://127.0.0.1', {
  adapter: adapterFor,
  jwks: { keys: [signingKey] } as never,
  clients: sample.apps.slice(0, 1000).map(({ clientId, secret }) => ({
    client_id: clientId,
    client_secret: secret,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    token_endpoint_auth_method: 'client_secret_post',
    id_token_signed_response_alg: 'ES256',
  })) as never,
  scopes: ['offline_access', ...scope.split(' ')],
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo: (_context, _indicator, { clientId }) => ({
        scope,
        audience: resource,
        // Its introspection accepts only opaque tokens, so the first client gets such tokens.
        accessTokenFormat: clientId === sample.apps[0]?.clientId ? 'opaque' : 'jwt',
        accessTokenTTL: 3600,
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
  ttl: { RefreshToken: 30 * 86_400, Grant: 30 * 86_400, AuthorizationCode: 600 },
  rotateRefreshToken: true,
  issueRefreshToken: async () => true,
  findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
})
const server = createServer(provider.callback())

const appOf = (at: number) => {
  const app = sample.apps[at % Math.min(1000, sample.apps.length)]
  return { client_id: app?.clientId ?? '', client_secret: app?.secret ?? '' }
}

const approved = (accountId: string, clientId: string) => {
  const grant = new provider.Grant({ accountId, clientId })
  grant.addResourceScope(resource, scope)
  grant.addOIDCScope(`offline_access ${scope}`)
  return grant.save()
}

const code = async (at: number) => {
  const { client_id: clientId } = appOf(at)
  const accountId = `user-${at}`
  const grantId = await approved(accountId, clientId)
  const client = await provider.Client.find(clientId)
  const made = new provider.AuthorizationCode({
    accountId,
    client: client as never,
    clientId,
    grantId,
    redirectUri,
    resource,
    scope: `offline_access ${scope}`,
    codeChallenge,
    codeChallengeMethod: 'S256',
    gty: 'authorization_code',
  } as never)
  return made.save()
}

const codeShot = async (at: number): Promise<Shot> => ({
  path: '/token',
  headers: formHeaders,
  body: form({
    grant_type: 'authorization_code',
    code: await code(at),
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
    ...appOf(at),
  }),
})

/** Its types do not expose that sessions can be created and saved. */
const Session = provider.Session as unknown as new (
  payload: object,
) => { save(seconds: number): Promise<string> }

/** A request of a signed-in user who has approved the app. */
const authorizeShot = async (at: number): Promise<Shot> => {
  const { client_id: clientId } = appOf(at)
  const accountId = `user-${at}`
  const session = new Session({
    uid: randomUUID(),
    accountId,
    loginTs: Math.floor(Date.now() / 1000),
    authorizations: { [clientId]: { grantId: await approved(accountId, clientId) } },
  })
  const cookie = `_session=${await session.save(86_400)}`
  return { path: `/auth?${authorizeQuery(clientId)}`, headers: { cookie }, body: null }
}

const call = async ({ headers, body }: Shot, port: number) => {
  const answer = await fetch(`http://127.0.0.1:${port}/token`, {
    method: 'POST',
    headers,
    body,
  })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as Record<string, string>
}

const times = async (count: number, make: (at: number) => Promise<Shot>) => {
  const shots: Shot[] = []
  for (let at = 0; at < count; at++) shots.push(await make(at))
  return shots
}

const portOf = () => {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

const prepare = (operation: Operation, count: number): Promise<Shot[]> => {
  switch (operation) {
    case 'client_credentials':
      return times(Math.min(count, 1000), async (at) => ({
        path: '/token',
        headers: formHeaders,
        body: form({ grant_type: operation, scope, ...appOf(at) }),
      }))
    case 'authorization_code':
      return times(count, codeShot)
    case 'refresh':
      return times(Math.min(count, 3000), async (at) => {
        const { refresh_token: token = '' } = await call(await codeShot(at), portOf())
        const body = `${form({ grant_type: 'refresh_token', ...appOf(at) })}&refresh_token={token}`
        return { path: '/token', headers: formHeaders, body, token }
      })
    case 'authorize':
      return times(Math.min(count, 3000), authorizeShot)
    case 'introspection':
      return times(500, async () => {
        const { access_token: token = '' } = await call(await codeShot(0), portOf())
        return {
          path: '/token/introspection',
          headers: formHeaders,
          body: form({ token, ...appOf(0) }),
        }
      })
  }
}

await serve({
  operations,
  start: async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return portOf()
  },
  prepare,
  stop: async () => {
    server.closeAllConnections()
    server.close()
    redis.disconnect()
  },
})
