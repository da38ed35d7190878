import { authorizeUrl, challengeOf, newVerifier } from '../../support/flows.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { signedIn } from '../../support/signed-in.ts'
import type { VisitedPage } from '../../support/visitor.ts'
import { createApp, install } from '../../support/world.ts'
import { decide, ticked, wordsOf } from '../organization-visit.ts'

const meanwhile = 'Another person has changed this'

await onEachBackend('the choice of workspaces', async (t, { running, issuer, world }) => {
  const { operator } = running
  const { kim } = world
  const created = async (path: string, body: unknown) =>
    (await operator('POST', path, body)).body.id as string

  const company = await created('/organizations', { name: 'Company' })
  await operator('PUT', `/organizations/${company}/members/${kim.id}`, { role: 'admin' })
  const many: string[] = []
  for (let number = 1; number <= 12; number++) {
    const id = await created(`/organizations/${company}/workspaces`, { name: `Team ${number}` })
    await operator('PUT', `/workspaces/${id}/members/${kim.id}`, {})
    many.push(id)
  }
  const three = many.slice(0, 3)
  const elsewhere = await created(`/organizations/${world.other}/workspaces`, { name: 'Far' })

  const admin = await signedIn(issuer, kim)
  const ask = (app: { client_id: string; redirect_uri: string }) =>
    authorizeUrl(issuer, app as never, {
      code_challenge: challengeOf(newVerifier()),
      prompt: 'consent',
      organization_id: company,
    })
  const isOpen = (page: VisitedPage) =>
    page.dom.querySelector('.workspaces details')?.hasAttribute('open')
  const summaryOf = (page: VisitedPage) => page.dom.querySelector('.workspaces summary')?.text
  const hasScript = (page: VisitedPage) =>
    page.text.includes('/assets/workspaces.') &&
    String(page.headers.get('content-security-policy')).includes("script-src 'self'")

  await t.test('an install with many workspaces starts with all or none', async (t) => {
    const app = await createApp(running, { name: 'Wide' })
    const page = await admin.get(ask(app as never))
    t.match(wordsOf(page), 'Install Wide in Company?')
    t.same(ticked(page, 'workspace_ids'), ['*'])
    t.equal(isOpen(page), true)
    t.equal(summaryOf(page), '12 workspaces')
    t.match(
      wordsOf(page),
      /Can read everything, and .* in all workspaces\.\s+This is the whole request\./,
    )
    t.ok(hasScript(page))
    const none = await admin.submit(page, { decision: 'approve', workspace_ids: null })
    t.equal(none.status, 400)
    t.match(wordsOf(none), 'Choose at least one workspace.')
    t.equal(isOpen(none), true, 'the workspaces are listed')
    t.equal(summaryOf(none), '0 of 12 workspaces')
    t.notMatch(wordsOf(none), 'in all workspaces', 'the form does not contradict itself')
    const gone = await admin.submit(page, { decision: 'approve', workspace_ids: elsewhere })
    t.equal(gone.status, 400)
    t.match(wordsOf(gone), meanwhile)
    t.same(ticked(gone, 'workspace_ids'), ['*'], 'the current page')
    const consent = await admin.submit(none, { decision: 'approve', workspace_ids: three })
    t.match(wordsOf(consent), 'Allow Wide to use Company')
    t.same(ticked(consent, 'workspace_ids'), three)
    t.same(ticked(consent, 'later_workspaces'), ['1'])
  })

  await t.test('a consent with many workspaces shows them open', async (t) => {
    const app = await createApp(running, { name: 'Open' })
    await install(running, company, app)
    const page = await admin.get(ask(app as never))
    t.equal(isOpen(page), true)
    t.equal(ticked(page, 'workspace_ids').length, 12)
    t.equal(summaryOf(page), '12 of 12 workspaces')
    t.ok(hasScript(page))
    const last = many[11] as string
    await operator('DELETE', `/workspaces/${last}/members/${kim.id}`)
    const outdated = await admin.submit(page, { decision: 'approve' })
    t.equal(outdated.status, 400)
    t.match(wordsOf(outdated), meanwhile)
    t.notMatch(wordsOf(outdated), 'developer')
    t.equal(ticked(outdated, 'workspace_ids').length, 11)
    t.ok((await admin.submit(outdated, { decision: 'approve' })).left)
    await operator('PUT', `/workspaces/${last}/members/${kim.id}`, {})
  })

  await t.test('three of twelve workspaces are visible when an app is changed', async (t) => {
    const app = await createApp(running, { name: 'Narrow' })
    await install(running, company, app, { workspace_ids: three })
    const page = await admin.get(`/organizations/${company}/apps/${app.client_id}/change`)
    t.equal(isOpen(page), true)
    t.equal(summaryOf(page), '3 of 12 workspaces')
    t.ok(hasScript(page))
    const about = { client_id: app.client_id }
    const gone = await decide(admin, page, 'change', about, { workspace_ids: [elsewhere] })
    t.equal(gone.status, 400)
    t.match(wordsOf(gone), meanwhile)
    t.same(ticked(gone, 'workspace_ids'), three, 'the current page')
    const done = await decide(admin, gone, 'change', about, { workspace_ids: many.slice(1, 3) })
    t.match(wordsOf(done), 'The change is in force')
  })

  await t.test('a form with a deleted workspace keeps its input', async (t) => {
    const form = await admin.get(`/organizations/${company}/keys/new`)
    t.equal(isOpen(form), true)
    const fields = { name: 'Nightly', workspace_ids: [many[0] as string, elsewhere] }
    const page = await decide(admin, form, 'create', {}, fields)
    t.equal(page.status, 400)
    t.match(wordsOf(page), meanwhile)
    t.equal(page.dom.querySelector('#name')?.getAttribute('value'), 'Nightly')
    t.same(ticked(page, 'workspace_ids'), [many[0]])
  })
})
