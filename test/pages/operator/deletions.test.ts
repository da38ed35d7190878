/** Deletions in the console say what goes along, and several members are changed at once. */

import { currentCode } from '../../support/flows.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { createApp, install } from '../../support/world.ts'
import { wordsOf } from '../organization-visit.ts'
import { newPerson, visitAs } from './operator-visit.ts'

await onEachBackend('deletions in the console', async (t, { running, stores, world }) => {
  const { operator } = running
  const { acme, sales, ana } = world
  const org = `/operator/organizations/${acme}`
  const { visitor } = await visitAs(running, stores, '*')

  await t.test('several members get workspaces, or leave', async (t) => {
    const people = [await newPerson(running), await newPerson(running), await newPerson(running)]
    for (const { id } of people)
      await operator('PUT', `/organizations/${acme}/members/${id}`, { role: 'member' })
    const form = await visitor.get(`${org}/members/several`)
    t.equal((await visitor.submit(form, { what: 'remove' })).status, 400, 'nobody is ticked')
    const ids = people.slice(0, 2).map(({ id }) => id)
    const none = await visitor.submit(form, { user_ids: ids, what: 'workspaces' })
    t.equal(none.status, 400)
    t.ok(none.dom.querySelector('#workspace_ids-error'))

    const given = { user_ids: ids, what: 'workspaces', workspace_ids: [sales] }
    t.match(wordsOf(await visitor.submit(form, given)), 'The members of Acme are changed.')
    const isIn = async (path: string) => (await operator('GET', path)).status === 200
    for (const id of ids) t.ok(await isIn(`/workspaces/${sales}/members/${id}`))

    await visitor.submit(form, { user_ids: ids, what: 'remove' })
    for (const { id } of people)
      t.equal(await isIn(`/organizations/${acme}/members/${id}`), !ids.includes(id))
  })

  await t.test('an app and its secrets', async (t) => {
    const app = await createApp(running, { name: 'Wiki Sync' })
    await install(running, acme, app)
    await currentCode(running, app, ana)
    const page = `/operator/apps/${app.client_id}`
    const secret = (await visitor.get(page)).dom
      .querySelectorAll('a')
      .find((one) => one.getAttribute('href')?.includes('/secrets/'))
    t.match(secret?.text, /^Delete/, 'a word, and no tail of a secret')
    const form = await visitor.get(`${page}/delete`)
    t.match(wordsOf(form), 'It is installed in 1 organization, and 1 person has allowed it.')
    for (const typed_name of ['', 'Wiki', 'Wiki Sync 2']) {
      t.equal((await visitor.submit(form, { typed_name })).status, 400, typed_name)
      t.equal((await operator('GET', `/apps/${app.client_id}`)).status, 200)
    }
    const deleted = await visitor.submit(form, { typed_name: ' wiki  sync' })
    t.match(wordsOf(deleted), 'Wiki Sync is deleted.')
    t.match(wordsOf(await visitor.get(`${page}/delete`)), /already done this.*is deleted/)
  })

  await t.test('a user', async (t) => {
    const page = await visitor.get(`/operator/people/${ana.id}/delete`)
    t.match(wordsOf(page), /leaves 1 organization, and \d+ apps? can no longer act for them/)
  })

  await t.test('an organization', async (t) => {
    const form = await visitor.get(`${org}/delete`)
    t.match(wordsOf(form), /\d+ members, \d+ workspaces, \d+ installed apps and \d+ keys? go/)
    t.equal((await visitor.submit(form, {})).status, 400)
    await visitor.submit(form, { typed_name: 'ACME' })
    t.equal((await operator('GET', `/organizations/${acme}`)).status, 404)
  })
})
