import t from 'tap'
import { statementName } from '../../../src/app/telemetry/store-spans.ts'

t.test('a statement span has the statement’s name, or its verb and table', async (t) => {
  const rows: [statement: string, name: string][] = [
    ['load_grant', 'load_grant'],
    ['latchkeyFamilyAdvance', 'latchkeyFamilyAdvance'],
    ['begin', 'begin'],
    ['insert into grants (id, user_id)\n values ($1, $2)', 'insert grants'],
    ['\n  UPDATE grants set ended_at = now() where id = $1', 'update grants'],
    ['delete from records where key = $1', 'delete records'],
    ['select state,\n value from records where key = $1', 'select records'],
    [
      'with seen as (update key_set_secrets set x = 1) insert into audit_events',
      'update key_set_secrets',
    ],
    ['select 1', 'statement'],
    ["set local something = 'typed-by-somebody'", 'statement'],
  ]
  for (const [statement, name] of rows) t.equal(statementName(statement), name)
})
