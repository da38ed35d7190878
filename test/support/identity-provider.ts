/**
 * The identity provider of an organization, scripted: real keys and signatures over real HTTP, with assertions (ID-JAG)
 * that the test chooses, including ones that no honest provider would sign.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { post } from './flows.ts'
import type { Running } from './latchkey.ts'
import { createApp, currentPermissions, install, type TestApp, type World } from './world.ts'

export const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** Allows providers on this machine. */
export const providerEnvironment = { WEBHOOK_ALLOW_PRIVATE: 'true' }

type SigningKey = Awaited<ReturnType<typeof newKey>>

const newKey = async (kid: string, alg = 'ES256') => {
  const { publicKey, privateKey } = await generateKeyPair(alg)
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

export interface TestProvider {
  issuer: string
  jwksUri: string
  /** The published keys; the first one signs. */
  keys: SigningKey[]
  addKey(kid: string): Promise<SigningKey>
  /** How often its documents were requested. */
  requests: string[]
  /** Answers in place of the provider's documents; null: none. */
  fault: { status: number; body: string } | null
  /** @param part claims to change; undefined removes one */
  assertion(
    part: Record<string, unknown>,
    header?: Record<string, unknown>,
    key?: SigningKey,
  ): Promise<string>
  stop(): Promise<void>
}

let counter = 0

/** @param audience the issuer of the server that gets the assertions */
export const startIdentityProvider = async (audience: string): Promise<TestProvider> => {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    const documents: Record<string, object> = {
      '/keys': { keys: provider.keys.map(({ jwk }) => jwk) },
      '/.well-known/openid-configuration': { issuer: provider.issuer, jwks_uri: provider.jwksUri },
    }
    const document = documents[request.url ?? '']
    const { status, body } = provider.fault ?? {
      status: document ? 200 : 404,
      body: JSON.stringify(document ?? {}),
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider: TestProvider = {
    issuer,
    jwksUri: `${issuer}/keys`,
    keys: [await newKey('first')],
    addKey: async (kid) => {
      const key = await newKey(kid)
      provider.keys.unshift(key)
      return key
    },
    requests,
    fault: null,
    assertion: (part, header = {}, key = provider.keys[0] as SigningKey) => {
      const now = Math.floor(Date.now() / 1000)
      const claims = {
        iss: issuer,
        aud: audience,
        jti: `assertion ${++counter}`,
        iat: now,
        exp: now + 300,
        ...part,
      }
      const payload = JSON.parse(JSON.stringify(claims)) as JWTPayload
      return new SignJWT(payload)
        .setProtectedHeader({ alg: key.alg, typ: 'oauth-id-jag+jwt', kid: key.kid, ...header })
        .sign(key.privateKey)
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return provider
}

/** Presents an assertion. */
export const assertAt = (
  url: string,
  app: TestApp,
  assertion: string,
  fields: Record<string, string | undefined> = {},
  headers: Record<string, string> = {},
) =>
  post(
    `${url}/api/oauth/token`,
    {
      grant_type: jwtBearer,
      assertion,
      client_id: app.client_id,
      ...(app.client_secret && { client_secret: app.client_secret }),
      ...fields,
    },
    headers,
  )

/** Names the provider of an organization. */
export const nameProvider = async (
  running: Pick<Running, 'operator'>,
  organizationId: string,
  provider: Pick<TestProvider, 'issuer'>,
  part: Record<string, unknown> = {},
) => {
  const path = `/organizations/${organizationId}/identity-provider`
  const { status, body } = await running.operator('PUT', path, { issuer: provider.issuer, ...part })
  if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
}

/** An app of Acme that may present assertions. */
export const assertingApp = async (
  running: Pick<Running, 'operator'>,
  world: Pick<World, 'acme'>,
  part: Record<string, unknown> = {},
): Promise<TestApp> => {
  const permissions = currentPermissions
  const app = await createApp(running, { permissions, identity_assertions: true, ...part })
  await install(running, world.acme, app)
  return app
}

/** One call of each statement, for query-plans.test.ts. */
export const everyAssertionCall = async (
  running: Pick<Running, 'issuer' | 'operator'>,
  world: Pick<World, 'acme' | 'ana' | 'confidential'>,
): Promise<void> => {
  const { acme, ana, confidential } = world
  const path = `/organizations/${acme}/identity-provider`
  const provider = await startIdentityProvider(running.issuer)
  const app = await assertingApp(running, world)
  const clientIds = [app.client_id, confidential.client_id]
  await nameProvider(running, acme, { issuer: `${provider.issuer}/former` })
  await nameProvider(running, acme, provider, { client_ids: clientIds })
  await running.operator('GET', path)
  const present = async () => {
    const address = { email: ana.email, email_verified: true }
    const claims = { client_id: app.client_id, sub: 'subject', ...address }
    const { status, body } = await assertAt(running.issuer, app, await provider.assertion(claims))
    if (status !== 200) throw new Error(`assertion: ${status} ${JSON.stringify(body)}`)
  }
  // The first ones link the subject, all but one in vain.
  await Promise.all(Array.from({ length: 8 }, present))
  await running.operator('DELETE', path)
  await provider.stop()
}
