import { type Loss, shownText } from './losses.ts'
import type { createMove } from './move.ts'

export type Report = ReturnType<Awaited<ReturnType<typeof createMove>>['report']>

const inMarkdown = (text: string) => shownText(text).replace(/[\\`*{}[\]<>#|]/g, '\\$&')

const section = (title: string, lines: readonly string[]) =>
  lines.length > 0 ? ['', `## ${title}`, '', ...lines.map((line) => `- ${line}`)] : []

const lossText = ({ sentence, count }: Loss) =>
  `${inMarkdown(sentence)}${count > 1 ? ` (${count})` : ''}`

/** The report for people. */
export const markdownOf = (report: Report): string => {
  const apps = report.apps.map((app) => ({
    title: inMarkdown(`${app.name} (${app.client_id})`),
    ...app,
  }))
  return [
    `# Takeover from ${report.source}, ${report.interface} interface`,
    '',
    ...Object.entries(report.lines).map(([type, count]) => `- ${type}: ${count}`),
    `- chains that give two grants (the newest access token was not used): ${report.chains_with_two_grants}`,
    `- access tokens in flight, which are unknown here: ${report.access_tokens_in_flight}`,
    ...section(
      'Apps',
      apps.map(
        ({ title, grants, access_tokens_in_flight: tokens }) =>
          `${title}: ${grants} grants, ${tokens} access tokens in flight`,
      ),
    ),
    ...apps.flatMap(({ title, losses }) => section(`${title} loses`, losses.map(lossText))),
    ...section('Other losses', report.others.map(lossText)),
    ...section(
      'People',
      report.people.map((loss) => `${inMarkdown(loss.user)}: ${lossText(loss)}`),
    ),
    '',
  ].join('\n')
}
