/** The page on which an admin chooses when the install of an app ends. */
import { currentCode } from '../../support/flows.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { signedIn } from '../../support/signed-in.ts'
import { sql } from '../../support/traces.ts'
import { createApp, install } from '../../support/world.ts'
import { postFields, wordsOf } from '../organization-visit.ts'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

await onEachBackend('the end of an install', async (t, { running, issuer, world }) => {
  const { operator } = running
  const { acme, kim } = world
  const app = await createApp(running, { name: 'Letter Press' })
  await install(running, acme, app)
  const admin = await signedIn(issuer, kim)
  const path = `/organizations/${acme}/apps/${app.client_id}/ends`
  const stored = async () =>
    (await operator('GET', `/organizations/${acme}/installs/${app.client_id}`)).body

  await t.test('an admin chooses the last day and the days without use', async (t) => {
    const day = inDays(30)
    const page = await admin.get(path)
    t.match(wordsOf(page), 'When does the access of Letter Press to Acme end?')
    const saved = await admin.submit(page, { last_day: day, idle_days: '45' })
    t.match(wordsOf(saved), / is changed\. The change is in force/)
    t.match(await stored(), { idle_seconds: 45 * 86_400 })
    t.match((await stored()).expires_at, `${day}T23:59:59`)

    const late = await admin.submit(page, { last_day: '', idle_days: '' })
    t.equal(late.status, 409, 'a page that is out of date changes nothing')
    t.match(wordsOf(late), 'Another person has changed this')
    t.match(await stored(), { idle_seconds: 45 * 86_400 })
  })

  await t.test('a time that the Operator API has set stays exact', async (t) => {
    const exact = `${inDays(9)}T08:30:00.000Z`
    const change = { expires_at: exact, idle_seconds: 5400 }
    await operator('PATCH', `/organizations/${acme}/installs/${app.client_id}`, change)
    await admin.submit(await admin.get(path), {})
    t.match(await stored(), { expires_at: exact, idle_seconds: 5400 })
  })

  await t.test('a wrong value is shown beside its field, and changes nothing', async (t) => {
    const before = await stored()
    for (const last_day of [inDays(-2), 'soon', '2026-02-31x', inDays(4000)]) {
      const page = await admin.submit(await admin.get(path), { last_day })
      t.equal(page.status, 400, last_day)
      t.equal(page.dom.querySelector('#last_day')?.getAttribute('aria-invalid'), 'true')
    }
    for (const idle_days of ['0', '-1', 'x', '9999']) {
      const page = await admin.submit(await admin.get(path), { idle_days })
      t.equal(page.status, 400, idle_days)
      t.equal(page.dom.querySelector('#idle_days')?.getAttribute('value'), idle_days)
    }
    t.same(await stored(), before)
  })

  await t.test('empty fields mean that it does not end', async (t) => {
    await admin.submit(await admin.get(path), { last_day: '', idle_days: '' })
    t.match(await stored(), { expires_at: null, idle_seconds: null })
  })

  await t.test('other people find no such page', async (t) => {
    t.equal((await (await signedIn(issuer, world.ana)).get(path)).status, 404)
    t.equal((await admin.get(path.replace(app.client_id, 'app0000000000000000000'))).status, 404)
  })
})

await onEachBackend('the end of one consent', async (t, { running, issuer, world, stores }) => {
  const { operator } = running
  const { acme, ana, kim, confidential: app } = world
  await currentCode(running, app, ana)
  await currentCode(running, app, kim)
  const admin = await signedIn(issuer, kim)
  const page = `/organizations/${acme}/apps/${app.client_id}`
  const path = `${page}/people/${ana.id}/ends`
  const stored = async (user = ana) =>
    (await operator('GET', `/organizations/${acme}/installs/${app.client_id}/users/${user.id}`))
      .body

  await t.test('an admin sets it for one person, from the page of the app', async (t) => {
    t.ok((await admin.get(page)).dom.querySelector(`a[href="${path}"]`))
    const requested = await admin.get(path)
    t.match(wordsOf(requested), /When does the access of Report Builder for ana\S* end\?/)
    const day = inDays(20)
    const saved = await admin.submit(requested, { last_day: day, idle_days: '30' })
    t.equal(saved.url.pathname, page)
    t.match(wordsOf(saved), / is changed\. The change is in force/)
    t.match(wordsOf(saved), 'or after 30 days without use')
    t.match(await stored(), { idle_seconds: 30 * 86_400 })
    t.match((await stored()).expires_at, `${day}T23:59:59`)
    t.match(await stored(kim), { expires_at: null, idle_seconds: null }, 'others keep theirs')
    const { items } = (await operator('GET', `/audit?client_id=${app.client_id}&limit=1`)).body
    t.match(items[0], {
      type: 'consent.changed',
      actor: { kind: 'user', id: kim.id },
      user_id: ana.id,
      detail: { idle_seconds: 30 * 86_400 },
    })
    const late = await admin.submit(requested, { last_day: '', idle_days: '' })
    t.equal(late.status, 409)
    t.match(await stored(), { idle_seconds: 30 * 86_400 })
  })

  await t.test('a wrong value stays in its field', async (t) => {
    const before = await stored()
    const wrong = await admin.submit(await admin.get(path), { last_day: 'soon', idle_days: 'x' })
    t.equal(wrong.status, 400)
    t.equal(wrong.dom.querySelector('#last_day')?.getAttribute('value'), 'soon')
    t.equal(wrong.dom.querySelector('#idle_days')?.getAttribute('value'), 'x')
    t.ok(wrong.dom.querySelector('#last_day-error'))
    t.ok(wrong.dom.querySelector('#idle_days-error'))
    t.same(await stored(), before)
  })

  await t.test('longer access needs a recent sign-in, and shorter access does not', async (t) => {
    await sql(stores, 'update sessions set authenticated_at = authenticated_at - 3600000')
    const shorter = await admin.submit(await admin.get(path), { idle_days: '10' })
    t.match(wordsOf(shorter), / is changed\. The change is in force/)
    const longer = await admin.submit(await admin.get(path), { last_day: '', idle_days: '' })
    t.equal(longer.url.pathname, '/login')
    t.equal(longer.url.searchParams.get('return_to'), path)
    t.match(await stored(), { idle_seconds: 10 * 86_400 })
    const again = await signedIn(issuer, kim)
    await again.submit(await again.get(path), { last_day: '', idle_days: '' })
    t.match(await stored(), { expires_at: null, idle_seconds: null })
  })

  await t.test('no consent, no page', async (t) => {
    for (const user of [world.zoe.id, 'usrNone', "'"])
      t.equal((await admin.get(path.replace(ana.id, encodeURIComponent(user)))).status, 404, user)
    t.equal((await (await signedIn(issuer, ana)).get(path)).status, 404)
    const sent = await postFields(await signedIn(issuer, ana), `${issuer}${path}`, {
      idle_days: '1',
    })
    t.equal(sent.status, 404)
    t.match(await stored(), { idle_seconds: null })
  })
})
