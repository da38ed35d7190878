/** The plans of the statements for pages: none reads most rows of a large table. */
import pg from 'pg'
import tap from 'tap'
import { noAttachments } from '../../../examples/data-api/data/attached.ts'
import { openData, sessionOptions } from '../../../examples/data-api/data/data.ts'
import { searchTextOf } from '../../../examples/data-api/data/display.ts'
import { calculate } from '../../../examples/data-api/data/formulas.ts'
import { limits } from '../../../examples/data-api/data/limits.ts'
import { findPage, type Query } from '../../../examples/data-api/data/pages.ts'
import {
  type Range,
  type Selection,
  selectStatement,
} from '../../../examples/data-api/data/selection.ts'
import type { Values } from '../../../examples/data-api/data/values.ts'
import { casesOf, combinedCases, criterionOf } from '../../../scripts/data-api/criteria.ts'
import { findManyRows, seedManyRows } from '../../../scripts/data-api/many-rows.ts'
import { createScannedRows } from '../../support/scanned-rows.ts'
import { testStores } from '../../support/stores.ts'

/** A table with more rows than one that may be scanned. */
const rowCount = limits.scanned + 1000

for (const stores of await testStores({ content: 'nothing' }))
  void tap.test(`plans of the data layer (${stores.name})`, async (t) => {
    const data = await openData(stores.databaseUrl, null, noAttachments)
    const client = new pg.Client({
      connectionString: stores.databaseUrl,
      options: sessionOptions,
    })
    await client.connect()
    t.teardown(async () => {
      await client.end()
      await data.close()
      await stores.drop()
    })
    await seedManyRows(data, client, rowCount)
    const table = await findManyRows(data)
    const scanned = await createScannedRows(client, `rows_${table.id}`)
    const fieldOf = (name: string) => table.fields.find((field) => field.name === name)!
    const stored = table.fields.filter(({ via }) => via === null)
    const isLegacy = ({ type }: (typeof stored)[number]) =>
      !['formula', 'createdAt', 'updatedAt'].includes(type)

    /** Whether each statement for a page reads a part of the rows: by an index, or until enough match. */
    const isBounded = async (selection: Selection, range: Omit<Range, 'limit'> = {}) => {
      let most = 0
      const query: Query = async (statement) => {
        if (!statement.text.startsWith('explain'))
          most = Math.max(most, await scanned.of(statement))
        const { rows } = await client.query(statement)
        return rows
      }
      await findPage(query, table, selection, { limit: 100, ...range })
      return most <= scanned.all / 2
    }
    const by = (name: string, descending = false) => ({ field: fieldOf(name), descending })
    const orders = [[], [by('Name')], [by('Amount', true)], [by('Day')], [by('Done'), by('Amount')]]

    t.test('the rows are stored as the data layer stores them', async (t) => {
      const { rows } = await client.query<{ cells: Values; search_text: string }>(
        'select cells, search_text from data_api.rows where table_id = $1 order by position limit 300',
        [table.id],
      )
      for (const { cells, search_text } of rows) {
        const again = calculate(table.fields, cells)
        t.same(cells, again)
        t.equal(search_text, searchTextOf(table.fields, again).toLowerCase())
      }
    })

    for (const generation of ['legacy', 'current'] as const)
      t.test(`each operator of the ${generation} interface, in each order`, async (t) => {
        const fields = generation === 'legacy' ? stored.filter(isLegacy) : stored
        for (const { name, condition } of fields.flatMap((one) => casesOf(one, generation)))
          for (const sort of orders)
            t.ok(
              await isBounded({ condition }, { sort }),
              `${name}, by ${sort.map(({ field }) => field.name).join()}`,
            )
      })

    t.test('each order, in both directions', async (t) => {
      const sorted = stored.filter(({ database }) => database === null)
      for (const { name } of sorted)
        for (const descending of [false, true])
          for (const more of [[], [by('Amount', descending)]])
            t.ok(await isBounded({}, { sort: [by(name, descending), ...more] }), name)
    })

    t.test('a page by several fields is that of one sort', async (t) => {
      const sorts = [
        [by('Status'), by('Amount', true)],
        [by('Done', true), by('Price'), by('Day', true)],
        [by('Name'), by('Amount')],
        [by('Made', true), by('Status')],
      ]
      const some = { condition: criterionOf(fieldOf('Amount'), 'current', 'is-less-than', 9000) }
      for (const sort of sorts)
        for (const selection of [{}, some, { removed: true }])
          for (const skip of [0, 190, 700]) {
            const range = { sort, skip, limit: 300 }
            const found = await data.rows.select(table, selection, range)
            const { rows } = await client.query(selectStatement(table, selection, range))
            t.same(
              found.map(({ id }) => id),
              rows.map(({ id }) => id),
              `${sort.map(({ field }) => field.name)}, from ${skip}`,
            )
          }
    })

    t.test('groups, references, searches and times', async (t) => {
      const searches = ['c4ca', 'customer', 'customer,4711', '4711|4712']
      const selections: Record<string, Selection> = {
        ...Object.fromEntries(
          combinedCases(table).map(({ name, condition }) => [name, { condition }]),
        ),
        ...Object.fromEntries(searches.map((search) => [`search ${search}`, { search }])),
        'modified since': { modifiedSince: new Date(Date.now() - 3_600_000).toISOString() },
        'after a position': { after: '15000' },
        ids: { ids: [`rec${table.id.slice(3, 15)}${'0'.repeat(23)}7`] },
        'the trash': { removed: true },
      }
      for (const [name, selection] of Object.entries(selections))
        for (const sort of orders) t.ok(await isBounded(selection, { sort }), name)
    })

    t.test('a condition without its index is noticed', async (t) => {
      const { id } = fieldOf('Notes')
      const condition = criterionOf(fieldOf('Notes'), 'current', 'contains', 'c4ca')
      await client.query(`begin; drop index data_api.parts_${id}`)
      t.notOk(await isBounded({ condition }, { sort: [by('Name')] }))
      await client.query('rollback')
      t.ok(await isBounded({ condition }, { sort: [by('Name')] }))
    })

    t.test('what has no index is refused for a table with many rows', async (t) => {
      const refused = { message: /at most 20000 rows/ }
      const found = (selection: Selection, range: Omit<Range, 'limit'> = {}) =>
        data.rows.select(table, selection, { limit: 100, ...range })
      for (const name of ['City', 'Scores']) {
        const condition = criterionOf(fieldOf(name), 'current', 'has-any-value')
        await t.rejects(found({ condition }), refused, name)
        await t.rejects(data.rows.count(table, { condition }), refused, name)
      }
      for (const name of ['City', 'Scores', 'Owner', 'Members'])
        await t.rejects(found({}, { sort: [by(name)] }), refused, name)
    })
  })
