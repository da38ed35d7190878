import t from 'tap'
import { fields, moment, table } from '../../src/cli/output.ts'

t.test('a table is as wide as its widest value, without trailing spaces', async (t) => {
  const columns = [
    ['id', (row: { id: string }) => row.id],
    ['name', (row: { name: string }) => row.name],
  ] as const
  const rows = [
    { id: 'a', name: 'one' },
    { id: 'bcd', name: '' },
  ]
  t.equal(table(columns as never, rows), 'ID   NAME\na    one\nbcd')
})

t.test(
  'foreign text cannot move the cursor, color the terminal or change the text direction',
  async (t) => {
    for (const evil of ['\u001b[2J', 'a\rb', 'a\nb', '\u202egnp.exe', '\u0007'])
      t.notMatch(fields([['name', evil]]), evil)
    t.match(fields([['name', 'Zoë 日本']]), 'Zoë 日本')
  },
)

t.test('times are in UTC with seconds', async (t) => {
  t.equal(moment('2026-05-03T10:11:12.345Z'), '2026-05-03 10:11:12Z')
  t.equal(moment(null), '–')
})
