/** A change of the permission catalogue on one instance, seen from another one on the same stores. */
import { claimsOf, clientCredentials } from '../support/flows.ts'
import type { Json } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { createApp, install } from '../support/world.ts'

const own = 'invoices:approve'
const sentence = 'Approve invoices of suppliers'
const turn = 100 // ms
const turns = 20

await onEachBackend(
  'the permission catalogue on two instances',
  async (t, { running, world }) => {
    const { operator, urls } = running
    const [here, there] = urls as [string, string]
    const { acme, kim } = world
    const admin = await signedIn(here, kim)

    const scopes = async (url: string): Promise<string[]> => {
      const response = await fetch(`${url}/.well-known/oauth-authorization-server`)
      return ((await response.json()) as Json).scopes_supported
    }
    const described = async (url: string): Promise<string[]> => {
      const response = await fetch(`${url}/api/admin/v1/openapi.json`)
      return ((await response.json()) as Json).components.schemas.PermissionName.examples
    }
    const formOf = async (url: string): Promise<string> => {
      const form = `${url}/organizations/${acme}/keys/new?interface=current`
      return (await admin.fetch(form)).text()
    }
    /** Where an instance shows the permission: metadata, OpenAPI, pages. */
    const shownAt = async (url: string) => [
      (await scopes(url)).includes(own),
      (await described(url)).includes(own),
      (await formOf(url)).includes(sentence),
    ]

    /**
     * Two seconds as the process under test has them: turns of a tenth, each with a query of the same Postgres. On a busy
     * machine they take longer, like the timers of the instance.
     */
    const withinTwoSeconds = async (isSo: () => Promise<boolean>) => {
      for (let at = 0; at < turns; at++) {
        if (await isSo()) return true
        await new Promise((resolve) => setTimeout(resolve, turn))
        await operator('GET', '/permissions/current/records:create')
      }
      return isSo()
    }
    const everywhere = (shown: boolean) =>
      withinTwoSeconds(async () => (await shownAt(there)).every((one) => one === shown))

    const path = `/permissions/current/${own}`
    const add = async () => operator('PUT', path, { sentence, group: 'write' })

    t.test('an added permission reaches the other instance within two seconds', async (t) => {
      t.same(await shownAt(there), [false, false, false])
      t.equal((await add()).status, 201)
      t.same(await shownAt(here), [true, true, true], 'at once on the instance that changed it')
      t.ok(await everywhere(true))
    })

    t.test('the other instance issues tokens with it at once', async (t) => {
      const app = await createApp(running, { permissions: ['records:create'] })
      await install(running, acme, app, { permissions: ['records:create'] })
      const ask = () => clientCredentials(there, app, acme, { scope: own })
      t.match(await ask(), { status: 400, body: { error: 'invalid_scope' } })
      await operator('POST', `/apps/${app.client_id}/permissions`, { permission: own })
      await install(running, acme, app, { permissions: ['records:create', own] })
      const { status, body } = await ask()
      t.equal(status, 200)
      t.same(claimsOf(body.access_token).permissions, [own])

      t.equal((await operator('DELETE', path)).status, 409, 'an app has it')
      await install(running, acme, app, { permissions: ['records:create'] })
      await operator('DELETE', `/apps/${app.client_id}/permissions/${own}`)
      t.match(await ask(), { status: 400, body: { error: 'invalid_scope' } })
    })

    t.test('a retired permission leaves the other instance within two seconds', async (t) => {
      t.equal((await operator('DELETE', path)).status, 204)
      t.same(await shownAt(here), [false, false, false])
      t.ok(await everywhere(false))
    })

    t.test('every change arrives, also one right after another', async (t) => {
      for (const shown of [true, false, true]) {
        t.match((await (shown ? add() : operator('DELETE', path))).status, /^20[014]$/)
        t.ok(await everywhere(shown), `shown: ${shown}`)
      }
      t.equal((await operator('DELETE', path)).status, 204)
      t.equal((await add()).status, 201)
      t.equal((await operator('DELETE', path)).status, 204)
      t.ok(await everywhere(false))
    })
  },
  { instances: 2 },
)
