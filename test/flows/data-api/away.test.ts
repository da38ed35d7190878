/** The data API while the authorization server is down. */
import { ask, startDataApi } from '../../support/data-api.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { startRelay } from '../../support/relay.ts'
import { registerResourceServer } from '../../support/resource-server.ts'
import { currentPermissions, installedApp, legacyApp, legacyKeys, selfSigner } from './tokens.ts'

const workspaces = { query: '{ workspaces { id } }' }
const databases = '{ databases { _id } }'

await onEachBackend('the authorization server is away', async (t, scene) => {
  const { running, world, issuer } = scene
  const { hostname: host, port } = new URL(issuer)
  const relay = await startRelay({ host, port: Number(port) })
  t.teardown(relay.close)
  const api = await startDataApi(t, scene, await registerResourceServer(running), {
    server: `http://127.0.0.1:${relay.port}`,
    introspectionCache: { active: 0 },
  })
  const { user, machine } = await installedApp(scene)
  const issued = [await user(currentPermissions), await machine(currentPermissions)]
  const secretKey = await legacyKeys(scene, world.acme)(['readData'])
  const signed = await (await selfSigner(scene, world.acme)).make([])
  const legacy = { query: databases, variables: { ...secretKey } }
  const old = await legacyApp(scene)
  const oldUser = { query: databases, variables: { ...(await old.user(['readData'])) } }
  const unseen = await machine(currentPermissions)
  for (const token of [...issued, signed]) t.equal((await ask(api, workspaces, token)).code, null)
  for (const question of [legacy, oldUser]) t.equal((await ask(api, question)).code, null)

  relay.cut()
  for (const token of [...issued, unseen])
    t.equal((await ask(api, workspaces, token)).code, null, 'other issued tokens stay valid')
  t.equal((await ask(api, oldUser)).code, null)
  for (const refused of [await ask(api, legacy), await ask(api, workspaces, signed)]) {
    t.equal(refused.status, 503)
    t.equal(refused.code, 'temporarily_unavailable')
    t.match(refused.headers.get('retry-after'), /^\d+$/)
  }

  relay.mend()
  for (const question of [legacy, oldUser]) t.equal((await ask(api, question)).code, null)
  t.equal((await ask(api, workspaces, signed)).code, null)
})
