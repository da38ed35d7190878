import { timingSafeEqual } from 'node:crypto'
import type { Keyring } from '../crypto/keyring.ts'
import type { OperatorTokens } from './operator-tokens.ts'

/** Accepts the configured operator token, and tokens made by the command line. */
export const createIsOperator = (deps: {
  configured: string | null
  tokens: Pick<OperatorTokens, 'verify'>
  keyring: Pick<Keyring, 'digest'>
}) => {
  const { configured, tokens, keyring } = deps
  const expected = configured === null ? null : keyring.digest(configured)
  return async (token: string): Promise<{ id: string } | null> => {
    if (expected && timingSafeEqual(keyring.digest(token), expected)) return { id: 'configured' }
    return tokens.verify(token)
  }
}
