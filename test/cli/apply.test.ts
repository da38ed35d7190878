/** Configuration as code: `latchkey apply` and `latchkey export` against a running server. */
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { parse } from 'yaml'
import { currentCode, exchangeCode } from '../support/flows.ts'
import { type Json, operatorToken } from '../support/latchkey.ts'
import { startOneServer } from '../support/one-server.ts'
import { effort, seed } from '../support/property.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { createWorld } from '../support/world.ts'
import { latchkey } from './latchkey-command.ts'

const root = await temporaryDirectory('apply')
t.teardown(() => rm(root, { recursive: true, force: true }))
const { running } = await startOneServer(t)
const env = { LATCHKEY_URL: running.issuer, LATCHKEY_OPERATOR_TOKEN: operatorToken }

let folders = 0
/** A new folder with these files. */
const folderOf = async (files: Record<string, unknown>) => {
  const folder = join(root, `folder-${folders++}`)
  await mkdir(folder)
  for (const [name, content] of Object.entries(files))
    await writeFile(
      join(folder, name),
      typeof content === 'string' ? content : JSON.stringify(content),
    )
  return folder
}

const run = async (folder: string, ...words: string[]) => {
  const { code, stdout, stderr } = await latchkey(['apply', '-f', folder, '--json', ...words], {
    ...env,
    HOOK_SECRET: `whsec_${Buffer.alloc(32, 3).toString('base64')}`,
  })
  return { code, stderr, changes: stdout ? (JSON.parse(stdout).changes as Json[]) : [] }
}
const get = async (path: string) => (await running.operator('GET', path)).body

/** The folder of the page. */
const page = await readFile('docs/as-code.md', 'utf8')
const everything = /```yaml\n([^`]*)```/.exec(page)?.[1] ?? ''

t.test('a folder with every kind is planned, applied, and then changes nothing', async (t) => {
  const folder = await folderOf({
    'all.yaml': everything,
    'api.secret': 'a-secret-of-the-records-api\n',
  })
  const trail = async () => (await get('/audit?limit=200')).items.length
  const before = await trail()
  const plan = await run(folder, '--plan')
  t.equal(plan.code, 10, plan.stderr)
  t.same(
    plan.changes.map(({ kind, action }) => `${action} ${kind}`),
    [
      'permission',
      'organization',
      'workspace',
      'policy',
      'app',
      'install',
      'client_host',
      'resource_server',
      'webhook',
    ].map((kind) => `create ${kind}`),
  )
  t.equal(await trail(), before, 'a plan leaves no trace')
  t.equal((await running.operator('GET', '/organizations/code')).status, 404)

  const applied = await run(folder)
  t.equal(applied.code, 0, applied.stderr)
  t.same(applied.changes, plan.changes)
  t.match(await get('/organizations/code'), { name: 'As Code', accent: '#3355cc' })
  t.match(await get('/organizations/code/policy'), { connect: 'installed', public_apps: 'ask' })
  t.match(await get('/apps/reports'), { kind: 'outside', listed: true })
  t.same((await get('/apps/reports/secrets')).items, [], 'without --secrets an app has none')
  t.match(await get('/webhooks/ledger'), { disabled: true, disabled_reason: 'operator' })
  const introspection = await fetch(`${running.issuer}/api/oauth/introspect`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('records-api:a-secret-of-the-records-api')}` },
    body: new URLSearchParams({ token: 'none' }),
  })
  t.equal(introspection.status, 200, 'the data API has the secret of the file')

  t.match(await run(folder), { code: 0, changes: [] })
  t.match(await run(folder, '--plan'), { code: 0, changes: [] })
})

t.test('a plan shows what was changed elsewhere; null resets, absent stays', async (t) => {
  const app = { kind: 'app', id: 'reports', name: 'Reports', listed: null, publisher: null }
  await running.operator('PATCH', '/apps/reports', { name: 'Changed', description: 'Stays.' })
  const folder = await folderOf({ 'app.json': app })
  t.match(await run(folder, '--plan'), {
    code: 10,
    changes: [{ kind: 'app', id: 'reports', action: 'change' }],
  })
  t.equal((await run(folder)).code, 0)
  t.match(await get('/apps/reports'), { name: 'Reports', listed: false, description: 'Stays.' })
})

t.test('new secrets are written for their owner, once', async (t) => {
  const secrets = join(root, 'secrets')
  const folder = await folderOf({
    'new.json': [
      { kind: 'webhook', id: 'events', url: 'https://hooks.example/events' },
      {
        ...{ kind: 'app', id: 'jobs', name: 'Jobs', interface: 'current', permissions: [] },
        ...{ client_type: 'confidential', redirect_uris: ['https://jobs.example/cb'] },
      },
    ],
  })
  t.match(await run(folder), { code: 4, stderr: /new\.json \/0\/secret .*\(required\)/ })
  t.equal((await running.operator('GET', '/apps/jobs')).status, 404)
  t.equal((await run(folder, '--plan', '--secrets', secrets)).code, 10)
  t.equal((await run(folder, '--secrets', secrets)).code, 0)
  t.same((await readdir(secrets)).sort(), ['app-jobs', 'webhook-events'])
  t.equal((await stat(join(secrets, 'app-jobs'))).mode & 0o777, 0o600)
  const secret = await readFile(join(secrets, 'app-jobs'), 'utf8')
  t.match(secret, /^lkcs_\w+$/)
  await rm(join(secrets, 'app-jobs'))
  t.match(await run(folder, '--secrets', secrets), { code: 0, changes: [] })
  t.same(await readdir(secrets), ['webhook-events'])
})

t.test(
  'a faulty folder is refused with file, pointer and rule, and nothing is applied',
  async (t) => {
    const bomb = `a: &a [x, x]\nb: &b [*a, *a]\nkind: organization`
    const faulty: [unknown, RegExp][] = [
      [{ kind: 'team', id: 'x' }, /one\.yaml \/kind .*\(form\)/],
      [
        [
          { kind: 'organization', id: 'x', name: 'X' },
          { kind: 'organization', id: 'x' },
        ],
        /\/1\/id .*\(duplicate\)/,
      ],
      [{ kind: 'organization', id: 'x', name: 'X', colour: 'red' }, /one\.yaml \/colour /],
      [
        [
          { kind: 'organization', id: 'x', name: 'X' },
          { kind: 'app', id: 'y', app_kind: 'no' },
        ],
        /\/1\/app_kind /,
      ],
      [{ kind: 'organization', id: 'x', name: '' }, /\/name .*\(name\)/],
      [
        { kind: 'webhook', id: 'x', url: 'https://x.example', secret: 'plain' },
        /\/secret .*\(form\)/,
      ],
      [
        { kind: 'webhook', id: 'x', url: 'https://x.example', secret: { env: 'NONE' } },
        /\/secret .*\(required\)/,
      ],
      [{ kind: 'operator', id: 'usr-none', permissions: ['*'] }, /one\.yaml .*\(404\)/],
      [{ kind: 'workspace', id: 'wksX', name: 'X' }, /\/organization_id .*\(required\)/],
      [bomb, /one\.yaml .*alias/i],
      ['kind: organization\nkind: app\nid: x', /one\.yaml .*unique/i],
      ['kind: organization\nid: !!js/function x\nname: X', /one\.yaml .*tag/i],
    ]
    for (const [content, expected] of faulty) {
      const folder = await folderOf({ 'one.yaml': content })
      const { code, stderr } = await run(folder)
      t.equal(code, 4, stderr)
      t.match(stderr, expected)
      t.equal((await running.operator('GET', '/organizations/x')).status, 404)
    }
    t.equal((await run(join(root, 'none'))).code, 2)
    const away = { ...env, LATCHKEY_URL: 'http://127.0.0.1:1' }
    t.equal((await latchkey(['apply', '-f', await folderOf({})], away)).code, 5)
  },
)

t.test('prune deletes what the folder lacks, of its kinds, after a yes', async (t) => {
  const world = await createWorld(running)
  const { client_id: id } = world.confidential
  const redeemed = await currentCode(running, world.confidential, world.ana, {
    organization_id: world.acme,
  })
  const tokens = await exchangeCode(running.issuer, world.confidential, redeemed)
  t.equal(tokens.status, 200)
  const folder = await folderOf({
    'kept.json': [
      { kind: 'install', id: 'code/reports', permissions: ['records:create'] },
      { kind: 'webhook', id: 'ledger' },
      { kind: 'permission', id: 'current:plans:read', sentence: 'Reads plans.', group: 'read' },
    ],
  })
  const plan = await run(folder, '--plan', '--prune')
  t.equal(plan.code, 10, plan.stderr)
  t.ok(plan.changes.every(({ action }) => action === 'delete'))
  t.match(
    plan.changes.find((one) => one.id === `${world.acme}/${id}`),
    { kind: 'install', cost: 'ends 1 connection' },
  )
  t.match(await run(folder, '--prune'), { code: 4, stderr: /--yes/ })
  t.equal(
    (await running.operator('GET', `/organizations/${world.acme}/installs/${id}`)).status,
    200,
  )
  t.equal((await run(folder, '--prune', '--yes')).code, 0)
  t.equal(
    (await running.operator('GET', `/organizations/${world.acme}/installs/${id}`)).status,
    404,
  )
  t.equal((await running.operator('GET', '/webhooks/events')).status, 404)
  t.equal((await running.operator('GET', `/apps/${id}`)).status, 200, 'another kind stays')
})

t.test(
  'an export is applied without a change, and has neither secrets nor operators',
  async (t) => {
    const folder = join(root, 'export')
    const exported = await latchkey(['export', folder], env)
    t.equal(exported.code, 0, exported.stderr)
    t.notOk((await readdir(folder)).includes('operator.yaml'))
    const texts = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
    )
    t.notMatch(texts.join(''), /whsec_|lkcs_|secret/)
    const apps = parse(await readFile(join(folder, 'app.yaml'), 'utf8')) as Json[]
    t.match(
      apps.find(({ id }) => id === 'reports'),
      { kind: 'app', app_kind: 'outside', interface: 'current' },
    )
    t.match(await run(folder, '--plan'), { code: 0, changes: [] })

    await running.operator('PATCH', '/organizations/code', { name: 'Drifted' })
    t.match(await run(folder, '--plan', '--prune'), {
      code: 10,
      changes: [{ kind: 'organization', id: 'code', action: 'change' }],
    })
    t.equal((await run(folder)).code, 0)
    t.match(await get('/organizations/code'), { name: 'As Code' })
  },
)

t.test('random folders end as planned', async (t) => {
  const name = fc.constantFrom('A', 'B', 'Ü', 'a longer name')
  const object = fc.oneof(
    fc.record({ kind: fc.constant('organization'), id: fc.constantFrom('r1', 'r2'), name }),
    fc.record({
      ...{ kind: fc.constant('workspace'), id: fc.constantFrom('wksR1', 'wksR2') },
      ...{ organization_id: fc.constant('code'), name },
    }),
    fc.record({
      ...{ kind: fc.constant('policy'), id: fc.constant('code') },
      connect: fc.constantFrom('all', 'installed', 'ask'),
      default_expires_days: fc.constantFrom(null, 3, 30),
    }),
    fc.record({
      ...{ kind: fc.constant('app'), id: fc.constant('reports') },
      permissions: fc.shuffledSubarray(['records:create', 'records:update', 'plans:read']),
      retry_window_seconds: fc.constantFrom(null, 0, 60),
      description: fc.constantFrom(null, 'D'),
    }),
    fc.record({
      ...{ kind: fc.constant('install'), id: fc.constant('code/reports') },
      permissions: fc.shuffledSubarray(['records:create', 'records:update']),
      suspended: fc.constantFrom(null, true),
    }),
  )
  const folder = fc.uniqueArray(object, { selector: ({ kind, id }) => kind + id, maxLength: 4 })
  for (const objects of fc.sample(folder, { seed, numRuns: 80 * effort })) {
    const path = await folderOf({ 'all.json': objects })
    const plan = await run(path, '--plan')
    const applied = await run(path)
    t.same(applied.changes, plan.changes, JSON.stringify(objects))
    t.same(applied.code, plan.code === 10 ? 0 : plan.code, applied.stderr)
    if (applied.code === 0) t.same((await run(path, '--plan')).changes, [])
  }
})

t.test('the schema has every kind, and its fields', async (t) => {
  const response = await fetch(`${running.issuer}/schemas/apply-v1.json`)
  t.equal(response.status, 200)
  const { default: Ajv } = await import('ajv/dist/2020.js')
  const schema = (await response.json()) as Json
  const validate = new Ajv.default({ strict: false, validateFormats: false }).compile(schema)
  t.ok(validate(parse(everything)), JSON.stringify(validate.errors))
  t.notOk(validate([{ kind: 'organization', id: 'x', colour: 'red' }]))
  t.notOk(validate([{ kind: 'webhook', id: 'x', secret: 'plain' }]))
})
