// Actions that call the Operator API.
import type { Action, ActionOn, Input } from './command.ts'
import { usageError } from './exit-codes.ts'
import { createOperatorApi, type OperatorApi } from './operator-api.ts'
import { type Column, noteSecret, printDone, printList, printOne, printSecret } from './output.ts'
import { operatorToken, operatorUrl } from './server-address.ts'
import { optionsOf, readSettings, type Settings } from './setting.ts'
import { note, type Terminal } from './terminal.ts'

/** An action that calls the Operator API of the running server. */
export const operatorAction = (name: string, action: ActionOn<OperatorApi>): Action => ({
  ...action,
  name,
  run: async (input, terminal) => {
    const url = await operatorUrl(terminal)
    const api = createOperatorApi({ url, token: await operatorToken(terminal) })
    note(terminal, `Server: ${url}`)
    await action.run(api, input, terminal)
  },
})

const placeholder = /\{([\w-]+)\}/g

/** Fills a path such as `/users/{user-id}` with the arguments. */
const filledPath = (path: string, input: Input) =>
  path.replace(placeholder, (_, name: string) => encodeURIComponent(input.argument(name)))

/** `options` are those that are not settings. */
interface Described extends Pick<Action, 'summary' | 'options' | 'notes'> {
  /** What the body or the query consists of. */
  settings?: Settings
}

/** The parts of an action that its path and its settings yield. */
const describe = (path: string, { settings = {}, options, ...described }: Described) => {
  const all = { ...optionsOf(settings), ...options }
  return {
    ...described,
    positionals: [...path.matchAll(placeholder)].map(([, name]) => name as string),
    ...(Object.keys(all).length > 0 && { options: all }),
  }
}

export type Print<Answer> = (
  answer: Answer,
  calling: { api: OperatorApi; input: Input; terminal: Terminal },
) => void | Promise<void>

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface ApiAction<Answer> extends Described {
  /** Members of the body that no setting has replaced. */
  body?: object
  /** Without any setting there is nothing to do. */
  needsSetting?: true
  print: Print<Answer>
}

/**
 * An action that sends its settings and prints the answer.
 * @param call method and path; the path names the arguments, such as `/users/{user-id}`
 */
export const apiAction = <Answer>(
  name: string,
  call: `${Method} /${string}`,
  { body, needsSetting, print, ...described }: ApiAction<Answer>,
): Action => {
  const [method, path] = call.split(' ') as [Method, string]
  const { settings } = described
  return operatorAction(name, {
    ...describe(path, described),
    run: async (api, input, terminal) => {
      const given = await readSettings(settings ?? {}, input, terminal)
      if (needsSetting && Object.keys(given).length === 0)
        throw usageError('there is nothing to change')
      const sent = body || settings ? { ...body, ...given } : undefined
      const answer = await api.call<Answer>(method, filledPath(path, input), sent)
      await print(answer, { api, input, terminal })
    },
  })
}

interface Listing<Item> extends Described {
  columns: readonly Column<Item>[]
  limit?(input: Input): number
}

/** An action that lists what a path has; its settings are the query. */
export const listing = <Item>(
  name: string,
  path: string,
  { columns, limit, ...described }: Listing<Item>,
): Action =>
  operatorAction(name, {
    ...describe(path, described),
    run: async (api, input, terminal) => {
      const query: object = await readSettings(described.settings ?? {}, input, terminal)
      const items = await api.list<Item>(filledPath(path, input), { ...query }, limit?.(input))
      printList(terminal, input, columns, items)
    },
  })

/** Prints the answer with the columns of its table, one per line. */
export const inColumns =
  <Answer>(columns: readonly Column<Answer>[]): Print<Answer> =>
  (answer, { input, terminal }) =>
    printOne(terminal, input, columns, answer)

/** Prints a new resource, of which a column is its secret. */
export const withSecret =
  <Answer>(columns: readonly Column<Answer>[]): Print<Answer> =>
  (answer, { input, terminal }) => {
    printOne(terminal, input, columns, answer)
    noteSecret(terminal)
  }

/** Prints the secret in the answer, alone. */
export const secretIn =
  <Answer extends object>(secretOf: (answer: Answer) => string): Print<Answer> =>
  (answer, { input, terminal }) =>
    printSecret(terminal, input, answer, secretOf(answer))

/** Reports a call that has no answer. */
export const done =
  (sentence: string): Print<unknown> =>
  (_answer, { input, terminal }) =>
    printDone(terminal, input, sentence)
