// What is set up in Keycloak through its administrative interface: one realm with apps and users.
import { randomBytes } from 'node:crypto'
import { redirectUri, scope } from '../authorization.ts'
import { inLanes } from '../making.ts'

export const realm = 'bench'
export const resourceServer = 'resource-server'
export const password = 'orange teapot on a hill'
export const secret = randomBytes(24).toString('base64url')
export const apps = 200
/** Users who sign in. Each has one app. */
export const users = 320

export const appId = (at: number) => `app-${at % apps}`
export const userName = (at: number) => `user-${at}`

const day = 86_400
const atOnce = 8

/** Rotation with detection of reuse and ES256, like ours. Passwords with a cheap hash: sign-ins are not measured. */
const realmSettings = {
  realm,
  enabled: true,
  revokeRefreshToken: true,
  refreshTokenMaxReuse: 0,
  accessTokenLifespan: 3600,
  // Longer than the default, because all codes are created before the first is redeemed.
  accessCodeLifespan: 3600,
  ssoSessionIdleTimeout: day,
  ssoSessionMaxLifespan: day,
  defaultSignatureAlgorithm: 'ES256',
  passwordPolicy: 'hashAlgorithm(pbkdf2-sha256) and hashIterations(1)',
}

const signingKey = {
  name: 'ES256',
  providerType: 'org.keycloak.keys.KeyProvider',
  providerId: 'ecdsa-generated',
  config: {
    ecdsaEllipticCurveKey: ['P-256'],
    priority: ['200'],
    active: ['true'],
    enabled: ['true'],
  },
}

/** Without it, the introspection by the resource server answers that the token is not active. */
const audience = {
  name: 'audience',
  protocol: 'openid-connect',
  protocolMapper: 'oidc-audience-mapper',
  config: {
    'included.client.audience': resourceServer,
    'access.token.claim': 'true',
    'introspection.token.claim': 'true',
  },
}

const appOf = (at: number) => ({
  clientId: appId(at),
  secret,
  publicClient: false,
  standardFlowEnabled: true,
  serviceAccountsEnabled: true,
  directAccessGrantsEnabled: false,
  consentRequired: true,
  redirectUris: [redirectUri],
  attributes: { 'pkce.code.challenge.method': 'S256' },
  protocolMappers: [audience],
})

const userOf = (at: number) => ({
  username: userName(at),
  enabled: true,
  email: `${userName(at)}@bench.test`,
  emailVerified: true,
  firstName: 'Bench',
  lastName: userName(at),
  credentials: [{ type: 'password', value: password, temporary: false }],
})

/** An account for administration that Keycloak creates at its first start. */
export interface Administrator {
  clientId: string
  secret: string
}

const administration = (base: string, { clientId, secret }: Administrator) => {
  let token: { text: string; until: number } | undefined
  const tokenNow = async () => {
    if (token && performance.now() < token.until) return token.text
    const answer = await fetch(`${base}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: secret,
      }),
    })
    if (!answer.ok) throw new Error(`administrator: ${answer.status} ${await answer.text()}`)
    const { access_token: text, expires_in: seconds } = (await answer.json()) as {
      access_token: string
      expires_in: number
    }
    token = { text, until: performance.now() + seconds * 500 }
    return text
  }
  /** @returns the id of what was created */
  return async (method: 'POST' | 'PUT', path: string, body?: object): Promise<string> => {
    const answer = await fetch(`${base}/admin/realms${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await tokenNow()}`,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.headers.get('location')?.split('/').at(-1) ?? ''
  }
}

/** @param base the address of Keycloak */
export const createRealm = async (base: string, administrator: Administrator) => {
  const administer = administration(base, administrator)
  await administer('POST', '', realmSettings)
  const here = `/${realm}`
  await administer('POST', `${here}/components`, signingKey)
  for (const name of scope.split(' ')) {
    const attributes = { 'include.in.token.scope': 'true', 'display.on.consent.screen': 'true' }
    const id = await administer('POST', `${here}/client-scopes`, {
      name,
      protocol: 'openid-connect',
      attributes,
    })
    await administer('PUT', `${here}/default-optional-client-scopes/${id}`)
  }
  await administer('POST', `${here}/clients`, {
    clientId: resourceServer,
    secret,
    publicClient: false,
    standardFlowEnabled: false,
  })
  await inLanes(apps, atOnce, (at) => administer('POST', `${here}/clients`, appOf(at)))
  await inLanes(users, atOnce, (at) => administer('POST', `${here}/users`, userOf(at)))
}
