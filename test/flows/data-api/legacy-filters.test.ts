/** Filters, searches and orders of the legacy interface (specification §4.2 and §4.4). */
import type { Json } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { type Database, legacyClient } from './legacy-interface.ts'

const text = (val: unknown) => ({ val })
const deep = (levels: number, innermost: Json): Json =>
  levels === 0 ? innermost : { self: deep(levels - 1, innermost) }

await onEachBackend('filters of the legacy interface', async (t, scene) => {
  const client = await legacyClient(t, scene)
  const { run, insert, update, data, database } = client
  const contracts = await database('Contracts')
  const [customers, visits] = [await database('Customers'), await database('Visits')]
  const { value: old } = await data(contracts)
  const remove = (from: Database, row: Json) =>
    run('mutation ($id: ID!, $row: ID!) { delete(databaseId: $id, rowId: $row) }', {
      id: from.id,
      row: row._id,
    })
  for (const row of old) await remove(contracts, row)

  const north = await insert(customers, { Name: text('North'), Employees: text(10) })
  const south = await insert(customers, { Name: text('South'), Employees: text(500) })
  const visit = await insert(visits, { Notes: text('Good talk: Öl'), Day: text('2026-04-01') })
  const pixel = `data:image/png;base64,${Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGPQz7+HFTEMLQkA8yRfAbxQd+cAAAAASUVORK5CYII=',
    'base64',
  ).toString('base64')}`
  const a = await insert(contracts, {
    Title: text('Alpha one'),
    Terms: text('Paid at once'),
    Seats: text(5),
    Signed: text(true),
    Ends: text('2026-03-01'),
    Price: { val: 100, currency: 'EUR' },
    Scan: text(pixel),
    State: text('Draft'),
    Tags: text(['Yearly', 'Pilot']),
    Customer: text(north._id),
    Visits: text([visit._id]),
  })
  const b = await insert(contracts, {
    Title: text('beta ONE'),
    Seats: text(50),
    Signed: text(false),
    Ends: text('3/31/26'),
    Price: { val: 100, currency: 'USD' },
    State: text('Active'),
    Tags: text(['Discount']),
    Customer: text(south._id),
  })
  // Emptied, and never set.
  const others = 'Terms Seats Signed Ends Price Scan State Tags Customer Visits'.split(' ')
  const emptied = Object.fromEntries(others.map((name) => [name, text(null)]))
  const c = await insert(contracts, { Title: text('Empty'), ...emptied })
  const d = await insert(contracts, { Title: text('Not sét') })
  const names = new Map([
    [a._id, 'a'],
    [b._id, 'b'],
    [c._id, 'c'],
    [d._id, 'd'],
  ])
  const shown = (rows: Json[] | null) =>
    rows?.map(({ _id }) => names.get(_id) ?? '?').join('') ?? null
  const find = async (filter: Json, options: Json = {}) => {
    const { value, body } = await data(contracts, { filter, ...options })
    return body.errors ? body.errors[0].message : shown(value)
  }
  const by = (name: string, operator: string, value?: Json, more: Json = {}) => ({
    [contracts.field(name)]: { by: operator, ...(value !== undefined && { value }), ...more },
  })
  const listed = (name: string, values: Json[], otherValues: Json[] = []) => ({
    [contracts.field(name)]: { values, otherValues },
  })
  const range = (val1: Json, val2: Json) => ({ val1, val2 })
  const euros = { currency: 'EUR' }

  await t.test('each operator of each type', async (t) => {
    const cases: [filter: Json, found: string][] = [
      [by('Title', 'is', 'Alpha one'), 'a'],
      [by('Title', 'is', 'alpha one'), ''],
      [by('Title', 'is-not', 'Alpha one'), 'bcd'],
      [by('Title', 'starts-with', 'ALPHA'), 'a'],
      [by('Title', 'ends-with', 'one'), 'ab'],
      [by('Title', 'ends-with', 'SÉT'), 'd'],
      [by('Title', 'contains', 'A O'), 'ab'],
      [by('Title', 'does-not-contain', 'one'), 'cd'],
      [by('Title', 'contains', '%'), ''],
      [by('Terms', 'contains', 'PAID'), 'a'],
      [by('Seats', 'is', 5), 'a'],
      [by('Seats', 'is-not', 5), 'bcd'],
      [by('Seats', 'is-more-than', 5), 'b'],
      [by('Seats', 'is-less-than', 50), 'a'],
      [by('Seats', 'is-between', range(5, 50)), 'ab'],
      [by('Signed', 'is-true'), 'a'],
      [by('Signed', 'is-false'), 'b'],
      [by('Ends', 'on', '2026-03-31T10:00:00Z'), 'b'],
      [by('Ends', 'after', '2026-03-01'), 'b'],
      [by('Ends', 'before', '2026-03-31'), 'a'],
      [by('Ends', 'between', range('2026-03-01', '2026-03-31')), 'ab'],
      [by('Price', 'is', 100, euros), 'a'],
      [by('Price', 'is-less-than', 101, { currency: 'USD' }), 'b'],
      [by('Price', 'is-between', range(1, 100), euros), 'a'],
      [by('Price', 'has-any-value', undefined, euros), 'a'],
      [listed('State', ['Draft', 'Active']), 'ab'],
      [listed('Tags', ['Pilot']), 'a'],
      [listed('Tags', ['Pilot'], ['is-not-set']), 'ad'],
      [listed('Customer', [north._id], ['is-empty']), 'ac'],
      [listed('Visits', [visit._id]), 'a'],
      [listed('Visits', [`rec${'0'.repeat(36)}`]), ''],
      [{ ...by('Title', 'ends-with', 'one'), ...by('Seats', 'is', 50) }, 'b'],
      [{}, 'abcd'],
    ]
    for (const name of ['Terms', 'Seats', 'Signed', 'Ends', 'Price', 'Scan']) {
      const has = name === 'Terms' || name === 'Scan' ? 'a' : 'ab'
      const without = (word: string) =>
        (name === 'Terms' || name === 'Scan') && word === 'is-not-set'
          ? 'bd'
          : word === 'is-empty'
            ? 'c'
            : 'd'
      cases.push([by(name, 'has-any-value'), has])
      for (const word of ['is-empty', 'is-not-set']) cases.push([by(name, word), without(word)])
    }
    for (const name of ['State', 'Tags', 'Customer'])
      cases.push([listed(name, [], ['is-empty']), 'c'], [listed(name, [], ['is-not-set']), 'd'])
    for (const [filter, found] of cases) t.equal(await find(filter), found, JSON.stringify(filter))
  })

  await t.test('filters go through relations, to some depth', async (t) => {
    const inCustomer = (criteria: Json) => ({ [contracts.field('Customer')]: criteria })
    const many = { [customers.field('Employees')]: { by: 'is-more-than', value: 100 } }
    t.equal(await find(inCustomer(many)), 'b')
    const day = { [visits.field('Day')]: { by: 'before', value: '2026-05-01' } }
    t.equal(await find({ [contracts.field('Visits')]: day }), 'a')
    for (const [operator, value] of [
      ['contains', 'ÖL'],
      ['ends-with', 'öL'],
      ['contains', 'Öl'],
    ]) {
      const notes = { [visits.field('Notes')]: { by: operator, value } }
      t.equal(await find({ [contracts.field('Visits')]: notes }), 'a', 'no letter has a case')
    }
    t.equal(await find(inCustomer({ values: [south._id], ...many })), 'b', 'also with values')
    t.equal(await find({ ...inCustomer(many), ...by('Seats', 'is', 5) }), '')

    const add =
      'mutation ($id: ID!, $field: FieldInput!) { addField(databaseId: $id, field: $field) { fields { _id name } } }'
    await run(add, {
      id: customers.id,
      field: { name: 'Parent', type: 'ref', database: customers.id },
    })
    const { id, field } = await database('Customers')
    const parents = (levels: number): Json => {
      const nest = ({ self, ...rest }: Json): Json =>
        self ? { [field('Parent')]: nest(self) } : rest
      return nest(deep(levels, { [field('Name')]: { by: 'is', value: 'North' } }))
    }
    await update(await database('Customers'), south, { Parent: text(north._id) })
    t.equal(await find(inCustomer(parents(1))), 'b')
    t.equal(await find(inCustomer(parents(7))), '')
    t.match(await find(inCustomer(parents(8))), /^filter: .*references within each other/)
    t.match(await find(inCustomer(parents(500))), /^filter: |depth/)
    const filtered = await data({ ...customers, id }, { filter: parents(0) })
    t.same(
      filtered.value.map(({ _id }: Json) => _id),
      [north._id],
    )
  })

  await t.test('an error names the place and what is allowed', async (t) => {
    const at = (name: string) => `filter.${contracts.field(name)}`
    const cases: [filter: Json, place: string, allowed?: string][] = [
      [by('Title', 'like', 'x'), `${at('Title')}.by`, 'does-not-contain'],
      [by('Title', 'is-more-than', 'x'), `${at('Title')}.by`],
      [by('Title', 'is', 5), `${at('Title')}.value`],
      [by('Seats', 'is', '5'), `${at('Seats')}.value`],
      [by('Seats', 'is-between', 5), `${at('Seats')}.value`],
      [by('Price', 'is', 5), `${at('Price')}.currency`],
      [by('Price', 'is', 5, { currency: 'XYZ' }), `${at('Price')}.currency`],
      [by('Ends', 'on', 'tomorrow'), `${at('Ends')}.value`],
      [by('Title', 'is', 'x', { values: [] }), `${at('Title')}.values`, 'by'],
      [by('State', 'is', 'Draft'), `${at('State')}.by`, 'values'],
      [listed('State', [], ['is-full']), `${at('State')}.otherValues[0]`, 'is-not-set'],
      [listed('State', 'Draft' as never), `${at('State')}.values`],
      [listed('State', Array(1001).fill('Draft')), `${at('State')}.values`],
      [{ [`fld${'0'.repeat(24)}`]: { by: 'is', value: 'x' } }, `filter.fld${'0'.repeat(24)}`],
      [{ constructor: { by: 'is', value: 'x' } }, 'filter.constructor'],
      [{ [contracts.field('Customer')]: { __proto__x: {} } }, `${at('Customer')}.__proto__x`],
      [{ [contracts.field('Title')]: null }, at('Title')],
      ['x' as never, 'filter'],
      [[] as never, 'filter'],
    ]
    for (const [filter, place, allowed] of cases) {
      const { body, status } = await data(contracts, { filter })
      const [{ message, extensions }] = body.errors
      t.equal(extensions.place, place, JSON.stringify(filter).slice(0, 80))
      t.ok(status < 500 && message.startsWith(place))
      if (allowed) t.ok(extensions.allowed.includes(allowed), allowed)
    }
    const options: [given: Json, place: string][] = [
      [{ sort: { nothing: 1 } }, 'sort.nothing'],
      [{ sort: { [contracts.field('Title')]: 2 } }, `sort.${contracts.field('Title')}`],
      [{ sort: [1] }, 'sort'],
      [{ fields: [contracts.field('Title'), 'x'] }, 'fields[1]'],
      [{ limit: -1 }, 'limit'],
      [{ skip: -1 }, 'skip'],
      [{ in: Array(1001).fill('x') }, 'in'],
      [{ modifiedSince: 'yesterday' }, 'modifiedSince'],
    ]
    for (const [given, place] of options)
      t.equal((await data(contracts, given)).body.errors[0].extensions.place, place)
  })

  await t.test('search, time, order and pages', async (t) => {
    t.equal(await find({}, { search: 'alpha' }), 'a')
    t.equal(await find({}, { search: 'one, beta' }), 'b', 'a comma means and')
    t.equal(await find({}, { search: 'alpha | empty' }), 'ac', 'a pipe means or')
    t.equal(await find({}, { search: 'nothing like it' }), '')
    t.equal(await find({}, { search: '' }), 'abcd')
    await new Promise((resolve) => setTimeout(resolve, 5))
    const since = new Date().toISOString()
    await update(contracts, b, { Seats: text(51) })
    t.equal(await find({}, { modifiedSince: since }), 'b')
    t.equal(await find({}, { modifiedSince: '2020-01-01' }), 'abcd')

    const sorted = (direction: number, ...fields: string[]) =>
      find(
        {},
        { sort: Object.fromEntries(fields.map((name) => [contracts.field(name), direction])) },
      )
    t.equal(await sorted(1, 'Title'), 'abcd', 'without case')
    t.match(await sorted(-1, 'Seats'), /^ba/)
    const umlauts = []
    for (const name of ['Zeta', 'ähre', 'Bär', 'apfel'])
      umlauts.push(await insert(customers, { Name: text(name), Employees: text(7) }))
    const { value } = await data(customers, {
      filter: { [customers.field('Employees')]: { by: 'is', value: 7 } },
      sort: { [customers.field('Name')]: 1 },
    })
    t.same(
      value.map((row: Json) => customers.of(row, 'Name').val),
      ['ähre', 'apfel', 'Bär', 'Zeta'],
    )
    t.equal(await find({}, { limit: 2, skip: 1 }), 'bc')
    t.equal(await find(by('Title', 'ends-with', 'one'), { in: [d._id, b._id, 'unknown'] }), 'b')
    const some = await data(contracts, { fields: [contracts.field('Seats')], limit: 1 })
    t.same(some.value[0].cols, [{ fieldId: contracts.field('Seats'), value: { val: 5 } }])
  })
})
