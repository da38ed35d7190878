import { timingSafeEqual } from 'node:crypto'
import type { Keyring } from '../crypto/keyring.ts'
import { everything, type Operator } from './operator-permissions.ts'
import type { OperatorTokens } from './operator-tokens.ts'

const configuredOperator: Operator = {
  id: 'configured',
  permissions: [everything],
  organizationIds: null,
}

/** Accepts the configured operator token, which has all rights, and the created ones. */
export const createIsOperator = (deps: {
  configured: string | null
  tokens: Pick<OperatorTokens, 'verify'>
  keyring: Pick<Keyring, 'digest'>
}) => {
  const { configured, tokens, keyring } = deps
  const expected = configured === null ? null : keyring.digest(configured)
  return async (token: string): Promise<Operator | null> => {
    if (expected && timingSafeEqual(keyring.digest(token), expected)) return configuredOperator
    return tokens.verify(token)
  }
}
