import type { ActivatedKeyJson, SigningKeyJson } from '../../http/operator/tokens/signing-keys.ts'
import { apiAction, listing } from '../api-action.ts'
import type { Command } from '../command.ts'
import { type Column, moment, print } from '../output.ts'
import { flag } from '../setting.ts'
import { note } from '../terminal.ts'
import { reseal, status } from './master-keys.ts'

const columns: Column<SigningKeyJson>[] = [
  ['status', (key) => key.status],
  ['kid', (key) => key.kid],
  ['algorithm', (key) => key.alg],
  ['created', (key) => moment(key.created_at)],
  ['signs since', (key) => moment(key.activated_at)],
  ['retired', (key) => moment(key.retired_at)],
]

export const keys: Command = {
  name: 'keys',
  summary: 'signing keys of access tokens, and the data that depends on each master key',
  actions: [
    listing({
      summary: 'List the published signing keys.',
      path: '/signing-keys',
      columns,
    }),
    apiAction<ActivatedKeyJson>({
      name: 'rotate',
      summary: 'Sign with the next key.',
      call: 'POST /signing-keys/rotate',
      settings: {
        withdraw: flag(
          'withdraw',
          'drop all keys and create new ones; older tokens are invalid at once',
        ),
      },
      notes: [
        'The next key was published ahead of its use, and the old key stays published, so tokens signed earlier stay',
        'valid until they expire. A key that was published too recently starts to sign a little later, so that every',
        'verifier knows it by then. Use --withdraw when a key has leaked: all tokens signed earlier become invalid.',
      ],
      print: (active, { input, terminal }) => {
        print(terminal, input, active, () => active.kid)
        note(
          terminal,
          `This key signs from ${moment(active.activated_at)} on. A new next key is published.`,
        )
      },
    }),
    status,
    reseal,
  ],
}
