/** A running server has the forms that the vectors show, and refuses all their tokens, which others have signed. */
import type { Vector } from '../../../scripts/vectors/vector.ts'
import { claimsOf, clientCredentials, currentCode, exchangeCode } from '../../support/flows.ts'
import type { Json } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import {
  createKeySet,
  introspectAt,
  readFeed,
  registerResourceServer,
  selfSign,
} from '../../support/resource-server.ts'
import { createApp, install } from '../../support/world.ts'
import { files, vectorsIn } from './vectors.ts'

const named = (file: string, name: string): Vector => {
  const found = vectorsIn(`${file}.json`).find((one) => one.name === name)
  if (!found) throw new Error(`there is no vector "${name}"`)
  return found
}

const membersOf = (value: unknown) => Object.keys(value as object).toSorted()
const headerOf = (token: string): Json =>
  JSON.parse(Buffer.from(token.split('.')[0] as string, 'base64url').toString())

const tokenIn = ({ credential }: Vector): string | null => {
  if (typeof credential === 'string') return credential
  return credential && 'token' in credential ? credential.token : null
}

await onEachBackend('the vectors and a running server', async (t, scene) => {
  const { running, issuer, world } = scene
  const asker = await registerResourceServer(running)
  const app = await createApp(running, { name: 'Board' })
  await install(running, world.acme, app)
  const code = await currentCode(running, app, world.ana, { organization_id: world.acme })
  const user: string = (await exchangeCode(issuer, app, code)).body.access_token
  const machine: string = (await clientCredentials(issuer, app, world.acme)).body.access_token
  const keySet = await createKeySet(running, world.acme)

  t.test('tokens have the same members', async (t) => {
    for (const [token, file, name] of [
      [user, 'requirements', 'a token that states its sign-in'],
      [machine, 'current-tokens', 'an install token of the current interface'],
    ] as const) {
      const shown = tokenIn(named(file, name)) as string
      t.same(membersOf(claimsOf(token)), membersOf(claimsOf(shown)), name)
      t.same(membersOf(headerOf(token)), membersOf(headerOf(shown)), name)
    }
  })

  t.test('keys and introspection have the same members', async (t) => {
    const { keys } = (await (await fetch(`${issuer}/.well-known/jwks.json`)).json()) as Json
    const { jwks } = named('current-tokens', 'a user token of the current interface')
    const ours = (jwks as Json).keys[0]
    const key = keys.find((one: Json) => one.alg === ours.alg)
    t.same(membersOf(key), membersOf(ours))

    const iat = Math.floor(Date.now() / 1000)
    const self = selfSign(keySet.secret, { iss: keySet.client_id, iat })
    const shown = named('self-signed-tokens', 'a self-signed token for all workspaces')
    const { body } = await introspectAt(issuer, asker, self)
    t.same(membersOf(body), membersOf(shown.introspection))
  })

  t.test('the server refuses every token of the vectors', async (t) => {
    const tokens = new Set(files.flatMap(vectorsIn).map(tokenIn))
    t.ok(tokens.size > 200)
    for (const token of tokens) {
      if (!token) continue
      const { status, body } = await introspectAt(issuer, asker, token)
      t.same({ status, body }, { status: 200, body: { active: false } }, token.slice(0, 40))
    }
  })

  t.test('changes have the same members', async (t) => {
    const { cursor } = await readFeed(issuer, asker)
    await running.operator('DELETE', `/organizations/${world.acme}/installs/${app.client_id}`)
    const { changes } = await readFeed(issuer, asker, cursor)
    const change = changes.find(({ type }) => type === 'install')
    const shown = named('revocations', 'an uninstalled app')
    const [ours] = (shown.feed as { changes: Json[] }).changes
    t.equal(change?.active, false)
    for (const member of membersOf(ours)) t.ok(Object.hasOwn(change ?? {}, member), member)
  })
})
