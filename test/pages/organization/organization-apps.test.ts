import {
  claimsOf,
  clientCredentials,
  currentCode,
  exchangeCode,
  refresh,
} from '../../support/flows.ts'
import { startLatchkey } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { signedIn } from '../../support/signed-in.ts'
import type { VisitedPage } from '../../support/visitor.ts'
import { createApp, currentPermissions, install } from '../../support/world.ts'
import { cardOf, decide, postFields, rowOf, ticked, wordsOf } from '../organization-visit.ts'

/** The words of the current tab. */
const tabOf = (page: VisitedPage) =>
  page.dom.querySelector('.tabs [aria-current]')?.text.replaceAll(/\s+/g, ' ').trim()

await onEachBackend(
  "an organization's apps",
  async (t, { running, issuer, world, stores }) => {
    const { operator, urls } = running
    const { acme, ana, kim, sales, support, finance, confidential, second, legacy } = world
    const path = `/organizations/${acme}/apps`
    const about = { client_id: confidential.client_id }
    const admin = await signedIn(issuer, kim)

    const eventsOf = async (type: string) =>
      (await operator('GET', `/audit?organization_id=${acme}&limit=200`)).body.items.filter(
        (event: { type: string }) => event.type === type,
      )
    const installOf = async (app: { client_id: string }) =>
      (await operator('GET', `/organizations/${acme}/installs/${app.client_id}`)).body

    await t.test('shows installed permissions in words', async (t) => {
      const { code, verifier } = await currentCode(running, confidential, ana)
      t.equal((await exchangeCode(issuer, confidential, { code, verifier })).status, 200)
      const page = await admin.get(path)
      t.equal(page.status, 200)
      t.match(wordsOf(page), 'Apps in Acme')
      const row = rowOf(page, confidential.client_id) ?? ''
      t.match(row, /Report Builder.*Create records.*and 1 more All workspaces 1 .*Working/)
      t.match(rowOf(page, second.client_id), /All workspaces 0 not used yet Working/)
      t.match(rowOf(page, legacy.client_id), 'Read everything in the databases')
      const own = wordsOf(await admin.get(`${path}/${confidential.client_id}`))
      t.match(own, 'Read everything in the workspaces below')
      t.match(own, 'Create records')
      t.match(own, 'All workspaces, including future ones')
      t.match(own, `People (1) They have allowed the app to act for them.`)
      t.match(own, ana.email)
      t.equal(page.headers.get('cache-control'), 'no-store')
      t.match(page.headers.get('content-security-policy'), "script-src 'self';")
      t.notMatch(page.text, /<script(?! (?:type="module" )?src="\/assets\/)/)
    })

    await t.test('a narrowed install limits the next token', async (t) => {
      const page = await admin.get(`${path}/${confidential.client_id}/change`)
      t.same(ticked(page, 'permissions').sort(), [...currentPermissions].sort())
      const changed = await decide(admin, page, 'change', about, {
        permissions: ['records:create'],
        workspace_ids: [sales],
      })
      t.equal(changed.status, 200)
      t.equal(changed.url.pathname, `${path}/${confidential.client_id}`)
      const words = wordsOf(changed)
      t.match(words, 'The change is in force')
      t.match(words, 'In Sales')
      t.notMatch(
        words,
        'It now asks for more',
        'a permission that was just unticked is not marked as new',
      )
      t.match(words, '2 permissions were not approved')
      t.match(rowOf(await admin.get(path), confidential.client_id), 'Create records Sales')
      const token = await clientCredentials(issuer, confidential, acme)
      t.equal(token.body.scope, 'records:create')
      t.same(token.body.workspace_ids, [sales])
      const [event] = await eventsOf('install.changed')
      t.match(event, { actor: { kind: 'user', id: kim.id }, client_id: confidential.client_id })
    })

    await t.test('requires at least one existing workspace', async (t) => {
      const page = await admin.get(`${path}/${confidential.client_id}/change`)
      t.same(ticked(page, 'workspace_ids'), [sales])
      const none = await decide(admin, page, 'change', about, { workspace_ids: null })
      t.equal(none.status, 400)
      t.match(wordsOf(none), 'Choose at least one workspace')
      for (const changes of [
        { workspace_ids: [world.foreignWorkspace] },
        { workspace_ids: ['wks0000'] },
        { permissions: ['records:delete'] },
      ]) {
        const refused = await decide(admin, page, 'change', about, changes)
        t.equal(refused.status, 400)
      }
      t.same((await installOf(confidential)).workspace_ids, [sales])
    })

    await t.test('a widened install covers all workspaces', async (t) => {
      const page = await admin.get(`${path}/${confidential.client_id}/change`)
      await decide(admin, page, 'change', about, {
        permissions: currentPermissions,
        workspace_ids: ['*', sales],
      })
      const token = await clientCredentials(issuer, confidential, acme)
      t.equal(token.body.scope, currentPermissions.join(' '))
      t.same([...token.body.workspace_ids].sort(), [finance, sales, support].sort())
    })

    await t.test('an install is suspended and resumed', async (t) => {
      const { code, verifier } = await currentCode(running, confidential, ana)
      const tokens = await exchangeCode(issuer, confidential, { code, verifier })
      const requested = await admin.get(`${path}/${confidential.client_id}/suspend`)
      t.match(wordsOf(requested), /Suspend Report Builder in Acme\?.*1 person uses Report Builder/)
      const page = await decide(admin, requested, 'suspend', about)
      t.match(wordsOf(page), / is suspended\. It gets no access/)
      t.match(wordsOf(page), 'It gets no access here until')
      t.match(rowOf(await admin.get(path), confidential.client_id), 'Suspended')
      for (const url of urls) {
        t.equal((await clientCredentials(url, confidential, acme)).body.error, 'invalid_grant')
        const answer = await refresh(url, confidential, tokens.body.refresh_token)
        t.equal(answer.body.error, 'invalid_grant')
      }
      const resumed = await decide(admin, page, 'resume', about)
      t.match(wordsOf(resumed), / works again\./)
      t.equal((await refresh(issuer, confidential, tokens.body.refresh_token)).status, 200)
      t.equal((await eventsOf('install.suspended')).length, 1)
      t.equal((await eventsOf('install.resumed')).length, 1)
    })

    await t.test('an app that requests more shows the new permissions', async (t) => {
      const app = await createApp(running, { name: 'Growing', permissions: ['records:create'] })
      await install(running, acme, app, { permissions: ['records:create'] })
      const grow = (permissions: string[]) =>
        operator('PATCH', `/apps/${app.client_id}`, { permissions })
      const own = { client_id: app.client_id }
      const card = async () => cardOf(await admin.get(path), 'client_id', app.client_id) ?? ''
      const ownPage = async () => wordsOf(await admin.get(`${path}/${app.client_id}`))
      t.notMatch(await card(), 'It now asks for more')

      await grow(['records:create', 'records:update', 'records:delete'])
      t.match(await card(), /It now asks for more.*Delete records data can be lost Update records/)
      t.equal((await clientCredentials(issuer, app, acme)).body.scope, 'records:create')

      await decide(admin, await admin.get(path), 'keep', own)
      t.notMatch(await card(), 'It now asks for more')
      t.match(await ownPage(), '2 permissions were not approved')
      t.equal((await eventsOf('install.permissions_declined'))[0].actor.id, kim.id)

      await grow(['records:create', 'records:update', 'records:delete', 'teams:read'])
      const page = await admin.get(path)
      t.match(wordsOf(page), 'Needs your decision (1)')
      t.equal(tabOf(page), 'Apps 1 to decide')
      t.match(await card(), /It now asks for more.*Read which teams/)
      const widened = await decide(admin, page, 'widen', { ...own, permissions: 'teams:read' })
      t.match(wordsOf(widened), / may do more now\./)
      t.equal((await clientCredentials(issuer, app, acme)).body.scope, 'records:create teams:read')
      t.notMatch(await card(), 'It now asks for more')

      t.equal(tabOf(widened), 'Apps')
      const late = { ...own, permissions: 'records:update' }
      const ofApp = await admin.get(`${path}/${app.client_id}`)
      await decide(admin, ofApp, 'widen', late, { permissions: ['records:update'] })
      t.match(await ownPage(), '1 permission was not approved')
      t.same((await installOf(app)).permissions, ['records:create', 'records:update', 'teams:read'])
      const more = await postFields(admin, `${issuer}${path}`, {
        ...own,
        decision: 'widen',
        permissions: 'table:create',
      })
      t.equal(more.status, 400, 'limited to the app’s permissions')
    })

    await t.test('an uninstall ends access at once, on every instance, for good', async (t) => {
      const { code, verifier } = await currentCode(running, confidential, ana)
      const tokens = await exchangeCode(issuer, confidential, { code, verifier })
      const before = await admin.get(`${path}/${confidential.client_id}/uninstall`)
      t.match(wordsOf(before), /Uninstall Report Builder from Acme\?.*1 person uses Report Builder/)
      const page = await decide(admin, before, 'uninstall', about)
      t.match(wordsOf(page), / is uninstalled\./)
      t.equal(rowOf(page, confidential.client_id), null)
      const other = urls[1] as string
      t.equal((await clientCredentials(other, confidential, acme)).body.error, 'invalid_grant')
      const answer = await refresh(other, confidential, tokens.body.refresh_token)
      t.equal(answer.body.error, 'invalid_grant')
      t.equal((await eventsOf('install.ended'))[0].actor.id, kim.id)

      const again = await decide(admin, before, 'uninstall', about)
      t.match(wordsOf(again), 'Another person has changed this')
      for (const part of ['', '/change', '/suspend', '/uninstall', `/people/${ana.id}/end`]) {
        const gone = await admin.get(`${path}/${confidential.client_id}${part}`)
        t.equal(gone.status, 404, part)
      }
    })

    await t.test('records the last use by client_credentials', async (t) => {
      const third = await startLatchkey(stores, { environment: { ISSUER: issuer } })
      const answer = await clientCredentials(third.urls[0] as string, second, acme)
      t.equal(claimsOf(answer.body.access_token).kind, 'install')
      await third.stop()
      t.match(
        rowOf(await admin.get(path), second.client_id),
        /All workspaces 0 \d+ \w+ \d{4} Working/,
      )
    })
  },
  { instances: 2 },
)
