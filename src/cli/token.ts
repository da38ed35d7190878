import type { Command } from './command.ts'
import { authorize } from './token-authorize.ts'
import { inspect } from './token-inspect.ts'
import { clientCredentials, refresh } from './token-request.ts'
import { simulate } from './token-simulate.ts'

export const token: Command = {
  name: 'token',
  summary: 'act as an app: authorize, refresh, get install tokens; explain and simulate tokens',
  actions: [authorize, refresh, clientCredentials, inspect, simulate],
}
