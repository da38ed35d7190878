/** What an operator can undo for a minute, and which later change prevents it. */
import type { Test } from 'tap'
import { clientCredentials, currentCode, exchangeCode, refresh } from '../../support/flows.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { signedIn } from '../../support/signed-in.ts'
import type { VisitedPage, Visitor } from '../../support/visitor.ts'
import { createApp, install, type TestApp } from '../../support/world.ts'
import { undo, wordsOf } from '../organization-visit.ts'
import { newPerson, visitAs } from './operator-visit.ts'

const isOffered = (page: VisitedPage) => page.dom.querySelector('form[action="/undo"]') !== null

await onEachBackend('undo in the console', async (t, { running, issuer, world, stores }) => {
  const { operator } = running
  const { acme, ana, kim } = world
  const { visitor, person } = await visitAs(running, stores, '*')
  const home = `/operator/organizations/${acme}`
  const confirm = async (path: string, by: Visitor = visitor, fields = {}) =>
    by.submit(await by.get(path), fields)
  const works = async ({ client_id: id }: TestApp) =>
    !(await operator('GET', `/organizations/${acme}/installs/${id}`)).body.suspended
  const change = (app: TestApp, body: object) =>
    operator('PATCH', `/organizations/${acme}/installs/${app.client_id}`, body)
  const installed = async (name: string) => {
    const app = await createApp(running, { name })
    await install(running, acme, app)
    return app
  }

  await t.test('a suspension of one app', async (t) => {
    const app = await installed('On Hold')
    const path = `${home}/installs/${app.client_id}/suspend`
    const done = await confirm(path)
    t.match(wordsOf(done), 'On Hold is suspended.')
    t.equal(await works(app), false)
    t.match(wordsOf(await undo(visitor, done)), 'Undone. It is as it was before.')
    t.equal((await clientCredentials(issuer, app, acme)).status, 200)

    const second = await confirm(path)
    await change(app, { suspended: false })
    await change(app, { suspended: true })
    t.match(wordsOf(await undo(visitor, second)), 'This can no longer be undone')
    t.equal(await works(app), false, 'the suspension of another operator stays')
    t.notOk(isOffered(await confirm(path)), 'nothing was suspended that was not before')
    await change(app, { suspended: false })
  })

  const suspendAll = async (t: Test, path: string, by: Visitor) => {
    const sent = { decision: 'suspend_all' }
    const [one, two, alone] = [
      await installed('One'),
      await installed('Two'),
      await installed('Alone'),
    ]
    await change(alone, { suspended: true })
    const done = await confirm(path, by, sent)
    t.match(wordsOf(done), /apps (of|in) Acme are suspended/)
    t.same(await Promise.all([one, two, alone].map(works)), [false, false, false])
    t.match(wordsOf(await undo(by, done)), 'Undone.')
    t.same(
      await Promise.all([one, two, alone].map(works)),
      [true, true, false],
      'exactly as before',
    )

    const late = await installed('Late')
    const [, again] = [await confirm(path, by, sent), await installed('Later')]
    const second = await confirm(path, by, sent)
    t.match(wordsOf(await undo(by, second)), 'Undone.')
    t.same(await Promise.all([one, late, again].map(works)), [false, false, true], 'only the last')

    await operator('POST', `/organizations/${acme}/resume-all`, {})
    const third = await confirm(path, by, sent)
    await change(two, { permissions: [] })
    t.match(wordsOf(await undo(by, third)), 'This can no longer be undone', 'all or none')
    t.same(await Promise.all([one, two, again].map(works)), [false, false, false])

    await operator('POST', `/organizations/${acme}/resume-all`, {})
    const fourth = await confirm(path, by, sent)
    const race = await Promise.all([
      undo(by, fourth),
      undo(by, fourth),
      change(one, { permissions: [] }),
    ])
    t.ok(race.slice(0, 2).some((page) => /undone|Undone/.test(wordsOf(page as never))))
    const states = await Promise.all([one, two, late, again].map(works))
    t.equal(new Set(states).size, 1, `all or none: ${states}`)
    await operator('POST', `/organizations/${acme}/resume-all`, {})
  }

  await t.test('all apps of an organization, by an operator', (t) =>
    suspendAll(t, `${home}/suspend-all`, visitor),
  )
  await t.test('all apps of an organization, by its admin', async (t) =>
    suspendAll(t, `/organizations/${acme}/suspend-all`, await signedIn(issuer, kim)),
  )

  await t.test('a person who was disabled', async (t) => {
    const app = await installed('Diary')
    const { body } = await exchangeCode(issuer, app, await currentCode(running, app, ana))
    const browser = await signedIn(issuer, ana)
    const path = `/operator/people/${ana.id}/disable`
    const isDisabled = async () => (await operator('GET', `/users/${ana.id}`)).body.disabled
    const done = await confirm(path)
    t.equal(await isDisabled(), true)
    t.match(wordsOf(await undo(visitor, done)), 'Undone.')
    t.equal(await isDisabled(), false)
    t.equal((await refresh(issuer, app, body.refresh_token)).status, 200, 'the app goes on')
    t.notMatch((await browser.get('/account/apps')).url.pathname, '/account', 'signed out')

    const second = await confirm(path)
    for (const disabled of [false, true]) await operator('PATCH', `/users/${ana.id}`, { disabled })
    t.match(wordsOf(await undo(visitor, second)), 'This can no longer be undone')
    t.equal(await isDisabled(), true, 'what another operator did stays')
    await operator('PATCH', `/users/${ana.id}`, { disabled: false })
    const race = await confirm(path)
    await Promise.all([undo(visitor, race), undo(visitor, race)])
    const { items } = (await operator('GET', `/audit?type=user.enabled`)).body
    t.equal(items.filter((one: { user_id: string }) => one.user_id === ana.id).length, 4, 'once')
    t.equal(items[0].actor.kind, 'operator')
  })

  await t.test('several members', async (t) => {
    const [one, two] = [await newPerson(running), await newPerson(running)]
    for (const [{ id }, role] of [
      [one, 'admin'],
      [two, 'member'],
    ] as const)
      await operator('PUT', `/organizations/${acme}/members/${id}`, { role })
    const places = (await operator('GET', `/organizations/${acme}/workspaces`)).body.items
    const [sales, support] = places.map(({ id }: { id: string }) => id) as [string, string]
    await operator('PUT', `/workspaces/${sales}/members/${one.id}`, {})
    const form = `${home}/members/several`
    const ids = [one.id, two.id]
    const isIn = async (workspace: string, { id }: { id: string }) =>
      (await operator('GET', `/workspaces/${workspace}/members/${id}`)).status === 200

    const add = { user_ids: ids, what: 'workspaces', workspace_ids: [sales, support] }
    const added = await confirm(form, visitor, add)
    t.ok(await isIn(support, two))
    t.match(wordsOf(await undo(visitor, added)), 'Undone.')
    t.same(
      await Promise.all([isIn(sales, one), isIn(support, one), isIn(sales, two)]),
      [true, false, false],
      'who was there before stays',
    )

    const again = await confirm(form, visitor, add)
    await operator('DELETE', `/workspaces/${support}/members/${two.id}`)
    await operator('PUT', `/workspaces/${support}/members/${two.id}`, {})
    t.match(
      wordsOf(await undo(visitor, again)),
      'Undone, except where something has changed since.',
    )
    t.ok(await isIn(support, two), 'added again by another operator')

    const app = await installed('Letters')
    const { body } = await exchangeCode(issuer, app, await currentCode(running, app, one))
    const removed = await confirm(form, visitor, { user_ids: ids, what: 'remove' })
    t.equal((await operator('GET', `/organizations/${acme}/members/${one.id}`)).status, 404)
    t.match(wordsOf(await undo(visitor, removed)), 'Undone.')
    const member = await operator('GET', `/organizations/${acme}/members/${one.id}`)
    t.equal(member.body.role, 'admin')
    t.same(await Promise.all([isIn(sales, one), isIn(support, two)]), [true, true])
    t.equal((await refresh(issuer, app, body.refresh_token)).status, 200, 'the app goes on')

    const last = await confirm(form, visitor, { user_ids: [one.id], what: 'remove' })
    await operator('PUT', `/organizations/${acme}/members/${one.id}`, { role: 'member' })
    t.match(wordsOf(await undo(visitor, last)), 'This can no longer be undone')
    const stays = await operator('GET', `/organizations/${acme}/members/${one.id}`)
    t.equal(stays.body.role, 'member')
  })

  await t.test('only with the rights of the moment, and in the same session', async (t) => {
    const app = await installed('Rights')
    const path = `${home}/installs/${app.client_id}/suspend`
    const other = (await visitAs(running, stores, '*')).visitor
    const foreign = await confirm(path, other)
    await undo(visitor, foreign)
    t.equal(await works(app), false, 'of another session')
    t.match(wordsOf(await undo(other, foreign)), 'Undone.')

    const mine = await confirm(path)
    await operator('PUT', `/users/${person.id}/operator`, { permissions: ['installs:read'] })
    await undo(visitor, mine)
    t.equal(await works(app), false)
    await operator('PUT', `/users/${person.id}/operator`, { permissions: ['*'] })
  })
})
