import { credentials, legacyCode, legacyToken, post, type TokenResponse } from './flows.ts'
import type { Json, Running } from './latchkey.ts'
import type { Visitor } from './visitor.ts'
import { createApp, install, type TestApp, type World } from './world.ts'

export const exchangeType = 'urn:ietf:params:oauth:grant-type:token-exchange'
const refreshTokenType = 'urn:ietf:params:oauth:token-type:refresh_token'

/** What the legacy permissions of the tests are worth; `addFields` is worth nothing. */
const usualWorth = { insertData: ['records:create'], deleteData: ['records:delete'] }

export const twinPermissions = ['records:create', 'records:update', 'records:delete']

export const putTwin = (
  running: Pick<Running, 'operator'>,
  legacy: TestApp,
  twin: TestApp,
  worth: Record<string, string[]> = usualWorth,
) =>
  running.operator('PUT', `/apps/${legacy.client_id}/twin`, {
    client_id: twin.client_id,
    worth,
  })

/** A current app that may take over from this one, installed in Acme. */
export const createSuccessor = async (
  running: Pick<Running, 'operator'>,
  world: Pick<World, 'acme'>,
  legacy: TestApp,
  part: Record<string, unknown> = {},
): Promise<TestApp> => {
  const twin = await createApp(running, {
    name: 'Sheet Sync 2',
    permissions: twinPermissions,
    ...part,
  })
  await install(running, world.acme, twin, { permissions: twinPermissions })
  const { status, body } = await putTwin(running, legacy, twin)
  if (status >= 300) throw new Error(`twin: ${status} ${JSON.stringify(body)}`)
  return twin
}

/** The tokens of a legacy app, as this person authorizes it. */
export const legacyTokens = async (
  running: Pick<Running, 'issuer'>,
  app: TestApp,
  world: Pick<World, 'acme' | 'ana'>,
  visitor?: Visitor,
): Promise<Json> => {
  const { code } = await legacyCode(
    running,
    app,
    world.ana,
    { organization_id: world.acme },
    visitor,
  )
  const answer = await legacyToken(running.issuer, app, { grant_type: 'authorization_code', code })
  if (answer.status !== 200) throw new Error(`legacy code: ${answer.status}`)
  return answer.body
}

/** Exchanges a legacy refresh token (RFC 8693 §2.1). */
export const exchange = (
  url: string,
  twin: TestApp,
  token: string,
  more: Record<string, string | string[] | undefined> = {},
): Promise<TokenResponse> =>
  post(`${url}/api/oauth/token`, {
    grant_type: exchangeType,
    subject_token: token,
    subject_token_type: refreshTokenType,
    ...credentials(twin),
    ...more,
  })
