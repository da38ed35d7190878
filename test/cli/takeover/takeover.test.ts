/** `latchkey takeover` on hand-made stores of both old servers, the same in each kind of database. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { isInstalled, whereFound } from '../../support/installed.ts'
import { testStores } from '../../support/stores.ts'
import { type Environment, latchkey } from '../latchkey-command.ts'
import {
  createInPostgres,
  createInSqlite,
  djangoTables,
  doorkeeperTables,
  sqlite,
  startMariadb,
} from './old-stores.ts'

type Server = 'doorkeeper' | 'django'
const tables = { doorkeeper: doorkeeperTables, django: djangoTables }

const folder = await mkdtemp(join(tmpdir(), 'latchkey-takeover-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const pathOf = (name: string) => join(folder, name)
await writeFile(pathOf('map'), '{"write":["records:create"]}')
const places = ['user,organization,role', '1,org1,admin', '1,org2,', '"4",org2,', '']
await writeFile(pathOf('places'), places.join('\r\n'))

interface Loss {
  reason: string
  detail: string | null
  count: number
}
interface Report {
  lines: Record<string, number>
  chains_with_two_grants: number
  access_tokens_in_flight: number
  apps: { client_id: string; grants: number; losses: Loss[] }[]
  people: (Loss & { user: string })[]
  others: Loss[]
}

const all = ['--organization', 'org1']

const write = async (server: Server, from: string, more: string[], env: Environment = {}) => {
  const [out, report] = [pathOf('lines'), pathOf('report.json')]
  const files = ['--out', out, '--report', report, '--scope-map', pathOf('map')]
  const ended = await latchkey(['takeover', server, '--from', from, ...files, ...more], env)
  const lines = (await readFile(out, 'utf8')).split('\n').filter(Boolean)
  return {
    ...ended,
    mode: (await stat(out)).mode & 0o777,
    lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    report: JSON.parse(await readFile(report, 'utf8')) as Report,
  }
}

/** The values of a line, in a few words. */
const shownLine = (line: object) =>
  Object.values(line)
    .map((value) => (Array.isArray(value) ? `[${value.join(' ')}]` : String(value)))
    .map((text) => (text.length > 40 ? `${text.slice(0, 16)}…` : text))
    .join(' ')

const shownLosses = ({ apps, people, others }: Report) => {
  const shown = (of: string, { reason, detail, count }: Loss) =>
    [of, reason, ...(detail === null ? [] : [detail]), ...(count > 1 ? [count] : [])].join(' ')
  return [
    ...apps.flatMap(({ client_id, losses }) => losses.map((loss) => shown(client_id, loss))),
    ...people.map((loss) => shown(loss.user, loss)),
    ...others.map((loss) => shown('-', loss)),
  ]
}

const uuid = (letter: string) => [8, 4, 4, 4, 12].map((length) => letter.repeat(length)).join('-')
const [ann, bob, eve] = ['a', 'b', 'e'].map(uuid)

const expected: Record<Server, { lines: string[]; losses: string[]; counts: [number, number] }> = {
  doorkeeper: {
    lines: [
      'organization org1 org1',
      'user 1 ann@example.com Ann $2a$04$.........…',
      'user 4 dan@example.com dan',
      'member 1 org1 member',
      'member 4 org1 member',
      'app hashed App | hashed current confidential [https://a.example/cb] sha256:8850e57b8… [records:create] doorkeeper',
      'app plain App | plain current confidential [https://b.example/cb] plain-secret-of-the-app-0123456789 [records:create] doorkeeper',
      'app bcrypt App | bcrypt current confidential [https://c.example/cb] $2a$04$.........… [records:create] doorkeeper',
      'app public App | public current public [com.example.app:/cb] [records:create] doorkeeper',
      'app strange App | strange current confidential [https://no-redirect.invalid/] [] doorkeeper',
      'install org1 hashed [records:create] null doorkeeper',
      'install org1 plain [records:create] null doorkeeper',
      'install org1 public [records:create] null doorkeeper',
      'grant plain 4 org1 [] null refresh-13 2026-01-10T12:00:00.000Z doorkeeper 1970-01-01T00:00:00.000Z',
      'grant hashed 1 org1 [records:create] null refresh-2 2026-01-20T12:00:00.000Z doorkeeper',
      'grant hashed 1 org1 [records:create] null 504b1b51a5ba4e38… 2026-01-10T12:00:00.000Z doorkeeper',
      'grant plain 4 org1 [records:create] null refresh-4 2026-01-17T12:00:00.000Z doorkeeper',
      'grant public 4 org1 [records:create] null refresh-12 2026-01-18T12:00:00.000Z doorkeeper',
      'grant public 4 org1 [records:create] null refresh-11 2026-01-10T12:00:00.000Z doorkeeper',
      'consent hashed 1 org1 [records:create] null 2026-01-20T12:00:00.000Z doorkeeper',
      'consent plain 4 org1 [records:create] null 2026-01-17T12:00:00.000Z doorkeeper',
      'consent public 4 org1 [records:create] null 2026-01-18T12:00:00.000Z doorkeeper',
    ],
    losses: [
      'hashed redirect_uri http://a.example/cb must use https',
      'plain scope unknown',
      'plain scope odd',
      'plain no_person',
      'plain lost_person',
      'bcrypt client_credentials',
      'public reuse',
      'strange secret the form of its hash is unknown',
      'bad id client_id',
      'bad id unknown_app',
      '2 address is empty',
      '3 address belongs to another account, too',
      '4 password',
      '5 address is not valid',
      '6 address is empty',
      '- unknown_app',
    ],
    counts: [1, 2],
  },
  django: {
    lines: [
      'organization org1 org1',
      `user ${ann} ann@example.com Ann of aa pbkdf2_sha256$10…`,
      `user ${bob} bob@example.com Ann of bb true`,
      `user ${eve} eve@example.com Ann of ee`,
      `member ${ann} org1 member`,
      `member ${bob} org1 member`,
      `member ${eve} org1 member`,
      'app code code current confidential [https://code.example/cb] pbkdf2_sha256$10… true [records:create] django',
      'app plain plain current confidential [https://plain.example/cb] a-secret-that-is-stored-as-text true [records:create] django',
      'app public public current public [https://public.example/cb] [records:create] django',
      'app machine machine current confidential [https://no-redirect.invalid/] pbkdf2_sha256$10… [records:create] django',
      'app password password current confidential [https://password.example/cb] [] django',
      'install org1 code [records:create] null django',
      'install org1 plain [records:create] null django',
      'install org1 public [records:create] null django',
      'install org1 password [] null django',
      `grant code ${ann} org1 [] null refresh-7 2026-01-15T12:00:00.000Z django 1970-01-01T00:00:00.000Z`,
      `grant code ${ann} org1 [records:create] null refresh-1 2026-01-15T12:00:00.000Z django`,
      `grant plain ${ann} org1 [records:create] null refresh-3 2026-01-15T12:00:00.000Z django`,
      `grant public ${ann} org1 [records:create] null refresh-4 2026-01-15T12:00:00.000Z django`,
      `grant password ${eve} org1 [] null refresh-5 2026-01-15T12:00:00.000Z django`,
      `consent code ${ann} org1 [records:create] null 2026-01-15T12:00:00.000Z django`,
      `consent plain ${ann} org1 [records:create] null 2026-01-15T12:00:00.000Z django`,
      `consent public ${ann} org1 [records:create] null 2026-01-15T12:00:00.000Z django`,
      `consent password ${eve} org1 [] null 2026-01-15T12:00:00.000Z django`,
    ],
    losses: [
      'code redirect_uri https://x.example/* has a wildcard',
      'code scope openid',
      'code disabled',
      'plain grant_type openid-hybrid',
      'plain redirect_uri https://x.example/* has a wildcard',
      'plain reuse',
      'public grant_type implicit',
      'public redirect_uri https://x.example/* has a wildcard',
      'public reuse',
      'machine client_credentials',
      'password grant_type password',
      'password redirect_uri https://x.example/* has a wildcard',
      'password secret the form of its hash is unknown',
      `${eve} password`,
    ],
    counts: [0, 5],
  },
}

const check = async (t: Test, server: Server, from: string, env: Environment = {}) => {
  const { code, lines, report, stdout, stderr, mode } = await write(server, from, all, env)
  t.equal(code, 6, stderr)
  t.equal(mode, 0o600, 'only its owner can read refresh tokens')
  t.notMatch(`${stdout}${stderr}${JSON.stringify(report)}`, /refresh-|hidden/)
  t.same(lines.map(shownLine), expected[server].lines, server)
  t.same(shownLosses(report).sort(), [...expected[server].losses].sort())
  const { chains_with_two_grants: chains, access_tokens_in_flight: tokens } = report
  t.same([chains, tokens], expected[server].counts)
}

const servers = ['doorkeeper', 'django'] as const

for (const server of servers)
  for (const stores of await testStores({ content: 'nothing' })) {
    t.teardown(() => stores.drop())
    t.test(`reads ${server} in Postgres (${stores.name})`, async (t) => {
      await createInPostgres(stores.databaseUrl, tables[server]())
      const url = new URL(stores.databaseUrl)
      const password = decodeURIComponent(url.password)
      url.password = ''
      await check(t, server, url.href, password ? { TAKEOVER_PASSWORD: password } : {})
    })
  }

t.test('reads both in SQLite, or names a Node that can', async (t) => {
  for (const server of servers) {
    const from = `sqlite://${pathOf(server)}`
    if (sqlite) {
      createInSqlite(pathOf(server), tables[server]())
      await check(t, server, from)
    } else {
      await writeFile(pathOf(server), '')
      const args = ['takeover', server, '--from', from, ...all, '--dry-run']
      const { code, stderr } = await latchkey(args)
      t.equal(code, 5)
      t.match(stderr, 'npx -p node@24')
    }
  }
})

t.test('reads both in MySQL', whereFound(isInstalled('mariadbd'), 'MariaDB'), async (t) => {
  const { create, close } = await startMariadb(t)
  for (const server of servers)
    await check(t, server, await create(tables[server]()), { TAKEOVER_PASSWORD: 'hidden' })
  await close()
})

t.test('takes the first organization of each person', { skip: !sqlite }, async (t) => {
  const from = `sqlite://${pathOf('doorkeeper')}`
  const { lines, report } = await write('doorkeeper', from, ['--organizations', pathOf('places')])
  t.same(lines.filter(({ type }) => type === 'member').map(shownLine), [
    'member 1 org1 admin',
    'member 4 org2 member',
  ])
  t.match(shownLosses(report).join(), '1 organization org2')
  const legacy = await write('doorkeeper', from, [...all, '--interface', 'legacy'])
  t.match(shownLosses(legacy.report).join(), 'bcrypt grant_type client-credentials')
  const one = await write('doorkeeper', from, all, { GRANTS_PER_USER_AND_APP: '1' })
  t.match(shownLosses(one.report).join(), /hashed too_many 1.*public too_many 1/)
  t.match(
    one.lines
      .filter(({ type }) => type === 'grant')
      .map(shownLine)
      .join(),
    /refresh-2.*refresh-12/,
  )
})

t.test('refuses wrong use before it reads anything', async (t) => {
  await writeFile(pathOf('text'), 'user,organization\n1\n')
  const from = ['--from', `sqlite://${pathOf('absent')}`]
  const dry = [...from, ...all, '--dry-run']
  const cases: [args: string[], code: number, env?: Environment][] = [
    [['--from', 'postgres://user:hidden@127.0.0.1/old', ...all, '--dry-run'], 2],
    [['--from', 'postgres://127.0.0.1/old?password=hidden', ...all, '--dry-run'], 2],
    [['--from', 'hidden', ...all, '--dry-run'], 2],
    [[...all, '--dry-run'], 2],
    [[...all, ...from], 2],
    [[...dry, '--import'], 2],
    [[...from, '--dry-run'], 2],
    [[...dry, '--organizations', pathOf('text')], 2],
    [[...from, '--dry-run', '--organizations', pathOf('text')], 2],
    [[...from, '--dry-run', '--organizations', pathOf('absent')], 2],
    [[...from, '--dry-run', '--organization', 'a b'], 2],
    [[...dry, '--scope-map', pathOf('text')], 2],
    [[...dry, '--scope-map', pathOf('places')], 2],
    [[...dry, '--interface', 'other'], 2],
    [[...dry, '--report', join(pathOf('absent'), 'report')], 2],
    [[...from, ...all, '--out', folder], 2],
    [dry, 5],
    [
      ['--from', 'postgres://user@127.0.0.1:1/old', ...all, '--dry-run'],
      5,
      { TAKEOVER_PASSWORD: 'hidden' },
    ],
    [['--from', 'mysql://user@127.0.0.1:1/old', ...all, '--dry-run'], 5],
    [[...all, '--dry-run'], 5, { TAKEOVER_FROM: 'postgres://user:hidden%zz@127.0.0.1:1/old' }],
  ]
  for (const [args, expectedCode, env] of cases) {
    const { code, stdout, stderr } = await latchkey(['takeover', 'doorkeeper', ...args], env)
    t.equal(code, expectedCode, `${args.join(' ')}: ${stderr}`)
    t.notMatch(stdout + stderr, 'hidden')
  }
})
