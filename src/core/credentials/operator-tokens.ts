import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { hasChecksum } from '../crypto/checksum.ts'
import { newId, newSecret, secretHint } from '../crypto/identifiers.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { nameFaults } from '../language/display-text.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { NotFound, refuse } from '../language/service-errors.ts'
import type { SecretShown } from './digest-renewal.ts'

/** A bearer token for the Operator API. */
export interface OperatorToken {
  id: string
  name: string
  hint: string
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date | null
}

export interface OperatorTokenStore {
  insert(
    token: Pick<OperatorToken, 'id' | 'name' | 'hint' | 'expiresAt'> & {
      digest: Buffer
      digestKeyId: string
    },
    events: readonly AuditEvent[],
  ): Promise<OperatorToken>
  /** Finds the unexpired token with one of these digests, and records the use to the minute. */
  useByDigest(digests: readonly Buffer[]): Promise<{ id: string; digest: Buffer } | null>
  list(page: PageRequest): Promise<Page<OperatorToken>>
  remove(id: string, events: readonly AuditEvent[]): Promise<boolean>
}

export interface OperatorTokensOptions {
  store: OperatorTokenStore
  keyring: Pick<Keyring, 'digest' | 'keyIds' | 'digests'>
  shown?: SecretShown
}

const tokenShape = /^lkop_[0-9A-Za-z]{1,128}$/

/** Bearer tokens of operators. */
export const createOperatorTokens = ({ store, keyring, shown }: OperatorTokensOptions) => ({
  /**
   * @param expiresAt null: the token does not expire
   * @returns the token, which cannot be read again
   * @throws Invalid
   */
  create: async (
    name: string,
    expiresAt: Date | null,
    cause: Cause,
  ): Promise<OperatorToken & { token: string }> => {
    refuse(nameFaults('/name', name))
    const token = newSecret('operatorToken')
    const id = newId('operatorToken')
    const stored = await store.insert(
      {
        id,
        name,
        hint: secretHint(token),
        expiresAt,
        digest: keyring.digest(token),
        digestKeyId: keyring.keyIds[0],
      },
      [auditEvent(cause, 'operator_token.created', { detail: { operator_token_id: id } })],
    )
    return { ...stored, token }
  },

  /**
   * Finds the token by its keyed digest, so that the response time reveals nothing about stored tokens.
   * @returns null for an unknown, deleted or expired token
   */
  verify: async (token: string): Promise<{ id: string } | null> => {
    if (!tokenShape.test(token) || !hasChecksum(token)) return null
    const used = await store.useByDigest(keyring.digests(token))
    if (used === null) return null
    shown?.('operator_tokens', used.id, token, used.digest)
    return { id: used.id }
  },

  /** Oldest first. */
  list: (page: PageRequest): Promise<Page<OperatorToken>> => store.list(page),

  /** Revokes the token at once. @throws NotFound */
  remove: async (id: string, cause: Cause): Promise<void> => {
    const detail = { operator_token_id: id }
    const events = [auditEvent(cause, 'operator_token.deleted', { detail })]
    if (!(await store.remove(id, events))) throw new NotFound('operator token')
  },
})

export type OperatorTokens = ReturnType<typeof createOperatorTokens>
