import t from 'tap'
import type { PermissionCatalogue } from '../../../src/core/language/permission-catalogue.ts'
import { vocabulary } from '../../../src/core/language/permissions.ts'
import { forDecision } from '../../../src/pages/rendering/decision-list.ts'
import { describePermissions } from '../../../src/pages/rendering/permission-list.ts'
import { type Reach, summaryOf } from '../../../src/pages/rendering/summary.ts'
import { textIn } from '../../../src/words/text.ts'
import { builtInCatalogue } from '../../support/catalogue.ts'

const text = textIn('en')
type Words = Pick<PermissionCatalogue, 'find' | 'readPermission'>

const all: Reach = { kind: 'all' }
const some = (count: number): Reach => ({ kind: 'some', count })
const acme: Reach = { kind: 'organization', name: 'Acme' }

const said = (
  api: 'current' | 'legacy',
  permissions: readonly string[],
  reach: Reach,
  catalogue: Words = builtInCatalogue,
  language = 'en',
) =>
  summaryOf(
    { text: textIn(language), catalogue: { ...builtInCatalogue, ...catalogue } },
    { api, permissions, reach },
  )
    .map((one) => one.map((part) => (typeof part === 'string' ? part : part.name)).join(''))
    .join(' ')
    .replaceAll(/[\u2068\u2069]/g, '')

t.test('one sentence sums up what an app may do, and where', async (t) => {
  const records = ['records:create', 'records:update', 'records:delete']
  const cases: ['current' | 'legacy', readonly string[], Reach, string][] = [
    [
      'current',
      records,
      all,
      'Can read everything, and create, update and delete records in all workspaces.',
    ],
    [
      'current',
      ['records:create'],
      some(1),
      'Can read everything, and create records in 1 workspace.',
    ],
    ['current', [], some(2), 'Can read everything in 2 workspaces.'],
    [
      'current',
      ['documents:read'],
      all,
      'Can read everything, and read documents in all workspaces.',
    ],
    [
      'current',
      ['records:create', 'teams:read'],
      all,
      'Can read everything, and create records in all workspaces, and see the teams in the whole organization.',
    ],
    [
      'current',
      ['teams:read'],
      some(3),
      'Can read everything in 3 workspaces, and see the teams in the whole organization.',
    ],
    [
      'current',
      vocabulary.current,
      all,
      'Can read everything, and delete records, see the members and do 5 more things in all workspaces, and see the teams and create tables in the whole organization.',
    ],
    [
      'current',
      ['records:create', 'teams:read'],
      acme,
      'Can read everything, and create records and see the teams in Acme.',
    ],
    [
      'legacy',
      ['deleteData', 'readData'],
      acme,
      'Can read everything, and delete records in Acme.',
    ],
    ['legacy', ['readData'], acme, 'Can read everything in Acme.'],
    ['legacy', ['deleteData'], acme, 'Can delete records in Acme.'],
    ['legacy', [], acme, 'Gets no access to data.'],
  ]
  for (const [api, permissions, reach, words] of cases)
    t.equal(said(api, permissions, reach), words)
})

t.test('each language names reading first', async (t) => {
  const cases: Record<string, string> = {
    ar: 'يمكنه قراءة كل شيء، وإنشاء السجلات في كل مساحات العمل.',
    de: 'Darf in allen Workspaces alles lesen sowie Datensätze anlegen.',
    en: 'Can read everything, and create records in all workspaces.',
    es: 'Puede leer todo, y crear registros en todos los espacios de trabajo.',
    fr: 'Peut tout lire, et créer des enregistrements dans tous les espaces de travail.',
    ja: 'すべてのワークスペースで、すべての内容の読み取りと、レコードの作成ができます。',
    'pt-BR': 'Pode ler tudo, e criar registros em todos os espaços de trabalho.',
  }
  for (const [language, words] of Object.entries(cases))
    t.equal(said('current', ['records:create'], all, builtInCatalogue, language), words)
})

/** The catalogue after the operator has added permissions. */
const withOwn = (
  own: Record<string, { sentence: string; isMarked?: boolean }>,
  readPermission: string | null = null,
): Words => ({
  readPermission: () => readPermission,
  find: (generation, name) => {
    const words = Object.hasOwn(own, name) ? own[name] : undefined
    if (!words) return builtInCatalogue.find(generation, name)
    const { sentence, isMarked = false } = words
    const mark = isMarked ? 'data_loss' : null
    const group = 'write' as const
    const shared = { interface: generation, name, builtIn: false, readPermission: false }
    return { ...shared, sentence, group, mark }
  },
})

t.test('permissions of the platform are counted, and sensitive ones are named', async (t) => {
  const own = withOwn({
    'a:1': { sentence: 'Send invoices', isMarked: true },
    'a:2': { sentence: 'Print labels' },
    'records:create': { sentence: 'Create contracts' },
  })
  t.equal(
    said('current', ['a:2'], all, own),
    'Can read everything, and do 1 more thing in all workspaces.',
  )
  t.equal(
    said('current', ['a:1', 'a:2'], some(1), own),
    'Can read everything, and do 2 more things in 1 workspace. Look closely at: Send invoices.',
  )
  t.equal(
    said('current', ['records:create'], all, own),
    'Can read everything, and do 1 more thing in all workspaces.',
    'the operator gave a built-in permission another meaning',
  )
  t.equal(
    said('legacy', ['a:1'], acme, own),
    'Can do 1 thing in Acme. Look closely at: Send invoices.',
  )
  t.match(said('current', ['gone'], all, own), 'Look closely at: Use the permission “gone”.')
  const many = Object.fromEntries(
    Array.from({ length: 5 }, (_, at) => [`m:${at}`, { sentence: `Act ${at}`, isMarked: true }]),
  )
  t.equal(
    said('current', Object.keys(many), all, withOwn(many)),
    'Can read everything, and do 5 more things in all workspaces. Look closely at: Act 0, Act 1 and Act 2; and 2 more.',
  )
})

t.test('reading that needs a permission is named first where the app asks for it', async (t) => {
  const own = {
    'a:read': { sentence: 'Read the data', isMarked: true },
    'a:1': { sentence: 'Act' },
  }
  const gated = withOwn(own, 'a:read')
  const cases: [readonly string[], Reach, string][] = [
    [['a:read'], all, 'Can read everything in all workspaces.'],
    [
      ['records:create', 'a:read'],
      all,
      'Can read everything, and create records in all workspaces.',
    ],
    [['a:1', 'a:read'], some(2), 'Can read everything, and do 1 more thing in 2 workspaces.'],
    [['a:1', 'a:read'], acme, 'Can read everything, and do 1 more thing in Acme.'],
    [['a:1'], all, 'Can do 1 thing in all workspaces.'],
    [['teams:read'], all, 'Can see the teams in the whole organization.'],
    [[], all, 'Gets no access to data.'],
  ]
  for (const [permissions, reach, words] of cases)
    t.equal(said('current', permissions, reach, gated), words)
  const reworded = withOwn({
    readData: { sentence: 'Open the ledger' },
    'a:1': { sentence: 'Act' },
  })
  t.equal(
    said('legacy', ['a:1', 'readData'], acme, reworded),
    'Can read everything, and do 1 more thing in Acme.',
  )
})

t.test(
  'a decision lists sensitive permissions first and what is always included last',
  async (t) => {
    const groups = (permissions: readonly string[], before?: readonly string[]) =>
      forDecision(
        text,
        describePermissions({ text, catalogue: builtInCatalogue }, 'current', permissions, {
          approved: before,
        }),
      )
    const few = groups(['records:create', 'records:delete'])
    t.same(
      few.map(({ id, heading, lines }) => [id, heading, lines.map((line) => line.permission)]),
      [
        ['sensitive', null, ['records:delete']],
        ['write', null, ['records:create']],
        ['always', null, [null]],
      ],
    )
    const requested = [...vocabulary.current, 'x:1']
    const long = groups(requested)
    t.equal(long[0]?.heading, 'Look at these first')
    t.same(
      long.flatMap((group) => group.lines.flatMap((line) => line.permission ?? [])).sort(),
      [...requested].sort(),
      'nothing is left out',
    )
    const grown = groups(['records:create', 'records:delete'], ['records:create'])
    const states = grown.map(({ id, state }) => [id, state])
    t.same(states, [
      ['sensitive', 'New'],
      ['write', 'Already approved'],
      ['always', null],
    ])
  },
)
