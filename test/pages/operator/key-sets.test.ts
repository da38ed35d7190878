/** Key sets in the operator's console: made, changed, rotated, their workloads, and deleted. */
import { onEachBackend } from '../../support/on-each-backend.ts'
import { wordsOf } from '../organization-visit.ts'
import { visitAs } from './operator-visit.ts'

await onEachBackend('key sets in the console', async (t, { running, stores, world }) => {
  const { operator } = running
  const { acme, sales } = world
  const other = (await operator('POST', '/organizations', { name: 'Other' })).body.id
  const org = `/operator/organizations/${acme}`
  const path = `/organizations/${acme}/key-sets`
  const { visitor } = await visitAs(running, stores, '*')
  const draft = { name: 'Export', interface: 'current', permissions: ['records:create'] }
  const newKeySet = async (part: object = {}) =>
    (await operator('POST', path, { ...draft, ...part })).body

  await t.test('one is made, and its secret is shown once', async (t) => {
    const form = await visitor.get(`${org}/key-sets/new`)
    t.match(wordsOf(form), /records:create Create records/, 'permissions have sentences')
    t.equal(form.dom.querySelectorAll('#permissions input[checked]').length, 0, 'nothing is ticked')
    const wrong = await visitor.submit(form, { name: ' ' })
    t.equal(wrong.status, 400)
    t.equal(wrong.dom.querySelectorAll('.field-error').length, 1)
    const nowhere = await visitor.submit(form, { name: 'Nightly', workspace_ids: null })
    t.equal(nowhere.status, 400)
    t.match(wordsOf(nowhere), 'Choose at least one workspace')
    const shown = await visitor.submit(form, {
      ...{ name: 'Nightly', permissions: ['records:create'] },
      workspace_ids: [sales],
    })
    t.ok(shown.dom.querySelector('#secret')?.getAttribute('value'))
    t.equal((await visitor.get(shown.url)).status, 410, 'shown once')
    const [made] = (await operator('GET', path)).body.items
    t.match(made, { name: 'Nightly', permissions: ['records:create'], workspace_ids: [sales] })
    t.match(wordsOf(await visitor.get(`${org}/key-sets`)), `Nightly ${made.client_id}`)
    t.match(wordsOf(await visitor.get(`${org}/key-sets/${made.id}`)), /Nightly.*Acme.*Sales/)
    const url = `/operator/organizations/${other}/key-sets/${made.id}`
    t.equal((await visitor.get(url)).status, 404, 'of another organization')
    for (const part of ['change', 'rotate', 'delete', 'workloads'])
      t.equal((await visitor.get(`${url}/${part}`)).status, 404, part)
  })

  await t.test('a legacy one has an app id and no workspaces', async (t) => {
    const form = await visitor.get(`${org}/key-sets/new-legacy`)
    t.notOk(form.dom.querySelector('#workspaces'))
    const shown = await visitor.submit(form, { name: 'Old', permissions: ['insertData'] })
    t.match(wordsOf(shown), 'App ID')
    const { items } = (await operator('GET', path)).body
    const made = items.find((one: { name: string }) => one.name === 'Old')
    t.match(made, { interface: 'legacy', workspace_ids: null })
    t.equal((await visitor.get(`${org}/key-sets/${made.id}/workloads`)).status, 404)
  })

  await t.test('a change replaces another one only knowingly', async (t) => {
    const { id } = await newKeySet()
    const page = `${org}/key-sets/${id}`
    const form = await visitor.get(`${page}/change`)
    await operator('PATCH', `${path}/${id}`, { name: 'Renamed', permissions: [] })
    const stale = await visitor.submit(form, { description: 'At night' })
    t.equal(stale.status, 412)
    const rows = stale.dom
      .querySelectorAll('main table tbody tr')
      .map((row) =>
        row.querySelectorAll('th, td').map((cell) => cell.text.replaceAll(/\s+/g, ' ').trim()),
      )
    t.same(rows, [
      ['Name', 'Renamed', 'Export'],
      ['Description', 'none', 'At night'],
      ['Permissions', 'none', 'records:create'],
    ])
    t.match((await operator('GET', `${path}/${id}`)).body, { name: 'Renamed', description: null })
    const again = await visitor.submit(form, { description: 'At night' })
    t.equal(again.status, 412, 'the old form stays refused')
    t.match(wordsOf(stale), 'Replace what is stored')
    t.equal((await visitor.submit(stale, {})).status, 200)
    t.match((await operator('GET', `${path}/${id}`)).body, {
      ...{ name: 'Export', description: 'At night', permissions: ['records:create'] },
    })
  })

  await t.test('it is rotated with an overlap', async (t) => {
    const { id } = await newKeySet()
    const page = `${org}/key-sets/${id}`
    const form = await visitor.get(`${page}/rotate`)
    t.equal(
      form.dom.querySelector('#retire_others_after_seconds input[checked]')?.getAttribute('value'),
      '86400',
    )
    const shown = await visitor.submit(form, {})
    t.ok(shown.dom.querySelector('#secret')?.getAttribute('value'))
    t.ok(shown.dom.querySelector(`.buttons a[href="${page}"]`), 'it leads back to the key set')
    const { secrets } = (await operator('GET', `${path}/${id}`)).body
    t.equal(secrets.length, 2)
    const ends = secrets.map((one: { expires_at: string | null }) => one.expires_at).filter(Boolean)
    t.equal(ends.length, 1)
    t.ok(Math.abs(Date.parse(ends[0]) - Date.now() - 86_400_000) < 60_000, 'a day')
    const full = await visitor.get(`${page}/rotate`)
    t.equal(
      full.dom.querySelectorAll('#retire_others_after_seconds input').length,
      1,
      'no room for a third one',
    )
    t.notOk(
      full.dom.querySelector('#retire_others_after_seconds input[checked]'),
      'which is not preselected',
    )
    const unchosen = await visitor.submit(full, {})
    t.equal(unchosen.status, 400)
    await visitor.submit(full, { retire_others_after_seconds: '0' })
    t.equal((await operator('GET', `${path}/${id}`)).body.secrets.length, 1)
  })

  await t.test('its workloads', async (t) => {
    const { id } = await newKeySet()
    const page = `${org}/key-sets/${id}/workloads`
    const form = await visitor.get(page)
    t.match(wordsOf(form), 'No program is trusted yet')
    const wrong = [
      { issuer: '', subject: 'nightly' },
      { issuer: 'http://ci.example', subject: 'nightly' },
      { issuer: 'https://ci.example' },
      { issuer: 'https://ci.example', claims: 'repository' },
    ]
    for (const given of wrong) {
      const refused = await visitor.submit(form, given)
      t.equal(refused.status, 400, JSON.stringify(given))
      t.equal(refused.dom.querySelectorAll('.field-error').length, 1, JSON.stringify(given))
    }
    const given = { issuer: 'https://ci.example', claims: 'repository=acme/nightly' }
    const trusted = await visitor.submit(form, given)
    t.match(wordsOf(trusted), /https:\/\/ci.example.*repository=acme\/nightly/)
    const stored = { issuer: given.issuer, claims: { repository: 'acme/nightly' } }
    t.same((await operator('GET', `${path}/${id}`)).body.workloads, [stored])
    const twice = await visitor.submit(trusted, given)
    t.match(wordsOf(twice), 'This program is trusted already')
    const link = trusted.dom.querySelector('main table a')?.getAttribute('href') ?? ''
    await visitor.submit(await visitor.get(link), {})
    t.same((await operator('GET', `${path}/${id}`)).body.workloads, [])
    t.equal((await visitor.get(link)).status, 404)
  })

  await t.test('it is deleted', async (t) => {
    const { id, client_id } = await newKeySet({ name: 'Last one' })
    t.match(wordsOf(await visitor.get(`${org}/key-sets`)), `Last one ${client_id}`)
    const page = await visitor.get(`${org}/key-sets/${id}/delete`)
    t.equal((await operator('GET', `${path}/${id}`)).status, 200, 'the page deletes nothing')
    const deleted = await visitor.submit(page, {})
    t.match(wordsOf(deleted), ' is deleted.')
    t.notMatch(wordsOf(await visitor.get(org)), 'Last one')
    t.equal((await operator('GET', `${path}/${id}`)).status, 404)
  })
})
