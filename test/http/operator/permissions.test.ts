import { vocabulary } from '../../../src/core/language/permissions.ts'
import { newApp } from './catalogue.ts'
import { onEveryBackend } from './operator-api.ts'

const path = '/permissions/current/invoices:approve'
const invoices = { sentence: 'Approve invoices', group: 'write', mark: 'data_loss' }

await onEveryBackend(async (t, api) => {
  const names = async (query = '') =>
    (await api.expect(200, 'GET', `/permissions?limit=200${query}`)).items.map(
      ({ name }: { name: string }) => name,
    )

  t.test('the built-in permissions are the default', async (t) => {
    const { items, next } = await api.expect(200, 'GET', '/permissions')
    t.equal(next, null)
    t.equal(items.length, 15)
    t.same(await names('&interface=legacy'), vocabulary.legacy)
    t.same(await names('&interface=current'), vocabulary.current)
    for (const one of items) {
      t.equal(one.built_in, true)
      t.equal(one.read_permission, false)
      t.equal(typeof one.sentence, 'string')
    }
    t.match(await api.expect(200, 'GET', '/permissions/current/records%3Adelete'), {
      interface: 'current',
      name: 'records:delete',
      sentence: 'Delete records',
      group: 'write',
      mark: 'data_loss',
    })
  })

  t.test('an own permission is added, changed, read and retired', async (t) => {
    const added = await api.expect(201, 'PUT', path, invoices)
    const described = { ...invoices, read_permission: false, built_in: false }
    t.same(added, { interface: 'current', name: 'invoices:approve', ...described })
    t.same(await api.expect(200, 'GET', path), added)
    t.ok((await names('&interface=current')).includes('invoices:approve'))
    t.notOk((await names('&interface=legacy')).includes('invoices:approve'))

    const sentence = { de: 'Rechnungen freigeben', en: 'Approve all invoices' }
    const changed = await api.expect(200, 'PUT', path, { sentence, group: 'other' })
    t.same(changed, { ...added, sentence, group: 'other', mark: null })
    t.same(await api.expect(200, 'PUT', path, { sentence, group: 'other' }), changed)

    await api.expect(204, 'DELETE', path)
    await api.expect(404, 'DELETE', path)
    await api.expect(404, 'GET', path)
    const audited = (await api.expect(200, 'GET', '/audit')).items.filter(
      ({ type }: { type: string }) => type.startsWith('permission.'),
    )
    const about = { interface: 'current', permission: 'invoices:approve' }
    t.match(
      audited.map(({ type, detail }: { type: string; detail: object }) => ({ type, detail })),
      [
        { type: 'permission.removed', detail: about },
        {
          type: 'permission.changed',
          detail: { ...about, changed: ['sentence', 'group', 'mark'] },
        },
        { type: 'permission.added', detail: about },
      ],
      'the repetition of a change is no change',
    )
    t.equal(audited.length, 3)
  })

  t.test('a built-in permission gets other words and cannot be deleted', async (t) => {
    const one = '/permissions/legacy/deleteData'
    const words = { sentence: 'Delete rows', group: 'write', mark: null }
    t.match(await api.expect(200, 'PUT', one, words), { ...words, built_in: true })
    const refused = await api.expect(409, 'DELETE', one)
    t.equal(refused.type, 'urn:latchkey:problem:built-in-permission')
    t.match(await api.expect(200, 'GET', one), words)
  })

  t.test('at most one permission is needed for reading', async (t) => {
    const put = (name: string, read_permission: boolean) =>
      api.expect(201, 'PUT', `/permissions/current/${name}`, {
        sentence: 'Read',
        group: 'read',
        read_permission,
      })
    await put('read:one', true)
    t.equal((await put('read:two', true)).read_permission, true)
    t.match(await api.expect(200, 'GET', '/permissions/current/read:one'), {
      read_permission: false,
    })
    const legacy = { sentence: 'Read', group: 'read', read_permission: true }
    const { errors } = await api.expect(400, 'PUT', '/permissions/legacy/read', legacy)
    t.match(errors, [{ pointer: '/read_permission' }])
    for (const name of ['read:one', 'read:two'])
      await api.expect(204, 'DELETE', `/permissions/current/${name}`)
  })

  t.test('a list is paged', async (t) => {
    const first = await api.expect(200, 'GET', '/permissions?limit=10')
    const rest = await api.expect(200, 'GET', `/permissions?limit=10&cursor=${first.next}`)
    t.equal(rest.next, null)
    t.same(
      [...first.items, ...rest.items].map(({ name }: { name: string }) => name),
      [...vocabulary.legacy, ...vocabulary.current],
    )
  })

  t.test('names and words with another meaning are refused', async (t) => {
    const valid = { sentence: 'Count the stock', group: 'read', mark: null }
    const scopes = ['openid', 'profile', 'email', 'offline_access', 'address', 'phone']
    const namesRefused = [
      ...scopes,
      'readData',
      ':first',
      '-',
      '__proto__',
      'a b',
      'a%00b',
      'a%0Ab',
      'a%2Fb',
      'ünicode',
      'x%E2%80%AEy',
      'x'.repeat(65),
    ]
    for (const name of namesRefused)
      t.match(await api.call('PUT', `/permissions/current/${name}`, valid), { status: 400 }, name)
    for (const name of [...scopes, 'records:create'])
      t.match(await api.call('PUT', `/permissions/legacy/${name}`, valid), { status: 400 }, name)
    await api.expect(400, 'PUT', '/permissions/other/stock', valid)

    const rows: [what: string, body: Record<string, unknown>, pointer: string][] = [
      ['no sentence', { group: 'read' }, '/sentence'],
      ['an empty sentence', { ...valid, sentence: '' }, '/sentence'],
      ['a blank sentence', { ...valid, sentence: ' \u2800' }, '/sentence'],
      ['a long sentence', { ...valid, sentence: 'x'.repeat(201) }, '/sentence'],
      ['control characters', { ...valid, sentence: 'Read\u0007' }, '/sentence'],
      ['a line break', { ...valid, sentence: 'Read\nnothing' }, '/sentence'],
      ['reversed text', { ...valid, sentence: 'Read \u202etxet' }, '/sentence'],
      ['invisible text', { ...valid, sentence: 'Read\u200b' }, '/sentence'],
      ['no language', { ...valid, sentence: {} }, '/sentence'],
      ['an unknown form of language', { ...valid, sentence: { 'e n': 'Read' } }, '/sentence'],
      ['reversed text in one language', { ...valid, sentence: { ar: '\u202ex' } }, '/sentence/ar'],
      ['a number', { ...valid, sentence: 7 }, '/sentence'],
      ['an unknown group', { ...valid, group: 'identity' }, '/group'],
      ['an unknown mark', { ...valid, mark: 'harmless' }, '/mark'],
      ['another field', { ...valid, built_in: true }, '/built_in'],
    ]
    for (const [what, body, pointer] of rows) {
      const { errors } = await api.expect(400, 'PUT', '/permissions/current/stock', body)
      t.ok(
        errors.some((one: { pointer: string }) => one.pointer === pointer),
        `${what}: ${JSON.stringify(errors)}`,
      )
    }
    await api.expect(404, 'GET', '/permissions/current/stock')
    for (const name of ['constructor', 'a', '0', 'x'.repeat(64), 'a:b.c_d-e']) {
      await api.expect(201, 'PUT', `/permissions/current/${name}`, valid)
      await api.expect(204, 'DELETE', `/permissions/current/${name}`)
    }
  })

  t.test('a permission in use cannot be retired', async (t) => {
    await api.expect(201, 'PUT', path, invoices)
    const permissions = ['invoices:approve', 'records:create']
    const { client_id } = await api.expect(201, 'POST', '/apps', newApp({ permissions }))
    const organization = (await api.expect(201, 'POST', '/organizations', { name: 'Acme' })).id
    const installed = `/organizations/${organization}/installs/${client_id}`
    await api.expect(201, 'PUT', installed, { permissions, workspace_ids: null })
    const keySet = { name: 'Export', interface: 'current', permissions }
    const keySets = `/organizations/${organization}/key-sets`
    const { id, permissions: given } = await api.expect(201, 'POST', keySets, keySet)
    t.same(given, ['records:create', 'invoices:approve'], 'built-in ones come first')

    const refused = await api.expect(409, 'DELETE', path)
    t.match(refused, {
      type: 'urn:latchkey:problem:permission-in-use',
      apps: 1,
      installs: 1,
      key_sets: 1,
    })
    await api.expect(200, 'PATCH', `/apps/${client_id}`, { permissions: ['records:create'] })
    t.match(await api.expect(409, 'DELETE', path), { apps: 0, installs: 1, key_sets: 1 })
    await api.expect(204, 'DELETE', installed)
    t.match(await api.expect(409, 'DELETE', path), { apps: 0, installs: 0, key_sets: 1 })
    await api.expect(200, 'PATCH', `${keySets}/${id}`, { permissions: [] })
    await api.expect(204, 'DELETE', path)

    const { errors } = await api.expect(400, 'POST', '/apps', newApp({ permissions }))
    t.match(errors, [{ pointer: '/permissions/0' }])
    await api.expect(400, 'PATCH', `/apps/${client_id}`, { permissions })
    await api.expect(400, 'POST', keySets, keySet)
    await api.expect(400, 'PATCH', `${keySets}/${id}`, { permissions })
  })

  t.test('the same name in both interfaces is two permissions', async () => {
    const body = { sentence: 'Count', group: 'read' }
    for (const one of ['legacy', 'current'])
      await api.expect(201, 'PUT', `/permissions/${one}/stock`, body)
    await api.expect(201, 'POST', '/apps', newApp({ permissions: ['stock'] }))
    await api.expect(204, 'DELETE', '/permissions/legacy/stock')
    await api.expect(409, 'DELETE', '/permissions/current/stock')
    const legacy = newApp({ interface: 'legacy', permissions: ['stock'] })
    await api.expect(400, 'POST', '/apps', legacy)
  })

  t.test('the permissions of an app fit into a token', async (t) => {
    const names = Array.from({ length: 150 }, (_, at) => `${'long'.repeat(14)}:${at}`)
    for (const name of names)
      await api.expect(201, 'PUT', `/permissions/current/${name}`, {
        sentence: 'Use it',
        group: 'other',
      })
    const { errors } = await api.expect(400, 'POST', '/apps', newApp({ permissions: names }))
    t.match(errors, [{ pointer: '/permissions', detail: /of 4000 characters/ }])
    await api.expect(201, 'POST', '/apps', newApp({ permissions: names.slice(0, 32) }))
  })

  t.test('a permission is retired or used, never both', async (t) => {
    for (let round = 0; round < 12; round++) {
      const name = `race:${round}`
      const one = `/permissions/current/${name}`
      await api.expect(201, 'PUT', one, { sentence: 'Race', group: 'other' })
      const create = () => api.call('POST', '/apps', newApp({ permissions: [name] }))
      const answers = await Promise.all([
        ...Array.from({ length: 4 }, create),
        api.call('DELETE', one),
        ...Array.from({ length: 4 }, create),
        api.call('DELETE', one),
      ])
      const used = answers.filter(({ status }) => status === 201).length
      const retired = answers.filter(({ status }) => status === 204).length
      t.ok(answers.every(({ status }) => [201, 204, 400, 404, 409].includes(status)))
      t.equal(used > 0, retired === 0, `${used} apps, retired ${retired} times`)
      t.equal((await api.call('GET', one)).status, used > 0 ? 200 : 404)
    }
  })
})
