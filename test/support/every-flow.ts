/**
 * One of every flow that issues or revokes a token, over all instances, for use in any environment.
 */
import type { Test } from 'tap'
import { delegate } from './delegation.ts'
import { answerDevice, beginDevice, createDeviceApp, poll } from './device.ts'
import { createHolder } from './dpop.ts'
import {
  authorizeUrl,
  challengeOf,
  clientCredentials,
  credentials,
  currentCode,
  exchangeCode,
  legacyAuthorizeUrl,
  legacyCode,
  legacyToken,
  newVerifier,
  post,
  refresh,
} from './flows.ts'
import type { Running } from './latchkey.ts'
import { createSuccessor, exchange, legacyTokens } from './migration.ts'
import { everyScope, openidApp, userinfoAt } from './openid.ts'
import {
  createKeySet,
  introspectAt,
  readFeed,
  registerResourceServer,
  selfSign,
} from './resource-server.ts'
import { everyScimCall } from './scim.ts'
import { signedIn } from './signed-in.ts'
import { type Visitor, walk } from './visitor.ts'
import { createWorld, install, type TestApp, type World } from './world.ts'

export type Place = Pick<Running, 'issuer' | 'urls' | 'operator'>

interface Scene {
  running: Place
  world: World
  visitor: Visitor
  /** The instances in turn. */
  next(): string
}

const parallel = 20

const currentTokens = async ({ running, world, visitor, next }: Scene, app: TestApp) => {
  const grant = await currentCode(running, app, world.ana, {}, visitor)
  const { status, body } = await exchangeCode(next(), app, grant)
  if (status !== 200) throw new Error(`exchange: ${status} ${JSON.stringify(body)}`)
  return { grant, ...(body as { access_token: string; refresh_token: string }) }
}

const currentFlows = async (t: Test, scene: Scene) => {
  const { running, world, visitor, next } = scene
  const { confidential: app, publicApp, acme, sales } = world
  const { grant, refresh_token: first } = await currentTokens(scene, app)
  let live = first
  for (let turn = 0; turn < 6; turn++) {
    const { status, body } = await refresh(next(), app, live, turn === 1 ? { scope: '' } : {})
    t.equal(status, 200, `refresh ${turn}`)
    live = body.refresh_token
  }
  const narrowed = await refresh(next(), app, live, { workspace_ids: sales })
  t.same(narrowed.body.workspace_ids, [sales])
  t.equal(
    (await exchangeCode(next(), app, grant)).body.error,
    'invalid_grant',
    'a code is redeemed once',
  )
  const after = await refresh(next(), app, narrowed.body.refresh_token)
  t.equal(after.body.error, 'invalid_grant', 'a replay revokes the family')

  const { refresh_token: shared } = await currentTokens(scene, app)
  const many = await Promise.all(
    Array.from({ length: parallel }, () => refresh(next(), app, shared)),
  )
  t.equal(many.filter(({ status }) => status === 200).length, 1, 'of concurrent uses one succeeds')
  t.ok(many.every(({ status, body }) => status === 200 || body.error === 'invalid_grant'))

  const verifier = newVerifier()
  const pushed = await post(`${next()}/api/oauth/par`, {
    redirect_uri: app.redirect_uri,
    code_challenge: challengeOf(verifier),
    ...credentials(app),
  })
  t.equal(pushed.status, 201)
  const page = await walk(
    visitor,
    `${running.issuer}/authorize?${new URLSearchParams({ client_id: app.client_id, request_uri: pushed.body.request_uri })}`,
    world.ana,
  )
  const code = page.left?.searchParams.get('code') ?? ''
  t.equal((await exchangeCode(next(), app, { code, verifier })).status, 200, 'pushed')

  for (let turn = 0; turn < 6; turn++)
    t.equal((await clientCredentials(next(), app, acme)).status, 200)
  const origin = new URL(publicApp.redirect_uri).origin
  const preflight = await fetch(`${next()}/api/oauth/token`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST' },
  })
  t.equal(preflight.headers.get('access-control-allow-origin'), origin)
  t.ok((await currentTokens(scene, publicApp)).refresh_token)
}

const legacyFlows = async (t: Test, { running, world, visitor, next }: Scene) => {
  const { legacy, legacyPublic, ana, acme } = world
  for (let turn = 0; turn < 2; turn++) {
    const preselected: Record<string, string> = turn === 1 ? { organization_id: acme } : {}
    const { code } = await legacyCode(running, legacy, ana, preselected, visitor)
    const tokens = await legacyToken(next(), legacy, { grant_type: 'authorization_code', code })
    t.equal(tokens.status, 200)
    const { refresh_token } = tokens.body
    const fresh = { grant_type: 'refresh_token', refresh_token }
    t.equal((await legacyToken(next(), legacy, fresh)).status, 200)
    t.equal((await legacyToken(next(), legacy, fresh)).body.error, 'invalid_grant')
  }
  const implicit = legacyAuthorizeUrl(running.issuer, legacyPublic, { response_type: 'token' })
  t.match((await walk(visitor, implicit, ana)).left?.hash, /access_token=/)
}

const migrationFlows = async (t: Test, { running, world, visitor, next }: Scene) => {
  const { legacy, acme } = world
  const twin = await createSuccessor(running, world, legacy)
  const tokens = await legacyTokens(running, legacy, world, visitor)
  const moved = await exchange(next(), twin, tokens.refresh_token)
  t.match(moved, { status: 200, body: { organization_id: acme } })
  t.equal((await refresh(next(), twin, moved.body.refresh_token)).status, 200)
  t.equal((await exchange(next(), twin, tokens.refresh_token)).status, 400)
  const path = `/apps/${legacy.client_id}`
  for (const read of [`${path}/usage`, `${path}/usage/${acme}`, `${path}/twin`])
    t.equal((await running.operator('GET', read)).status, 200)
  t.equal((await running.operator('DELETE', `${path}/twin`)).status, 204)
}

const openidFlow = async (t: Test, { running, world, visitor, next }: Scene) => {
  const app = await openidApp(running, world)
  const grant = await currentCode(running, app, world.ana, { scope: everyScope }, visitor)
  const { body } = await exchangeCode(next(), app, grant)
  t.ok(body.id_token)
  const told = await userinfoAt(next(), body.access_token)
  t.equal(told.body.email, world.ana.email, 'the signed-in user')
}

const deviceFlow = async (t: Test, { running, world, next }: Scene) => {
  const app = await createDeviceApp(running, world)
  const { body } = await beginDevice(next(), app)
  t.equal((await poll(next(), app, body.device_code)).body.error, 'authorization_pending')
  await answerDevice(running, world.ana, body.user_code)
  t.equal((await poll(next(), app, body.device_code)).status, 200)
}

const dpopFlow = async (t: Test, { running, world, visitor, next }: Scene) => {
  const { publicApp } = world
  const holder = await createHolder()
  const proven = () => holder.posts(`${running.issuer}/api/oauth/token`)
  const grant = await currentCode(running, publicApp, world.ana, {}, visitor)
  const { body } = await exchangeCode(next(), publicApp, grant, {}, await proven())
  t.equal(body.token_type, 'DPoP')
  const bare = await refresh(next(), publicApp, body.refresh_token)
  t.equal(bare.body.error, 'invalid_dpop_proof')
  const renewed = await refresh(next(), publicApp, body.refresh_token, {}, await proven())
  t.equal(renewed.status, 200)
}

const delegationFlow = async (t: Test, scene: Scene) => {
  const { running, world, next } = scene
  const { confidential: app, second } = world
  const path = `/apps/${app.client_id}`
  await running.operator('PATCH', path, { may_act: [second.client_id] })
  const { access_token } = await currentTokens(scene, app)
  const api = await registerResourceServer(running)
  for (const by of [app, second]) {
    const { status, body } = await delegate(next(), by, access_token)
    t.equal(status, 200)
    t.equal((await introspectAt(next(), api, body.access_token)).body.active, true)
  }
  await running.operator('PATCH', path, { may_act: [] })
}

const takenBack = async (t: Test, scene: Scene) => {
  const { running, world, next } = scene
  const { confidential: app, second, acme } = world
  const api = await registerResourceServer(running)
  const isActive = async (token: string) => (await introspectAt(next(), api, token)).body.active
  const revoke = (token: string) =>
    post(`${next()}/api/oauth/revoke`, { token, ...credentials(app) }).catch(() => null)
  const { cursor } = await readFeed(next(), api)

  const keySet = await createKeySet(running, acme)
  const old = await createKeySet(running, acme, { interface: 'legacy', permissions: ['readData'] })
  const own = selfSign(keySet.secret, { iss: keySet.client_id, iat: Math.floor(Date.now() / 1000) })
  const machine = (await clientCredentials(next(), second, acme)).body.access_token
  const tokens = await currentTokens(scene, app)
  for (let turn = 0; turn < 6; turn++)
    for (const token of [tokens.access_token, tokens.refresh_token, machine, own, old.secret])
      t.equal(await isActive(token), true)
  t.equal(await isActive('nonsense'), false)

  await revoke(tokens.access_token)
  t.equal(await isActive(tokens.access_token), false)
  await revoke(tokens.refresh_token)
  t.equal((await refresh(next(), app, tokens.refresh_token)).body.error, 'invalid_grant')

  const { refresh_token } = await currentTokens(scene, second)
  const path = `/organizations/${acme}/installs/${second.client_id}`
  t.equal((await running.operator('DELETE', path)).status, 204)
  t.equal(await isActive(machine), false, 'uninstalled')
  t.equal((await refresh(next(), second, refresh_token)).body.error, 'invalid_grant')
  await install(running, acme, second)
  t.equal((await refresh(next(), second, refresh_token)).body.error, 'invalid_grant', 'for good')
  const { changes } = await readFeed(next(), api, cursor, 5)
  t.ok(changes.length >= 3, 'the feed reports it')
}

/** @returns the world that it used, and Ana's browser */
export const everyFlow = async (
  t: Test,
  running: Place,
): Promise<{ world: World; visitor: Visitor }> => {
  let turn = 0
  const world = await createWorld(running)
  const visitor = await signedIn(running.issuer, world.ana)
  const next = () => running.urls[turn++ % running.urls.length] as string
  const scene = { running, world, visitor, next }
  const requested = await visitor.get(authorizeUrl(running.issuer, world.confidential, {}))
  t.equal(requested.left?.searchParams.get('error'), 'invalid_request', 'PKCE is required')
  await currentFlows(t, scene)
  await legacyFlows(t, scene)
  await migrationFlows(t, scene)
  await deviceFlow(t, scene)
  await openidFlow(t, scene)
  await dpopFlow(t, scene)
  await delegationFlow(t, scene)
  await takenBack(t, scene)
  await everyScimCall(running)
  return { world, visitor }
}
