import t from 'tap'
import {
  column,
  computed,
  excluded,
  insertInto,
  json,
  named,
  nested,
  of,
  selected,
  since,
  updateRow,
} from '../../../../src/stores/postgres/connection/columns.ts'

interface Thing {
  id: string
  ownerId: string
  rules: string[]
  disabled: boolean
}
const things = {
  id: column,
  ownerId: named('owned_by'),
  rules: json,
  disabled: since('disabled_at'),
} as const

t.test(
  'a column has the name of its field in snake case, and returns under the name of the field',
  (t) => {
    const text = selected<{ id: string; createdAt: Date }>({ id: column, createdAt: column })
    t.equal(text, 'id, created_at as "createdAt"')
    t.end()
  },
)

t.test('a column may have another name or type', (t) => {
  t.equal(
    selected<Thing>(things),
    'id, owned_by as "ownerId", rules, disabled_at is not null as "disabled"',
  )
  t.end()
})

t.test('an alias is before each column, except for those of another table and expressions', (t) => {
  const text = selected<{ id: string; name: string; ownerName: string; size: number }>(
    { id: column, name: of('o'), ownerName: of('u', 'name'), size: computed('count(*)') },
    't',
  )
  t.equal(text, 't.id, o.name, u.name as "ownerName", count(*) as "size"')
  t.end()
})

t.test('a nested object has its own fields, and is null without its row', (t) => {
  interface Owned {
    id: string
    owner: { id: string; createdAt: string } | null
  }
  const owner = nested({ id: column, createdAt: column }, 'o', 'id')
  const object = `json_build_object('id', o.id, 'createdAt', o.created_at)`
  t.equal(
    selected<Owned>({ id: column, owner }, 't'),
    `t.id, case when o.id is not null then ${object} end as "owner"`,
  )
  t.end()
})

t.test('JSON of a text has quotes, and null stays null', (t) => {
  const insert = insertInto<{ words: string | null }>('things', { words: json }, '')
  t.same(insert({ words: 'a' })[1], ['"a"'])
  t.same(insert({ words: null })[1], [null])
  t.end()
})

t.test('a new row and a changed one send the values in the order of their parameters', (t) => {
  const thing = { id: 'a', ownerId: 'b', rules: ['c'], disabled: true }
  const sent = ['a', 'b', '["c"]', true]
  t.same(insertInto<Thing>('things', things, 'on conflict do nothing')(thing), [
    'insert into things (id, owned_by, rules, disabled_at) values ($1, $2, $3, case when $4 then now() end) on conflict do nothing',
    sent,
  ])
  const update = updateRow<Thing>({ table: 'things', columns: '*' }, things, 'updated_at = now()')
  t.same(update('k', thing), [
    'update things set id = $2, owned_by = $3, rules = $4, disabled_at = case when $5 then coalesce(disabled_at, now()) end, updated_at = now() where id = $1 returning *',
    ['k', ...sent],
  ])
  t.end()
})

t.test('an insert that finds its row replaces the values by the names of the columns', (t) => {
  const { ownerId, disabled } = things
  t.equal(
    excluded<Pick<Thing, 'ownerId' | 'disabled'>>({ ownerId, disabled }),
    'owned_by = excluded.owned_by, disabled_at = excluded.disabled_at',
  )
  t.end()
})
