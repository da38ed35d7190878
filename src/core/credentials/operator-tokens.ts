import { timingSafeEqual } from 'node:crypto'
import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { type EventsFrom, removal } from '../audit/changes.ts'
import { hasChecksum } from '../crypto/checksum.ts'
import { newId, newSecret } from '../crypto/identifiers.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { nameFaults } from '../language/display-text.ts'
import { faultAt } from '../language/faults.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { Invalid, refuse } from '../language/service-errors.ts'
import type { SecretShown } from './digest-renewal.ts'
import {
  distinctPermissions,
  everything,
  type Operator,
  permissionFaults,
} from './operator-permissions.ts'
import { type Digested, digested, type Secret } from './secrets.ts'

/** A bearer token for the Operator API. */
export interface OperatorToken extends Secret {
  name: string
  permissions: readonly string[]
  /** The organizations that it may reach; null: all. */
  organizationIds: readonly string[] | null
}

export interface OperatorTokenStore {
  /** Stores the token unless it has expired already, or one of its organizations does not exist. */
  insert(
    token: Omit<OperatorToken, 'createdAt' | 'lastUsedAt'> & Digested,
    events: readonly AuditEvent[],
  ): Promise<OperatorToken | 'expired' | 'unknown_organization'>
  /**
   * Finds the unexpired token with one of these digests and its rights, in one statement, and records the use to the
   * minute.
   */
  useByDigest(digests: readonly Buffer[]): Promise<(Operator & { digest: Buffer }) | null>
  list(page: PageRequest): Promise<Page<OperatorToken>>
  /** Locks the token and calls `admit`, which may throw. */
  remove(id: string, admit: EventsFrom<OperatorToken>): Promise<boolean>
}

const tokenShape = /^lko[pl]_[0-9A-Za-z]{1,128}$/

const unknownOrganization = 'names an unknown organization'
const refused = {
  expired: faultAt('/expires_at', 'expires_at', 'is not in the future'),
  unknown_organization: faultAt('/organization_ids', 'unknown_organization', unknownOrganization),
} as const

/** A server of an earlier version, which would give every token all rights, does not know the prefix. */
const kindOf = ({ permissions, organizationIds }: Omit<Operator, 'id'>) =>
  permissions.includes(everything) && organizationIds === null
    ? 'operatorToken'
    : 'limitedOperatorToken'

interface OperatorTokensOptions {
  store: OperatorTokenStore
  keyring: Pick<Keyring, 'digest' | 'keyIds' | 'digests'>
  shown?: SecretShown
}

/** Bearer tokens of operators. */
export const createOperatorTokens = ({ store, keyring, shown }: OperatorTokensOptions) => ({
  /** @returns the token, which cannot be read again @throws Invalid */
  create: async (
    draft: Pick<OperatorToken, 'name' | 'permissions' | 'organizationIds' | 'expiresAt'>,
    cause: Cause,
  ): Promise<OperatorToken & { token: string }> => {
    refuse([...nameFaults('/name', draft.name), ...permissionFaults(draft.permissions)])
    const rights = {
      permissions: distinctPermissions(draft.permissions),
      organizationIds: draft.organizationIds && [...new Set(draft.organizationIds)],
    }
    if (rights.organizationIds?.length === 0)
      throw new Invalid([faultAt('/organization_ids', 'empty', 'must not be empty')])
    const token = newSecret(kindOf(rights))
    const id = newId('operatorToken')
    const detail = {
      operator_token_id: id,
      permissions: rights.permissions,
      organization_ids: rights.organizationIds,
      expires_at: draft.expiresAt?.toISOString() ?? null,
    }
    const stored = await store.insert({ ...draft, ...rights, id, ...digested(keyring, token) }, [
      auditEvent(cause, 'operator_token.created', { detail }),
    ])
    if (typeof stored === 'string') throw new Invalid([refused[stored]])
    return { ...stored, token }
  },

  /**
   * Finds the token by its keyed digest, so that the response time reveals nothing about stored tokens.
   * @returns null for an unknown, deleted or expired token
   */
  verify: async (token: string): Promise<Operator | null> => {
    if (!tokenShape.test(token) || !hasChecksum(token)) return null
    const used = await store.useByDigest(keyring.digests(token))
    if (used === null) return null
    const { digest, ...operator } = used
    shown?.('operator_tokens', operator.id, token, digest)
    return operator
  },

  /** Oldest first. */
  list: (page: PageRequest): Promise<Page<OperatorToken>> => store.list(page),

  /** Revokes the token at once. @throws NotFound, PreconditionFailed */
  remove: removal('operator token', store.remove, (cause, { id }) =>
    auditEvent(cause, 'operator_token.deleted', { detail: { operator_token_id: id } }),
  ),
})

export type OperatorTokens = ReturnType<typeof createOperatorTokens>

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
