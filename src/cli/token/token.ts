import type { Action, Command } from '../command.ts'
import { authorize } from './authorize.ts'
import { clientCredentials, refresh } from './request.ts'
import { simulate } from './simulate.ts'

const inspect: Action = {
  name: 'inspect',
  summary: 'Explain a token: what it is, what it may do, and why it is refused.',
  options: {
    audience: { value: 'uri', help: 'verify locally, including this audience' },
    local: { help: "verify locally with the server's published keys only" },
  },
  notes: [
    'The token is read from LATCHKEY_ACCESS_TOKEN or stdin, also as printed with --json. The exit code for an invalid',
    'token is 4. With an operator token, the server explains every kind of token and knows which are revoked.',
    'Without one, access tokens are decoded and verified locally.',
  ],
  // Loaded only here: the JOSE library takes longer to load than most commands take to run.
  run: async (input, terminal) => {
    const { inspectToken } = await import('./inspection.ts')
    await inspectToken(input, terminal)
  },
}

export const token: Command = {
  name: 'token',
  summary: 'act as an app: authorize, refresh, get install tokens; explain and simulate tokens',
  actions: [authorize, refresh, clientCredentials, inspect, simulate],
}
