import { readdir, readFile } from 'node:fs/promises'
import t from 'tap'

/** Every known fault. An id is never removed; missing numbers belonged to other things. */
const ids = [
  ...['F-01', 'F-02', 'F-03', 'F-04', 'F-05', 'F-06', 'F-08', 'F-09', 'F-10', 'F-12', 'F-13'],
  ...['F-14', 'F-15', 'F-17', 'F-18', 'F-19', 'F-20', 'F-21', 'F-22', 'F-23', 'F-24', 'F-25'],
  ...['F-26', 'F-27', 'F-28', 'F-29'],
]

const here = new URL('./', import.meta.url)
const textOf = (name: string) => readFile(new URL(name, here), 'utf8')

/** The rows of the table: an id, and the files with its tests. */
const table = [
  ...(await textOf('README.md')).matchAll(/^\| (F-\d\d) \|[^|]+\|([^|]+)\|([^|]+)\|$/gm),
].map(([, id = '', files = '', promise = '']) => ({
  id,
  files: [...files.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string),
  promise: promise.trim(),
}))

/** Ids at the beginning of a title. */
const idsIn = (source: string) => {
  const names = [...source.matchAll(/['"`]((?:F-\d\d,? )+)/g)]
  return new Set(names.flatMap(([, text = '']) => text.match(/F-\d\d/g) ?? []))
}

t.test('each fault has a promise and tests that name it', async (t) => {
  t.same(
    table.map(({ id }) => id),
    ids,
  )
  for (const { id, files, promise } of table) {
    t.ok(files.length > 0 && promise !== '', id)
    for (const name of files) t.ok(idsIn(await textOf(name)).has(id), `${id} in ${name}`)
  }
})

t.test('each test is in the table', async (t) => {
  const names = (await readdir(here)).filter((name) => /\.(fault|test)\.ts$/.test(name))
  for (const name of names.filter((one) => one !== 'coverage.test.ts')) {
    const named = idsIn(await textOf(name))
    t.ok(named.size > 0, `${name} is of a fault`)
    for (const id of named)
      t.ok(
        table.some((row) => row.id === id && row.files.includes(name)),
        `${id} of ${name}`,
      )
  }
})
