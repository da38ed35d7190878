import type { TokenSimulationJson } from '../http/operator/token-simulation.ts'
import { inspector } from '../words/en/inspector.ts'
import { CommandError, exitCodes } from './exit-codes.ts'
import { operatorAction } from './operator-action.ts'
import { fields, listed, print, table, yesNo } from './output.ts'

type Line = Pick<TokenSimulationJson['permissions'][number], 'granted' | 'because'>

const obstacles: Record<string, string> = inspector.simulation.obstacles
const causes: Record<string, string> = inspector.simulation.causes

const verdictOf = (answer: TokenSimulationJson): string => {
  const { token, obstacles: met } = answer
  const why = met.map((one) => obstacles[one] ?? one)
  const asks = answer.would_ask_again ? [inspector.simulation.asksAgain] : []
  return fields([
    ['token', token ? `yes, for ${answer.expires_in} s` : 'no'],
    ...why.map((one): [string, string] => ['because', one]),
    ...(token ? [['may', listed(token.permissions)] as [string, string]] : []),
    ...(token?.workspace_ids ? [['where', listed(token.workspace_ids)] as [string, string]] : []),
    ...asks.map((one): [string, string] => ['note', one]),
  ])
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

export const simulate = operatorAction({
  name: 'simulate',
  summary:
    'Show the token that an app would get in an organization now, with reasons. Nothing is issued.',
  options: {
    app: { value: 'id', help: 'the app that would request the token' },
    organization: { value: 'id', help: 'the organization to access' },
    user: { value: 'id', help: 'the user (default: the app itself)' },
    scope: { value: 'a,b', multiple: true, help: 'fewer permissions than approved' },
    workspaces: { value: 'a,b', multiple: true, help: 'fewer workspaces than approved (current)' },
  },
  notes: [
    'Asks the server with the operator token. The exit code is 4 when the app would get no token. docs/errors.md',
    'explains the reasons that --json prints.',
  ],
  run: async (api, input, terminal) => {
    const user = input.text('user')
    const [scope, workspaces] = [input.words('scope'), input.words('workspaces')]
    const answer = await api.call<TokenSimulationJson>('POST', '/tokens/simulate', {
      client_id: input.required('app'),
      organization_id: input.required('organization'),
      ...(user !== undefined && { user_id: user }),
      ...(scope && { scope: scope.join(' ') }),
      ...(workspaces && { workspace_ids: workspaces }),
    })
    print(terminal, input, answer, () => words(answer))
    if (!answer.token) throw new CommandError(exitCodes.refused, 'the app would get no token')
  },
})
