import { onEachBackend } from '../../support/on-each-backend.ts'
import { signedIn } from '../../support/signed-in.ts'
import { currentPermissions } from '../../support/world.ts'
import { decide, postFields, ticked, wordsOf } from '../organization-visit.ts'

await onEachBackend(
  'concurrent edits of two admins',
  async (t, { running, issuer, world }) => {
    const { operator, urls } = running
    const { acme, kim, sales, support, finance, confidential, legacy } = world
    const lee = { email: 'lee@acme.test', password: kim.password }
    const { body: user } = await operator('POST', '/users', { ...lee, name: 'Lee <b>Park' })
    await operator('PUT', `/organizations/${acme}/members/${user.id}`, { role: 'admin' })
    const [first, second] = [await signedIn(issuer, kim), await signedIn(issuer, lee)]
    const path = `/organizations/${acme}/apps/${confidential.client_id}/change`
    const list = `/organizations/${acme}/apps`
    const api = `/organizations/${acme}/installs/${confidential.client_id}`
    const install = async () => (await operator('GET', api)).body
    const reset = () =>
      operator('PUT', api, { permissions: currentPermissions, workspace_ids: null })
    const versionOn = (page: Awaited<ReturnType<typeof first.get>>) =>
      page.dom.querySelector('input[name="version"]')?.getAttribute('value')

    await t.test(
      'the second admin sees the first one’s change and keeps their own input',
      async (t) => {
        const [mine, theirs] = [await first.get(path), await second.get(path)]
        const saved = await decide(
          second,
          theirs,
          'change',
          {},
          { permissions: ['records:create'], workspace_ids: [sales] },
        )
        t.match(wordsOf(saved), 'The change is in force')

        const choice = { permissions: ['records:update'], workspace_ids: [support, finance] }
        const page = await decide(first, mine, 'change', {}, choice)
        t.equal(page.status, 409)
        t.match(
          wordsOf(page),
          /Lee <b>Park changed this on \d.* at \d\d:\d\d UTC, while you were editing\. Your changes are not saved yet/,
        )
        t.match(page.text, '<bdi>Lee &lt;b&gt;Park</bdi>')
        t.match(
          wordsOf(page),
          /Saved now It may .*Create records In Sales The form contains your changes/,
        )
        t.same(ticked(page, 'permissions'), choice.permissions)
        t.same(ticked(page, 'workspace_ids').sort(), [...choice.workspace_ids].sort())
        t.match(await install(), { permissions: ['records:create'], workspace_ids: [sales] })
        const trail = await operator('GET', `/audit?client_id=${confidential.client_id}&limit=1`)
        t.match(trail.body.items[0], { actor: { id: user.id } }, 'nothing was written')

        const again = await decide(first, page, 'change')
        t.match(wordsOf(again), 'The change is in force')
        t.same((await install()).permissions, choice.permissions)
        t.same((await install()).workspace_ids.sort(), [...choice.workspace_ids].sort())
      },
    )

    await t.test('another change in between is shown again', async (t) => {
      await reset()
      const mine = await first.get(path)
      await operator('PUT', api, { permissions: ['records:create'], workspace_ids: null })
      const choice = { permissions: ['records:update'], workspace_ids: ['*'] }
      const page = await decide(first, mine, 'change', {}, choice)
      t.equal(page.status, 409)
      t.match(wordsOf(page), /operator.* changed this on/i)
      await operator('PUT', api, { permissions: [], workspace_ids: null })
      const second = await decide(first, page, 'change')
      t.equal(second.status, 409)
      t.same((await install()).permissions, [])
      t.match(wordsOf(await decide(first, second, 'change')), 'The change is in force')
      t.same((await install()).permissions, choice.permissions)
    })

    await t.test('no conflict if no change would be lost', async (t) => {
      await reset()
      const choice = { permissions: ['records:create'], workspace_ids: [sales] }
      const mine = await first.get(path)
      await decide(second, await second.get(path), 'change', {}, choice)
      const same = await decide(first, mine, 'change', {}, choice)
      t.match(wordsOf(same), 'The change is in force', 'both want the same')

      const later = await first.get(path)
      for (const decision of ['suspend', 'resume'])
        await postFields(second, `${issuer}${list}`, {
          client_id: confidential.client_id,
          decision,
        })
      const other = { ...choice, permissions: [] as string[] }
      t.match(
        wordsOf(await decide(first, later, 'change', {}, other)),
        'The change is in force',
        'suspension is not a field of the form',
      )
    })

    await t.test('a form without a version and API calls always apply', async (t) => {
      await reset()
      await first.get(path)
      await operator('PUT', api, { permissions: ['records:create'], workspace_ids: null })
      const answer = await postFields(first, `${issuer}${list}`, {
        client_id: confidential.client_id,
        decision: 'change',
        permissions: 'records:update',
        workspace_ids: '*',
      })
      t.equal(answer.status, 303)
      t.same((await install()).permissions, ['records:update'])
      t.equal((await reset()).status, 200)
    })

    await t.test('an invalid input in between keeps the conflict', async (t) => {
      await reset()
      const mine = await first.get(path)
      await operator('PUT', api, { permissions: [], workspace_ids: null })
      const faulty = await decide(first, mine, 'change', {}, { workspace_ids: null })
      t.equal(faulty.status, 400)
      t.equal(versionOn(faulty), versionOn(mine))
      const page = await decide(first, faulty, 'change', {}, { workspace_ids: [sales] })
      t.equal(page.status, 409)
    })

    await t.test('the notice names only the admin who made the change', async (t) => {
      const { body } = await operator('POST', `/organizations/${acme}/workspaces`, {
        name: 'Short-lived',
      })
      await operator('PUT', api, { permissions: [], workspace_ids: [sales, body.id] })
      const mine = await first.get(path)
      await operator('DELETE', `/workspaces/${body.id}`)
      const page = await decide(first, mine, 'change', {}, { workspace_ids: [support] })
      t.equal(page.status, 409)
      t.match(wordsOf(page), 'Another person changed this while you were editing')
    })

    await t.test(
      'of concurrent edits from one page one applies and the others see the conflict',
      async (t) => {
        await reset()
        const mine = await first.get(path)
        const choices = [[sales], [support], [finance], [sales, support], [sales, finance]]
        const pages = await Promise.all(
          choices.map((workspaceIds, at) =>
            decide(
              first,
              { ...mine, url: new URL(mine.url.pathname, urls[at % 2] as string) },
              'change',
              {},
              { workspace_ids: workspaceIds },
            ),
          ),
        )
        t.equal(pages.filter(({ status }) => status === 409).length, choices.length - 1)
        const won = pages.findIndex(({ status }) => status !== 409)
        t.same((await install()).workspace_ids.sort(), [...(choices[won] ?? [])].sort())
        t.ok(pages.some((page) => wordsOf(page).includes('You changed this on')))
      },
    )

    await t.test('an edit conflict on the legacy interface, without workspaces', async (t) => {
      const form = `/organizations/${acme}/apps/${legacy.client_id}/change`
      const mine = await first.get(form)
      await decide(second, await second.get(form), 'change', {}, { permissions: ['readData'] })
      const page = await decide(first, mine, 'change', {}, { permissions: ['insertData'] })
      t.equal(page.status, 409)
      t.match(
        wordsOf(page),
        /Saved now It may Read everything in the databases .* The form contains/,
      )
    })

    await t.test('key sets have edit conflicts too', async (t) => {
      const sets = `/organizations/${acme}/key-sets`
      const made = await operator('POST', sets, {
        name: 'Export',
        interface: 'current',
        permissions: ['records:create'],
      })
      const form = `/organizations/${acme}/keys/${made.body.id}`
      const keySet = async () => (await operator('GET', `${sets}/${made.body.id}`)).body

      const before = await first.get(form)
      await operator('POST', `${sets}/${made.body.id}/rotate`, { retire_others_after_seconds: 60 })
      const quiet = await decide(first, before, 'change', {}, { description: 'At night' })
      t.match(wordsOf(quiet), 'The change is in force', 'a new secret is no conflict')

      const [mine, theirs] = [await first.get(form), await second.get(form)]
      const saved = { name: 'Export & more', permissions: ['teams:read'], workspace_ids: [sales] }
      await decide(second, theirs, 'change', {}, saved)
      const choice = { name: 'My <export>', permissions: ['records:update'] }
      const page = await decide(first, mine, 'change', {}, choice)
      t.equal(page.status, 409)
      t.match(wordsOf(page), 'Lee <b>Park changed this on')
      t.match(
        wordsOf(page),
        /Saved now Name ?Export & more Description ?At night It may .*Read which teams.* In Sales/,
      )
      t.equal(page.dom.querySelector('#name')?.getAttribute('value'), 'My <export>')
      t.same(ticked(page, 'permissions'), choice.permissions)
      t.equal((await keySet()).name, saved.name)

      t.match(wordsOf(await decide(first, page, 'change')), 'The change is in force')
      t.match(await keySet(), { name: choice.name, permissions: choice.permissions })
      const script = await postFields(first, `${issuer}/organizations/${acme}/keys`, {
        key_set_id: made.body.id,
        decision: 'change',
        name: 'By script',
        workspace_ids: '*',
      })
      t.equal(script.status, 303)
      const patched = await operator('PATCH', `${sets}/${made.body.id}`, { name: 'By API' })
      t.equal(patched.body.name, 'By API')
    })
  },
  { instances: 2 },
)
