/** Daily work in the operator's console: what an organization has, owners and successors of apps, and what is deleted. */
import { onEachBackend } from '../../support/on-each-backend.ts'
import { ticked, wordsOf } from '../organization-visit.ts'
import { newPerson, visitAs } from './operator-visit.ts'

await onEachBackend('daily work in the console', async (t, { running, stores, world, issuer }) => {
  const { operator } = running
  const { acme, sales, ana, kim, zoe, confidential, legacy } = world
  const other = (await operator('POST', '/organizations', { name: 'Other' })).body.id
  const org = `/operator/organizations/${acme}`
  const { visitor } = await visitAs(running, stores, '*')

  await t.test('members of a workspace', async (t) => {
    const workspace = `${org}/workspaces/${sales}`
    t.match(wordsOf(await visitor.get(workspace)), ana.email)
    const removed = await visitor.submit(
      await visitor.get(`${workspace}/members/${ana.id}/remove`),
      {},
    )
    t.match(wordsOf(removed), `${ana.email} is removed.`)
    const member = `/workspaces/${sales}/members/${ana.id}`
    t.equal((await operator('GET', member)).status, 404)
    const form = await visitor.get(`${workspace}/members/new`)
    const unknown = await visitor.submit(form, { user: 'unknown@acme.test' })
    t.match(wordsOf(unknown), 'No user has this address')
    const stranger = await visitor.submit(form, { user: zoe.email })
    t.equal(stranger.status, 409, 'only members of the organization')
    const added = await visitor.submit(form, { user: ana.email })
    t.match(wordsOf(added), ana.email)
    t.equal((await operator('GET', member)).status, 200)
    const foreign = `${org}/workspaces/${world.foreignWorkspace}`
    t.equal((await visitor.get(foreign)).status, 404, 'of another organization')
    t.equal((await visitor.get(`${foreign}/delete`)).status, 404)
  })

  await t.test('a confirmation names the person and the app', async (t) => {
    t.match(wordsOf(await visitor.get(`${org}/members/${ana.id}/remove`)), ana.email)
    const { name } = (await operator('GET', `/apps/${confidential.client_id}`)).body
    for (const page of ['', '/suspend', '/uninstall', '/end'])
      t.match(wordsOf(await visitor.get(`${org}/installs/${confidential.client_id}${page}`)), name)
    const reader = await visitAs(running, stores, 'installs:read', 'installs:write')
    const suspend = await reader.visitor.get(`${org}/installs/${confidential.client_id}/suspend`)
    t.match(wordsOf(suspend), confidential.client_id, 'its id, for who may not read apps')
    const stored = `/organizations/${acme}/installs/${confidential.client_id}`
    await operator('PATCH', stored, { idle_seconds: 86_400 })
    const late = await reader.visitor.submit(suspend, {})
    t.match(wordsOf(late), /Another person has changed this.*1 day/, 'what is stored')
  })

  await t.test('the catalogue has its sentences in the language of the operator', async (t) => {
    const sentence = { en: 'Read invoices', de: 'Rechnungen lesen' }
    const made = { sentence, group: 'read', mark: null }
    t.equal((await operator('PUT', '/permissions/current/invoices:read', made)).status, 201)
    const german = await visitAs(running, stores, 'permissions:read')
    await operator('PATCH', `/users/${german.person.id}`, { locale: 'de' })
    const words = wordsOf(await german.visitor.get('/operator/permissions'))
    t.match(words, 'Datensätze anlegen', 'built in')
    t.match(words, 'Rechnungen lesen', 'given by the operator')
    t.notMatch(words, /Create records|Read invoices/)
  })

  await t.test('a workspace gets another name, and is deleted', async (t) => {
    const path = `/organizations/${acme}/workspaces`
    const { id } = (await operator('POST', path, { name: 'Old name' })).body
    const form = await visitor.get(`${org}/workspaces/${id}/rename`)
    t.match(wordsOf(await visitor.submit(form, { name: 'New name' })), 'New name')
    const stale = await visitor.submit(form, { name: 'Stale name' })
    t.equal(stale.status, 412)
    await visitor.submit(await visitor.get(`${org}/workspaces/${id}/delete`), {})
    t.equal((await operator('GET', `/workspaces/${id}`)).status, 404)
  })

  await t.test('rules for apps', async (t) => {
    const form = await visitor.get(`${org}/policy`)
    const fields = { connect: 'ask', default_expires_days: '90', default_idle_days: '' }
    for (const days of ['0', '1.5', 'many', '9999']) {
      const wrong = await visitor.submit(form, { ...fields, default_expires_days: days })
      t.equal(wrong.status, 400, days)
      t.equal(wrong.dom.querySelectorAll('.field-error').length, 1, days)
    }
    const saved = await visitor.submit(form, fields)
    t.match(wordsOf(saved), /Each app only after.*90 days.*No end date/)
    const path = `/organizations/${acme}/policy`
    const rules = { connect: 'ask', default_expires_days: 90, default_idle_days: null }
    t.match((await operator('GET', path)).body, rules)
    await operator('PUT', path, { connect: 'all' })
  })

  await t.test('a SCIM token is shown once, and deleted', async (t) => {
    const path = `/organizations/${acme}/scim-tokens`
    const form = await visitor.get(`${org}/scim-tokens/new`)
    const wrong = await visitor.submit(form, { name: '' })
    t.equal(wrong.status, 400)
    t.equal(wrong.dom.querySelectorAll('.field-error').length, 1)
    const shown = await visitor.submit(form, { name: 'Directory', groups: 'roles' })
    const token = shown.dom.querySelector('#secret')?.getAttribute('value') ?? ''
    const users = { headers: { authorization: `Bearer ${token}` } }
    t.equal((await fetch(`${issuer}/scim/v2/Users`, users)).status, 200, 'the token works')
    t.equal((await visitor.get(shown.url)).status, 410, 'shown once')
    const [{ id, hint }] = (await operator('GET', path)).body.items
    const listed = await visitor.get(`${org}/sign-in`)
    t.match(wordsOf(listed), `Directory One group for the admins ${hint}`)
    t.notMatch(listed.text, token)
    const foreign = `/operator/organizations/${other}`
    t.equal((await visitor.get(`${foreign}/scim-tokens/${id}/delete`)).status, 404)
    const deleted = await visitor.submit(await visitor.get(`${org}/scim-tokens/${id}/delete`), {})
    t.match(wordsOf(deleted), / is deleted\..*There is no SCIM token/)
    t.equal((await fetch(`${issuer}/scim/v2/Users`, users)).status, 401, 'the token is invalid')
  })

  await t.test('the identity provider of an organization', async (t) => {
    const path = `/organizations/${acme}/identity-provider`
    t.match(
      wordsOf(await visitor.get(`${org}/sign-in`)),
      'The organization has no identity provider',
    )
    t.equal((await visitor.get(`${org}/identity-provider/remove`)).status, 404)
    const empty = await visitor.get(`${org}/identity-provider`)
    const wrong = await visitor.submit(empty, { issuer: 'http://idp.example' })
    t.equal(wrong.status, 400)
    t.equal(wrong.dom.querySelectorAll('.field-error').length, 1)
    const provider = { issuer: 'https://idp.example', client_ids: null, jwks_uri: null }
    const saved = await visitor.submit(empty, { issuer: provider.issuer })
    t.match(wordsOf(saved), /https:\/\/idp.example.*Every installed app.*Found through the issuer/)
    t.match((await operator('GET', path)).body, provider)
    const second = await visitor.submit(empty, { issuer: 'https://other.example' })
    t.equal(second.status, 412, 'it exists by now')

    const limited = { client_ids: [confidential.client_id], jwks_uri: 'https://idp.example/keys' }
    const fields = { client_ids: confidential.client_id, jwks_uri: limited.jwks_uri }
    const form = await visitor.get(`${org}/identity-provider`)
    await visitor.submit(form, fields)
    t.match((await operator('GET', path)).body, { ...provider, ...limited })
    t.equal((await visitor.submit(form, fields)).status, 412, 'a stale form')
    const cleared = { client_ids: '', jwks_uri: '' }
    await visitor.submit(await visitor.get(`${org}/identity-provider`), cleared)
    t.match((await operator('GET', path)).body, provider)
    await operator('PUT', path, { ...provider, client_ids: [] })
    await visitor.submit(await visitor.get(`${org}/identity-provider`), {})
    t.same((await operator('GET', path)).body.client_ids, [], 'still no app')

    const stale = await visitor.get(`${org}/identity-provider`)
    const early = await visitor.get(`${org}/identity-provider/remove`)
    await operator('PUT', path, { ...provider, issuer: 'https://next.example' })
    t.match(wordsOf(await visitor.submit(early, {})), /Another person.*https:\/\/next.example/)
    const removal = await visitor.get(`${org}/identity-provider/remove`)
    t.match(wordsOf(await visitor.submit(removal, {})), ' is deleted.')
    t.equal((await operator('GET', path)).status, 404)
    t.equal((await visitor.submit(stale, {})).status, 412, 'it is gone by now')
    t.equal((await operator('GET', path)).status, 404)
  })

  await t.test('a search can be taken back', async (t) => {
    for (const [page, name] of [
      ['/operator/apps', 'report'],
      ['/operator/people', ana.email],
      [`${org}/install`, 'report'],
    ] as const) {
      const all = await visitor.get(page)
      t.equal(all.dom.querySelector('#find')?.hasAttribute('required'), false, page)
      t.notOk(all.dom.querySelector('form[method=get] a.button'), 'nothing to take back')
      const found = await visitor.get(`${page}?name=${encodeURIComponent(name)}`)
      const back = found.dom.querySelector('form[method=get] a.button')
      t.equal(back?.getAttribute('href'), page)
      t.equal((await visitor.get(`${page}?name=`)).status, 200)
    }
  })

  await t.test('the successor of a legacy app', async (t) => {
    const path = `/apps/${legacy.client_id}/twin`
    const page = `/operator/apps/${legacy.client_id}`
    t.match(wordsOf(await visitor.get(page)), 'No current app replaces it')
    t.equal((await visitor.get(`${page}/successor/remove`)).status, 404)
    const current = `/operator/apps/${confidential.client_id}/successor`
    t.equal((await visitor.get(current)).status, 404, 'only legacy apps have one')
    const form = await visitor.get(`${page}/successor`)
    t.equal(form.dom.querySelector('#worth')?.text.trim(), 'insertData:\ndeleteData:')
    const fields = { client_id: confidential.client_id, worth: 'insertData: records:create' }
    const wrong: [part: Partial<typeof fields>, said: string][] = [
      [{ client_id: ' ' }, 'Fill in this field'],
      [{ client_id: 'app000000000000000000' }, 'No app has this client id'],
      [{ client_id: legacy.client_id }, 'Choose a current app'],
      [{ worth: 'insertData records:create' }, 'Write each line as'],
      [{ worth: 'unknown: records:create' }, 'is none of this app, or more'],
      [{ worth: 'insertData: documents:read' }, 'more than the current app may have'],
      [{ worth: '' }, 'Fill in this field'],
    ]
    for (const [part, said] of wrong) {
      const refused = await visitor.submit(form, { ...fields, ...part })
      t.equal(refused.status, 400, JSON.stringify(part))
      t.equal(refused.dom.querySelectorAll('.field-error').length, 1, JSON.stringify(part))
      t.match(wordsOf(refused), said)
    }
    t.equal((await operator('GET', path)).status, 404, 'nothing is stored')

    const worth = 'insertData:records:create\r\ninsertData : records:update\r\ndeleteData:'
    const saved = await visitor.submit(form, { ...fields, worth })
    t.match(wordsOf(saved), 'insertData: records:create records:update')
    const stored = {
      client_id: confidential.client_id,
      worth: { insertData: ['records:create', 'records:update'], deleteData: [] },
    }
    t.match((await operator('GET', path)).body, stored)
    t.equal((await visitor.submit(form, fields)).status, 412, 'it exists by now')
    await visitor.submit(await visitor.get(`${page}/successor`), {})
    t.match((await operator('GET', path)).body, stored, 'the form keeps what it shows')

    const removal = await visitor.get(`${page}/successor/remove`)
    t.match(wordsOf(await visitor.submit(removal, {})), / is deleted\..*No current app replaces it/)
    t.equal((await operator('GET', path)).status, 404)
  })

  await t.test('the end of an install', async (t) => {
    const page = `${org}/installs/${confidential.client_id}`
    const path = `/organizations/${acme}/installs/${confidential.client_id}`
    const form = await visitor.get(`${page}/end`)
    const wrong = await visitor.submit(form, { last_day: 'soon', idle_days: '0' })
    t.equal(wrong.status, 400)
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const saved = await visitor.submit(form, { expires_at: '30', idle_days: '30' })
    t.match(wordsOf(saved), '30 days')
    const stored = {
      expires_at: `${inDays(30).slice(0, 10)}T23:59:59.000Z`,
      idle_seconds: 30 * 86_400,
    }
    t.match((await operator('GET', path)).body, stored)
    await operator('PATCH', path, { idle_seconds: 5000 })
    const kept = await visitor.get(`${page}/end`)
    await visitor.submit(kept, { expires_at: 'never' })
    t.match((await operator('GET', path)).body, { expires_at: null, idle_seconds: 5000 })
    await visitor.submit(await visitor.get(`${page}/end`), { idle_days: '' })
    t.match((await operator('GET', path)).body, { expires_at: null, idle_seconds: null })
  })

  await t.test('an app is chosen from a list', async (t) => {
    const created = await operator('POST', '/apps', {
      ...{ name: 'Zeppelin Charts', interface: 'current', client_type: 'public' },
      ...{ redirect_uris: ['https://charts.example/cb'], permissions: ['records:create'] },
    })
    const { client_id: id } = created.body
    const list = await visitor.get(`${org}/install?name=zeppelin`)
    const links = list.dom.querySelectorAll('main tbody a')
    t.same(
      links.map((one) => one.getAttribute('href')),
      [`${org}/install/${id}`],
    )
    const form = await visitor.get(`${org}/install/${id}`)
    t.match(wordsOf(form), /records:create Create records/, 'permissions have sentences')
    const nowhere = await visitor.submit(form, { workspace_ids: null })
    t.equal(nowhere.status, 400)
    t.match(wordsOf(nowhere), 'Choose at least one workspace')
    await visitor.submit(form, { workspace_ids: [sales] })
    const path = `/organizations/${acme}/installs/${id}`
    t.match((await operator('GET', path)).body, { workspace_ids: [sales] })

    await operator('PATCH', path, { suspended: true })
    const again = await visitor.submit(form, { workspace_ids: ['*'] })
    t.equal(again.status, 412, 'it is installed by now')
    const change = await visitor.get(`${org}/install/${id}`)
    t.same(ticked(change, 'workspace_ids'), [sales])
    await visitor.submit(change, { workspace_ids: ['*'] })
    t.match((await operator('GET', path)).body, { workspace_ids: null, suspended: true })
    t.match(wordsOf(await visitor.get(`${org}/install?name=nothing`)), 'Each has to begin a word')
  })

  await t.test('owners of an app are e-mail addresses', async (t) => {
    const path = `/apps/${confidential.client_id}`
    await operator('PATCH', path, { owners: [kim.id] })
    const page = `/operator${path}`
    t.match(wordsOf(await visitor.get(page)), kim.email)
    const form = await visitor.get(`${page}/change`)
    t.match(form.dom.querySelector('#owners')?.text, kim.email)
    await visitor.submit(form, { owners: `${kim.email}\n${ana.email}` })
    t.same((await operator('GET', path)).body.owners.sort(), [kim.id, ana.id].sort())
  })

  await t.test('the limits of a resource server', async (t) => {
    const made = await operator('POST', '/resource-servers', { name: 'Files', permissions: [] })
    const path = `/resource-servers/${made.body.client_id}`
    const form = await visitor.get(`/operator${path}/change`)
    await visitor.submit(form, { name: 'Pictures' })
    t.match((await operator('GET', path)).body, { name: 'Pictures', permissions: [] })
    const wider = {
      ...{ resource: 'https://pictures.example/', organization_ids: acme },
      ...{ permissions: ['records:create'] },
    }
    await visitor.submit(await visitor.get(`/operator${path}/change`), wider)
    t.match((await operator('GET', path)).body, {
      ...{ resource: ['https://pictures.example/'], organization_ids: [acme] },
      ...{ permissions: ['records:create'] },
    })
    const all = { resource: '', organization_ids: '', every_permission: 'yes' }
    await visitor.submit(await visitor.get(`/operator${path}/change`), all)
    const unlimited = { resource: null, organization_ids: null, permissions: null }
    t.match((await operator('GET', path)).body, unlimited)
  })

  await t.test('a user is deleted', async (t) => {
    const person = await newPerson(running)
    const page = await visitor.get(`/operator/people/${person.id}/delete`)
    t.match(wordsOf(page), /signed|sessions end at once/)
    t.equal((await operator('GET', `/users/${person.id}`)).status, 200, 'the page deletes nothing')
    t.match(wordsOf(await visitor.submit(page, {})), ' is deleted.')
    t.equal((await operator('GET', `/users/${person.id}`)).status, 404)
  })
})
