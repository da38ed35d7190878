// Nightly, and when bench/ changes: it tries the benchmark.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { startObserving } from '../../bench/observing.ts'

/** Keeps the event loop busy. */
const holdUp = (milliseconds: number) => {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

t.test('finds what held up the event loop, and how long', async (t) => {
  const stop = await startObserving()
  await sleep(20)
  holdUp(120)
  await sleep(20)
  const { delay, stretches } = await stop()
  const [longest] = stretches
  t.ok(longest && longest.ms >= 120, `${longest?.ms} ms`)
  t.ok(delay.longest >= 100, `${delay.longest} ms`)
  t.match(longest?.functions[0]?.name, /holdUp \(bench\//)
})

t.test('counts garbage collections by their kind', async (t) => {
  const stop = await startObserving()
  const kept: object[] = []
  for (let at = 0; at < 2_000_000; at++) kept.push({ at })
  await sleep(20)
  const { totals } = await stop()
  t.ok(kept.length > 0)
  const collections = totals.filter(({ kind }) => kind === 'garbage collection')
  t.ok(collections.some(({ name, count }) => name === 'scavenge' && count > 0))
})
