/** Formulas of the current interface: what they calculate, and expressions that are refused. */
import { startDataApi } from '../../support/data-api.ts'
import type { Json } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { registerResourceServer } from '../../support/resource-server.ts'
import { createTable, currentClient, readRecord, text, updateRecord } from './current-client.ts'
import { currentPermissions, selfSigner } from './tokens.ts'

const mostText = 10_000
const formula = (name: string, expression: string) => ({ name, type: 'Formula', expression })

const inputs = [
  text,
  { name: 'Amount', type: 'Number' },
  { name: 'Unit price', type: 'Currency' },
  { name: 'Done', type: 'Yes/No' },
  { name: 'Day', type: 'Date' },
  { name: 'State', type: 'Dropdown', choices: ['Open', 'Won'] },
  { name: 'Nothing', type: 'Number' },
]
const given = {
  Name: { val: 'Grün & Co' },
  Amount: { val: 1234.5 },
  'Unit price': { val: 2, currency: 'EUR' },
  Done: { val: true },
  Day: { val: '2026-03-31' },
  State: { val: 'Won' },
}

const calculated: [expression: string, val: unknown, stringValue?: string | null][] = [
  ['Amount * 2 + 1', 2470, '2,470'],
  ['{Unit price} * Amount', 2469],
  ['(Amount - 0.5) / 4 % 100', 8.5],
  ['-Amount', -1234.5, '-1,234.5'],
  ['Amount / 0', null, null],
  ['Amount % 0', null],
  ['1e308 * 10', null],
  ['Nothing + 1', null],
  ['Amount > 1000 && Done', true, 'Yes'],
  ['Amount < 1000 || !Done', false, 'No'],
  ['State == "Won"', true],
  ['Amount != 1 && Amount >= 1 && 1 <= Amount', true],
  ['Done ? "yes" : "no"', 'yes'],
  ['if(isEmpty(Nothing), "none", "some")', 'none'],
  ['isEmpty(Name)', false],
  ['concat(Name, ": ", Amount, Nothing)', 'Grün & Co: 1234.5'],
  ['Name + Amount', 'Grün & Co1234.5'],
  ['upper(Name)', 'GRÜN & CO'],
  ['lower(trim("  A "))', 'a'],
  ['length(Name)', 9],
  ['left(Name, 4) + right(Name, 2)', 'GrünCo'],
  ['left(Name, -1)', null],
  ['right(Name, 0)', null],
  ['contains(Name, "grün")', true],
  ['round(Amount / 7, 2)', 176.36],
  ['round(Amount)', 1235],
  ['round(1.5, 1e300)', 1.5],
  ['round(1e300, 10)', null],
  ['abs(-2) + floor(2.7) + ceiling(2.1)', 7],
  ['min(3, 1, 2) + max(3, 1, 2)', 4],
  ['year(Day) * 10000 + month(Day) * 100 + day(Day)', 20260331],
  ['addDays(Day, 1)', '2026-04-01T00:00:00.000Z', '04/01/2026'],
  ['addDays(Day, 1e9)', null],
  ['days(addDays(Day, 10), Day)', 10],
  ['"a\\"b"', 'a"b'],
]

const deep = (depth: number) => `${'abs('.repeat(depth)}1${')'.repeat(depth)}`

const refused: string[] = [
  ...['', ' ', 'Name *', '* Name', '(Name', 'Name)', 'Name Name', 'Name; Name', 'Name, Name'],
  ...['{Name', '{}', '{ }', '{Missing}', 'Missing', 'Me', 'Me + 1', '{Me}', 'Later', 'Who', 'Ages'],
  ...['constructor', '__proto__', 'toString', 'this', 'null', 'undefined', 'NaN', 'globalThis'],
  ...['{constructor}', '{__proto__}', 'constructor(1)', '__proto__(1)', 'toString()', 'valueOf()'],
  ...[
    'hasOwnProperty("x")',
    'Name.constructor',
    'Name["constructor"]',
    'Name.length',
    '"x".length',
  ],
  ...['concat.constructor("return 1")()', 'abs(1)(2)', 'process.exit()', 'import("fs")'],
  ...[
    'require("fs")',
    'new Date()',
    'eval("1")',
    'Amount = 1',
    'Amount++',
    '() => 1',
    '`x`',
    '[1, 2]',
  ],
  ...['/x/', '~1', '1 ** 2', '1 & 2', '1 << 2', '1 === 1', '1 in 2', '1 ?? 2', 'typeof 1', '1, 2'],
  ...[
    'Name + Done ? 1 : 2',
    'Amount && Done',
    '!Amount',
    '-Name',
    'Name * 2',
    'Name < 1',
    'Day + 1',
  ],
  ...[
    'if(Done, 1, "x")',
    'if(Amount, 1, 2)',
    'abs()',
    'abs(1, 2)',
    'abs("1")',
    'min()',
    'min("a")',
  ],
  ...['concat()', 'isEmpty()', 'round(1, 2, 3)', 'addDays(1, 1)', 'left(Name)', 'max(1, Name)'],
  ...[
    '1e999',
    '9'.repeat(400),
    '0x',
    '1.2.3',
    '"open',
    "'open",
    '"a\0b"',
    '"\ud800"',
    '1'.repeat(1001),
  ],
  ...[
    '('.repeat(1000),
    '-'.repeat(999),
    `${'-'.repeat(999)}1`,
    `${'!'.repeat(990)}Done`,
    '{'.repeat(1000),
  ],
  ...[
    `${'-'.repeat(300)}1`,
    `${'1?'.repeat(300)}1${':1'.repeat(199)}`,
    Array(400).fill('1').join('+'),
  ],
  ...[
    `concat(${Array(400).fill('1').join(',')})`,
    '1?'.repeat(500),
    '"'.repeat(999),
    'a.'.repeat(500),
  ],
]

await onEachBackend('formulas of the current interface', async (t, scene) => {
  const { running, world } = scene
  const api = await startDataApi(t, scene, await registerResourceServer(running))
  const { make } = await selfSigner(scene, world.acme)
  const client = currentClient(t, api, await make(currentPermissions))
  const people = await client.makeTable(world.sales, [text, { name: 'Age', type: 'Number' }])

  t.test('what they calculate', async (t) => {
    const formulas = calculated.map(([expression]) => formula(expression, expression))
    const table = await client.makeTable(world.sales, [...inputs, ...formulas])
    const made = await client.makeRecord(table, given)
    const [values, texts] = [
      client.valuesIn(table, made),
      client.valuesIn(table, made, 'stringValue'),
    ]
    for (const [expression, val, stringValue] of calculated) {
      t.same(values[expression], { val }, expression)
      if (stringValue !== undefined) t.equal(texts[expression], stringValue, expression)
    }
    const emptied = await client.change(table, made.id, { Name: { val: null } })
    t.same(client.valuesIn(table, emptied)['upper(Name)'], { val: null }, 'calculated again')
  })

  t.test('expressions that are refused, each quickly', async (t) => {
    const around = (expression: string) => [
      ...inputs,
      { name: 'Who', type: 'Reference', table: people.id },
      { name: 'Ages', type: 'Rollup', via: 'Who', field: 'Age', fn: 'sum' },
      formula('Me', expression),
      { name: 'Later', type: 'Number' },
    ]
    const place = `fields[${inputs.length + 2}].expression`
    for (const expression of refused) {
      const variables = { workspace: world.sales, name: 'x', fields: around(expression) }
      const { status, body } = await client.send(createTable, variables)
      t.equal(status, 200)
      t.match(body.errors, [{ extensions: { code: 'bad-input', place } }], expression.slice(0, 60))
      t.ok(body.errors?.[0].message.startsWith(`${place}: `), expression.slice(0, 60))
    }
    for (const expression of [
      deep(190),
      `"${'x'.repeat(998)}"`,
      `${'('.repeat(400)}1${')'.repeat(400)}`,
    ]) {
      const fields = around(expression)
      const made = await client.send(createTable, { workspace: world.sales, name: 'x', fields })
      t.equal(made.code, null, expression.slice(0, 60))
    }
  })

  t.test('results do not grow beyond the size of a text', async (t) => {
    const grow = (name: string) => `concat(${Array(90).fill(name).join(', ')})`
    const chain = Array.from({ length: 90 }, (_, at) =>
      formula(`F${at}`, grow(at === 0 ? 'Name' : `F${at - 1}`)),
    )
    const table = await client.makeTable(world.sales, [text, ...chain, formula('U', 'upper(F0)')])
    const made = await client.makeRecord(table, { Name: { val: 'ß'.repeat(mostText) } })
    const values = client.valuesIn(table, made)
    for (const name of ['F0', 'F89', 'U']) t.equal(values[name].val.length, mostText, name)
  })

  t.test('results that are cut are texts that can be stored', async (t) => {
    const table = await client.makeTable(world.sales, [
      text,
      formula('First', 'left(Name, 1)'),
      formula('Last', 'right(Name, 1)'),
      formula('Long', 'concat(Name, Name)'),
    ])
    const short = await client.makeRecord(table, { Name: { val: '😀' } })
    t.match(client.valuesIn(table, short), {
      First: { val: null },
      Last: { val: null },
      Long: { val: '😀😀' },
    })
    const odd = `${'a'.repeat(mostText - 3)}😀`
    const long = await client.makeRecord(table, { Name: { val: odd } })
    t.equal(client.valuesIn(table, long).Long.val, `${odd}a`)
    const cut = await client.change(table, long.id, { Name: { val: 'b😀'.repeat(3333) } })
    t.equal(client.valuesIn(table, cut).Long.val, `${'b😀'.repeat(3333)}b`)
  })

  t.test('computed fields cannot be written', async (t) => {
    const table = await client.makeTable(world.sales, [
      ...inputs,
      { name: 'Who', type: 'Reference', table: people.id },
      { name: 'Age', type: 'Lookup', via: 'Who', field: 'Age' },
      { name: 'Ages', type: 'Rollup', via: 'Who', field: 'Age', fn: 'sum' },
      { name: 'Created', type: 'Created At' },
      { name: 'Updated', type: 'Updated At' },
      formula('Twice', 'Amount * 2'),
    ])
    const record = (await client.makeRecord(table, given)).id
    const before = await client.done(readRecord, { record })
    for (const name of ['Age', 'Ages', 'Created', 'Updated', 'Twice'])
      for (const value of [{ val: 1 }, { val: null }, { val: '2026-01-01' }]) {
        const fields = client.colsOf(table, { Name: { val: 'x' }, [name]: value })
        const { body } = await client.send(updateRecord, { record, fields })
        const place = 'fields[1].value'
        t.match(body.errors, [{ extensions: { code: 'bad-input', place } }], name)
      }
    t.same(await client.done(readRecord, { record }), before, 'nothing is half written')
    const values: Json = client.valuesIn(table, before)
    const again = await client.change(table, record, { Twice: null, Name: values.Name })
    t.equal(client.valuesIn(table, again).Twice.val, 2469, 'null leaves a field as it is')
  })
})
