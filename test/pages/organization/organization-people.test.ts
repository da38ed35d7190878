/** The users of an app, the members of an organization, and the page that suspends every app. */
import { clientCredentials, currentCode, exchangeCode, refresh } from '../../support/flows.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { introspectAt, registerResourceServer } from '../../support/resource-server.ts'
import { signedIn } from '../../support/signed-in.ts'
import { sql } from '../../support/traces.ts'
import type { VisitedPage } from '../../support/visitor.ts'
import { createApp, install } from '../../support/world.ts'
import { decide, postFields, rowOf, wordsOf } from '../organization-visit.ts'

const rows = (page: VisitedPage) =>
  page.dom
    .querySelectorAll(
      'table[aria-labelledby="people"] tbody tr, table[aria-labelledby="members"] tbody tr',
    )
    .map((row) => row.text.replaceAll(/\s+/g, ' ').trim())

await onEachBackend('people of an organization', async (t, { running, issuer, world, stores }) => {
  const { operator } = running
  const { acme, ana, kim, zoe, confidential: app } = world
  const apps = `/organizations/${acme}/apps`
  const path = `${apps}/${app.client_id}`
  const admin = await signedIn(issuer, kim)
  const server = await registerResourceServer(running)
  const tokensOf = async (user: typeof ana) =>
    (await exchangeCode(issuer, app, await currentCode(running, app, user))).body
  const isActive = async (token: string) =>
    (await introspectAt(issuer, server, token)).body.active as boolean

  await t.test('an admin ends the access of one person, on a page that says so', async (t) => {
    const [hers, his] = [await tokensOf(ana), await tokensOf(kim)]
    const page = await admin.get(path)
    t.equal(rows(page).length, 2)
    t.match(wordsOf(page), 'People (2)')
    t.match(rowOf(await admin.get(apps), app.client_id), 'All workspaces 2')

    const requested = await admin.get(`${path}/people/${ana.id}/end`)
    t.equal(requested.status, 200)
    t.match(wordsOf(requested), /End the access of Report Builder for ana\?/)
    t.match(wordsOf(requested), 'Its tokens for this person stop working at once.')
    t.equal(await isActive(hers.access_token), true, 'the question decides nothing')

    const about = { client_id: app.client_id, user_id: ana.id }
    const done = await decide(admin, requested, 'end', about)
    t.equal(done.url.pathname, path)
    t.match(wordsOf(done), 'Report Builder can no longer act for ana.')
    t.equal(rows(done).length, 1)
    t.match(rows(done)[0], kim.email)
    t.equal(await isActive(hers.access_token), false)
    t.equal((await refresh(issuer, app, hers.refresh_token)).body.error, 'invalid_grant')
    t.equal(await isActive(his.access_token), true)
    const { items } = (
      await operator('GET', `/audit?client_id=${app.client_id}&type=connection.ended`)
    ).body
    t.match(items[0], {
      type: 'connection.ended',
      actor: { kind: 'user', id: kim.id },
      user_id: ana.id,
      organization_id: acme,
    })

    t.equal((await admin.get(`${path}/people/${ana.id}/end`)).status, 404, 'there is no access')
    t.match(
      wordsOf(await decide(admin, requested, 'end', about)),
      'Another person has changed this',
    )
  })

  await t.test('the form posts to the list as well, as the contract says', async (t) => {
    const tokens = await tokensOf(ana)
    const fields = { client_id: app.client_id, user_id: ana.id, decision: 'end' }
    const answer = await postFields(admin, `${issuer}${apps}`, fields)
    t.equal(answer.status, 303)
    t.equal(await isActive(tokens.access_token), false)
    for (const user_id of [zoe.id, 'usrNone', "' or true --"])
      t.equal((await postFields(admin, `${issuer}${apps}`, { ...fields, user_id })).status, 404)
  })

  await t.test('lists only members with access, and finds them by name and address', async (t) => {
    await sql(
      stores,
      `with made as (
         insert into users (id, email, name)
         select 'usr_p' || lpad(n::text, 2, '0'), 'p' || n || '@crowd.test', 'Person ' || lpad(n::text, 2, '0')
           from generate_series(1, 40) n returning id)
       insert into members (organization_id, user_id, role) select '${acme}', id, 'member' from made`,
    )
    await sql(
      stores,
      `insert into consents (user_id, organization_id, client_id, install_id, offered, permissions)
       select m.user_id, i.organization_id, i.client_id, i.id, '{}', '{}'
         from installs i join members m on m.organization_id = i.organization_id
        where i.client_id = '${app.client_id}' and m.user_id like 'usr\\_p%'`,
    )
    await sql(stores, `update users set disabled_at = now() where id = 'usr_p02'`)
    await sql(stores, `delete from members where user_id = 'usr_p03'`)
    const first = await admin.get(path)
    t.match(wordsOf(first), 'People (39)')
    t.equal(rows(first).length, 10)
    const all = rows(first)
    const nextOf = ({ dom }: typeof first) =>
      dom.querySelector('a[rel="next"]')?.getAttribute('href')
    for (let next = nextOf(first); next; ) {
      const page = await admin.get(next)
      all.push(...rows(page))
      next = nextOf(page)
    }
    t.equal(all.length, 39)
    t.equal(new Set(all).size, 39)
    t.notOk(all.some((one) => /Person 0[23]/.test(one)))
    t.equal(rows(await admin.get(`${path}?name=person%201`)).length, 10)
    t.equal(rows(await admin.get(`${path}?name=P7%40CROWD`)).length, 1)
    t.match(wordsOf(await admin.get(`${path}?name=%25`)), 'No one who uses this app fits')
    t.equal((await admin.get(`${path}?after=0.usr_gone`)).status, 200)
  })

  await t.test('members are shown with role, workspaces and last sign-in', async (t) => {
    const members = `/organizations/${acme}/members`
    const admins = await admin.get(`${members}?role=admin`)
    t.equal(rows(admins).length, 1)
    t.match(rows(admins)[0], /kim.* You .*@acme\.test Admin Sales Support .*\d+ \w+ \d{4}/)
    const found = rows(await admin.get(`${members}?name=person%2002`))
    t.match(found[0], 'Person 02 Account switched off p2@crowd.test Member None None Not known')
    const first = await admin.get(members)
    t.equal(rows(first).length, 25)
    const next = first.dom.querySelector('a[rel="next"]')?.getAttribute('href') ?? ''
    t.equal(rows(first).length + rows(await admin.get(next)).length, 41)
    t.equal(first.dom.querySelectorAll('main form[method="post"]').length, 0, 'it only shows')
    t.match(wordsOf(await admin.get(`${members}?name=zoe`)), 'No member fits this search')
  })

  await t.test('the page of a member lists the apps and leads to the end of each', async (t) => {
    await tokensOf(ana)
    const listed = await admin.get(`/organizations/${acme}/members?name=${ana.email}`)
    t.match(rows(listed)[0], 'Report Builder')
    const member = `/organizations/${acme}/members/${ana.id}`
    t.ok(listed.dom.querySelector(`a[href="${member}"]`))
    const page = await admin.get(member)
    t.match(wordsOf(page), /Apps that act for ana/)
    t.match(wordsOf(page), 'Report Builder')
    t.ok(page.dom.querySelector(`a[href="${path}/people/${ana.id}/ends"]`))
    const endUrl = page.dom.querySelector(`a[href="${path}/people/${ana.id}/end"]`)
    const requested = await admin.get(endUrl?.getAttribute('href') ?? '')
    await decide(admin, requested, 'end', { client_id: app.client_id, user_id: ana.id })
    t.match(wordsOf(await admin.get(member)), /No app acts for ana\S* at the moment/)
    for (const id of [zoe.id, 'usrNone', "'"]) {
      const foreign = `/organizations/${acme}/members/${encodeURIComponent(id)}`
      t.equal((await admin.get(foreign)).status, 404, id)
    }
    t.equal((await (await signedIn(issuer, ana)).get(member)).status, 404)
  })

  await t.test('every app is suspended, and those are resumed', async (t) => {
    const asleep = await createApp(running, { name: 'Asleep' })
    await install(running, acme, asleep)
    await operator('PATCH', `/organizations/${acme}/installs/${asleep.client_id}`, {
      suspended: true,
    })
    const live = (await operator('GET', `/organizations/${acme}/installs`)).body.items.length
    const requested = await admin.get(`/organizations/${acme}/suspend-all`)
    t.match(wordsOf(requested), `${live - 1} apps stop at once, for everyone.`)
    t.equal((await clientCredentials(issuer, app, acme)).status, 200)
    const done = await decide(admin, requested, 'suspend_all')
    t.match(wordsOf(done), 'All apps in Acme are suspended')
    t.match(wordsOf(done), `${live - 1} apps still are`)
    t.equal((await clientCredentials(issuer, app, acme)).body.error, 'invalid_grant')

    const back = await admin.get(`/organizations/${acme}/resume-all`)
    t.match(wordsOf(back), `${live - 1} apps get their access back`)
    const resumed = await decide(admin, back, 'resume_all')
    t.match(wordsOf(resumed), 'work again')
    t.match(rowOf(resumed, asleep.client_id), 'Suspended')
    t.match(rowOf(resumed, app.client_id), 'Working')
    t.equal((await clientCredentials(issuer, app, acme)).status, 200)
    const types = (await operator('GET', `/audit?organization_id=${acme}&limit=200`)).body.items
      .filter(({ type }: { type: string }) => type.startsWith('organization.apps'))
      .map(({ actor }: { actor: { id: string } }) => actor.id)
    t.same(types, [kim.id, kim.id])
    const stray = await postFields(admin, `${issuer}/organizations/${acme}/suspend-all`, {
      decision: 'something',
    })
    t.equal(stray.status, 303)
    t.equal((await clientCredentials(issuer, app, acme)).status, 200, 'nothing was decided')
  })
})
