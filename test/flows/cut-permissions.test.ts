/** A ceiling that cuts what an app requires: the app is not installed, and each page, call and import says why. */
import { wordsOf } from '../pages/organization-visit.ts'
import { startDocumentServer } from '../support/document-server.ts'
import {
  authorizeUrl,
  challengeOf,
  currentCode,
  exchangeCode,
  newVerifier,
  refresh,
} from '../support/flows.ts'
import { operatorToken } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import type { VisitedPage } from '../support/visitor.ts'
import type { TestApp } from '../support/world.ts'

const [create, remove, teams] = ['records:create', 'records:delete', 'teams:read'] as const
const scope = `${create} ${remove} ${teams}`
const why = 'The app does not work without this, and the operator of this server does not allow it'

await onEachBackend(
  'a ceiling cuts what an app requires',
  async (t, { running, issuer, world }) => {
    const documents = await startDocumentServer(t)
    const { operator } = running
    const { acme, ana, kim } = world
    const hostPath = `/client-hosts/${encodeURIComponent(documents.host)}`
    const admit = (permissions: string[], optional: string[] | null = [teams]) =>
      operator('PUT', hostPath, {
        policy: 'admit',
        ceiling: { interface: 'current', permissions },
        defaults: { optional_permissions: optional },
      })
    const appAt = (url: string): TestApp => ({
      client_id: url,
      client_secret: '',
      redirect_uri: 'https://agent.example/cb',
    })
    const begin = (url: string, more: Record<string, string> = {}) =>
      authorizeUrl(issuer, appAt(url), {
        organization_id: acme,
        code_challenge: challengeOf(newVerifier()),
        ...more,
      })
    const installPath = (url: string) =>
      `/organizations/${acme}/installs/${encodeURIComponent(url)}`
    const put = (url: string, permissions: string[]) =>
      operator('PUT', installPath(url), { permissions, workspace_ids: null })

    const saysNo = (page: VisitedPage, verb = 'installed') => {
      t.equal(page.status, 403)
      t.match(wordsOf(page), `cannot be ${verb} in`)
      t.match(wordsOf(page), `${why}: Delete records.`)
      t.same(page.dom.querySelectorAll('input[name=permissions], [value=approve]').length, 0)
      t.same(page.dom.querySelectorAll('[value=request]').length, 0)
    }

    await t.test('at the pages of an admin, of a member and of a device', async (t) => {
      await admit([create])
      const url = documents.publish('/needs', { scope })
      const admin = await signedIn(issuer, kim)
      const member = await signedIn(issuer, ana)
      for (const visitor of [admin, member]) {
        saysNo(await visitor.get(begin(url)))
        saysNo(await visitor.get(begin(url, { scope: `${create} ${remove}` })))
      }
      const page = await admin.get(begin(url))
      const forced = await admin.submit(page, { decision: 'approve', permissions: [create] })
      saysNo(forced)
      t.equal((await operator('GET', installPath(url))).status, 404)
      const { left } = await admin.submit(page, { decision: 'deny' })
      t.equal(left?.searchParams.get('error'), 'access_denied')
    })

    await t.test('what is optional, or not asked for now, stops nothing', async (t) => {
      const url = documents.publish('/optional', { scope: `${create} ${teams}` })
      const got = await currentCode(running, appAt(url), kim, { organization_id: acme })
      t.equal((await exchangeCode(issuer, appAt(url), got)).body.scope, create)
      const less = documents.publish('/less', { scope })
      const page = await (await signedIn(issuer, kim)).get(begin(less, { scope: create }))
      t.match(wordsOf(page), 'Install')
      t.equal(page.dom.querySelectorAll('[value=approve]').length, 1)
    })

    await t.test('in calls, imports and previews', async (t) => {
      const url = documents.url('/needs')
      const { status, body } = await put(url, [create])
      t.equal(status, 400)
      t.match(body.errors, [{ pointer: '/permissions', detail: new RegExp(remove) }])
      const preview = { permissions: [create], workspace_ids: null }
      const seen = await operator('POST', `${installPath(url)}/preview`, preview)
      t.same(seen.body.missing, [remove])
      const line = { type: 'install', organization: acme, client_id: url, ...preview }
      const imported = await fetch(`${issuer}/api/admin/v1/import`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${operatorToken}`,
          'content-type': 'application/x-ndjson',
        },
        body: JSON.stringify(line),
      })
      t.match(await imported.text(), `must have what the app requires: ${remove}`)
      t.equal((await operator('GET', installPath(url))).status, 404)
    })

    await t.test('the operator can change it', async (t) => {
      const url = documents.url('/needs')
      await operator('PATCH', `/apps/${encodeURIComponent(url)}`, { optional_permissions: null })
      t.equal((await put(url, [create])).status, 201)
      await operator('DELETE', installPath(url))
      await operator('PATCH', `/apps/${encodeURIComponent(url)}`, { optional_permissions: [] })
      t.equal((await put(url, [create])).status, 400)
      await admit([create], null)
      t.equal((await put(url, [create])).status, 201)
    })

    await t.test('a lowered ceiling keeps what is there, and lets nobody begin', async (t) => {
      await admit([create, remove])
      const url = documents.publish('/lowered', { scope })
      const whole = documents.publish('/whole')
      const client = appAt(url)
      const asked = documents.publish('/asked', { scope })
      const member = await signedIn(issuer, ana)
      const form = await member.get(begin(asked))
      await member.submit(form, { decision: 'request' })
      const got = await currentCode(running, client, kim, { organization_id: acme })
      const token = await exchangeCode(issuer, client, got)
      t.equal(token.body.scope, `${create} ${remove}`)
      await (await signedIn(issuer, kim)).get(begin(whole))
      await admit([create])
      t.equal((await refresh(issuer, client, token.body.refresh_token)).body.scope, create)
      t.same((await operator('GET', installPath(url))).body.missing, [remove])
      const again = await (await signedIn(issuer, kim)).get(begin(url))
      t.ok(again.left?.searchParams.get('code'), 'who has allowed it goes on')
      saysNo(await member.get(begin(url)), 'used')
      t.equal((await put(url, [create])).status, 200, 'it may be changed')
      t.equal((await put(whole, [create])).status, 201, 'without a scope, the ceiling is enough')

      const admin = await signedIn(issuer, kim)
      const list = await admin.get(`/organizations/${acme}/apps`)
      t.match(wordsOf(list), why)
      t.equal(list.dom.querySelectorAll('.request [value=approve]').length, 0)
      const forced = await admin.submit(list, {
        ...{ decision: 'approve', client_id: asked, permissions: [create], workspace_ids: ['*'] },
      })
      t.not(forced.status, 500)
      t.equal((await operator('GET', installPath(asked))).status, 404)
    })
  },
  { environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } },
)
