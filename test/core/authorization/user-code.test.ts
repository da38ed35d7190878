import t from 'tap'
import {
  newUserCode,
  readUserCode,
  shownUserCode,
} from '../../../src/core/authorization/user-code.ts'

t.test('a user code is eight consonants (RFC 8628 §6.1)', async (t) => {
  const codes = Array.from({ length: 500 }, () => newUserCode())
  for (const code of codes) t.match(code, /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/)
  t.equal(new Set(codes).size, 500)
  t.equal(
    newUserCode(() => 0),
    'BBBBBBBB',
  )
  t.equal(
    newUserCode((below) => below - 1),
    'ZZZZZZZZ',
  )
})

t.test('a user code is read as people type it', async (t) => {
  const rows: [typed: string, code: string | null][] = [
    ['BCDF-GHJK', 'BCDFGHJK'],
    ['bcdfghjk', 'BCDFGHJK'],
    [' bcdf ghjk ', 'BCDFGHJK'],
    ['B C-D.F G–H J K', 'BCDFGHJK'],
    ['BCDF-GHJ', null],
    ['BCDF-GHJKL', null],
    ['ACDF-GHJK', null],
    ['1CDF-GHJK', null],
    ['', null],
    ['-', null],
    ['ＢCDFGHJK', null],
    [`BCDFGHJK${' '.repeat(200)}`, null],
  ]
  for (const [typed, code] of rows) t.equal(readUserCode(typed), code, JSON.stringify(typed))
  t.equal(shownUserCode('BCDFGHJK'), 'BCDF-GHJK')
  t.equal(readUserCode(shownUserCode('BCDFGHJK')), 'BCDFGHJK')
})
