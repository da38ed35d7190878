import type { SecretJson } from '../http/operator/app-secrets.ts'
import type { Input } from './action.ts'
import { type Column, moment, print } from './output.ts'
import { note, type Terminal } from './terminal.ts'

export const secretColumns: Column<SecretJson>[] = [
  ['id', (secret) => secret.id],
  ['hint', (secret) => secret.hint],
  ['created', (secret) => moment(secret.created_at)],
  ['last used', (secret) => moment(secret.last_used_at)],
  ['ends', (secret) => moment(secret.expires_at)],
]

/** Prints a new secret to stdout, alone on its line so that it can be piped. Hints go to stderr. */
export const printSecret = (
  terminal: Terminal,
  input: Pick<Input, 'json'>,
  value: object,
  secret: string,
) => {
  print(terminal, input, value, () => secret)
  note(terminal, 'Keep the secret now: it is not shown again.')
}
