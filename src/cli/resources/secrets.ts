import type { SecretJson } from '../../http/operator/apps/secrets.ts'
import type { Input } from '../action.ts'
import { type Column, moment, print } from '../output.ts'
import { number, type Settings } from '../setting.ts'
import { note, type Terminal } from '../terminal.ts'

export const secretColumns: Column<SecretJson>[] = [
  ['id', (secret) => secret.id],
  ['hint', (secret) => secret.hint],
  ['created', (secret) => moment(secret.created_at)],
  ['last used', (secret) => moment(secret.last_used_at)],
  ['ends', (secret) => moment(secret.expires_at)],
]

/** Follows each secret that is printed. */
export const noteSecret = (terminal: Terminal) =>
  note(terminal, 'Keep the secret now: it is not shown again.')

/** Prints a new secret to stdout, alone on its line so that it can be piped. Hints go to stderr. */
export const printSecret = (
  terminal: Terminal,
  input: Pick<Input, 'json'>,
  value: object,
  secret: string,
) => {
  print(terminal, input, value, () => secret)
  noteSecret(terminal)
}

/** What a call that replaces a secret may set. */
export const retireOthers: Settings = {
  retire_others_after_seconds: {
    ...number('retire-others-after', 'seconds', 'time until older secrets expire (default: 0)'),
    read: (input) => input.number('retire-others-after') ?? 0,
  },
}
