import type { Command } from './command.ts'
import { authorize } from './token-authorize.ts'
import { inspect } from './token-inspect.ts'
import { clientCredentials, refresh } from './token-request.ts'

export const token: Command = {
  name: 'token',
  summary: 'play the app: authorize, refresh, get install tokens, inspect them',
  actions: [authorize, refresh, clientCredentials, inspect],
}
