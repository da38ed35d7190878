/** What the files of the bundled program cost each process that loads them. */
import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'

const folder = new URL('../../dist/program/', import.meta.url)
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.js'))
  .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'latin1') }))

t.test('none imports node:http, which would load the whole fetch of Node', (t) => {
  const importing = files.filter(({ text }) => /^import .*"(node:)?http"/m.test(text))
  t.same(
    importing.map(({ name }) => name),
    [],
  )
  t.ok(
    files.some(({ text }) => text.includes('require_node_http')),
    'it is required',
  )
  t.end()
})

t.test('none has a character for which V8 would keep its text in two bytes each', (t) => {
  const wide = files.filter(({ text }) => /[\u0080-\u00ff]/.test(text))
  t.same(
    wide.map(({ name }) => name),
    [],
  )
  t.end()
})
