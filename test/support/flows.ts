import { createHash, randomBytes } from 'node:crypto'
import type { Json, Running } from './latchkey.ts'
import { type Answers, createVisitor, type Visitor, walk } from './visitor.ts'
import type { TestApp } from './world.ts'

export interface TokenResponse {
  status: number
  headers: Headers
  body: Json
}

/**
 * POSTs a form and parses the JSON. A field with several values is sent several times, an undefined
 * one not at all.
 */
export const post = async (
  url: string,
  fields: Record<string, string | string[] | undefined>,
  headers: Record<string, string> = {},
): Promise<TokenResponse> => {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    (value === undefined ? [] : [value].flat()).map((one): [string, string] => [name, one]),
  )
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(pairs), headers })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: JSON.parse(text) }
}

export const credentials = (app: TestApp) => ({
  client_id: app.client_id,
  ...(app.client_secret && { client_secret: app.client_secret }),
})

export const newVerifier = () => randomBytes(32).toString('base64url')
export const challengeOf = (verifier: string) =>
  createHash('sha256').update(verifier).digest('base64url')

/** A public legacy app needs PKCE; all test requests of such apps share this verifier. */
const publicLegacyVerifier = newVerifier()

const needsChallenge = (app: TestApp, { response_type: type = 'code' }: Record<string, string>) =>
  !app.client_secret && type === 'code'

export const authorizeUrl = (issuer: string, app: TestApp, parameters: Record<string, string>) =>
  `${issuer}/authorize?${new URLSearchParams({
    client_id: app.client_id,
    redirect_uri: app.redirect_uri,
    state: 'the-state',
    ...(parameters.scope?.split(' ').includes('openid') && { response_type: 'code' }),
    ...parameters,
  })}`

export const legacyAuthorizeUrl = (
  issuer: string,
  app: TestApp,
  parameters: Record<string, string> = {},
) =>
  `${issuer}/oauth/authorize?${new URLSearchParams({
    client_id: app.client_id,
    response_type: 'code',
    state: 'the-state',
    ...(needsChallenge(app, parameters) && { code_challenge: challengeOf(publicLegacyVerifier) }),
    ...parameters,
  })}`

/** A code of the current interface, as a user gets it in a browser. */
export const currentCode = async (
  running: Pick<Running, 'issuer'>,
  app: TestApp,
  person: Answers,
  parameters: Record<string, string> = {},
  visitor: Visitor = createVisitor(running.issuer),
) => {
  const verifier = newVerifier()
  const url = authorizeUrl(running.issuer, app, {
    code_challenge: challengeOf(verifier),
    ...parameters,
  })
  const page = await walk(visitor, url, person)
  const code = page.left?.searchParams.get('code')
  if (!code) throw new Error(`no code: ${page.left?.href ?? `${page.status} ${page.url.href}`}`)
  return { code, verifier, left: page.left as URL, visitor }
}

export const exchangeCode = (
  url: string,
  app: TestApp,
  { code, verifier }: { code: string; verifier: string },
  more: Record<string, string | string[] | undefined> = {},
  headers: Record<string, string> = {},
) =>
  post(
    `${url}/api/oauth/token`,
    {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: app.redirect_uri,
      ...credentials(app),
      ...more,
    },
    headers,
  )

export const refresh = (
  url: string,
  app: TestApp,
  token: string,
  more: Record<string, string | string[] | undefined> = {},
  headers: Record<string, string> = {},
) =>
  post(
    `${url}/api/oauth/token`,
    { grant_type: 'refresh_token', refresh_token: token, ...credentials(app), ...more },
    headers,
  )

export const clientCredentials = (
  url: string,
  app: TestApp,
  organizationId: string,
  more: Record<string, string | string[] | undefined> = {},
) =>
  post(`${url}/api/oauth/token`, {
    grant_type: 'client_credentials',
    organization_id: organizationId,
    ...credentials(app),
    ...more,
  })

export const legacyCode = async (
  running: Pick<Running, 'issuer'>,
  app: TestApp,
  person: Answers,
  parameters: Record<string, string> = {},
  visitor: Visitor = createVisitor(running.issuer),
) => {
  const page = await walk(visitor, legacyAuthorizeUrl(running.issuer, app, parameters), person)
  const code = page.left?.searchParams.get('code')
  if (!code) throw new Error(`no code: ${page.left?.href ?? `${page.status} ${page.url.href}`}`)
  return { code, left: page.left as URL, visitor }
}

export const legacyToken = (
  url: string,
  app: TestApp,
  fields: Record<string, string | string[] | undefined>,
  headers: Record<string, string> = {},
) =>
  post(
    `${url}/api/oauth/access_token`,
    {
      ...credentials(app),
      ...(!app.client_secret &&
        fields.grant_type === 'authorization_code' && { code_verifier: publicLegacyVerifier }),
      ...fields,
    },
    headers,
  )

/** The claims of a JWT, unverified. */
export const claimsOf = (token: string): Json =>
  JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString())
