import type { Command } from '../command.ts'
import { authorize } from './authorize.ts'
import { inspect } from './inspect.ts'
import { clientCredentials, refresh } from './request.ts'
import { simulate } from './simulate.ts'

export const token: Command = {
  name: 'token',
  summary: 'act as an app: authorize, refresh, get install tokens; explain and simulate tokens',
  actions: [authorize, refresh, clientCredentials, inspect, simulate],
}
