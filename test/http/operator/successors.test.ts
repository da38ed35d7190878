import { newApp } from './catalogue.ts'
import { onOneBackend } from './operator-api.ts'

await onOneBackend(async (t, api) => {
  const register = async (part: Record<string, unknown> = {}): Promise<string> =>
    (await api.expect(201, 'POST', '/apps', newApp(part))).client_id
  const legacyApp = (part: Record<string, unknown> = {}) =>
    register({ interface: 'legacy', permissions: ['readData', 'insertData'], ...part })
  const worth = { insertData: ['records:create'] }
  const trailOf = async (client: string) =>
    (await api.expect(200, 'GET', `/audit?client_id=${client}`)).items.map(
      ({ type }: { type: string }) => type,
    )

  t.test(
    'the successor of a legacy app is set, changed and removed, with its permission map',
    async (t) => {
      const [legacy, first, second] = [await legacyApp(), await register(), await register()]
      const path = `/apps/${legacy}/twin`
      t.equal((await api.call('GET', path)).status, 404)
      const made = await api.expect(201, 'PUT', path, { client_id: first, worth })
      t.match(made, { legacy_client_id: legacy, client_id: first, worth })
      t.same(
        await api.expect(200, 'PUT', path, { client_id: first, worth }),
        made,
        'the same again',
      )
      const more = { readData: [], insertData: ['records:update', 'records:create'] }
      const changed = await api.expect(200, 'PUT', path, { client_id: first, worth: more })
      t.same(changed.worth, { readData: [], insertData: ['records:create', 'records:update'] })
      await api.expect(200, 'PUT', path, { client_id: second, worth })
      t.match(await api.expect(200, 'GET', path), { client_id: second, worth })
      await api.expect(204, 'DELETE', path)
      t.equal((await api.call('DELETE', path)).status, 404)
      t.same(await trailOf(legacy), [
        'app.twin_removed',
        'app.twin_changed',
        'app.twin_changed',
        'app.twin_made',
        'app.created',
      ])
    },
  )

  t.test('refuses apps that cannot be a successor', async (t) => {
    const [legacy, open] = [await legacyApp(), await legacyApp({ client_type: 'public' })]
    const [current, currentOpen] = [await register(), await register({ client_type: 'public' })]
    const put = (of: string, client_id: string, part: object = worth) =>
      api.call('PUT', `/apps/${of}/twin`, { client_id, worth: part })
    t.equal((await put(current, currentOpen)).status, 404, 'only a legacy app has a successor')
    t.equal((await put(legacy, 'app0')).status, 404)
    const refusals: [string, string, object, string][] = [
      [legacy, legacy, worth, '/client_id'],
      [legacy, open, worth, '/client_id'],
      [legacy, currentOpen, worth, '/client_id'],
      [legacy, current, { insertData: ['records:delete'] }, '/worth/insertData'],
    ]
    for (const [of, twin, part, pointer] of refusals)
      t.match(await put(of, twin, part), { status: 400, body: { errors: [{ pointer }] } })
    t.equal((await put(open, currentOpen)).status, 201, 'both public')
    t.equal((await put(legacy, current)).status, 201)
    t.equal((await put(open, current)).status, 409, 'it is already the successor of another app')
    t.match(await put(await legacyApp(), current), { status: 409 })
  })

  t.test('an app that two legacy apps choose at once becomes the successor of one', async (t) => {
    const current = await register()
    const legacies = await Promise.all(Array.from({ length: 10 }, () => legacyApp()))
    const answers = await Promise.all(
      legacies.map((one) => api.call('PUT', `/apps/${one}/twin`, { client_id: current, worth })),
    )
    t.equal(answers.filter(({ status }) => status === 201).length, 1)
    t.equal(answers.filter(({ status }) => status === 409).length, 9)
  })

  t.test('a deleted app is no longer a successor', async (t) => {
    const [legacy, current] = [await legacyApp(), await register()]
    await api.expect(201, 'PUT', `/apps/${legacy}/twin`, { client_id: current, worth })
    await api.expect(204, 'DELETE', `/apps/${current}`)
    t.equal((await api.call('GET', `/apps/${legacy}/twin`)).status, 404)
  })
})
