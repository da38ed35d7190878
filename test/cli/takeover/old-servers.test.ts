// Nightly, and when src/cli/takeover changes: it fills stores by the old servers themselves.
/**
 * Doorkeeper on Rails and Django OAuth Toolkit fill their stores: 50 apps with each form of secret, and 2,000 grants. After
 * the takeover, unmodified apps refresh with their old secrets and tokens, unless the dry run named them.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import t from 'tap'
import { isInstalled, whereFound } from '../../support/installed.ts'
import { operatorToken, startLatchkey } from '../../support/latchkey.ts'
import { createPythonEnvironment } from '../../support/python-environment.ts'
import { testStores } from '../../support/stores.ts'
import { latchkey } from '../latchkey-command.ts'

const hasDoorkeeper = isInstalled(
  'ruby',
  '-e',
  "require 'action_controller/railtie'; require 'doorkeeper'; require 'pg'; require 'bcrypt'",
)
const toolkit = ['django-oauth-toolkit==3.0.1', 'psycopg[binary]==3.2.10']
const python = await createPythonEnvironment(t, ...toolkit, 'argon2-cffi==25.1.0', 'bcrypt==5.0.0')

/** How a real server fills its store, and statements that multiply its people and live grants by 50. */
const servers = [
  {
    name: 'doorkeeper',
    ...whereFound(hasDoorkeeper, 'Doorkeeper (ruby-doorkeeper, ruby-pg)'),
    command: ['ruby', '-W0', 'doorkeeper.rb'],
    multiply: `insert into users (id, email, encrypted_password)
        select id + 1000 * n, n || email, '' from users, generate_series(1, 49) n;
      insert into oauth_access_tokens
        (resource_owner_id, application_id, token, refresh_token, expires_in, created_at, scopes)
      select resource_owner_id + 1000 * n, application_id, token || n, refresh_token || 'x' || n, expires_in,
          created_at, scopes from oauth_access_tokens, generate_series(1, 49) n where revoked_at is null`,
  },
  {
    name: 'django',
    ...python,
    command: [python.python ?? '', 'django_toolkit.py'],
    multiply: `insert into auth_user (id, email, password, username, first_name, last_name, is_superuser, is_staff,
          is_active, date_joined)
        select id + 1000 * n, n || email, '!', n || username, first_name, last_name, false, false, true, date_joined
          from auth_user, generate_series(1, 49) n;
      insert into oauth2_provider_refreshtoken (user_id, application_id, token, created, updated)
      select user_id + 1000 * n, application_id, token || n, created, updated
        from oauth2_provider_refreshtoken, generate_series(1, 49) n where revoked is null`,
  },
]

const folder = await mkdtemp(join(tmpdir(), 'latchkey-takeover-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const map = join(folder, 'map.json')
await writeFile(map, '{"write":["records:create"],"odd":[]}')

interface Sample {
  client_id: string
  secret: string
  token: string
}

for (const { name, skip, command, multiply } of servers)
  t.test(name, { ...(skip && { skip }), timeout: 1_500_000 }, async (t) => {
    const [stores] = await testStores({ only: 'servers' })
    const [old] = await testStores({ only: 'servers', content: 'nothing' })
    if (!stores || !old) {
      t.pass('NOT TESTED: no Postgres server is installed')
      return
    }
    t.teardown(() => Promise.all([stores.drop(), old.drop()]))
    const [program = '', ...args] = command
    const { stdout } = await promisify(execFile)(program, [...args, old.databaseUrl, '2000'], {
      cwd: join(import.meta.dirname, 'servers'),
      maxBuffer: 2 ** 24,
    })
    const samples = stdout
      .trim()
      .split('\n')
      .map((line): Sample => JSON.parse(line))
    const server = await startLatchkey(stores)
    t.teardown(() => server.stop())
    const env = {
      LATCHKEY_URL: server.issuer,
      LATCHKEY_OPERATOR_TOKEN: operatorToken,
      TAKEOVER_FROM: old.databaseUrl,
    }
    const takeOver = async (mode: string) => {
      const began = performance.now()
      const options = ['--organization', 'org1', '--scope-map', map, mode, '--json']
      const { code, stdout, stderr } = await latchkey(['takeover', name, ...options], env)
      t.equal(code, 0, stderr)
      const report = JSON.parse(stdout)
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      t.comment(`${name} ${mode}: ${report.lines.grant} grants in ${seconds} s`)
      console.error(`${name} ${mode}: ${report.lines.grant} grants in ${seconds} s`)
      return report
    }
    const dry = await takeOver('--dry-run')
    t.ok(dry.lines.grant >= 2000)
    t.equal(dry.apps.length, 50)
    t.same(dry.others, [])
    await takeOver('--import')

    const refresh = async ({ client_id, secret, token }: Sample) => {
      const body = new URLSearchParams({
        ...{ grant_type: 'refresh_token', client_id, refresh_token: token },
        ...(secret && { client_secret: secret }),
      })
      return (await fetch(`${server.issuer}/api/oauth/token`, { method: 'POST', body })).status
    }
    t.ok(samples.length >= 200)
    const failed: string[] = []
    for (const one of samples) {
      const status = await refresh(one)
      if (status !== 200) failed.push(`${one.client_id}: ${status}`)
    }
    t.same(failed, [], 'each unmodified app refreshes')
    const [first] = samples as [Sample]
    t.equal(await refresh(first), 400, 'a second use is a replay')
    t.equal(await refresh({ ...first, secret: 'wrong' }), 401)

    const client = new pg.Client(old.databaseUrl)
    await client.connect()
    await client.query(multiply)
    await client.end()
    const before = process.memoryUsage().rss
    t.ok((await takeOver('--import')).lines.grant >= 98_000)
    t.comment(`memory grew by ${Math.round((process.memoryUsage().rss - before) / 2 ** 20)} MB`)
  })
