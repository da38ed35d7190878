import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { eventually } from '../support/eventually.ts'
import { masterKey, operatorToken } from '../support/latchkey.ts'
import { withinOneDay } from '../support/one-day.ts'
import { startOneServer } from '../support/one-server.ts'
import { latchkey } from './latchkey-command.ts'

const { running, stores } = await startOneServer(t)

const env = { LATCHKEY_URL: running.issuer, LATCHKEY_OPERATOR_TOKEN: operatorToken }
const redirectUri = 'https://app.example/cb'

/** Runs a command that must succeed, and parses its JSON. */
const json = async (args: string[], stdin?: string) => {
  const { code, stdout, stderr } = await latchkey([...args, '--json'], env, stdin)
  t.equal(code, 0, `${args.join(' ')}: ${stderr}`)
  return JSON.parse(stdout)
}

const createApp = (name: string, ...more: string[]) =>
  json(['app', 'create', '--name', name, '--redirect-uri', redirectUri, ...more])

t.test('an app is registered, listed, changed and deleted', async (t) => {
  const made = await createApp('Report Builder', '--permissions', 'records:create,records:update')
  t.match(made, {
    client_id: /^app/,
    client_secret: /^lkcs_/,
    client_type: 'confidential',
    interface: 'current',
    redirect_uris: [redirectUri],
    permissions: ['records:create', 'records:update'],
  })
  const { items } = await json(['app', 'list'])
  t.match(items, [{ client_id: made.client_id, name: 'Report Builder' }])
  t.notMatch(JSON.stringify(items), made.client_secret)

  const changed = await json(['app', 'update', made.client_id, '--description', 'Writes reports.'])
  t.equal(changed.description, 'Writes reports.')
  t.equal(changed.name, 'Report Builder')
  t.equal((await json(['app', 'disable', made.client_id])).disabled, true)
  t.equal((await json(['app', 'enable', made.client_id])).disabled, false)
  t.same(await json(['app', 'delete', made.client_id]), { done: true })
  t.equal((await latchkey(['app', 'show', made.client_id], env)).code, 3)
})

t.test('users become owners of an app', async (t) => {
  const person = (name: string) =>
    json(['user', 'create', '--email', `${name}@owners.test`, '--name', name])
  const [kim, lee] = [await person('kim'), await person('lee')]
  const { client_id: app, owners } = await createApp('Owned', '--owner', kim.id, '--owner', lee.id)
  t.same(owners, [kim.id, lee.id])
  t.match((await latchkey(['app', 'show', app], env)).stdout, `${kim.id} ${lee.id}`)
  t.same((await json(['app', 'update', app, '--owner', lee.id])).owners, [lee.id])
  t.same((await json(['app', 'update', app, '--name', 'Still owned'])).owners, [lee.id])
  t.same((await json(['app', 'update', app, '--owner', ''])).owners, [])
  const unknown = await latchkey(['app', 'update', app, '--owner', 'usrNone'], env)
  t.equal(unknown.code, 4)
  t.match(unknown.stderr, 'owners/0 is not a user')
})

t.test('a user gets a language, changes it and has none again', async (t) => {
  const create = ['user', 'create', '--email', 'lea@locale.test', '--name', 'Lea']
  const made = await json([...create, '--locale', 'de'])
  t.equal(made.locale, 'de')
  const update = ['user', 'update', made.id, '--locale']
  t.equal((await json([...update, 'pt-BR'])).locale, 'pt-BR')
  t.match((await latchkey(['user', 'list', '--email', made.email], env)).stdout, / pt-BR /)
  t.equal((await json([...update, 'none'])).locale, null)
  const refused = await latchkey([...update, 'xx'], env)
  t.equal(refused.code, 2)
  t.match(refused.stderr, '--locale must be en or de')
})

t.test('a file is imported, and a second time nothing changes', async (t) => {
  const file = join(t.testdir({ 'lines.ndjson': '' }), 'lines.ndjson')
  const line = (one: object) => `${JSON.stringify(one)}\n`
  const good =
    line({ type: 'organization', id: 'imported', name: 'Imported' }) +
    line({ type: 'user', id: 'imported-kim', email: 'kim@imported.test', name: 'Kim' })
  await writeFile(file, good)
  t.match(await json(['import', file]), { created: 2, refused: 0 })
  t.match(await json(['import', file]), { created: 0, unchanged: 2, refused: 0 })
  await writeFile(file, good + line({ type: 'planet' }))
  const refused = await latchkey(['import', file], env)
  t.equal(refused.code, 4)
  t.match(refused.stdout, /^line 3: type must be one of/m)
  t.match(refused.stdout, /unchanged 2 +refused 1/)
  t.equal((await latchkey(['import', `${file}.none`], env)).code, 2)
  const wrong = { ...env, LATCHKEY_OPERATOR_TOKEN: 'wrong' }
  t.equal((await latchkey(['import', file], wrong)).code, 4)
})

t.test('a permission of the platform is added, listed and removed', async (t) => {
  const add = (...more: string[]) => ['permission', 'add', 'invoices:approve', ...more]
  const plain = await json(add('--sentence', 'Approve invoices'))
  t.match(plain, { interface: 'current', sentence: 'Approve invoices', group: 'other', mark: null })
  const texts = ['--sentence', 'en=Approve invoices', '--sentence', 'de=Rechnungen freigeben']
  const about = ['--group', 'write', '--mark', 'data_loss', '--read-permission']
  t.match(await json(add(...texts, ...about)), {
    sentence: { en: 'Approve invoices', de: 'Rechnungen freigeben' },
    group: 'write',
    mark: 'data_loss',
    read_permission: true,
    built_in: false,
  })
  t.match(
    await json(['permission', 'add', 'dump', '--interface', 'legacy', '--sentence', 'Dump']),
    {
      interface: 'legacy',
    },
  )
  const { items } = await json(['permission', 'list'])
  t.equal(items.length, 17)
  const { client_id: app } = await createApp('Billing', '--permissions', 'invoices:approve')
  const refused = await latchkey(['permission', 'remove', 'invoices:approve'], env)
  t.not(refused.code, 0)
  t.match(refused.stderr, 'apps 1, installs 0, key sets 0')
  await json(['app', 'update', app, '--permissions', 'records:create'])
  t.same(await json(['permission', 'remove', 'invoices:approve']), { done: true })
  t.same(await json(['permission', 'remove', 'dump', '--interface', 'legacy']), { done: true })
  for (const wrong of [
    add(),
    add('--sentence', 'a', '--sentence', 'b'),
    add(...texts, '--mark', 'x'),
  ])
    t.equal((await latchkey(wrong, env)).code, 2, wrong.join(' '))
  t.not((await latchkey(['permission', 'remove', 'records:create'], env)).code, 0)
})

t.test('a new secret is alone on stdout, and the hint is on stderr', async (t) => {
  const { client_id: app } = await createApp('Rotating')
  const first = await latchkey(['app', 'add-secret', app], env)
  t.match(first.stdout, /^lkcs_\w+\n$/)
  t.match(first.stderr, 'not shown again')
  t.match(first.stderr, 'stay valid')
  const leaked = await latchkey(['app', 'add-secret', app, '--end-tokens'], env)
  t.match(leaked.stdout, /^lkcs_\w+\n$/)
  t.match(leaked.stderr, 'All grants and tokens of the app are revoked')
  const overlap = ['app', 'add-secret', app, '--retire-others-after', '60']
  t.equal((await latchkey(overlap, env)).code, 0)
  const third = await latchkey(overlap, env)
  t.equal(third.code, 4)
  t.match(third.stderr, '2 secrets are active')
  const { items } = await json(['app', 'secrets', app])
  t.equal(items.length, 2)
  await json(['app', 'delete-secret', app, items[0].id])
  t.equal((await json(['app', 'secrets', app])).items.length, 1)
})

t.test('a legacy app gets a successor, and its use is reported', async (t) => {
  const legacy = await createApp('Sheet Sync', '--interface', 'legacy', '--permissions', 'readData')
  const id = legacy.client_id
  const words = ['--worth', 'insertData=records:create,records:update', '--worth', 'readData=']
  const made = await latchkey(['app', 'make-twin', id, ...words], env)
  t.equal(made.code, 0, made.stderr)
  t.match(made.stdout, /client secret +lkcs_/)
  const twin = await json(['app', 'show-twin', id])
  t.match(twin, {
    legacy_client_id: id,
    worth: { readData: [], insertData: ['records:create', 'records:update'] },
  })
  t.match(await json(['app', 'show', twin.client_id]), {
    name: 'Sheet Sync',
    interface: 'current',
    client_type: 'confidential',
    redirect_uris: [redirectUri],
    permissions: ['records:create', 'records:update'],
  })
  const set = await json(['app', 'set-worth', id, '--worth', 'updateData=records:update'])
  t.same(set.worth, { updateData: ['records:update'] })
  t.match((await latchkey(['app', 'show-twin', id], env)).stdout, /updateData=records:update/)
  const wrong = await latchkey(['app', 'set-worth', id, '--worth', 'updateData'], env)
  t.equal(wrong.code, 2)
  t.match(wrong.stderr, '--worth must be such as')
  const other = await createApp('Other', '--permissions', 'records:create')
  const linked = await json(['app', 'make-twin', id, '--to', other.client_id])
  t.match(linked, { client_id: other.client_id, worth: { readData: [] } })
  t.equal((await latchkey(['app', 'make-twin', other.client_id], env)).code, 2, 'no legacy app')

  const org = await json(['org', 'create', '--name', 'Users'])
  await json(['install', 'approve', org.id, id, '--permissions', 'readData', '--workspaces', 'all'])
  t.match((await json(['app', 'usage', id])).items, [
    { organization_id: org.id, people: 0, moved: 0, twin_installed: false, last_used_at: null },
  ])
  t.match((await latchkey(['app', 'usage', id], env)).stdout, /TWIN INSTALLED/)
  t.same((await json(['app', 'people', id, org.id])).items, [])
  t.same(await json(['app', 'remove-twin', id]), { done: true })
  t.equal((await latchkey(['app', 'show-twin', id], env)).code, 3)
})

t.test('prints a table whose values cannot control the terminal', async (t) => {
  const { client_id: app } = await createApp('Tidy')
  const { stdout } = await latchkey(['app', 'list'], env)
  t.match(stdout, /^CLIENT ID +NAME +INTERFACE +TYPE +DISABLED\n/)
  t.match(stdout, new RegExp(`${app} +Tidy +current +confidential +no`))
  t.match((await latchkey(['app', 'show', app], env)).stdout, /redirect URIs +https:\/\/app/)
})

t.test('creates an organization with users, workspaces, install and key set', async (t) => {
  const org = await json(['org', 'create', '--name', 'Acme'])
  const sales = await json(['workspace', 'create', org.id, '--name', 'Sales'])
  const create = ['user', 'create', '--email', 'kim@acme.test', '--name', 'Kim', '--password-stdin']
  const kim = await json(create, 'correct horse battery staple\n')
  await json(['org', 'add-member', org.id, kim.id, '--role', 'admin'])
  await json(['workspace', 'add-member', sales.id, kim.id])
  t.match(await json(['org', 'members', org.id]), { items: [{ user_id: kim.id, role: 'admin' }] })

  const app = await createApp('Installed', '--permissions', 'records:create')
  const approve = ['install', 'approve', org.id, app.client_id, '--permissions', 'records:create']
  t.equal((await latchkey(approve, env)).code, 2, 'workspaces must be given explicitly')
  t.match(await json([...approve, '--workspaces', 'all']), { workspace_ids: null })
  t.match(await json([...approve, '--workspaces', sales.id]), { workspace_ids: [sales.id] })
  t.equal((await json(['install', 'suspend', org.id, app.client_id])).suspended, true)
  t.same(await json(['org', 'suspend-all', org.id]), { apps: 0 }, 'it is suspended already')
  await json(['install', 'resume', org.id, app.client_id])
  t.same(await json(['org', 'suspend-all', org.id]), { apps: 1 })
  t.match((await latchkey(['org', 'resume-all', org.id], env)).stdout, /resumed +1/i)
  t.same(await json(['install', 'end-user', org.id, app.client_id, kim.id]), { done: true })
  t.equal((await latchkey(['install', 'end-user', org.id, app.client_id, 'usrNone'], env)).code, 3)
  await json(['install', 'remove', org.id, app.client_id])
  t.same((await json(['install', 'list', org.id])).items, [])

  const keySet = await json(['key-set', 'create', org.id, '--name', 'nightly'])
  t.match(keySet.secret, /^lkks_/)
  const rotated = await latchkey(['key-set', 'rotate', org.id, keySet.id], env)
  t.match(rotated.stdout, /^lkks_\w+\n$/)
  t.not(rotated.stdout.trim(), keySet.secret)

  const types = (await json(['audit', '--organization', org.id])).items.map(
    ({ type }: { type: string }) => type,
  )
  t.match(types, ['key_set.rotated', 'key_set.created', 'install.ended'])
})

t.test('reports events and counts by time, actor and day', async (t) => {
  await withinOneDay()
  const org = await json(['org', 'create', '--name', 'Busy'])
  const app = await createApp('Busy', '--permissions', 'records:create')
  const approve = ['install', 'approve', org.id, app.client_id, '--permissions', 'records:create']
  await json([...approve, '--workspaces', 'all'])
  const body = {
    grant_type: 'client_credentials',
    organization_id: org.id,
    client_id: app.client_id,
    client_secret: app.client_secret,
  }
  const issued = await fetch(`${running.issuer}/api/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(body),
  })
  t.equal(issued.status, 200)

  const today = new Date().toISOString().slice(0, 10)
  const audit = async (...more: string[]) =>
    (await json(['audit', '--organization', org.id, ...more])).items
  const all = await audit()
  t.equal(all.length, 2)
  t.same(await audit('--from', today, '--to', today), all)
  t.same(await audit('--from', all[1].at, '--to', `${today}T23:59:59.999999Z`), all)
  t.same(await audit('--to', '2020-01-01'), [])
  t.same(await audit('--actor', all[0].actor.id), all)
  t.same(await audit('--actor', 'usrNone'), [])
  t.equal((await latchkey(['audit', '--from', 'yesterday'], env)).code, 4)

  t.same(await json(['usage', org.id, '--from', '2020-01-01', '--to', '2020-01-31']), { items: [] })
  t.equal((await latchkey(['usage', 'orgNone'], env)).code, 3)
  t.equal((await latchkey(['usage', org.id, '--from', '2026-02-30'], env)).code, 4)
  let stdout = ''
  // Counts are written every ten seconds.
  await eventually(async () => {
    stdout = (await latchkey(['usage', org.id], env)).stdout
    return stdout !== 'none\n'
  })
  t.match(stdout, /^DAY +APP +TOKENS +BY GRANT TYPE +REFUSED +BY REASON\n/)
  t.match(stdout, new RegExp(`${today} +${app.client_id} +1 +client_credentials 1 +0 +–`))
  t.same(await json(['usage', org.id]), {
    items: [
      { day: today, client_id: app.client_id, issued: { client_credentials: 1 }, refused: {} },
    ],
  })
})

t.test('the audit trail is pushed to a receiver', async (t) => {
  const own = { ...env, LATCHKEY_STREAM_SECRET: `whsec_${Buffer.alloc(24).toString('base64')}` }
  const put = ['audit-stream', 'put', 'siem', '--format', 'ocsf', '--url']
  t.equal((await latchkey([...put, 'https://siem.example/in'], env)).code, 4, 'without a secret')
  t.equal((await latchkey([...put, 'https://10.0.0.1/'], own)).code, 4)
  const made = await latchkey([...put, 'https://siem.example/in', '--json'], own)
  t.match(JSON.parse(made.stdout), { id: 'siem', format: 'ocsf', organization_id: null })
  t.notMatch(made.stdout, 'whsec_')
  t.match(await json(['audit-stream', 'list']), { items: [{ id: 'siem' }] })
  t.match(await json(['audit-stream', 'test', 'siem']), { id: 'siem' })
  await json(['audit-stream', 'delete', 'siem'])
  t.equal((await latchkey(['audit-stream', 'show', 'siem'], env)).code, 3)
})

t.test('a webhook is created, tested, rotated and disabled', async (t) => {
  const app = await createApp('Listening')
  const url = 'https://hooks.example/latchkey'
  const events = ['--events', 'install.created,install.deleted']
  const made = await json(['webhook', 'create', '--url', url, '--app', app.client_id, ...events])
  t.match(made, {
    id: /^whk/,
    secret: /^whsec_/,
    client_id: app.client_id,
    events: ['install.created', 'install.deleted'],
  })
  const { id } = made
  const listed = await latchkey(['webhook', 'list'], env)
  t.match(listed.stdout, /^ID +URL +APP +EVENTS +DISABLED\n/)
  t.notMatch(listed.stdout, made.secret)
  t.match(await json(['webhook', 'update', id, '--events', 'all']), { url, events: null })
  t.equal((await latchkey(['webhook', 'update', id], env)).code, 2)
  t.equal((await latchkey(['webhook', 'create', '--url', 'https://10.0.0.1/'], env)).code, 4)

  const rotated = await latchkey(['webhook', 'rotate', id, '--retire-others-after', '60'], env)
  t.match(rotated.stdout, /^whsec_\S+\n$/)
  t.match((await json(['webhook', 'show', id])).secrets, [{}, { expires_at: null }])
  const test = await json(['webhook', 'test', id])
  t.match(await json(['webhook', 'deliveries', id]), {
    items: [{ id: test.id, event: 'webhook.test' }],
  })
  t.equal((await json(['webhook', 'disable', id])).disabled_reason, 'operator')
  t.equal((await latchkey(['webhook', 'test', id], env)).code, 4)
  t.equal((await json(['webhook', 'enable', id])).disabled, false)
  await json(['webhook', 'delete', id])
  t.equal((await latchkey(['webhook', 'show', id], env)).code, 3)
})

t.test('signing keys rotate', async (t) => {
  const statuses = async () =>
    (await json(['keys', 'list'])).items.map(({ status }: { status: string }) => status).sort()
  t.same(await statuses(), ['active', 'next'])
  t.match(await json(['keys', 'rotate']), { kid: /^[\w-]{43}$/ })
  t.same(await statuses(), ['active', 'next', 'retired'])
  const { kid } = await json(['keys', 'rotate', '--withdraw'])
  t.match((await json(['keys', 'list'])).items, [{ kid, status: 'active' }, { status: 'next' }])
  t.same(await statuses(), ['active', 'next'])
})

t.test('each kind of failure has its exit code', async (t) => {
  const invalid = ['app', 'create', '--name', 'x', '--redirect-uri', 'http://evil.example/cb']
  const cases: [what: string, args: string[], env: Record<string, string>, code: number][] = [
    ['unknown', ['app', 'show', 'appNone'], env, 3],
    ['invalid', invalid, env, 4],
    ['token', ['app', 'list'], { ...env, LATCHKEY_OPERATOR_TOKEN: 'wrong' }, 4],
    ['away', ['app', 'list'], { ...env, LATCHKEY_URL: 'http://127.0.0.1:9' }, 5],
    ['no token', ['app', 'list'], { LATCHKEY_DATA: '/nowhere' }, 2],
    ['address', ['app', 'list'], { ...env, LATCHKEY_URL: 'nonsense' }, 2],
  ]
  for (const [what, args, environment, code] of cases) {
    const ended = await latchkey(args, environment)
    t.equal(ended.code, code, `${what}: ${ended.stderr}`)
    t.equal(ended.stdout, '')
    t.match(ended.stderr, /^latchkey: /m)
  }
  t.match((await latchkey(invalid, env)).stderr, 'redirect_uris/0 must use https')
})

t.test('an operator token is created in the database, works, and stops when revoked', async (t) => {
  const database = { DATABASE_URL: stores.databaseUrl, LATCHKEY_MASTER_KEY: masterKey }
  const made = await latchkey(['operator-token', 'create', '--name', 'deploy'], database)
  t.equal(made.code, 0, made.stderr)
  t.match(made.stdout, /^lkop_\w+\n$/)
  const token = made.stdout.trim()
  const own = { LATCHKEY_URL: running.issuer, LATCHKEY_OPERATOR_TOKEN: token }
  t.equal((await latchkey(['org', 'list'], own)).code, 0)

  const listed = await latchkey(['operator-token', 'list', '--json'], database)
  t.notMatch(listed.stdout, token)
  const [{ id, name, last_used_at: used }] = JSON.parse(listed.stdout).items
  t.equal(name, 'deploy')
  t.ok(used)
  t.equal((await latchkey(['operator-token', 'revoke', id], database)).code, 0)
  t.equal((await latchkey(['org', 'list'], own)).code, 4)
  t.equal((await latchkey(['operator-token', 'revoke', id], database)).code, 3)
})

t.test('a user becomes an operator, and stops being one', async (t) => {
  const database = { DATABASE_URL: stores.databaseUrl, LATCHKEY_MASTER_KEY: masterKey }
  const email = 'olga@operators.test'
  t.equal((await latchkey(['operator', 'grant', email], database)).code, 3, 'an unknown address')
  const made = await latchkey(
    ['operator', 'grant', email, '--name', 'Olga', '--password-stdin', '--json'],
    database,
    'a rather long passphrase',
  )
  t.equal(made.code, 0, made.stderr)
  t.match(JSON.parse(made.stdout), { email, name: 'Olga', permissions: ['*'] })
  const narrower = ['operator', 'grant', email, '--permissions', 'apps:read,audit:read']
  const changed = await latchkey(narrower, database)
  t.equal(changed.code, 0)
  t.match(changed.stderr, `${email} has never signed in`)
  const list = async () =>
    JSON.parse((await latchkey(['operator', 'list', '--json'], database)).stdout).items
  t.match(await list(), [{ email, permissions: ['apps:read', 'audit:read'], has_signed_in: false }])
  const wrong = await latchkey(
    ['operator', 'grant', email, '--permissions', 'everything'],
    database,
  )
  t.equal(wrong.code, 4, 'an unknown permission')
  t.equal((await latchkey(['operator', 'revoke', email], database)).code, 0)
  t.same(await list(), [])
  t.equal((await latchkey(['operator', 'revoke', 'none@operators.test'], database)).code, 3)
})

t.test('an owner of an app who has never signed in is named', async (t) => {
  const { id } = await json(['user', 'create', '--email', 'own@acme.test', '--name', 'Olga'])
  const { client_id } = await createApp('Owned')
  for (const args of [
    ['update', client_id, '--owner', id],
    ['show', client_id],
    ['create', '--name', 'Another', '--redirect-uri', redirectUri, '--owner', id],
  ])
    t.match((await latchkey(['app', ...args], env)).stderr, 'own@acme.test has never signed in')
  t.notMatch((await latchkey(['app', 'update', client_id, '--name', 'Own'], env)).stderr, 'never')
})

t.test('an operator token has only the given permissions and organizations', async (t) => {
  const database = { DATABASE_URL: stores.databaseUrl, LATCHKEY_MASTER_KEY: masterKey }
  const acme = await json(['org', 'create', '--name', 'Limited'])
  const create = ['operator-token', 'create', '--name', 'limited']
  const made = await latchkey(
    [
      ...create,
      ...['--permission', 'organizations:read,audit:read', '--permission', 'apps:write'],
      ...['--organization', acme.id, '--expires', '2999-01-31'],
    ],
    database,
  )
  t.equal(made.code, 0, made.stderr)
  const own = { LATCHKEY_URL: running.issuer, LATCHKEY_OPERATOR_TOKEN: made.stdout.trim() }
  const orgs = await latchkey(['org', 'list', '--json'], own)
  t.same(JSON.parse(orgs.stdout).items, [acme])
  const refused = await latchkey(['webhook', 'list'], own)
  t.equal(refused.code, 4)
  t.match(refused.stderr, 'permission webhooks:read')

  const { items } = JSON.parse(
    (await latchkey(['operator-token', 'list', '--json'], database)).stdout,
  )
  const listed = items.find(({ name }: { name: string }) => name === 'limited')
  t.match(listed, {
    permissions: ['organizations:read', 'audit:read', 'apps:write'],
    organization_ids: [acme.id],
    expires_at: '2999-01-31T00:00:00.000Z',
  })
  t.equal((await latchkey(['operator-token', 'delete', listed.id], database)).code, 0)
  t.equal((await latchkey(['org', 'list'], own)).code, 4)

  for (const [code, ...args] of [
    [4, '--permission', 'apps:delete'],
    [4, '--organization', 'orgNone'],
    [4, '--expires', '2020-01-01'],
    [2, '--expires', 'tomorrow'],
    [2, '--expires', '2999-01-31', '--expires-in', '1'],
  ] as const)
    t.equal((await latchkey([...create, ...args], database)).code, code, args.join(' '))
})
