import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { startOtherServer } from './other-server.ts'

const now = () => Math.floor(Date.now() / 1000)

export const newSigningKey = async (alg = 'RS256') => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const kid: string = randomUUID()
  return { alg, kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg } }
}

export type SigningKey = Awaited<ReturnType<typeof newSigningKey>>

/** A platform that gives its jobs tokens: its metadata, its keys, and signatures as a test wants them. */
export const startWorkloadIssuer = async (audience: string) => {
  const other = await startOtherServer()
  const issuer = other.url
  let key = await newSigningKey()
  const publish = (...keys: SigningKey[]) =>
    other.onJson('/keys', { keys: keys.map(({ publicJwk }) => publicJwk) })
  publish(key)
  other.onJson('/.well-known/openid-configuration', { issuer, jwks_uri: `${issuer}/keys` })
  const claims = () => ({
    iss: issuer,
    sub: 'repo:acme/site:ref:refs/heads/main',
    aud: audience as string | string[],
    iat: now(),
    exp: now() + 300,
    jti: randomUUID(),
  })
  return {
    ...other,
    issuer,
    publish,
    /** Publishes a new key instead of the present one. */
    rotate: async () => {
      key = await newSigningKey()
      publish(key)
    },
    key: () => key,
    /** A token of a job; undefined members are left out. */
    token: (
      changes: Record<string, unknown> = {},
      by: SigningKey = key,
      header: Record<string, unknown> = {},
    ) =>
      new SignJWT(JSON.parse(JSON.stringify({ ...claims(), ...changes })))
        .setProtectedHeader({ alg: by.alg, kid: by.kid, ...header })
        .sign(by.privateKey),
  }
}
