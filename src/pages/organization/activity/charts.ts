import type { SecretInUse } from '../../../core/audit/activity.ts'
import type { IssuedCount, RefusedCount } from '../../../core/audit/usage-report.ts'
import { type Day, daysOf, type Period } from '../../../core/language/period.ts'
import type { Text } from '../../../words/text.ts'
import { reasonWords } from '../../rendering/activity/sentences.ts'
import { momentOf } from '../../rendering/render.ts'

// Geometry is in percent of the drawing, so that it fits any width without stretching text.
const percent = (share: number) => `${Math.round(share * 10_000) / 100}%`

const mostSeries = 5
const gap = 0.22 // of a day's width
const longestDrawn = 10

const sum = (counts: readonly { count: number }[]) =>
  counts.reduce((total, { count }) => total + count, 0)

/** The scale's maximum: a round number not below the highest bar, and even, so that its half is whole. */
const topOf = (highest: number) => {
  const size = 10 ** Math.max(0, Math.floor(Math.log10(highest)))
  return [2, 4, 6, 10, 20].map((one) => one * size).find((one) => one >= highest) as number
}

interface Series {
  name: string
  /** By day. */
  counts: Map<Day, number>
}

/** One series for each of the busiest apps, and one for all others. */
const seriesOf = (
  text: Text,
  issued: readonly IssuedCount[],
  nameOf: (clientId: string) => string,
): Series[] => {
  const byClient = new Map<string, IssuedCount[]>()
  for (const part of issued)
    byClient.set(part.clientId, [...(byClient.get(part.clientId) ?? []), part])
  const ranked = [...byClient].sort(([, a], [, b]) => sum(b) - sum(a))
  const single = ranked.length > mostSeries + 1 ? mostSeries : ranked.length
  const collect = (name: string, parts: readonly IssuedCount[]): Series => {
    const counts = new Map<Day, number>()
    for (const { day, count } of parts) counts.set(day, (counts.get(day) ?? 0) + count)
    return { name, counts }
  }
  const others = ranked.slice(single).flatMap(([, parts]) => parts)
  return [
    ...ranked.slice(0, single).map(([clientId, parts]) => collect(nameOf(clientId), parts)),
    ...(others.length > 0 ? [collect(text.activity.charts.tokens.others, others)] : []),
  ]
}

const shortDay = (text: Text, day: Day) => text.activity.shortDay(new Date(day))

const segmentsOf = (text: Text, days: readonly Day[], series: readonly Series[], top: number) =>
  days.flatMap((day, at) => {
    let below = 0
    return series.flatMap(({ name, counts }, index) => {
      const count = counts.get(day) ?? 0
      if (count === 0) return []
      below += count
      return [
        {
          x: percent((at + gap / 2) / days.length),
          width: percent((1 - gap) / days.length),
          y: percent(1 - below / top),
          height: percent(count / top),
          series: index + 1,
          title: text.activity.charts.tokens.bar(name, shortDay(text, day), count),
        },
      ]
    })
  })

/** Stacked bars: tokens by day and app. */
export const tokensChart = (
  text: Text,
  period: Period,
  issued: readonly IssuedCount[],
  nameOf: (clientId: string) => string,
) => {
  if (issued.length === 0) return null
  const days = daysOf(period)
  const series = seriesOf(text, issued, nameOf)
  const totalOf = (day: Day) => series.reduce((all, { counts }) => all + (counts.get(day) ?? 0), 0)
  const busiest = days.reduce((best, day) => (totalOf(day) > totalOf(best) ? day : best))
  const top = topOf(totalOf(busiest))
  const apps = new Set(issued.map(({ clientId }) => clientId)).size
  const { summary, most } = text.activity.charts.tokens
  return {
    summary: `${summary(sum(issued), apps)} ${most(totalOf(busiest), shortDay(text, busiest))}`,
    segments: segmentsOf(text, days, series, top),
    scale: [top, top / 2, 0].map(text.activity.number),
    days: [period.from, days[Math.floor(days.length / 2)] as Day, period.to].map((day) =>
      shortDay(text, day),
    ),
    legend: series.map(({ name }, index) => ({ series: index + 1, name })),
    rows: days
      .filter((day) => totalOf(day) > 0)
      .reverse()
      .map((day) => ({
        day: shortDay(text, day),
        counts: series.map(({ counts }) => text.activity.number(counts.get(day) ?? 0)),
      })),
  }
}

const asSentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

/** Horizontal bars: refused requests by reason. */
export const refusalsChart = (text: Text, refused: readonly RefusedCount[]) => {
  const most = Math.max(...refused.map(({ count }) => count))
  if (refused.length === 0) return null
  return {
    rows: refused.map(({ reason, count }) => ({
      reason: asSentence(reasonWords(text, reason)),
      count: text.activity.number(count),
      width: percent(count / most),
    })),
  }
}

const millisecondsOfDay = 24 * 3600 * 1000
const longAgo = 365

/** Position on a logarithmic time axis: today at the right, a year or more at the left. */
const placeOf = (days: number) =>
  percent(0.97 - 0.94 * Math.min(1, Math.log1p(days) / Math.log1p(longAgo)))

const daysSince = (date: Date, now: number) =>
  Math.max(0, Math.floor((now - date.getTime()) / millisecondsOfDay))

const secretRow = (text: Text, secret: SecretInUse, now: number) => {
  const { secrets } = text.activity.charts
  const used = secret.lastUsedAt && daysSince(secret.lastUsedAt, now)
  return {
    name: secret.name,
    kind: secrets.kinds[secret.kind],
    hint: secret.hint,
    made: momentOf(text, secret.createdAt),
    used: secret.lastUsedAt && momentOf(text, secret.lastUsedAt),
    ago: used === null ? secrets.neverUsed : secrets.used(text.activity.daysAgo(used)),
    madeAt: placeOf(daysSince(secret.createdAt, now)),
    usedAt: used === null ? null : placeOf(used),
    endless:
      secret.endlessTokenSeenAt &&
      text.organization.keys.secret.standings.endless(text.day(secret.endlessTokenSeenAt)),
  }
}

const axis = [
  { days: 365, label: 'year', anchor: 'start' },
  { days: 30, label: 'month', anchor: 'middle' },
  { days: 7, label: 'week', anchor: 'middle' },
  { days: 0, label: 'today', anchor: 'end' },
] as const

/**
 * One line per secret: its creation and its last use.
 * @param now milliseconds since 1970
 */
export const secretsChart = (text: Text, secrets: readonly SecretInUse[], now: number) => {
  const { charts } = text.activity
  if (secrets.length === 0) return null
  const rows = secrets.map((secret) => secretRow(text, secret, now))
  const unused = secrets.filter(({ lastUsedAt }) => lastUsedAt === null).length
  return {
    summary: charts.secrets.summary(rows.length, unused),
    drawn: rows.slice(0, longestDrawn),
    more: rows.length > longestDrawn ? charts.secrets.more(rows.length - longestDrawn) : null,
    axis: axis.map(({ days, label, anchor }) => ({
      x: placeOf(days),
      label: charts.secrets.axis[label],
      anchor,
    })),
    rows,
  }
}
