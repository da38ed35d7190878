// Runs alone: it measures the CPU of its thread.
// How long one request of a stranger or tenant holds the event loop. The only test that bounds time: CPU of its thread.
// By day each parser reads its worst input and a part of the general one, another part than its neighbours.
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import t from 'tap'
import { longestStretch } from '../support/longest-stretch.ts'
import { isLinearByShape, parserSitesIn } from '../support/parser-sites.ts'
import { byDay } from '../support/property.ts'
import { parsers, trusted } from './parsers.ts'

/** Milliseconds of CPU. */
const bound = 50

/** What has made parsers slow: repetitions with something at the end that does not fit, nesting, and lists. */
const parts = [
  ...'a1 ./\\"\'=:;,-_+*%&#@!?()[]{}<>~^$|\t\n\0'.split(''),
  'é',
  '\u00ad',
  '\ufe0f',
  '😀',
  '\ud800',
  'a.',
  'a ',
  'a,',
  'a=',
  'a:',
  'a&',
  '":',
  '""',
  '","',
  '%41',
  '%',
  '[]',
  '[1,',
  '{"a":',
  '<a',
  '--',
  '://',
  '\r\n',
]
const hostile = (most: number) =>
  parts.flatMap((part) => {
    const text = part.repeat(Math.ceil(most / part.length))
    return [text.slice(0, most), `${text.slice(0, most - 1)}x`, `${text.slice(0, most - 1)}!`]
  })

for (const [nth, { name, most, read, worst }] of parsers.entries())
  t.test(`SYN-01 ${name}`, async (t) => {
    const slow: string[] = []
    await longestStretch(() => read('a first text, which loads what is needed'), bound)
    for (const text of [...byDay(hostile(most), 5, nth), ...(worst?.(most) ?? [])]) {
      const stretch = await longestStretch(() => read(text), bound)
      if (stretch > bound)
        slow.push(`${Math.round(stretch)} ms: ${JSON.stringify(text.slice(0, 20))}`)
    }
    t.same(slow, [])
  })

t.test(
  'SYN-01 the measure notices work that is not linear, at once and in a later turn',
  async (t) => {
    const quadratic = () => /\/+$/.test(`${'/'.repeat(16 * 1024)}x`)
    t.ok((await longestStretch(quadratic, bound)) > bound)
    const later = async () => {
      await new Promise((resolve) => setImmediate(resolve))
      quadratic()
    }
    t.ok((await longestStretch(later, bound)) > bound)
  },
)

const root = join(import.meta.dirname, '../..')
const sitesBelow = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const path = `${folder}/${name.split(sep).join('/')}`
      const source = readFileSync(join(root, path), 'utf8')
      return parserSitesIn(path, source).map((site) => `${path} ${site}`)
    })
const isTrusted = (site: string) =>
  Object.keys(trusted).some((one) => site === one || (one.endsWith('/') && site.startsWith(one)))

t.test('SYN-02 every parser is measured above, or reads nothing of a stranger', (t) => {
  const sites = ['src', 'packages/verify/src'].flatMap(sitesBelow)
  const measured = parsers.flatMap((one) => one.sites ?? [])
  const unlisted = sites.filter((one) => !measured.includes(one) && !isTrusted(one))
  t.same(
    unlisted,
    [],
    'a new parser needs an entry, with its largest and worst input, in test/attacks/parsers.ts',
  )
  const listed = [...measured, ...Object.keys(trusted).filter((one) => one.includes(' '))]
  t.same(
    listed.filter((one) => !sites.includes(one)),
    [],
    'entries of parsers that are no longer there',
  )
  t.end()
})

t.test('SYN-02 a pattern needs no entry only if it is linear by its shape', (t) => {
  const shapes: [pattern: string, isLinear: boolean][] = [
    ['/^[a-z]{1,128}$/', true],
    ['/\\s+/g', true],
    ['/^([A-Za-z0-9_-]*)\\.([A-Za-z0-9_-]*)$/', true],
    ['/^(bearer|dpop) +([\\x21-\\x7e]+)$/i', true],
    ['/[&<>]/g', true],
    ['/\\/+$/', false],
    ['/=+$/', false],
    ['/url\\s*\\((?!\\s*["\']?\\s*#)/i', false],
    ['/<[^>]*>/g', false],
    ['/^(a+)+$/', false],
    ['/^(?:a*){5}$/', false],
    ['/^(?:a{0,60}b?){0,60}$/', false],
    ['/^a*a*$/', false],
    ['/^a*(b)?a*$/', false],
    ['/^a*[^b]*$/', false],
    ['/^a|b+c/', false],
    ['/^a+b/m', false],
    ['/^.*,.*$/', false],
    ['/a{2000}b/', false],
  ]
  for (const [pattern, isLinear] of shapes) t.equal(isLinearByShape(pattern), isLinear, pattern)
  const sources: [source: string, sites: string[]][] = [
    ['const a = /x+y/', ['/x+y/']],
    ['const a = new RegExp(given)', ['RegExp']],
    ['const a = JSON.parse(text)', ['JSON.parse']],
    ["const a = { pattern: '^(a+)+$' }", ['/^(a+)+$/u']],
    ["import { jwtVerify } from 'jose'", ['jose']],
    ["import type { JWK } from 'jose'", []],
    ["const a = await import('sharp')", ['sharp']],
    ["const a = 'JSON.parse(x)' // /x+y/", []],
  ]
  for (const [source, sites] of sources) t.same(parserSitesIn('a.ts', source), sites, source)
  t.end()
})
