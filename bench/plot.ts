import type { Series } from './drift.ts'

const width = 800
const panel = { height: 130, gap: 34, left: 64, right: 16, top: 30 }
const colour = { line: '#3b6fd4', axis: '#8a8f98', text: '#6b7280' }

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A round number that is at least as large: 1, 2 or 5 times a power of ten. */
const roundUp = (value: number): number => {
  if (!(value > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power
}

const label = (x: number, y: number, anchor: 'start' | 'middle' | 'end', text: string) =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${colour.text}">${escapeXml(text)}</text>`

const rule = (y: number) =>
  `<line x1="${panel.left}" x2="${width - panel.right}" y1="${y}" y2="${y}" stroke="${colour.axis}" stroke-width="0.5"/>`

/** One series over the time, from zero. */
const drawPanel = ({ name, unit, at, values }: Series, top: number, end: number) => {
  const most = roundUp(Math.max(...values, 0))
  const x = (seconds: number) => panel.left + (seconds / end) * (width - panel.left - panel.right)
  const y = (value: number) => top + panel.height * (1 - value / most)
  const points = values.map((one, index) => `${x(at[index] ?? 0).toFixed(1)},${y(one).toFixed(1)}`)
  return [
    label(panel.left, top - 8, 'start', `${name}, ${unit}`),
    ...[0, most / 2, most].flatMap((one) => [
      rule(y(one)),
      label(panel.left - 6, y(one) + 4, 'end', String(one)),
    ]),
    `<polyline points="${points.join(' ')}" fill="none" stroke="${colour.line}" stroke-width="1.5"/>`,
  ]
}

/** Draws series below each other, over the same time, as an SVG document. */
export const plot = (title: string, all: readonly Series[]): string => {
  const end = Math.max(1, ...all.flatMap(({ at }) => at))
  const height = panel.top + all.length * (panel.height + panel.gap) + 10
  const bottom = height - panel.gap + 6
  const minutes = end >= 600
  const axis = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const x = panel.left + part * (width - panel.left - panel.right)
    const time = minutes ? `${((end * part) / 60).toFixed(0)} min` : `${(end * part).toFixed(0)} s`
    return label(x, bottom, part === 0 ? 'start' : part === 1 ? 'end' : 'middle', time)
  })
  const panels = all.flatMap((one, at) =>
    drawPanel(one, panel.top + 14 + at * (panel.height + panel.gap), end),
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    ...panels,
    ...axis,
    '</svg>\n',
  ].join('\n')
}
