import type { Action, Input } from './action.ts'
import { createOperatorApi, type OperatorApi } from './operator-api.ts'
import { operatorToken, serverUrl } from './server-address.ts'
import { note, type Terminal } from './terminal.ts'

type OperatorAction = Omit<Action, 'run'> & {
  run(api: OperatorApi, input: Input, terminal: Terminal): Promise<void>
}

/** An action that calls the Operator API of the running server. */
export const operatorAction = (action: OperatorAction): Action => ({
  ...action,
  run: async (input, terminal) => {
    const url = serverUrl(terminal)
    const api = createOperatorApi({ url, token: await operatorToken(terminal) })
    note(terminal, `Server: ${url}`)
    await action.run(api, input, terminal)
  },
})
