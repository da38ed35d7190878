import type { TokenSimulationJson } from '../../http/operator/tokens/simulation.ts'
import { inspector } from '../../words/en/inspector.ts'
import { apiAction } from '../api-action.ts'
import { CommandError, exitCodes } from '../exit-codes.ts'
import { fields, givenPairs, listed, print, table, yesNo } from '../output.ts'
import { required, text } from '../setting.ts'
import { narrowed } from './request.ts'

type Line = Pick<TokenSimulationJson['permissions'][number], 'granted' | 'because'>

const obstacles: Record<string, string> = inspector.simulation.obstacles
const causes: Record<string, string> = inspector.simulation.causes

const verdictOf = (answer: TokenSimulationJson): string => {
  const { token } = answer
  return fields(
    givenPairs([
      ['token', token ? `yes, for ${answer.expires_in} s` : 'no'],
      ...answer.obstacles.map((one) => ['because', obstacles[one] ?? one] as const),
      ['may', token && listed(token.permissions)],
      ['where', token?.workspace_ids && listed(token.workspace_ids)],
      ['note', answer.would_ask_again ? inspector.simulation.asksAgain : null],
    ]),
  )
}

const lines = <Item extends Line>(heading: string, name: (item: Item) => string, items: Item[]) =>
  table<Item>(
    [
      [heading, name],
      ['in the token', ({ granted }) => yesNo(granted)],
      ['because', ({ because }) => causes[because] ?? because],
    ],
    items,
  )

const words = (answer: TokenSimulationJson): string =>
  [
    verdictOf(answer),
    lines('permission', ({ permission }) => permission, answer.permissions),
    ...(answer.workspaces
      ? [lines('workspace', ({ id, name }) => `${name} (${id})`, answer.workspaces)]
      : []),
  ].join('\n\n')

export const simulate = apiAction<TokenSimulationJson>('simulate', 'POST /tokens/simulate', {
  summary:
    'Show the token that an app would get in an organization now, with reasons. Nothing is issued.',
  settings: {
    client_id: required(text('app <id>', 'the app that would request the token')),
    organization_id: required(text('organization <id>', 'the organization to access')),
    user_id: text('user <id>', 'the user (default: the app itself)'),
    ...narrowed,
  },
  notes: [
    'Asks the server with the operator token. The exit code is 4 when the app would get no token. docs/errors.md',
    'explains the reasons that --json prints.',
  ],
  print: (answer, { input, terminal }) => {
    print(terminal, input, answer, () => words(answer))
    if (!answer.token) throw new CommandError(exitCodes.refused, 'the app would get no token')
  },
})
