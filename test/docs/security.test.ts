import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'docs/security.md'), 'utf8')

/** Rows of the tables: `file` *title*, *title*; `file` … in the last cell. */
const proofs = text.split('\n').flatMap((line) => {
  if (!line.startsWith('| ')) return []
  const cell = line.split('|').at(-2) ?? ''
  return [...cell.matchAll(/`([\w/-]+\.test\.ts)`((?: ?\*[^*]+\*,?)+)/g)].flatMap(
    ([, file = '', titles = '']) =>
      [...titles.matchAll(/\*([^*]+)\*/g)].map(([, title = '']) => ({ file, title })),
  )
})

t.test('every test that the threat model names exists', async (t) => {
  t.ok(proofs.length > 100, `${proofs.length} found`)
  for (const { file, title } of proofs) {
    const path = join(root, 'test', file)
    const source = existsSync(path) ? readFileSync(path, 'utf8') : ''
    const isTitle = [`'${title}'`, `\`${title}\``].some((quoted) => source.includes(quoted))
    t.ok(isTitle, `${file}: ${title}`)
  }
})

t.test('every mention of a test is checked', async (t) => {
  const mentioned = text.match(/`[\w/-]+\.test\.ts`/g) ?? []
  const seen = new Set(proofs.map(({ file }) => `\`${file}\``))
  for (const one of mentioned) t.ok(seen.has(one), one)
})

t.test('RFC 9700 and RFC 6819 are covered section by section', async (t) => {
  const of = (from: string, to: string) => text.slice(text.indexOf(from), text.indexOf(to))
  const sections = (part: string) =>
    new Set(
      [...part.matchAll(/^\| ([\d., ]+) \|/gm)].flatMap(([, cell = '']) => cell.trim().split(', ')),
    )
  const practice = sections(of('## RFC 9700', '## RFC 6819'))
  for (let at = 1; at <= 17; at++) t.ok(practice.has(`4.${at}`), `4.${at}`)
  const threats = sections(of('## RFC 6819', '## Beyond'))
  const upTo = (prefix: string, last: number) =>
    Array.from({ length: last }, (_, at) => `${prefix}.${at + 1}`)
  const expected = [
    ...upTo('4.1', 5),
    ...upTo('4.2', 4),
    ...upTo('4.3', 5),
    ...upTo('4.4.1', 13),
    ...upTo('4.4.2', 6),
    '4.4.3',
    '4.4.4',
    ...upTo('4.5', 4),
    ...upTo('4.6', 7),
  ]
  t.same(
    expected.filter((one) => !threats.has(one)),
    [],
  )
})
