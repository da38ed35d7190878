import {
  createHmac,
  createSecretKey,
  generateKeyPairSync,
  randomBytes,
  randomUUID,
  timingSafeEqual,
} from 'node:crypto'
import { readFile } from 'node:fs/promises'
import formbody from '@fastify/formbody'
import Fastify from 'fastify'
import { Redis } from 'ioredis'
import pg from 'pg'
import { authorizeQuery, redirectUri } from '../authorization.ts'
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
import { isSigned, signed } from '../signature.ts'

// The same I/O as ours without rules: form, one prepared query where ours has one, one script where ours has one, one
// signature. All decisions of such a server are left out. FLOOR_SQL=0 leaves out the query too. An authorization does
// the minimum: the session and the new family in Redis, one query for all needed data, one for the new grant.
const environment = environmentOf()
const withSql = process.env.FLOOR_SQL !== '0'
const sample = JSON.parse(await readFile(environment.sample, 'utf8')) as Sample
const database = new pg.Pool({ connectionString: environment.databaseUrl, max: 10 })
const redis = new Redis(environment.redisUrl)
redis.defineCommand('benchAdvance', {
  numberOfKeys: 1,
  lua: `
local live = redis.call('HGET', KEYS[1], 'g')
if live ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'g', ARGV[1] + 1, 'n', ARGV[2])
return 1`,
})
redis.defineCommand('benchBegin', {
  numberOfKeys: 1,
  lua: `
redis.call('HSET', KEYS[1], 'g', 0)
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1`,
})
const scripts = redis as unknown as {
  benchAdvance(key: string, generation: string, nonce: string): Promise<number>
  benchBegin(key: string, lifetime: number): Promise<number>
}

const digestKey = createSecretKey(randomBytes(32))
const digestOf = (secret: string) => createHmac('sha256', digestKey).update(secret).digest()
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const header = Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid: 'bench' })).toString(
  'base64url',
)

const issue = (clientId: string, organizationId: string) => {
  const iat = Math.floor(Date.now() / 1000)
  const claims = {
    iss: 'http://127.0.0.1',
    aud: 'http://127.0.0.1',
    sub: clientId,
    client_id: clientId,
    iat,
    exp: iat + 3600,
    jti: randomBytes(16).toString('base64url'),
    organization_id: organizationId,
    permissions: ['records:create', 'records:update'],
    workspace_ids: ['wks0000000000000001', 'wks0000000000000002'],
  }
  const input = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  return signed(input, privateKey)
}

// One query over four tables by primary keys, as any server with apps, secrets, grants and installs needs.
const grantQuery = `
select a.permissions, s.digest, g.permissions as granted, i.permissions as installed, m.role
  from apps a join app_secrets s on s.client_id = a.client_id
  left join grants g on g.id = $2::uuid
  left join installs i on i.id = g.install_id
  left join members m on m.organization_id = g.organization_id and m.user_id = g.user_id
 where a.client_id = $1`
const installQuery = `
select a.permissions, s.digest, i.permissions as installed
  from apps a join app_secrets s on s.client_id = a.client_id
  left join installs i on i.client_id = a.client_id and i.organization_id = $2 and i.ended_at is null
 where a.client_id = $1`
const tokenQuery = `
select r.digest, g.permissions as granted, i.permissions as installed, m.role
  from resource_servers r
  left join grants g on g.id = $2::uuid
  left join installs i on i.id = g.install_id
  left join members m on m.organization_id = g.organization_id and m.user_id = g.user_id
 where r.client_id = $1`

const consentQuery = `
select a.permissions, c.offered, c.permissions as given, i.id as install, i.permissions as installed, m.role
  from apps a
  left join users u on u.id = $2 and u.disabled_at is null
  left join members m on m.organization_id = $3 and m.user_id = u.id
  left join installs i on i.client_id = a.client_id and i.organization_id = $3 and i.ended_at is null
  left join consents c
    on c.user_id = u.id and c.organization_id = $3 and c.client_id = a.client_id
 where a.client_id = $1`
const grantInsert = `
insert into grants (id, user_id, client_id, organization_id, install_id, app_epoch, user_epoch, permissions, redirect_uri,
  code_challenge)
values ($1, $2, $3, $4, $5, 0, 0, '{}', $6, $7)`

const query = async (name: string, text: string, values: unknown[]) => {
  if (withSql) await database.query({ name, text, values })
}

const tokens = (clientId: string, organizationId: string, refreshToken?: string) => ({
  access_token: issue(clientId, organizationId),
  token_type: 'Bearer',
  expires_in: 3600,
  ...(refreshToken !== undefined && { refresh_token: refreshToken }),
  scope: 'records:create records:update',
  organization_id: organizationId,
  workspace_ids: ['wks0000000000000001', 'wks0000000000000002'],
})

const checkSecret = (secret: string) => timingSafeEqual(digestOf(secret), digestOf(secret))

const server = Fastify()
await server.register(formbody)

server.post('/api/oauth/token', async (request, reply) => {
  const body = request.body as Record<string, string>
  const { client_id: clientId = '', client_secret: secret = '' } = body
  checkSecret(secret)
  reply.header('cache-control', 'no-store')
  if (body.grant_type === 'client_credentials') {
    const { organization_id: organizationId = '' } = body
    await query('floor_install', installQuery, [clientId, organizationId])
    return tokens(clientId, organizationId)
  }
  const presented = body.refresh_token ?? body.code ?? ''
  const [family = '', generation = '0'] = presented.split('.')
  await query('floor_grant', grantQuery, [clientId, family])
  const moved = await scripts.benchAdvance(
    `floor:{${family}}`,
    generation,
    randomBytes(9).toString('base64url'),
  )
  if (moved !== 1) return reply.code(400).send({ error: 'invalid_grant' })
  return tokens(clientId, 'org0000000000000001', `${family}.${Number(generation) + 1}`)
})

server.post('/api/oauth/introspect', async (request) => {
  const { token = '' } = request.body as Record<string, string>
  const [head = '', claims = '', signature = ''] = token.split('.')
  checkSecret(request.headers.authorization ?? '')
  isSigned(`${head}.${claims}`, signature, publicKey)
  const read = JSON.parse(Buffer.from(claims, 'base64url').toString())
  await query('floor_token', tokenQuery, [sample.resourceServer.clientId, sample.grants[0]?.id])
  return { active: true, ...read }
})

server.get('/authorize', async (request, reply) => {
  const requested = request.query as Record<string, string>
  const { client_id: clientId, code_challenge: challenge, redirect_uri: uri, state } = requested
  const session = await redis.get(`floor:session:${(request.headers.cookie ?? '').slice(8)}`)
  const { userId, organizationId } = JSON.parse(session ?? '{}')
  const { rows } = await database.query({
    name: 'floor_consent',
    text: consentQuery,
    values: [clientId, userId, organizationId],
  })
  const id = randomUUID()
  await database.query({
    name: 'floor_insert',
    text: grantInsert,
    values: [id, userId, clientId, organizationId, rows[0]?.install, uri, challenge],
  })
  await scripts.benchBegin(`floor:{${id}}`, 60_000)
  reply.header('cache-control', 'no-store')
  return reply.redirect(
    `${redirectUri}?${new URLSearchParams({ code: `${id}.0`, state: `${state}` })}`,
    303,
  )
})

const path = '/api/oauth/token'
const appOf = (at: number) => {
  const app = sample.apps[at]
  return { client_id: app?.clientId ?? '', client_secret: app?.secret ?? '' }
}

const families = async (count: number, generation: number) => {
  const made = Array.from({ length: count }, () => randomUUID())
  const pipeline = redis.pipeline()
  for (const id of made) pipeline.hset(`floor:{${id}}`, 'g', generation)
  await pipeline.exec()
  return made
}

const prepare = async (operation: Operation, count: number): Promise<Shot[]> => {
  if (operation === 'introspection') {
    const body = form({ token: issue('app', 'org') })
    const headers = { ...formHeaders, authorization: 'Basic x' }
    return Array.from({ length: 1000 }, () => ({ path: '/api/oauth/introspect', headers, body }))
  }
  if (operation === 'client_credentials') {
    return sample.installs.slice(0, count).map(({ app, organizationId }) => ({
      path,
      headers: formHeaders,
      body: form({ grant_type: operation, organization_id: organizationId, ...appOf(app) }),
    }))
  }
  if (operation === 'authorize') {
    const people = sample.grants.slice(0, count)
    const pipeline = redis.pipeline()
    for (const { id, userId, organizationId } of people)
      pipeline.set(`floor:session:${id}`, JSON.stringify({ userId, organizationId }))
    await pipeline.exec()
    return people.map(({ id, app }) => ({
      path: `/authorize?${authorizeQuery(appOf(app).client_id)}`,
      headers: { cookie: `session=${id}` },
      body: null,
    }))
  }
  const isCode = operation === 'authorization_code'
  return (await families(count, isCode ? 0 : 1)).map((id, at) => {
    const app = appOf(at % sample.apps.length)
    if (isCode) {
      const more = { redirect_uri: redirectUri, code_verifier: 'x'.repeat(51) }
      return {
        path,
        headers: formHeaders,
        body: form({ grant_type: operation, code: `${id}.0`, ...more, ...app }),
      }
    }
    const body = `${form({ grant_type: 'refresh_token', ...app })}&refresh_token={token}`
    return { path, headers: formHeaders, body, token: `${id}.1` }
  })
}

await serve({
  operations: withSql ? operations : ['client_credentials', 'refresh'],
  start: async () => {
    await server.listen({ port: 0, host: '127.0.0.1' })
    const address = server.server.address()
    return typeof address === 'object' && address ? address.port : 0
  },
  prepare,
  stop: async () => {
    await server.close()
    await database.end()
    redis.disconnect()
  },
})
