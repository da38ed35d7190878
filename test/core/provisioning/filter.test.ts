import fc from 'fast-check'
import t from 'tap'
import { meets, readFilter } from '../../../src/core/provisioning/filter.ts'
import { readOperations, readPath } from '../../../src/core/provisioning/patch-operations.ts'
import { ScimError } from '../../../src/core/provisioning/scim-error.ts'
import { keysIn, termsIn } from '../../../src/core/provisioning/search.ts'
import { createWorkBudget } from '../../../src/core/provisioning/work-budget.ts'

const user = {
  id: 'usr1',
  externalId: 'Ext1',
  userName: 'Ana@corp.test',
  active: true,
  name: { givenName: 'Ana', familyName: 'Ng' },
  emails: [
    { value: 'ana@corp.test', type: 'work', primary: true },
    { value: 'ana@home.test', type: 'home' },
  ],
}

// RFC 7644 §3.4.2.2; the names of attributes and operators are case-insensitive.
const holds: [filter: string, expected: boolean][] = [
  ['userName eq "ana@corp.test"', true],
  ['USERNAME EQ "ANA@CORP.TEST"', true],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ana@corp.test"', true],
  ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:userName eq "ana@corp.test"', false],
  ['userName ne "ana@corp.test"', false],
  ['userName sw "ana"', true],
  ['userName ew ".test"', true],
  ['userName co "@"', true],
  ['externalId eq "Ext1"', true],
  ['externalId eq "ext1"', false],
  ['active eq true', true],
  ['active eq "True"', true],
  ['active eq false', false],
  ['name.familyName eq "ng"', true],
  ['nickName pr', false],
  ['nickName eq null', true],
  ['title ne "x"', true],
  ['name pr', true],
  ['emails pr', true],
  ['emails.value eq "ana@home.test"', true],
  ['emails co "home"', true],
  ['emails[type eq "work" and value co "corp"]', true],
  ['emails[type eq "home" and value co "corp"]', false],
  ['emails[type eq "work"].value eq "x"', false],
  ['emails[type eq "work"].value eq "ana@corp.test"', true],
  ['emails[type eq "home"].value eq "ana@corp.test" or active eq false', false],
  ['not (userName eq "x")', true],
  ['not(active eq true) or userName sw "ana"', true],
  ['userName eq "x" or active eq true and externalId eq "Ext1"', true],
  ['(userName eq "x" or active eq true) and externalId eq "none"', false],
  ['userName eq "with \\"quotes\\" and \\u0041"', false],
]

const refusalOf = (read: () => unknown): unknown => {
  try {
    return read()
  } catch (error) {
    return error
  }
}

t.test('filters select as RFC 7644 says', async (t) => {
  for (const [text, expected] of holds) {
    t.equal(meets(user, readFilter(text), createWorkBudget()), expected, text)
  }
})

t.test('unreadable filters are refused', async (t) => {
  const texts = [
    '',
    'userName',
    'userName eq',
    'userName is "x"',
    'userName eq "x',
    'userName eq x',
    '"x" eq userName',
    'userName eq "x" and',
    'and userName eq "x"',
    '(userName eq "x"',
    'userName eq "x")',
    'emails[type eq "work"',
    'emails[]',
    'a..b eq "x"',
    'userName eq "x" "y"',
    'userName eq "\\u0000"',
    'userName eq "\\ud800"',
    "userName eq 'x'",
    `${'('.repeat(50)}active eq true${')'.repeat(50)}`,
    `${'active eq true or '.repeat(200)}active eq true`,
    'x'.repeat(5000),
  ]
  for (const text of texts)
    t.match(
      refusalOf(() => readFilter(text)),
      { status: 400, scimType: 'invalidFilter' },
      text.slice(0, 40),
    )
})

t.test('keys are those that each match has', async (t) => {
  const keys = (text: string) => keysIn(readFilter(text), ['id', 'username', 'members.value'])
  t.same(keys('userName eq "a"'), [{ attribute: 'username', value: 'a' }])
  t.same(keys('userName eq "a" and active eq true'), [{ attribute: 'username', value: 'a' }])
  t.same(keys('userName eq "a" or id eq "b"')?.length, 2)
  t.same(keys('members[value eq "a"]'), [{ attribute: 'members.value', value: 'a' }])
  for (const text of [
    'userName co "a"',
    'userName eq "a" or active eq true',
    'not (userName eq "a")',
    'userName eq true',
    'members[type eq "a"]',
  ])
    t.equal(keys(text), null, text)
})

t.test('the terms of a filter are counted', async (t) => {
  t.equal(termsIn(readFilter('a pr and not (b eq "c" or d[e pr and f pr])')), 4)
})

t.test('SCM-06 a request has a budget of comparisons', async (t) => {
  const filter = readFilter(Array(100).fill('emails.value co "x"').join(' or '))
  const budget = createWorkBudget(1000)
  const refusal = refusalOf(() => {
    for (let users = 0; users < 100; users++) meets(user, filter, budget)
  })
  t.match(refusal, { status: 400, scimType: 'tooMany' })
})

t.test('operations are counted after expansion', async (t) => {
  const value = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`a${at}`, 'x']))
  const patch = (...Operations: unknown[]) => refusalOf(() => readOperations({ Operations }))
  t.type(patch({ op: 'add', value }), Array)
  t.match(patch({ op: 'add', value }, { op: 'add', value }), { status: 413, scimType: 'tooMany' })
  const long = { op: 'remove', path: `emails[value eq "${'x'.repeat(900)}"]` }
  t.match(patch(...Array(200).fill(long)), { status: 413, scimType: 'tooMany' })
})

t.test('paths of PATCH', async (t) => {
  t.match(readPath('userName'), { attribute: 'username', filter: null, sub: null })
  t.match(readPath('name.givenName'), { attribute: 'name', sub: 'givenname' })
  t.match(readPath('urn:ietf:params:scim:schemas:core:2.0:User:name.familyName'), {
    attribute: 'name',
    sub: 'familyname',
  })
  t.match(readPath('emails[type eq "work"].value'), {
    attribute: 'emails',
    filter: { kind: 'compare' },
    sub: 'value',
  })
  t.match(readPath('members[value eq "a"]'), { attribute: 'members', sub: null })
  for (const text of [
    '',
    '.',
    'a.',
    'a[b',
    'a]b',
    'a[].c',
    'a.b[c eq "d"]',
    'a b',
    'x'.repeat(2000),
  ])
    t.match(
      refusalOf(() => readPath(text)),
      { status: 400, scimType: 'invalidPath' },
      text.slice(0, 40),
    )
})

t.test('any text is read or refused as a SCIM error', async () => {
  const words = fc.constantFrom(
    'userName',
    'emails',
    'eq',
    'co',
    'pr',
    'and',
    'or',
    'not',
    '(',
    ')',
    '[',
    ']',
    '"x"',
    'true',
    'null',
    '1',
    '-1.5e3',
    '.',
    ':',
    'urn:a:b',
    '"',
    '\\',
    ' ',
    'constructor',
    '__proto__',
  )
  const text = fc.oneof(
    fc.string(),
    fc.array(words).map((list) => list.join(' ')),
    fc.array(words).map((list) => list.join('')),
  )
  const isRefusal = (read: () => unknown) => {
    try {
      read()
      return true
    } catch (error) {
      return error instanceof ScimError && error.status === 400
    }
  }
  fc.assert(
    fc.property(text, (one) => {
      const reads = () => meets(user, readFilter(one), createWorkBudget())
      return isRefusal(reads) && isRefusal(() => readPath(one))
    }),
    { numRuns: 3000 },
  )
})
