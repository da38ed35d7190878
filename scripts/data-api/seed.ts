/**
 * `npm run data-api:seed -- --rows=1000000`: makes a table with many rows in the database of a data
 * API, `DATABASE_URL`.
 */
import { parseArgs } from 'node:util'
import pg from 'pg'
import { noAttachments } from '../../examples/data-api/data/attached.ts'
import { openData } from '../../examples/data-api/data/data.ts'
import { seedManyRows } from './many-rows.ts'

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } })
const rows = Number(values.rows)
const { DATABASE_URL: url } = process.env
if (!url) throw new Error('not set: DATABASE_URL')
if (!Number.isInteger(rows) || rows < 1) throw new Error('--rows is a number')

const started = performance.now()
const data = await openData(url, null, noAttachments)
const client = new pg.Client(url)
await client.connect()
const { id } = await seedManyRows(data, client, rows)
await client.end()
await data.close()
const seconds = Math.round((performance.now() - started) / 1000)
console.log(`Table ${id}: ${rows.toLocaleString('en')} rows in ${seconds} s`)
