import t from 'tap'
import { type Interface, vocabulary } from '../../../src/core/language/permissions.ts'
import {
  narrow,
  parseScope,
  parseWorkspaceIds,
  reachOf,
  type WorkspaceLimit,
} from '../../../src/core/language/scope.ts'

const appOf = (generation: Interface, permissions: string[] = []) => ({
  interface: generation,
  permissions,
})

const refused = { name: 'OAuthError', code: 'invalid_scope' }

t.test('scope is read in the vocabulary of its interface', async (t) => {
  const cases: ['legacy' | 'current', string | undefined, string[] | null][] = [
    ['current', undefined, null],
    ['current', 'records:update', ['records:update']],
    ['current', 'records:update records:create', ['records:create', 'records:update']],
    ['current', 'records:create records:create', ['records:create']],
    ['current', '  records:create   records:update ', ['records:create', 'records:update']],
    ['legacy', 'deleteData readData', ['readData', 'deleteData']],
    ['legacy', vocabulary.legacy.join(' '), [...vocabulary.legacy]],
    ['current', vocabulary.current.toReversed().join(' '), [...vocabulary.current]],
  ]
  for (const [generation, sent, expected] of cases)
    t.same(parseScope(appOf(generation), sent), expected, `${generation}: ${sent}`)
})

t.test('the permissions of the app are known too, after the built-in ones', async (t) => {
  const app = appOf('current', ['zeta', 'invoices:read', 'records:create'])
  t.same(parseScope(app, 'zeta records:update invoices:read'), [
    'records:update',
    'invoices:read',
    'zeta',
  ])
  t.throws(() => parseScope(app, 'invoices:write'), { ...refused, reason: 'unknown_permission' })
})

t.test('rejects any other scope with invalid_scope (RFC 6749 §3.3)', async (t) => {
  const cases: ['legacy' | 'current', string][] = [
    ['current', ''],
    ['current', '   '],
    ['current', 'readData'],
    ['legacy', 'records:create'],
    ['current', 'Records:Create'],
    ['current', 'records:create,records:update'],
    ['current', 'records:create\trecords:update'],
    ['current', 'records:create\n'],
    ['current', 'records:create\0'],
    ['current', 'records:creaté'],
    ['current', '"records:create"'],
    ['current', '\\'],
    ['current', '*'],
    ['current', 'openid'],
    ['current', 'records:create __proto__'],
    ['legacy', 'constructor'],
  ]
  for (const [generation, sent] of cases)
    t.throws(
      () => parseScope(appOf(generation), sent),
      refused,
      `${generation}: ${JSON.stringify(sent)}`,
    )
})

t.test('workspace ids are a list of the same form', async (t) => {
  t.equal(parseWorkspaceIds(undefined), null)
  t.same(parseWorkspaceIds('wks2 wks1 wks2'), ['wks2', 'wks1'])
  const thousand = Array.from({ length: 1000 }, (_, at) => `wks${at}`)
  t.equal(parseWorkspaceIds(thousand.join(' '))?.length, 1000)
  for (const sent of [
    '',
    ' ',
    'wks\u00a01',
    'wks1\0',
    '*',
    '../x',
    `wks1 ${'w'.repeat(129)}`,
    [...thousand, 'wks1000'].join(' '),
  ])
    t.throws(() => parseWorkspaceIds(sent), refused, JSON.stringify(sent.slice(0, 20)))
})

t.test('a token gets the approved scope, or the requested part of it', async (t) => {
  const approved = ['a', 'b', 'c']
  const cases: [string[], string[] | null, string[] | null][] = [
    [approved, null, approved],
    [approved, ['b'], ['b']],
    [approved, ['c', 'a'], ['a', 'c']],
    [approved, approved, approved],
    [[], null, []],
    [approved, ['d'], null],
    [approved, ['a', 'd'], null],
    [[], ['a'], null],
  ]
  for (const [has, asks, gets] of cases) {
    const what = `${asks ?? 'all'} of ${has}`
    if (gets) t.same(narrow(has, asks, 'permission_not_approved'), gets, what)
    else
      t.throws(
        () => narrow(has, asks, 'workspace_not_approved'),
        { ...refused, reason: 'workspace_not_approved' },
        what,
      )
  }
  const copy = narrow(approved, null, 'permission_not_approved')
  copy.push('d')
  t.equal(approved.length, 3, 'the approved list itself is not returned')
})

t.test('a token reaches only workspaces that every limit allows', async (t) => {
  const cases: [string[], WorkspaceLimit[], string[]][] = [
    [['a', 'b'], [], ['a', 'b']],
    [
      ['a', 'b'],
      [null, null],
      ['a', 'b'],
    ],
    [['a', 'b'], [['b', 'c'], null], ['b']],
    [['a', 'b'], [['a'], ['b']], []],
    [['a', 'b'], [[]], []],
    [[], [null], []],
  ]
  for (const [present, limits, reach] of cases)
    t.same(reachOf(present, ...limits), reach, `${present} under ${JSON.stringify(limits)}`)
})
