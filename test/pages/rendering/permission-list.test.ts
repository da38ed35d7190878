import t from 'tap'
import { vocabulary } from '../../../src/core/language/permissions.ts'
import {
  describePermissions as describe,
  type PermissionGroup,
} from '../../../src/pages/rendering/permission-list.ts'
import { textIn } from '../../../src/words/text.ts'
import { builtInCatalogue } from '../../support/catalogue.ts'

type Arguments = Parameters<typeof describe> extends [unknown, ...infer Rest] ? Rest : never
const describePermissions = (...about: Arguments) =>
  describe({ text: textIn('en'), catalogue: builtInCatalogue }, ...about)

const readEverything = 'Read everything in the workspaces below'

const flat = (groups: PermissionGroup[]) => groups.flatMap((group) => group.lines)
const shape = (groups: PermissionGroup[]) => {
  return groups.map(({ id, state, lines }) => [id, state, lines.map((line) => line.permission)])
}

t.test('every permission of both vocabularies has its own sentence', async (t) => {
  for (const api of ['legacy', 'current'] as const) {
    const lines = flat(describePermissions(api, vocabulary[api]))
    const shown = lines.flatMap((line) => line.permission ?? [])
    t.same([...shown].sort(), [...vocabulary[api]].sort(), `${api}: nothing is left out`)
    t.equal(new Set(lines.map((line) => line.sentence)).size, lines.length, `${api}: no repeats`)
    t.notOk(lines.some((line) => line.mark === 'not described'))
  }
})

t.test('reading comes first on the current interface and cannot be unticked', async (t) => {
  for (const permissions of [[], ['records:create'], ['documents:read'], vocabulary.current]) {
    const [first] = flat(describePermissions('current', permissions))
    t.match(first, { permission: null, sentence: readEverything, isNew: false, ticked: true })
  }
})

t.test('reading is a permission like others on the legacy interface', async (t) => {
  t.same(describePermissions('legacy', []), [])
  t.same(shape(describePermissions('legacy', ['insertData'])), [['write', null, ['insertData']]])
  t.match(flat(describePermissions('legacy', ['readData'])), [{ permission: 'readData' }])
})

t.test('groups keep their order and begin with the sensitive one', async (t) => {
  t.same(shape(describePermissions('legacy', vocabulary.legacy)), [
    ['read', null, ['readData']],
    ['write', null, ['deleteData', 'insertData', 'updateData']],
    ['people', null, ['readMembers']],
    ['structure', null, ['addFields']],
  ])
  t.same(shape(describePermissions('current', vocabulary.current)), [
    ['read', null, [null, 'documents:read']],
    ['write', null, ['records:delete', 'records:create', 'records:update']],
    ['people', null, ['workspace_members:read', 'teams:read']],
    ['structure', null, ['rootTable:create', 'table:create', 'table:modify']],
  ])
})

t.test('sensitive permissions are marked by a word', async (t) => {
  const marks = (api: 'legacy' | 'current') => {
    const lines = flat(describePermissions(api, vocabulary[api]))
    return Object.fromEntries(lines.flatMap((l) => (l.mark ? [[l.permission, l.mark]] : [])))
  }
  t.same(marks('legacy'), { deleteData: 'data can be lost', readMembers: 'personal data' })
  t.same(marks('current'), {
    'records:delete': 'data can be lost',
    'workspace_members:read': 'personal data',
    'teams:read': 'whole organization',
    'rootTable:create': 'whole organization',
  })
})

t.test('new and approved permissions are separated when an app asks for more', async (t) => {
  const requested = ['records:create', 'records:delete', 'documents:read']
  t.same(shape(describePermissions('current', requested, { approved: ['records:create'] })), [
    ['read', 'New', ['documents:read']],
    ['write', null, ['records:delete']],
    ['read', 'Already approved', [null]],
    ['write', null, ['records:create']],
  ])
})

const sameForAll: [string, readonly string[] | undefined, boolean][] = [
  ['nothing was said about earlier approvals', undefined, false],
  ['everything was approved before', ['records:create', 'teams:read'], false],
]
for (const [when, approved, isNew] of sameForAll) {
  t.test(`no separation when ${when}`, async (t) => {
    const groups = describePermissions('current', ['records:create', 'teams:read'], { approved })
    t.ok(groups.every((group) => group.state === null))
    t.ok(flat(groups).every((line) => line.isNew === isNew))
  })
}

t.test('everything except reading is new if nothing was approved before', async (t) => {
  t.same(shape(describePermissions('current', ['teams:read'], { approved: [] })), [
    ['people', 'New', ['teams:read']],
    ['read', 'Already approved', [null]],
  ])
})

t.test('an unticked permission stays unticked when the page is shown again', async (t) => {
  const requested = ['records:create', 'records:delete']
  const lines = flat(describePermissions('current', requested, { ticked: ['records:create'] }))
  const ticked = lines.filter((line) => line.ticked).map((line) => line.permission)
  t.same(ticked, [null, 'records:create'])
})

t.test('a permission is listed once, and without a description by its name', async (t) => {
  t.equal(flat(describePermissions('legacy', ['readData', 'readData'])).length, 1)
  for (const odd of ['records:create', 'constructor', '__proto__']) {
    const [line] = flat(describePermissions('legacy', [odd]))
    t.match(line, { permission: odd, mark: 'not described' })
    t.ok(line?.sentence.includes(odd))
  }
})

t.test('identity comes first, in words, and cannot be unticked', (t) => {
  const scopes = ['openid', 'profile', 'email'] as const
  const shown = describePermissions('current', ['records:create'], {
    identity: { scopes, reader: 'self' },
  })
  t.same(
    shown.map(({ id, lines }) => [id, lines.map((line) => line.permission)]),
    [
      ['identity', [null, null, null]],
      ['read', [null]],
      ['write', ['records:create']],
    ],
  )
  t.same(
    shown[0]?.lines.map((line) => line.mark),
    [undefined, 'personal data', 'personal data'],
  )
  const other = describePermissions('current', [], { identity: { scopes, reader: 'other' } })
  t.ok(other[0]?.lines.every((line) => !/you/.test(line.sentence)))
  const more = describePermissions('current', ['records:create'], {
    approved: ['records:create'],
    identity: { scopes, before: ['openid'], reader: 'self' },
  })
  t.same(
    more.map(({ state, id, lines }) => [state, id, lines.length]),
    [
      ['New', 'identity', 2],
      ['Already approved', 'identity', 1],
      [null, 'read', 1],
      [null, 'write', 1],
    ],
  )
  t.end()
})
