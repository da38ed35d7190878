// Nightly, and when bench/ changes: it tries the benchmark.
import t from 'tap'
import { driftOf } from '../../bench/drift.ts'
import { plot } from '../../bench/plot.ts'

const series = (values: number[], tolerance = 1.1) => ({
  name: 'Resident memory',
  unit: 'MB',
  at: values.map((_, second) => second * 10),
  values,
  tolerance,
})

t.test('a measure that rises by more than its tolerance drifts', (t) => {
  const rising = driftOf(series([100, 105, 110, 115, 120, 125, 130, 135, 140]))
  t.match(rising, { first: 105, last: 135, drifts: true })
  t.equal(Math.round(rising.perHour), 1800, '5 MB in 10 s')
  t.end()
})

t.test('noise and falling measures do not drift', (t) => {
  for (const values of [
    [100, 130, 90, 120, 100, 95, 125, 100, 105],
    [140, 135, 130, 125, 120, 115, 110, 105, 100],
    [100, 100, 100, 100, 100, 100, 100, 100, 109],
  ])
    t.equal(driftOf(series(values)).drifts, false, values.join(' '))
  t.end()
})

t.test('one outlier in the last third is no drift', (t) => {
  t.equal(driftOf(series([100, 101, 99, 100, 101, 99, 100, 900, 100])).drifts, false)
  t.end()
})

t.test('the plot has a line for each series, within its picture', (t) => {
  const svg = plot('Memory <of> a server', [series([1, 2, 3]), series([3, 0, 3])])
  t.match(svg, '<title>Memory &lt;of&gt; a server</title>')
  const lines = [...svg.matchAll(/<polyline points="([^"]+)"/g)].map(([, points]) => points)
  t.equal(lines.length, 2)
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []
  for (const point of lines.flatMap((line) => (line ?? '').split(' '))) {
    const [x, y] = point.split(',').map(Number) as [number, number]
    t.ok(x >= 0 && x <= Number(width) && y >= 0 && y <= Number(height), point)
  }
  t.end()
})
