import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { LoggedEvent } from '../../src/core/audit/audit-log.ts'
import { eventRules } from '../../src/core/language/event-types.ts'
import {
  actorPhrase,
  detailsOf,
  eventPhrase,
  reasonWords,
} from '../../src/pages/organization/activity/entries.ts'
import { groups } from '../../src/pages/organization/activity/filter.ts'
import { csvLine } from '../../src/pages/rendering/csv.ts'
import { textIn } from '../../src/words/text.ts'
import { builtInCatalogue } from '../support/catalogue.ts'

const text = textIn('en')
const source = join(import.meta.dirname, '../../src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(source, name), 'utf8'))

const found = (pattern: RegExp) => [
  ...new Set(
    files.flatMap((file) => [...file.matchAll(pattern)].map(([, name]) => name as string)),
  ),
]

const event = (part: Partial<LoggedEvent>): LoggedEvent => ({
  id: '1',
  at: new Date('2026-05-03T12:00:00Z'),
  type: 'install.approved',
  actor: { kind: 'user', id: 'usr1' },
  organizationId: 'org1',
  clientId: 'app1',
  userId: 'usr2',
  address: '192.0.2.1',
  requestId: 'req_1',
  detail: {},
  ...part,
})

const names = {
  clients: new Map([['app1', 'Reports']]),
  people: new Map([
    ['usr1', 'Kim'],
    ['usr2', 'Ana'],
  ]),
  workspaces: new Map([['wks1', 'Sales']]),
  groups: new Map([['grp1', 'Analysts']]),
}

const plain = (phrase: ReturnType<typeof eventPhrase>) =>
  phrase.map((part) => (typeof part === 'string' ? part : part.name)).join('')

t.test(
  'every type of event in the code has a sentence and a group or is the operator’s',
  async (t) => {
    const types = Object.keys(eventRules)
    t.ok(types.length > 40, 'the types were found')
    const grouped: readonly string[] = Object.values(groups).flat()
    const operators = [
      'app_change',
      'app_review',
      'client_host',
      'import',
      'operator',
      'operator_token',
      'permission',
      'resource_server',
      'signing_key',
    ]
    for (const type of types) {
      t.ok(Object.hasOwn(text.activity.events, type), `${type} has a sentence`)
      const [subject] = type.split('.') as [string]
      t.ok(grouped.includes(subject) || operators.includes(subject), `${type} has a group`)
      const said = plain(
        eventPhrase(text, event({ type, detail: { reason: 'code_reused' } }), names),
      )
      t.notMatch(said, /undefined|null|\[object/, said)
    }
  },
)

t.test('every refusal reason of a grant has words', async (t) => {
  const reasons = found(/(?:invalidGrant|invalidScope)\(\s*'([a-z_]+)'/g)
  t.ok(reasons.length > 10)
  for (const reason of [...reasons, 'permission_not_approved', 'workspace_not_approved'])
    t.ok(Object.hasOwn(text.activity.reasons, reason), reason)
})

t.test('describes the actor', async (t) => {
  const who = (kind: LoggedEvent['actor']['kind'], id: string | null) =>
    plain(actorPhrase(text, event({ actor: { kind, id } }), names))
  t.equal(who('user', 'usr1'), 'Kim')
  t.equal(who('user', 'usr9'), 'usr9 (deleted)')
  t.equal(who('client', 'app1'), 'Reports')
  t.equal(who('client', null), 'An app')
  t.equal(who('operator', 'opt1'), 'The operator', 'not which one')
  t.equal(who('system', null), 'The server')
  t.equal(who('anonymous', null), 'A visitor who was not signed in')
})

t.test('describes the event, and falls back to an unknown type’s name', async (t) => {
  const what = (part: Partial<LoggedEvent>) => plain(eventPhrase(text, event(part), names))
  t.equal(what({}), 'installed Reports')
  t.equal(what({ clientId: 'app9' }), 'installed app9 (deleted)')
  t.equal(what({ clientId: null }), 'installed something')
  t.equal(
    what({ type: 'workspace_member.added', detail: { workspace_id: 'wks1' } }),
    'added Ana to Sales',
  )
  t.equal(
    what({ type: 'group_member.removed', detail: { group_id: 'grp1' } }),
    'removed Ana from the group Analysts',
  )
  t.equal(
    what({ type: 'token.refused', detail: { reason: 'code_reused' } }),
    'was refused a token: the code had been used before',
  )
  t.equal(
    what({ type: 'token.refused', detail: { reason: 'new_reason' } }),
    'was refused a token: new reason',
  )
  t.equal(
    what({ type: 'token.issued_to_workload', detail: { workload: 'job (https://ci.example)' } }),
    'got a token, without a secret, as the program job (https://ci.example)',
  )
  for (const type of ['moon.landed', 'constructor', '__proto__', 'toString'])
    t.equal(what({ type }), `did ${type}`)
  t.equal(reasonWords(text, '__proto__'), '  proto  ')
})

t.test('describes known details only', async (t) => {
  const said = detailsOf(
    text,
    builtInCatalogue,
    event({
      detail: {
        permissions: ['records:create', 'readData', 'moon:land'],
        workspace_ids: ['a', 'b'],
        changed: ['name', 'new_field'],
        role: 'admin',
        retire_others_after_seconds: 7200,
        workloads: ['job of https://ci.example'],
        undelivered: 2,
        secret: 'hush',
        code: 'hush',
      },
    }),
  )
  t.same(said, [
    'As an admin',
    'Changed: name, new field',
    'May: Create records; Read everything in the databases of the organization; Use the permission “moon:land”',
    'In 2 workspaces',
    'Trusts without a secret: job of https://ci.example',
    '2 events not delivered: the endpoint of the app failed for three days, or wants no more events',
    'The previous secret works for 2 hours more',
  ])
  t.same(
    detailsOf(text, builtInCatalogue, event({ detail: { permissions: [], workspace_ids: null } })),
    ['Without any permission of its own', 'In all workspaces, including future ones'],
  )
  const odd = {
    permissions: [{}],
    workspace_ids: 'x',
    changed: [1],
    role: 'owner',
    workloads: [{}],
  }
  t.same(detailsOf(text, builtInCatalogue, event({ detail: odd })), [])
})

t.test('CSV cells are quoted and contain no formulas', async (t) => {
  const cells: [string, string][] = [
    ['plain', 'plain'],
    ['', ''],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', `"'\tx"`],
    ['\rx', `"'\rx"`],
    ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
    ['a=1', 'a=1'],
    ['2026-11-24 a-b', '2026-11-24 a-b'],
    ['x;=1+1', `"x;'=1+1"`],
    ['x; \u200b=1', `"x; \u200b'=1"`],
    ['x,@SUM(A1)', `"x,'@SUM(A1)"`],
    ['x\t=1', `"x\t'=1"`],
    ['x\n-1', `"x\n'-1"`],
    ['x|=1', `"x|'=1"`],
    ['x;"=1"', `"x;""'=1"""`],
    [' =1', " '=1"],
    ['\ufeff=1', "\ufeff'=1"],
    ['＝1', "'＝1"],
    ['x;＋1', `"x;'＋1"`],
    ['－1', "'－1"],
    ['＠x', "'＠x"],
    ['=;=', `"'=;'="`],
  ]
  for (const [value, cell] of cells) t.equal(csvLine([value]), `${cell}\r\n`, JSON.stringify(value))
  t.equal(csvLine(['a', '', 'b']), 'a,,b\r\n')
})
