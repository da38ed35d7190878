/** The pages with the rules of an organization for its apps, and with the access to review. */
import { eventually } from '../../support/eventually.ts'
import { currentCode } from '../../support/flows.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { signedIn } from '../../support/signed-in.ts'
import { sql } from '../../support/traces.ts'
import { createApp, currentPermissions, install } from '../../support/world.ts'
import { wordsOf } from '../organization-visit.ts'

await onEachBackend('rules and review', async (t, { running, issuer, world, stores }) => {
  const { operator } = running
  const { acme, ana, kim } = world
  const admin = await signedIn(issuer, kim)
  const policy = `/organizations/${acme}/policy`
  const review = `/organizations/${acme}/review`
  const stored = async () => (await operator('GET', policy)).body

  await t.test('an admin changes the rules', async (t) => {
    const page = await admin.get(policy)
    t.match(wordsOf(page), 'Rules for apps in Acme')
    t.equal(page.dom.querySelector('input[checked]')?.getAttribute('value'), 'all')
    const saved = await admin.submit(page, {
      connect: 'ask',
      default_expires_days: '90',
      default_idle_days: '',
    })
    t.match(wordsOf(saved), 'The rules are saved')
    t.match(await stored(), {
      connect: 'ask',
      default_expires_days: 90,
      default_idle_days: null,
    })
    const { body } = await operator('GET', `/audit?organization_id=${acme}`)
    t.match(
      body.items.find(({ type }: { type: string }) => type === 'organization.policy_changed'),
      { actor: { kind: 'user', id: kim.id }, detail: { previous: { connect: 'all' } } },
    )

    const late = await admin.submit(page, { connect: 'installed' })
    t.equal(late.status, 409)
    t.match(wordsOf(late), 'Another person has changed this')
    t.match(await stored(), { connect: 'ask' })
  })

  await t.test('a wrong number is shown beside its field', async (t) => {
    for (const days of ['0', '1.5', '-1', '9999', 'soon', '3651']) {
      const page = await admin.submit(await admin.get(policy), { default_idle_days: days })
      t.equal(page.status, 400, days)
      const field = page.dom.querySelector('#default_idle_days')
      t.equal(field?.getAttribute('aria-invalid'), 'true')
      t.equal(field?.getAttribute('value'), days)
      t.match(wordsOf(page), /Enter a whole number of days from 1 to 3,650/)
    }
    t.match(await stored(), { default_idle_days: null })
  })

  await t.test('the review shows what seems not needed, and what ends', async (t) => {
    await operator('PUT', policy, { connect: 'all' })
    const named = async (name: string, part: Record<string, unknown> = {}) => {
      const app = await createApp(running, { name })
      await install(running, acme, app, part)
      return app
    }
    const soon = new Date(Date.now() + 86_400_000).toISOString()
    const [never, , wide, inOrder] = [
      await named('=Never Used'),
      await named('Ending Soon', { expires_at: soon }),
      await named('Wide Open'),
      await named('In Order'),
    ]
    await sql(
      stores,
      `update installs set created_at = now() - interval '100 days' where client_id = $1`,
      [never.client_id],
    )
    await sql(stores, 'update installs set last_used_at = now() where client_id = $1', [
      inOrder.client_id,
    ])
    await currentCode(running, wide, ana, { organization_id: acme })
    const [kept] = currentPermissions
    await sql(stores, 'update consents set permissions = $2 where client_id = $1', [
      wide.client_id,
      [kept],
    ])
    const unused = await named('Left Behind')
    await currentCode(running, unused, ana, { organization_id: acme })
    await sql(
      stores,
      `update consents set created_at = now() - interval '200 days',
         last_used_at = now() - interval '100 days' where client_id = $1`,
      [unused.client_id],
    )
    await sql(stores, 'delete from grants where client_id = $1', [unused.client_id])

    const page = await admin.get(review)
    const words = wordsOf(page)
    t.match(words, /=Never Used Not used yet/)
    t.match(words, /Ending Soon Not used yet Ends within 30 days/)
    t.match(words, /Left Behind ana\S* \S+@acme.test Not used for 90 days/)
    t.notMatch(words, 'In Order')
    t.ok(page.dom.querySelector(`a[href="/organizations/${acme}/apps/${never.client_id}"]`))

    const surplus = wordsOf(await admin.get(`${review}?finding=surplus`))
    t.match(surplus, /Wide Open Not used yet No one/, 'also one that was installed just now')
    t.match(surplus, /No one has allowed all it may do No person has allowed: /)

    const response = await admin.fetch(`${issuer}${review}?format=csv`)
    t.match(response.headers.get('content-type'), 'text/csv')
    t.match(response.headers.get('content-disposition'), 'attachment')
    const csv = await response.text()
    t.match(csv, `'=Never Used,${never.client_id}`)
    t.match(csv, ana.email)
    t.notMatch(csv, /(^|[,"])=/m, 'no cell is a formula')
    await eventually(async () => {
      const { body } = await operator('GET', `/audit?organization_id=${acme}`)
      return body.items.some(({ type }: { type: string }) => type === 'activity.exported')
    })
  })
  await t.test('looser rules need a recent sign-in, and stricter ones do not', async (t) => {
    const later = await signedIn(issuer, kim)
    await operator('PUT', policy, { connect: 'installed', default_idle_days: 30 })
    await sql(stores, 'update sessions set authenticated_at = authenticated_at - 3600000')
    for (const looser of [{ connect: 'all' }, { default_idle_days: '' }]) {
      const requested = await later.submit(await later.get(policy), looser)
      t.equal(requested.url.pathname, '/login')
      t.equal(requested.url.searchParams.get('return_to'), policy)
      t.match(await stored(), { connect: 'installed', default_idle_days: 30 })
    }
    const stricter = { connect: 'ask', default_expires_days: '90', default_idle_days: '10' }
    await later.submit(await later.get(policy), stricter)
    t.match(await stored(), { connect: 'ask', default_expires_days: 90, default_idle_days: 10 })
  })

  await t.test('the review is in parts, and the download is complete', async (t) => {
    const again = await signedIn(issuer, kim)
    const crowded = await createApp(running, { name: 'Crowded' })
    await install(running, acme, crowded)
    await sql(
      stores,
      `with made as (
         insert into users (id, email, name)
         select 'usr_r' || n, 'r' || n || '@crowd.test', 'Same Name' from generate_series(1, 1203) n
         returning id)
       insert into members (organization_id, user_id, role) select '${acme}', id, 'member' from made`,
    )
    await sql(
      stores,
      `insert into consents
         (user_id, organization_id, client_id, install_id, offered, permissions, created_at)
       select m.user_id, i.organization_id, i.client_id, i.id, '{}', '{}', now() - interval '50 days'
         from installs i join members m on m.organization_id = i.organization_id
        where i.client_id = '${crowded.client_id}' and m.user_id like 'usr\\_r%'`,
    )
    await sql(stores, `delete from members where user_id = 'usr_r3'`)
    const linesOf = (text: string) => text.match(/r\d+@crowd\.test/g) ?? []
    const first = await again.get(review)
    const next =
      first.dom.querySelector('a[rel="next"][href*="people_after"]')?.getAttribute('href') ?? ''
    const second = await again.get(next)
    const shown = [...linesOf(wordsOf(first)), ...linesOf(wordsOf(second))]
    t.ok(shown.length > 8 && shown.length <= 16)
    t.equal(new Set(shown).size, shown.length, 'no line is repeated')
    t.notMatch(wordsOf(second), '=Never Used Not used yet', 'the other list is not repeated')
    t.equal((await again.get(`${review}?people_after=0.gone,gone`)).status, 200)

    const csv = await (await again.fetch(`${issuer}${review}?format=csv`)).text()
    const all = linesOf(csv)
    t.equal(all.length, 1202)
    t.equal(new Set(all).size, 1202)
    t.match(csv, 'Left Behind')
    t.match(csv, "'=Never Used")
    t.notMatch(csv, 'r3@crowd.test')
  })
})
