import t from 'tap'
import { freshSeconds } from '../../../src/core/outbound/freshness.ts'

const now = Date.parse('2026-05-03T12:00:00Z')
const bounds = { least: 60, most: 3600 }

t.test('how long a document may be used (RFC 9111 §4.2)', async (t) => {
  const cases: [what: string, headers: Record<string, string>, seconds: number][] = [
    ['nothing said', {}, 60],
    ['max-age', { 'cache-control': 'max-age=600' }, 600],
    ['max-age, and an age', { 'cache-control': 'max-age=600', age: '200' }, 400],
    ['more than the most', { 'cache-control': 'max-age=999999' }, 3600],
    ['less than the least', { 'cache-control': 'max-age=1' }, 60],
    ['private is for this cache too', { 'cache-control': 'private, max-age=600' }, 600],
    ['no-store', { 'cache-control': 'no-store, max-age=600' }, 60],
    ['no-cache', { 'cache-control': 'no-cache, max-age=600' }, 60],
    ['expires', { expires: 'Sun, 03 May 2026 12:10:00 GMT' }, 600],
    ['expired', { expires: '0' }, 60],
    ['last-modified gives no guess', { 'last-modified': 'Sun, 03 May 2020 12:00:00 GMT' }, 60],
    ['immutable alone', { 'cache-control': 'immutable' }, 60],
    ['stale times are not added', { 'cache-control': 'max-age=90, stale-if-error=999' }, 90],
    ['nonsense', { 'cache-control': 'max-age=soon', expires: 'never' }, 60],
  ]
  for (const [what, headers, seconds] of cases)
    t.equal(Math.round(freshSeconds({ headers }, now, bounds)), seconds, what)
})
