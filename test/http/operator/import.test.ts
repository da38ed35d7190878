import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../support/eventually.ts'
import { newApp } from './catalogue.ts'
import { type Json, onEveryBackend } from './operator-api.ts'

await onEveryBackend(async (t, api) => {
  const authorization = `Bearer ${api.token}`
  const headers = { authorization, 'content-type': 'application/x-ndjson' }
  const importText = async (body: string) => {
    const answer = await api.send('POST', '/import', { headers, body })
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Json)
  }
  const importLines = (lines: readonly object[]) =>
    importText(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const statuses = (answers: Json[]) => answers.map(({ status }) => status)

  const scene = (name: string, client_id: string) => [
    { type: 'organization', id: name, name: 'Acme' },
    { type: 'user', id: `${name}-kim`, email: `${name}-Kim@acme.test`, name: 'Kim' },
    { type: 'member', organization: name, user: `${name}-kim`, role: 'admin' },
    { type: 'workspace', organization: name, id: `wks-${name}`, name: 'Sales' },
    { type: 'workspace_member', workspace: `wks-${name}`, user: `${name}-kim` },
    { type: 'app', client_id, ...newApp(), owners: [`${name}-kim`] },
    {
      type: 'install',
      organization: name,
      client_id,
      permissions: ['records:create'],
      workspace_ids: [`wks-${name}`],
    },
  ]

  t.test('every type is created, found, and unchanged the second time', async (t) => {
    const lines = scene('first', 'app-first')
    const answers = await importLines(lines)
    t.same(
      answers,
      lines.map((_, at) => ({ line: at + 1, status: 'created' })),
    )
    await api.expect(200, 'GET', '/organizations/first/members/first-kim')
    await api.expect(200, 'GET', '/workspaces/wks-first/members/first-kim')
    const install = await api.expect(200, 'GET', '/organizations/first/installs/app-first')
    t.match(install, { permissions: ['records:create'], workspace_ids: ['wks-first'] })
    t.match(await api.expect(200, 'GET', '/users/first-kim'), { email: 'first-kim@acme.test' })
    t.same((await api.expect(200, 'GET', '/apps/app-first/secrets')).items, [])
    const before = (await api.database.query('select id from audit_events')).count
    t.same(
      statuses(await importLines(lines)),
      lines.map(() => 'unchanged'),
    )
    t.equal((await api.database.query('select id from audit_events')).count, before)
  })

  t.test(
    'a user has the language of the line, and keeps it when the next line has none',
    async (t) => {
      const user = { type: 'user', id: 'spoken', email: 'spoken@acme.test', name: 'Kim' }
      const password = 'correct horse battery staple'
      const known = async () => (await api.expect(200, 'GET', '/users/spoken')).locale
      const stored = async (line: object, status: string, locale: string | null) => {
        t.match(await importLines([{ ...user, ...line }]), [{ status }], JSON.stringify(line))
        t.equal(await known(), locale, JSON.stringify(line))
      }
      await stored({ locale: 'de' }, 'created', 'de')
      await stored({ locale: 'de' }, 'unchanged', 'de')
      await stored({ name: 'Lee' }, 'updated', 'de')
      await stored({ name: 'Lee', locale: 'pt-BR' }, 'updated', 'pt-BR')
      await stored({ name: 'Lee', locale: 'ja', password }, 'updated', 'ja')
      await stored({ name: 'Lee', locale: null }, 'updated', null)
      await stored({ name: 'Lee', locale: 'xx' }, 'refused', null)
    },
  )

  t.test('changed lines update, and each change has its event', async (t) => {
    await importLines(scene('second', 'app-second'))
    const changed = scene('second', 'app-second').map((line) => ({
      ...line,
      ...('name' in line && { name: 'Other' }),
      ...('role' in line && { role: 'member' }),
      ...(line.type === 'install' && { permissions: [] }),
    }))
    t.same(statuses(await importLines(changed)), [
      'updated',
      'updated',
      'updated',
      'updated',
      'unchanged',
      'updated',
      'updated',
    ])
    const { rows } = await api.database.query<{ type: string }>(
      `select type from audit_events where organization_id = 'second' or user_id = 'second-kim'
        or client_id = 'app-second' order by id`,
    )
    const types = rows.map(({ type }) => type)
    for (const type of ['organization', 'user', 'member', 'workspace', 'app', 'install'])
      t.ok(types.includes(`${type}.changed`), type)
  })

  t.test('a line that cannot be stored is refused, and the others are stored', async (t) => {
    await importLines(scene('third', 'app-third'))
    await importLines([{ type: 'organization', id: 'fourth', name: 'Fourth' }])
    const text = [
      '{"type":"organization","id":"ok-1","name":"A"}',
      'nonsense',
      '',
      '[]',
      '{"type":"planet","id":"x"}',
      '{"type":"organization","id":"-x","name":"A"}',
      '{"type":"organization","id":"x"}',
      '{"type":"organization","id":"x","name":"A","extra":1}',
      '{"type":"organization","id":"x","name":"A","__proto__":{}}',
      `{"type":"organization","id":"x","name":"${'x'.repeat(70_000)}"}`,
      '{"type":"user","id":"x","email":"third-kim@acme.test","name":"K"}',
      '{"type":"user","id":"app-third","email":"new@acme.test","name":"K"}',
      '{"type":"member","organization":"none","user":"third-kim","role":"admin"}',
      '{"type":"member","organization":"fourth","user":"none","role":"admin"}',
      '{"type":"workspace","organization":"fourth","id":"wks-third","name":"A"}',
      '{"type":"workspace","organization":"none","id":"wks-none","name":"A"}',
      '{"type":"workspace_member","workspace":"wks-third","user":"none"}',
      '{"type":"install","organization":"fourth","client_id":"none","permissions":[],"workspace_ids":null}',
      '{"type":"app","client_id":"third-kim","name":"A","interface":"current","client_type":"public","redirect_uris":["https://a.test/"],"permissions":[]}',
      `{"type":"app","client_id":"deep","name":"A","interface":"current","client_type":"confidential","redirect_uris":["https://a.test/"],"permissions":[],"workloads":[{"issuer":"https://a.test","claims":{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}}]}`,
      '{"type":"organization","id":"ok-2","name":"A"}',
    ].join('\n')
    const answers = await importText(text)
    t.same(
      answers.map(({ line }) => line),
      [1, 2, ...Array.from({ length: 18 }, (_, at) => at + 4)],
    )
    t.equal(answers[0]?.status, 'created')
    t.equal(answers.at(-1)?.status, 'created')
    for (const { line, status, detail } of answers.slice(1, -1)) {
      t.equal(status, 'refused', `line ${line}`)
      t.ok(detail, `line ${line}: ${detail}`)
    }
    t.match(await api.expect(200, 'GET', '/workspaces/wks-third'), { organization_id: 'third' })
  })

  t.test('the same key several times in a stream keeps the order', async (t) => {
    const line = (name: string) => ({ type: 'organization', id: 'repeated', name })
    const answers = await importLines([line('A'), line('A'), line('B'), line('A')])
    t.same(statuses(answers), ['created', 'unchanged', 'updated', 'updated'])
    t.match(await api.expect(200, 'GET', '/organizations/repeated'), { name: 'A' })
  })

  t.test('a password is hashed once, and the same password again changes nothing', async (t) => {
    const user = {
      type: 'user',
      id: 'secretive',
      email: 'secretive@acme.test',
      name: 'S',
      password: 'correct horse',
    }
    t.same(statuses(await importLines([user, user])), ['created', 'unchanged'])
    t.same(statuses(await importLines([{ ...user, password: 'battery staple' }])), ['updated'])
    t.same(statuses(await importLines([{ ...user, password: 'short' }])), ['refused'])
  })

  t.test('imports of the same lines at once create each object once', async (t) => {
    const lines = Array.from({ length: 200 }, (_, at) => [
      { type: 'organization', id: `crowd-${at}`, name: 'C' },
      { type: 'user', id: `crowd-u${at}`, email: `crowd${at}@acme.test`, name: 'C' },
      { type: 'member', organization: `crowd-${at}`, user: `crowd-u${at}`, role: 'member' },
    ]).flat()
    const turned = [...lines].reverse()
    const imports = await Promise.all([
      ...[1, 2, 3].map(() => importLines(lines)),
      importLines([...turned, ...lines]).then((answers) => answers.slice(lines.length)),
    ])
    for (const answers of imports)
      t.ok(
        answers.every(({ status }) => status !== 'refused'),
        'nothing is refused',
      )
    const { rows } = await api.database.query<{ n: number }>(
      `select count(*)::integer as n from members where organization_id like 'crowd-%'`,
    )
    t.equal(rows[0]?.n, 200)
  })

  t.test('installs of many organizations are stored at once, in the order of a pair', async (t) => {
    const client_id = 'app-many'
    await importLines([{ type: 'app', client_id, ...newApp() }])
    const install = (organization: string, part: object = {}) => ({
      type: 'install',
      organization,
      client_id,
      permissions: ['records:create'],
      workspace_ids: null,
      ...part,
    })
    const own = (at: number) => install(`many-${at}`, { workspace_ids: [`wks-many-${at}`] })
    const lines = Array.from({ length: 60 }, (_, at) => [
      { type: 'organization', id: `many-${at}`, name: 'M' },
      own(at),
      { type: 'workspace', organization: `many-${at}`, id: `wks-many-${at}`, name: 'W' },
    ]).flat()
    t.same(new Set(statuses(await importLines(lines))), new Set(['created']))
    t.same(new Set(statuses(await importLines(lines))), new Set(['unchanged']))

    const answers = await importLines([
      install('many-1', { permissions: [] }),
      install('many-2', { permissions: ['records:delete'] }),
      install('many-none'),
      install('many-3', { client_id: 'app-none' }),
      install('many-4', { workspace_ids: ['wks-many-5'] }),
      install('many-6', { workspace_ids: ['wks-many-none'] }),
      install('many-1', { permissions: [] }),
      install('many-1'),
      own(7),
    ])
    t.same(statuses(answers), [
      'updated',
      'refused',
      'refused',
      'refused',
      'refused',
      'refused',
      'unchanged',
      'updated',
      'unchanged',
    ])
    for (const { status, detail } of answers) t.equal(status === 'refused', Boolean(detail), detail)
    t.match(await api.expect(200, 'GET', `/organizations/many-1/installs/${client_id}`), {
      permissions: ['records:create'],
      workspace_ids: null,
    })
    t.match(await api.expect(200, 'GET', `/organizations/many-2/installs/${client_id}`), {
      permissions: ['records:create'],
    })
  })

  t.test('installs that several imports approve at once exist once', async (t) => {
    const client_id = 'app-raced'
    await importLines([{ type: 'app', client_id, ...newApp() }])
    await importLines(
      Array.from({ length: 100 }, (_, at) => ({
        type: 'organization',
        id: `raced-${at}`,
        name: 'R',
      })),
    )
    const lines = Array.from({ length: 100 }, (_, at) => ({
      type: 'install',
      organization: `raced-${at}`,
      client_id,
      permissions: [],
      workspace_ids: null,
    }))
    const imports = await Promise.all(
      [lines, [...lines].reverse(), lines, [...lines].reverse()].map(importLines),
    )
    const all = imports.flatMap(statuses)
    t.equal(all.filter((status) => status === 'created').length, 100)
    t.equal(all.filter((status) => status === 'unchanged').length, 300)
    const { rows } = await api.database.query<{ installs: number; events: number }>(
      `select (select count(*)::integer from installs where organization_id like 'raced-%') as installs,
         (select count(*)::integer from audit_events where organization_id like 'raced-%'
           and type = 'install.approved') as events`,
    )
    t.same(rows[0], { installs: 100, events: 100 })
  })

  t.test('an imported install answers open requests of members', async (t) => {
    await importLines(scene('asked', 'app-asked').slice(0, 6))
    const { database } = api
    await database.query(
      `insert into install_requests (id, organization_id, client_id, user_id, permissions)
       values ('req-asked', 'asked', 'app-asked', 'asked-kim', '{}')`,
    )
    t.same(statuses(await importLines(scene('asked', 'app-asked').slice(6))), ['created'])
    const { rows } = await database.query<{ decision: string | null }>(
      `select decision from install_requests where id = 'req-asked'`,
    )
    t.same(rows, [{ decision: 'approved' }])
  })

  t.test('creations are audited as counts', async (t) => {
    const lines = Array.from({ length: 300 }, (_, at) => ({
      type: 'organization',
      id: `counted-${at}`,
      name: 'C',
    }))
    const before = (await api.database.query('select id from audit_events')).count
    await importLines(lines)
    const { rows } = await api.database.query<{ type: string; count: number }>(
      `select type, (detail->'created'->>'organizations')::integer as count from audit_events
        order by id offset ${before}`,
    )
    t.ok(rows.length < 10, `${rows.length} events`)
    t.ok(rows.every(({ type }) => type === 'import.stored'))
    t.equal(
      rows.reduce((sum, { count }) => sum + count, 0),
      300,
    )
  })

  t.test('an answered line is stored although the stream is not complete', async (t) => {
    const { hostname, port, pathname } = new URL(api.url)
    const socket = connect(Number(port), hostname)
    const line = '{"type":"organization","id":"half","name":"Half"}\n'
    socket.write(
      `POST ${pathname}/import HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n` +
        `content-type: application/x-ndjson\r\ncontent-length: 100000\r\n\r\n${line}{"type":"org`,
    )
    let text = ''
    for await (const chunk of socket) {
      text += chunk
      if (text.includes('"created"')) break
    }
    socket.destroy()
    t.match(text, '{"line":1,"status":"created"}')
    await api.expect(200, 'GET', '/organizations/half')
  })

  t.test('streams of one operator are stored in turn', async (t) => {
    const user = { type: 'user', id: 'held', email: 'held@acme.test', name: 'Kim' }
    await importLines([user])
    const waiting = async () => {
      const { rows } = await api.database.query<{ count: number }>(
        `select count(*)::integer as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows[0]?.count ?? 0
    }
    let streams: Promise<Json[]>[] = []
    await api.database.transaction(async (tx) => {
      await tx.query(`select from users where id = 'held' for update`)
      streams = ['A', 'B', 'C'].map((name) => importLines([{ ...user, name }]))
      await eventually(async () => (await waiting()) > 0)
      await sleep(300)
      t.equal(await waiting(), 1)
    })
    for (const [answer] of await Promise.all(streams)) t.equal(answer?.status, 'updated')
  })

  t.test(
    'a token needs the permission of each line, and another media type is refused',
    async (t) => {
      const { token } = await api.expect(201, 'POST', '/operator-tokens', {
        name: 'Organizations',
        permissions: ['organizations:write'],
      })
      const lines = scene('limited', 'app-limited')
      const answer = await api.send('POST', '/import', {
        headers: { ...headers, authorization: `Bearer ${token}` },
        body: lines.map((line) => JSON.stringify(line)).join('\n'),
      })
      const answers = String(answer.body)
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
      t.equal(answers[0].status, 'created')
      for (const at of [1, 5, 6]) t.match(answers[at].detail, /does not have the permission/)
      const json = { authorization, 'content-type': 'application/json' }
      const other = await api.send('POST', '/import', { headers: json, body: '{}' })
      t.equal(other.status, 415)
    },
  )
})
