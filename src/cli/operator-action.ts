import type { Action, ActionOn } from './action.ts'
import { createOperatorApi, type OperatorApi } from './operator-api.ts'
import { operatorToken, serverUrl } from './server-address.ts'
import { note } from './terminal.ts'

/** An action that calls the Operator API of the running server. */
export const operatorAction = (action: ActionOn<OperatorApi>): Action => ({
  ...action,
  run: async (input, terminal) => {
    const url = serverUrl(terminal)
    const api = createOperatorApi({ url, token: await operatorToken(terminal) })
    note(terminal, `Server: ${url}`)
    await action.run(api, input, terminal)
  },
})
