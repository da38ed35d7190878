import { createPrivateKey } from 'node:crypto'
import { createRemoteJWKSet, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { createKeyring } from '../../src/core/crypto/keyring.ts'
import { type Json, masterKey, type Running } from './latchkey.ts'
import type { StoreSetup } from './stores.ts'
import { sql } from './traces.ts'
import { createApp, currentPermissions, install, type TestApp, type World } from './world.ts'

/** An app with permission for OpenID, installed at Acme. */
export const openidApp = async (
  running: Pick<Running, 'operator'>,
  { acme }: Pick<World, 'acme'>,
  part: Record<string, unknown> = {},
): Promise<TestApp> => {
  const app = await createApp(running, { name: 'Wiki', openid: true, ...part })
  await install(running, acme, app)
  return app
}

export const everyScope = ['openid profile email', ...currentPermissions].join(' ')

/** An ID token, verified as an app must (OpenID Connect Core §3.1.3.7). */
export const verifiedIdToken = async (
  issuer: string,
  clientId: string,
  token: string,
): Promise<JWTPayload> => {
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`))
  const { payload } = await jwtVerify(token, keys, {
    issuer,
    audience: clientId,
    typ: 'JWT',
    algorithms: ['ES256'],
    requiredClaims: ['sub', 'iat', 'exp', 'at_hash'],
  })
  return payload
}

/** A JWT signed with the server's key, as the server could have issued it at another time. */
export const signedByServer = async (
  stores: StoreSetup,
  claims: JWTPayload,
  typ = 'JWT',
): Promise<string> => {
  const [row] = await sql<{ kid: string; sealed: Buffer }>(
    stores,
    `select kid, sealed_private_key as sealed from signing_keys where status = 'active'`,
  )
  const { kid, sealed } = row as { kid: string; sealed: Buffer }
  const der = createKeyring([Buffer.from(masterKey, 'base64')]).open(sealed, `signing_keys:${kid}`)
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', typ, kid })
    .sign(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
}

/** The userinfo response. */
export const userinfoAt = async (
  url: string,
  token: string | null,
  init: RequestInit & { headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: Headers; body: Json }> => {
  const response = await fetch(`${url}/userinfo`, {
    ...init,
    headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...init.headers },
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text ? JSON.parse(text) : {},
  }
}
