import { median } from './measure.ts'

/** A measure over time. */
export interface Series {
  name: string
  unit: string
  /** Seconds since the begin of the run. */
  at: readonly number[]
  values: readonly number[]
  /** The last third may exceed the first by this factor. */
  tolerance: number
}

export interface Drift {
  name: string
  unit: string
  /** Medians of the first and of the last third. */
  first: number
  last: number
  /** Of the line with the least squared distances. */
  perHour: number
  drifts: boolean
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, one) => sum + one, 0) / values.length

/** The slope of the line with the least squared distances, per second. */
const slopeOf = (at: readonly number[], values: readonly number[]) => {
  const [middle, level] = [mean(at), mean(values)]
  const spread = at.reduce((sum, one) => sum + (one - middle) ** 2, 0)
  const common = at.reduce(
    (sum, one, index) => sum + (one - middle) * ((values[index] as number) - level),
    0,
  )
  return spread === 0 ? 0 : common / spread
}

/**
 * Compares the first third of a series with the last. It drifts when the last is larger by more than the tolerance and
 * the whole series rises too.
 */
export const driftOf = ({ name, unit, at, values, tolerance }: Series): Drift => {
  const third = Math.max(1, Math.floor(values.length / 3))
  const first = median(values.slice(0, third))
  const last = median(values.slice(-third))
  const perHour = slopeOf(at, values) * 3600
  return { name, unit, first, last, perHour, drifts: perHour > 0 && last > first * tolerance }
}
