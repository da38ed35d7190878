/** Groups of a provider decide for whom an app is installed: those who lose their group lose the app at once. */
import { currentCode, exchangeCode } from '../support/flows.ts'
import type { Json } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { connectProvider, patchOf } from '../support/scim.ts'
import { createApp, install } from '../support/world.ts'

await onEachBackend('audiences of groups', async (t, { running, issuer, world }) => {
  const { acme, ana } = world
  const api = await registerResourceServer(running)

  for (const kind of ['workspaces', 'groups'] as const)
    t.test(`an install for ${kind} follows the provider`, async (t) => {
      const scim = await connectProvider(running, acme, kind)
      const patch = (path: string, operation: object) =>
        scim.call('PATCH', path, patchOf(operation))
      const members = [{ value: ana.id }]
      const { id } = (await scim.call('POST', '/Groups', { displayName: 'Inside', members })).body
      const app = await createApp(running, { name: 'Reports' })
      await install(running, acme, app)
      const installed = `/organizations/${acme}/installs/${app.client_id}`
      const read = async (path = installed) => (await running.operator('GET', path)).body
      await running.operator('PATCH', installed, { audience: { [kind]: [id] } })
      t.same((await read()).audience[kind], [id])

      const code = await currentCode(running, app, ana, { organization_id: acme })
      const { access_token } = (await exchangeCode(issuer, app, code)).body
      const isActive = async () => (await introspectAt(issuer, api, access_token)).body.active
      const isInside = async () =>
        (await read(`${installed}/people`)).items.find(({ user }: Json) => user === ana.id)?.inside
      const state = async () => [await isActive(), await isInside()]
      const set = (active: boolean) =>
        patch(`/Users/${ana.id}`, { op: 'replace', value: { active } })

      t.same(await state(), [true, true])
      await patch(`/Groups/${id}`, { op: 'remove', path: 'members', value: members })
      t.same(await state(), [false, false])
      await patch(`/Groups/${id}`, { op: 'add', path: 'members', value: members })
      t.same(await state(), [true, true], 'lives again')
      await set(false)
      t.same(await state(), [false, undefined])
      await set(true)
      t.equal(await isInside(), true, 'back in the group')
      await set(false)
      await running.operator('PUT', `/organizations/${acme}/members/${ana.id}`, { role: 'member' })
      t.equal(await isInside(), true, 'added again by the operator')
      await set(false)
      await patch(`/Groups/${id}`, { op: 'remove', path: 'members', value: members })
      await set(true)
      t.equal(await isInside(), false, 'removed while inactive')
      await scim.call('DELETE', `/Groups/${id}`)
      t.same((await read()).audience, { workspaces: [], groups: [], users: [] }, 'nobody')
    })
})
