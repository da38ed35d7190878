import { median } from './measure.ts'
import type { Observation, Stretch } from './observing.ts'
import { row } from './report.ts'
import { steadyOf, type Tail } from './tail.ts'

const ms = (value: number) => value.toFixed(1)

const widths = [20, 8, 12, 8, 8, 24, 14]

const printRounds = (tails: readonly Tail[]) => {
  row(widths, ['', '', 'requests/s', 'p50 ms', 'p99 ms', 'p99 of each round', 'generator ms'])
  for (const tail of tails) {
    const { contender, operation, rate, p50, p99 } = steadyOf(tail)
    const each = tail.rounds.map((round) => round.p99.toFixed(0)).join(' ')
    const generator = median(tail.rounds.map((round) => round.generator))
    const figures = [rate.toFixed(0), ms(p50), ms(p99), each, ms(generator)]
    row(widths, [operation, contender, ...figures])
  }
}

const printRatios = (tails: readonly Tail[]) => {
  for (const operation of new Set(tails.map((tail) => tail.operation))) {
    const [floor, ours] = ['floor', 'ours'].map((name) =>
      tails.find((tail) => tail.operation === operation && tail.contender === name),
    )
    if (!floor || !ours) continue
    const ratio = steadyOf(ours).p99 / steadyOf(floor).p99
    console.log(`${operation}: p99 of ours / floor ${ratio.toFixed(2)} (goal ≤ 2)`)
  }
}

const printStretch = ({ ms: took, cpuMs, waitedMs, beside, functions }: Stretch) => {
  console.log(`  ${ms(took)} ms, of them ${ms(cpuMs)} running, ${ms(waitedMs)} without a core`)
  if (beside.length > 0) console.log(`    beside: ${beside.join('; ')}`)
  for (const one of functions) console.log(`    ${ms(one.ms)} ms ${one.name}`)
}

const totalWidths = [58, 8, 10, 12, 8]

const printObservation = ({ delay, totals, stretches }: Observation) => {
  const figures = [delay.p50, delay.p99, delay.longest].map(ms)
  console.log(
    `delay of the event loop: p50 ${figures[0]}, p99 ${figures[1]}, longest ${figures[2]} ms`,
  )
  row(totalWidths, ['', 'count', 'p50 ms', 'longest ms', 'size'])
  for (const { kind, name, count, p50, longest, size } of totals)
    row(totalWidths, [`${kind}: ${name}`, String(count), ms(p50), ms(longest), ms(size)])
  console.log('the stretches in which it ran longest:')
  for (const stretch of stretches) printStretch(stretch)
}

export const printTails = (tails: readonly Tail[]) => {
  for (const { operation, contender, observation } of tails) {
    if (!observation) continue
    console.log(`\n${contender}, ${operation}, observed`)
    printObservation(observation)
  }
  console.log()
  printRounds(tails)
  console.log()
  printRatios(tails)
}
