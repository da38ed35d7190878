/** The operators of the current interface: exactly those that section 4.5 lists for each type. */
import { startDataApi } from '../../support/data-api.ts'
import type { Json } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { registerResourceServer } from '../../support/resource-server.ts'
import { condition, connection, currentClient, input, text } from './current-client.ts'
import { currentPermissions, selfSigner } from './tokens.ts'

const texts = 'is is-not starts-with ends-with contains does-not-contain is-empty has-any-value'
const numbers = 'is is-not is-more-than is-less-than is-empty has-any-value'
const results = `is-more-than is-less-than ${texts}`
const choices = 'has-any-of has-all-of is has-none-of is-empty has-any-value'
const moments = 'on after before between is-empty has-any-value'

const fieldsTo = (to: string) => [
  text,
  { name: 'Notes', type: 'Multi-line Text' },
  { name: 'Size', type: 'Number' },
  { name: 'Fee', type: 'Currency' },
  { name: 'State', type: 'Dropdown', choices: ['Open', 'Won'] },
  { name: 'Tags', type: 'Dropdown Multiple', choices: ['a', 'b'] },
  { name: 'Day', type: 'Date' },
  { name: 'Done', type: 'Yes/No' },
  { name: 'Logo', type: 'Attachment' },
  { name: 'Who', type: 'Reference', table: to },
  { name: 'All', type: 'Reference Multiple', table: to },
  { name: 'Created', type: 'Created At' },
  { name: 'Updated', type: 'Updated At' },
  { name: 'Label', type: 'Formula', expression: 'concat(Name, Size)' },
  { name: 'Twice', type: 'Formula', expression: 'Size * 2' },
  { name: 'Large', type: 'Formula', expression: 'Size > 9' },
  { name: 'Next', type: 'Formula', expression: 'addDays(Day, 1)' },
  { name: 'Count', type: 'Rollup', via: 'All', fn: 'count' },
  { name: 'Last', type: 'Rollup', via: 'All', field: 'Born', fn: 'max' },
  { name: 'Its name', type: 'Lookup', via: 'Who', field: 'Name' },
  { name: 'Its birth', type: 'Lookup', via: 'Who', field: 'Born' },
  { name: 'Names', type: 'Lookup', via: 'All', field: 'Name' },
]

/** Those of Date and Yes/No, of times and of lookups are not listed. */
const listed: Record<string, string> = {
  Name: texts,
  Notes: texts,
  Size: numbers,
  Fee: numbers,
  State: 'has-any-of is has-none-of is-empty has-any-value',
  Tags: choices,
  Day: `${moments} is-not-set`,
  Done: 'is-true is-false is-empty has-any-value is-not-set',
  Logo: 'is-empty has-any-value',
  Who: 'is is-not is-empty has-any-value',
  All: choices,
  Created: moments,
  Updated: moments,
  Label: results,
  Twice: results,
  Large: results,
  Next: results,
  Count: results,
  Last: results,
  'Its name': texts,
  'Its birth': `${moments} is-not-set`,
  Names: choices,
}

/** What the operators of a field compare with; others take none of its values. */
const day = '2026-01-02T00:00:00.000Z'
const rightOf = (name: string, operator: string, record: string): unknown => {
  if (/^is-(empty|not-set|true|false)$|^has-any-value$/.test(operator)) return {}
  if (operator === 'between') return input({ val1: day, val2: day })
  if (name === 'Fee') return { ...input(5), currency: 'EUR' }
  if (['State', 'Tags', 'Names'].includes(name)) return input(['Open'])
  if (name === 'Who') return input(record)
  if (name === 'All') return input([record])
  const isPart = /^(starts-with|ends-with|contains|does-not-contain)$/.test(operator)
  if (['Size', 'Twice', 'Count'].includes(name) && !isPart) return input(5)
  if (name === 'Large' && !isPart) return input(true)
  return input(
    ['Day', 'Created', 'Updated', 'Next', 'Last', 'Its birth'].includes(name) ? day : 'x',
  )
}

const hostile = [
  null,
  0,
  true,
  {},
  [],
  ['is'],
  { is: 1 },
  '',
  'IS',
  'is ',
  'constructor',
  '__proto__',
  'toString',
  'has-no-value',
  'is-emptied',
  "is' or true --",
]

await onEachBackend('operators of the current interface', async (t, scene) => {
  const { running, world } = scene
  const api = await startDataApi(t, scene, await registerResourceServer(running))
  const { make } = await selfSigner(scene, world.acme)
  const client = currentClient(t, api, await make(currentPermissions))
  const people = await client.makeTable(world.sales, [text, { name: 'Born', type: 'Date' }])
  const { id: record } = await client.makeRecord(people, { Name: { val: 'Kim' } })
  const table = await client.makeTable(world.sales, fieldsTo(people.id))
  const deals = await client.makeTable(world.sales, [
    text,
    { name: 'Deal', type: 'Reference', table: table.id },
  ])

  const find = async (of: { id: string }, conditions: unknown[], logicalOperator?: string) => {
    const filter = { conditions, ...(logicalOperator && { logicalOperator }) }
    const { status, body } = await client.send(connection, { table: of.id, filter })
    t.equal(status, 200)
    return body
  }
  const errorOf = (body: Json): Json => body.errors?.[0] ?? {}
  const words = [...new Set(Object.values(listed).join(' ').split(' ')), 'is-between', 'like']
  /** The field itself, and as the subfield of a reference. */
  const lefts = (name: string): [{ id: string }, string][] => [
    [table, `${table.ids[name]}`],
    [deals, `${deals.ids.Deal}.${table.ids[name]}`],
  ]

  for (const [name, operators] of Object.entries(listed))
    t.test(name, async (t) => {
      const allowed = operators.split(' ').sort()
      for (const [of, left] of lefts(name))
        for (const word of of === table ? words : [...allowed, 'like']) {
          const body = await find(of, [condition(left, word, rightOf(name, word, record))])
          if (allowed.includes(word)) {
            t.same(body.errors, undefined, word)
            continue
          }
          const { extensions = {} } = errorOf(body)
          t.equal(extensions.place, 'filter.conditions[0].comparison.operator', word)
          t.same([...(extensions.allowed ?? [])].sort(), allowed, word)
        }
    })

  t.test('words that are no operators', async (t) => {
    for (const [of, left] of lefts('Name'))
      for (const word of hostile) {
        const { extensions } = errorOf(await find(of, [condition(left, word, input('x'))]))
        t.equal(extensions?.place, 'filter.conditions[0].comparison.operator', String(word))
      }
  })

  t.test('the right side has the type `input` and a value of the field', async (t) => {
    const at = 'filter.conditions[0].right'
    const wrong: [name: string, operator: string, right: unknown, place: string][] = [
      ...[undefined, null, 'x', 5, []].map((right): [string, string, unknown, string] => [
        'Name',
        'is',
        right,
        at,
      ]),
      ...[undefined, null, 'field', 'INPUT', '', 5, {}, ['input']].map(
        (type): [string, string, unknown, string] => [
          ...(['Name', 'is', { type, value: 'x' }] as const),
          `${at}.type`,
        ],
      ),
      ['Name', 'is', { ...input('x'), more: 1 }, `${at}.more`],
      ['Name', 'is-empty', input('x'), at],
      ['Name', 'is-empty', 'x', at],
      ['Name', 'has-any-value', [], at],
      ['Done', 'is-true', { type: 'input' }, at],
      ['Day', 'is-not-set', input(day), at],
      ['Name', 'is', input(5), `${at}.value`],
      ['Name', 'is', input(null), `${at}.value`],
      ['Name', 'contains', input(['x']), `${at}.value`],
      ['Name', 'contains', input('a\0b'), `${at}.value`],
      ['Name', 'contains', input('\ud800'), `${at}.value`],
      ['Name', 'contains', input('x'.repeat(10_001)), `${at}.value`],
      ['Size', 'is', input('5'), `${at}.value`],
      ['Size', 'is-more-than', input({}), `${at}.value`],
      ['Fee', 'is', input(5), `${at}.currency`],
      ['Fee', 'is', { ...input(5), currency: 'eur' }, `${at}.currency`],
      ['Fee', 'is', { ...input('5'), currency: 'EUR' }, `${at}.value`],
      ['State', 'is', input('Open'), `${at}.value`],
      ['State', 'has-any-of', input([5]), `${at}.value`],
      ['Tags', 'is', input('a'), `${at}.value`],
      ['Tags', 'has-all-of', input([['a']]), `${at}.value`],
      ['Day', 'on', input('2026-02-30'), `${at}.value`],
      ['Day', 'between', input(day), `${at}.value`],
      ['Day', 'between', input({ val1: day }), `${at}.value`],
      ['Created', 'after', input('yesterday'), `${at}.value`],
      ['Who', 'is', input([record]), `${at}.value`],
      ['Who', 'is', input(5), `${at}.value`],
      ['Who', 'is', input(''), `${at}.value`],
      ['All', 'is', input(record), `${at}.value`],
      ['All', 'has-any-of', input([record, 5]), `${at}.value`],
      ['Label', 'is-more-than', input(5), `${at}.value`],
      ['Twice', 'is', input('5'), `${at}.value`],
      ['Twice', 'contains', input(5), `${at}.value`],
      ['Large', 'is', input('true'), `${at}.value`],
      ['Last', 'is-more-than', input('x'), `${at}.value`],
    ]
    for (const [name, operator, right, place] of wrong) {
      const body = await find(table, [condition(table.ids[name], operator, right)])
      t.equal(errorOf(body).extensions?.place, place, `${name} ${operator} ${String(right)}`)
    }
    for (const id of ['x', '__proto__', `${world.sales}|rec1`, `x|${record.split('|')[1]}`]) {
      for (const [name, value] of [
        ['Who', id],
        ['All', [id]],
      ] as const) {
        const operator = name === 'Who' ? 'is' : 'has-any-of'
        const body = await find(table, [condition(table.ids[name], operator, input(value))])
        t.equal(body.data?.recordsConnection.totalCount, 0, 'an unknown record matches nothing')
      }
    }
  })

  t.test('the place of an error in each position', async (t) => {
    const good = condition(table.ids.Name, 'is', input('x'))
    const wrong = condition(table.ids.Name, 'like', input('x'))
    const group = (...conditionGroup: unknown[]) => ({ conditionGroup, logicalOperator: 'or' })
    const cases: [conditions: unknown[], place: string][] = [
      [[good, wrong], 'filter.conditions[1].comparison.operator'],
      [[good, good, wrong], 'filter.conditions[2].comparison.operator'],
      [[group(good, wrong)], 'filter.conditions[0].conditionGroup[1].comparison.operator'],
      [[good, group(wrong)], 'filter.conditions[1].conditionGroup[0].comparison.operator'],
      [[good, group(good, {})], 'filter.conditions[1].conditionGroup[1].left'],
      [[good, null], 'filter.conditions[1]'],
      [[[good], good], 'filter.conditions[0]'],
      [[{ conditionGroup: {} }, good], 'filter.conditions[0].conditionGroup'],
      [[group(group(good)), good], 'filter.conditions[0].conditionGroup[0].conditionGroup'],
      [[{ conditionGroup: [good, good] }], 'filter.conditions[0].logicalOperator'],
    ]
    for (const [conditions, place] of cases) {
      const { message, extensions } = errorOf(await find(table, conditions, 'and'))
      t.equal(extensions?.place, place)
      t.ok(message?.startsWith(`${place}: `), message)
    }
  })
})
