import { newApp } from './catalogue.ts'
import { onEveryBackend } from './operator-api.ts'

await onEveryBackend(async (t, api) => {
  const organization = async () => {
    const { id } = await api.expect(201, 'POST', '/organizations', { name: 'Acme' })
    const workspace = async (name: string) =>
      (await api.expect(201, 'POST', `/organizations/${id}/workspaces`, { name })).id as string
    return { id: id as string, workspaces: [await workspace('Sales'), await workspace('Support')] }
  }
  const register = async (part: Record<string, unknown> = {}) =>
    (await api.expect(201, 'POST', '/apps', newApp(part))).client_id as string
  const eventsOf = async (clientId: string) => {
    const { rows } = await api.database.query<{ type: string }>(
      `select type from audit_events where client_id = $1 and type like 'install%' order by id`,
      [clientId],
    )
    return rows.map(({ type }) => type)
  }

  t.test('an app is installed, read, changed in place and uninstalled', async (t) => {
    const { id, workspaces } = await organization()
    const app = await register()
    const path = `/organizations/${id}/installs/${app}`
    const all = { permissions: ['records:update', 'records:create'], workspace_ids: null }
    const install = await api.expect(201, 'PUT', path, all)
    t.match(install, {
      organization_id: id,
      client_id: app,
      permissions: ['records:create', 'records:update'],
      workspace_ids: null,
      installed_by: null,
      suspended: false,
    })
    t.same(await api.expect(200, 'PUT', path, all), install, 'a repetition returns the same')
    t.same(await api.expect(200, 'GET', path), install)
    t.same(await api.expect(200, 'GET', `/organizations/${id}/installs`), {
      items: [install],
      next: null,
    })
    const narrow = { permissions: [], workspace_ids: [workspaces[1]] }
    const changed = await api.expect(200, 'PUT', path, narrow)
    t.same(changed, { ...install, ...narrow, updated_at: changed.updated_at })
    await api.expect(204, 'DELETE', path)
    for (const method of ['GET', 'DELETE']) await api.expect(404, method, path)
    await api.expect(404, 'PATCH', path, { suspended: true })
    t.same((await api.expect(200, 'GET', `/organizations/${id}/installs`)).items, [])
    t.same(await eventsOf(app), ['install.approved', 'install.changed', 'install.ended'])
  })

  t.test('a reinstall creates a new install', async (t) => {
    const { id } = await organization()
    const path = `/organizations/${id}/installs/${await register()}`
    const ids = new Set()
    for (let round = 0; round < 3; round++) {
      ids.add((await api.expect(201, 'PUT', path, { permissions: [], workspace_ids: null })).id)
      await api.expect(204, 'DELETE', path)
    }
    t.equal(ids.size, 3)
    const { rows } = await api.database.query<{ id: string }>(
      'select id from installs where organization_id = $1 and ended_at is not null',
      [id],
    )
    t.same(new Set(rows.map((row) => row.id)), ids, 'revoked grants stay revoked')
  })

  t.test('ten concurrent approvals create one install', async (t) => {
    const { id } = await organization()
    const app = await register()
    const path = `/organizations/${id}/installs/${app}`
    const body = { permissions: [], workspace_ids: null }
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.call('PUT', path, body)))
    t.equal(new Set(answers.map((one) => one.body.id)).size, 1)
    t.same(answers.map(({ status }) => status).sort(), [...Array(9).fill(200), 201])
    t.same(await eventsOf(app), ['install.approved'])
  })

  t.test(
    'an approval cannot exceed the app’s permissions or the organization’s workspaces',
    async (t) => {
      const { id, workspaces } = await organization()
      const foreign = (await organization()).workspaces[0]
      const app = await register({ permissions: ['records:create'] })
      const path = `/organizations/${id}/installs/${app}`
      const cases: [Record<string, unknown>, string][] = [
        [
          { permissions: ['records:create', 'records:update'], workspace_ids: null },
          '/permissions/1',
        ],
        [{ permissions: ['readData'], workspace_ids: null }, '/permissions/0'],
        [{ permissions: [], workspace_ids: [foreign] }, '/workspace_ids/0'],
        [{ permissions: [], workspace_ids: [workspaces[0], 'wksNone'] }, '/workspace_ids/1'],
        [{ permissions: [], workspace_ids: ["' OR 1=1--"] }, '/workspace_ids/0'],
        [{ permissions: [], workspace_ids: ['\u0000'] }, '/workspace_ids/0'],
        [{ permissions: [], workspace_ids: workspaces[0] }, '/workspace_ids'],
        [{ permissions: [] }, '/workspace_ids'],
        [{ workspace_ids: null }, '/permissions'],
      ]
      for (const [body, pointer] of cases) {
        const answer = await api.call('PUT', path, body)
        t.match(answer, { status: 400, body: { errors: [{ pointer }] } }, JSON.stringify(body))
      }
      await api.expect(404, 'GET', path)

      const body = { permissions: [], workspace_ids: [workspaces[0], workspaces[0]] }
      t.same((await api.expect(201, 'PUT', path, body)).workspace_ids, [workspaces[0]])
      for (const [wrong, pointer] of cases.slice(0, 7)) {
        for (const method of ['PUT', 'PATCH'])
          t.match(await api.call(method, path, wrong), {
            status: 400,
            body: { errors: [{ pointer }] },
          })
      }
      t.match(await api.expect(200, 'GET', path), {
        permissions: [],
        workspace_ids: [workspaces[0]],
      })
      t.same((await api.expect(200, 'PATCH', path, { workspace_ids: [] })).workspace_ids, [])
    },
  )

  t.test('a legacy app has no workspaces', async (t) => {
    const { id, workspaces } = await organization()
    const app = await register({ interface: 'legacy', permissions: ['readData', 'insertData'] })
    const path = `/organizations/${id}/installs/${app}`
    for (const workspace_ids of [[], workspaces])
      await api.expect(400, 'PUT', path, { permissions: ['readData'], workspace_ids })
    const install = await api.expect(201, 'PUT', path, { permissions: ['readData'] })
    t.equal(install.workspace_ids, null)
    const same = { permissions: ['readData'], workspace_ids: null }
    t.same(await api.expect(200, 'PUT', path, same), install)
  })

  t.test('an install is suspended and resumed; an approval does not resume it', async (t) => {
    const { id } = await organization()
    const app = await register()
    const path = `/organizations/${id}/installs/${app}`
    const body = { permissions: ['records:create'], workspace_ids: null }
    const install = await api.expect(201, 'PUT', path, body)
    t.equal((await api.expect(200, 'PATCH', path, { suspended: true })).suspended, true)
    const again = await api.expect(200, 'PUT', path, { ...body, permissions: [] })
    t.match(again, { id: install.id, suspended: true, permissions: [] })
    t.match(await api.expect(200, 'PATCH', path, { suspended: false }), { suspended: false })
    t.same(await eventsOf(app), [
      'install.approved',
      'install.suspended',
      'install.changed',
      'install.resumed',
    ])
  })

  t.test('an approval answers pending requests and records the approver', async (t) => {
    const { id } = await organization()
    const app = await register()
    const user = await api.expect(201, 'POST', '/users', { email: `ask@${app}.test`, name: 'Ask' })
    const other = await register()
    for (const [request, client] of [
      ['req1', app],
      ['req2', other],
    ])
      await api.database.query(
        `insert into install_requests (id, organization_id, client_id, user_id, permissions)
         values ($1, $2, $3, $4, '{}')`,
        [`${request}${id}`, id, client, user.id],
      )
    const origin = { actor: { kind: 'user', id: user.id }, address: null, requestId: null } as const
    const approval = { permissions: ['records:create'], workspaceIds: null }
    const key = { organizationId: id, clientId: app }
    const install = await api.installs.approve({ ...key, ...approval }, origin)
    t.equal(install.installedBy, user.id)
    const { rows } = await api.database.query(
      `select client_id, decision, decided_by from install_requests
       where organization_id = $1 order by id`,
      [id],
    )
    t.same(rows, [
      { client_id: app, decision: 'approved', decided_by: user.id },
      { client_id: other, decision: null, decided_by: null },
    ])
    t.same(await eventsOf(app), ['install.approved', 'install_request.approved'])
  })

  t.test('an install on a page leaves an existing install unchanged', async (t) => {
    const { id } = await organization()
    const app = await register()
    const origin = { actor: { kind: 'system', id: null }, address: null, requestId: null } as const
    const narrow = { organizationId: id, clientId: app, permissions: [], workspaceIds: null }
    const wide = { ...narrow, permissions: ['records:create'] }
    const first = await api.installs.install(narrow, origin)
    t.match(await api.installs.install(wide, origin), { id: first.id, permissions: [] })
    t.match(await api.installs.read(id, app), { permissions: [], workspaceIds: null })
    t.same(await eventsOf(app), ['install.approved'])
  })

  t.test('a concurrent save and uninstall run one after the other', async (t) => {
    const { id } = await organization()
    const app = await register()
    const path = `/organizations/${id}/installs/${app}`
    const save = (permissions: string[]) =>
      api.call('PUT', path, { permissions, workspace_ids: null })
    for (let round = 0; round < 15; round++) {
      await save([])
      const answers = await Promise.all([
        save(['records:create']),
        api.call('DELETE', path),
        save(['records:update']),
        api.call('DELETE', path),
      ])
      for (const { status, body } of answers)
        t.ok([200, 201, 204, 404].includes(status), JSON.stringify(body))
    }
  })

  t.test('an unknown organization or app is not found', async () => {
    const { id } = await organization()
    const app = await register()
    const body = { permissions: [], workspace_ids: null }
    await api.expect(404, 'PUT', `/organizations/orgNone/installs/${app}`, body)
    await api.expect(404, 'PUT', `/organizations/${id}/installs/appNone`, body)
    await api.expect(404, 'PATCH', `/organizations/${id}/installs/${app}`, {})
    await api.expect(404, 'GET', '/organizations/orgNone/installs')
  })
})
