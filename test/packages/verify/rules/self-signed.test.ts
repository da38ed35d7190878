import t from 'tap'
import {
  isNumericDate,
  isSelfSignedType,
} from '../../../../packages/verify/src/rules/self-signed.ts'

t.test('RFC 7519 §2: a NumericDate may have a fraction', (t) => {
  const dates = [0, 1, 1.5, 1_800_000_000.25, Number.MAX_SAFE_INTEGER]
  for (const value of dates) t.ok(isNumericDate(value), String(value))
  const others = [-1, -0.5, 1e300, Number.NaN, Number.POSITIVE_INFINITY, '1', null, undefined, [1]]
  for (const value of others) t.notOk(isNumericDate(value), String(value))
  t.end()
})

t.test('RFC 7519 §5.1: the type is optional, and never another one', (t) => {
  t.ok(isSelfSignedType(undefined))
  t.ok(isSelfSignedType('JWT'))
  for (const typ of ['at+jwt', 'jwt', '', null, 5, ['JWT']]) t.notOk(isSelfSignedType(typ))
  t.end()
})
