/** In the console's forms, people, apps and organizations are named by what operators know: a name, an address or an id. */
import { onEachBackend } from '../../support/on-each-backend.ts'
import { visitAs } from './operator-visit.ts'

await onEachBackend(
  'fields of the console that take names',
  async (t, { running, stores, world }) => {
    const { acme } = world
    const create = async (path: string, body: object) =>
      (await running.operator('POST', path, body)).body
    const person = async (name: string, email: string) =>
      String((await create('/users', { name, email })).id)
    const [ada, ann, anna] = [
      await person('Ada Lovelace', 'ada@names.test'),
      await person('Ann Example', 'ann@names.test'),
      await person('Anna Example', 'anna@names.test'),
    ]
    const { visitor } = await visitAs(running, stores, '*')
    const add = async (user: string) =>
      visitor.submit(await visitor.get(`/operator/organizations/${acme}/members/new`), { user })
    const isMember = async (id: string) =>
      (await running.operator('GET', `/organizations/${acme}/members/${id}`)).status === 200

    await t.test('a person is taken by name, address or id', async (t) => {
      t.equal((await add('LOVELACE')).status, 200)
      t.ok(await isMember(ada))
      t.equal((await add('Ann Example')).status, 200, 'the exact name')
      t.same([await isMember(ann), await isMember(anna)], [true, false])
      await add('anna@names.test')
      t.ok(await isMember(anna))
    })

    await t.test('what fits more than one, or none, is asked for again', async (t) => {
      const several = await add('example')
      t.equal(several.status, 400)
      t.match(several.dom.querySelector('#user-error')?.text, 'More than one fits “example”')
      for (const id of [ann, anna]) t.match(several.text, id)
      t.equal(several.dom.querySelector('#user')?.getAttribute('value'), 'example')
      for (const unknown of ['nobody of this name', '../users', 'x'.repeat(600)])
        t.match((await add(unknown)).dom.querySelector('#user-error')?.text, 'No user')
    })

    await t.test('its field lists what a text finds', async (t) => {
      const { dom, headers } = await visitor.get(`/operator/organizations/${acme}/members/new`)
      const field = dom.querySelector('#user')
      t.equal(field?.getAttribute('list'), dom.querySelector('datalist')?.getAttribute('id'))
      t.match(headers.get('content-security-policy'), "script-src 'self'")
      const page = await visitor.get(`${field?.getAttribute('data-pick')}&q=acme`)
      t.equal(page.status, 200)
      t.notMatch(page.dom.querySelector('main')?.text, 'Organizations Name', 'people only')
      t.equal(dom.querySelectorAll('script[src^="/assets/pick."]').length, 1)
    })

    await t.test('organizations of a token are named, and shown by their names', async (t) => {
      const form = await visitor.get('/operator/tokens/new')
      const rights = { name: 'Named', permissions: ['apps:read'] }
      const wrong = await visitor.submit(form, { ...rights, organization_ids: 'no such place' })
      t.equal(wrong.status, 400)
      await visitor.submit(form, { ...rights, organization_ids: 'acme' })
      const { items } = (await running.operator('GET', '/operator-tokens')).body as {
        items: { name: string; organization_ids: string[] }[]
      }
      t.same(items.find(({ name }) => name === 'Named')?.organization_ids, [acme])
      const list = await visitor.get('/operator/tokens')
      const link = list.dom
        .querySelectorAll('main td a')
        .find((one) => one.getAttribute('href') === `/operator/organizations/${acme}`)
      t.equal(link?.text.trim(), 'Acme')
    })
  },
)
