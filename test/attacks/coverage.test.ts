import { readFile } from 'node:fs/promises'
import t from 'tap'
import { cases } from './cases.ts'

const root = new URL('../../', import.meta.url)
const sourceOf = (where: string) => readFile(new URL(where, root), 'utf8')

/** Ids at the beginning of a title: of a test, or of a row in a table of tests. */
const idsIn = (source: string) => {
  const names = [...source.matchAll(/['"`]((?:[A-Z]{2,4}-\d\d ?)+)/g)]
  return new Set(names.flatMap(([, ids]) => ids?.trim().split(' ') ?? []))
}

t.test('every case is tested by the file that it names', async (t) => {
  for (const where of new Set(cases.map((one) => one.where))) {
    const source = await sourceOf(where)
    const isTest = where.endsWith('.test.ts')
    const named = isTest ? idsIn(source) : new Set(source.match(/[A-Z]{2,4}-\d\d/g))
    for (const { id, title } of cases.filter((one) => one.where === where))
      t.ok(named.has(id), `${id} ${title}`)
    for (const id of named)
      t.ok(
        cases.some((one) => one.id === id),
        `${id} is in the list`,
      )
  }
})

t.test('every case is listed once, with an area and a title', async (t) => {
  t.equal(new Set(cases.map((one) => one.id)).size, cases.length)
  t.ok(cases.every(({ area, title }) => area !== '' && title !== ''))
  t.ok(cases.length >= 150, 'no case is ever removed')
})
