import { type AuditEvent, auditEvent } from '../audit/audit.ts'
import { type EventsFrom, removal } from '../audit/changes.ts'
import type { SecretShown } from '../credentials/digest-renewal.ts'
import { isLimited } from '../credentials/operator-permissions.ts'
import { type Digested, digested, type Secret } from '../credentials/secrets.ts'
import { hasChecksum } from '../crypto/checksum.ts'
import { newId, newSecret } from '../crypto/identifiers.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { nameFaults } from '../language/display-text.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { found, refuse } from '../language/service-errors.ts'
import type { OperatorCause } from '../people/account-guard.ts'

/** What the groups of the provider are: workspaces of the organization, the role of admins, or nothing else. */
export const groupKinds = ['workspaces', 'roles', 'groups'] as const
export type GroupKind = (typeof groupKinds)[number]

/** A bearer token of an identity provider for one organization. */
export interface ScimToken extends Omit<Secret, 'expiresAt'> {
  organizationId: string
  name: string
  groupKind: GroupKind
  /** An operator token that is limited to organizations made it: it adds no account that exists elsewhere. */
  isLimited: boolean
}

/** The provider that sent a request. */
export type ScimProvider = Pick<ScimToken, 'id' | 'organizationId' | 'groupKind' | 'isLimited'>

export interface ScimTokenStore {
  /** @returns null when the organization does not exist */
  insert(
    token: Omit<ScimToken, 'createdAt' | 'lastUsedAt'> & Digested,
    events: readonly AuditEvent[],
  ): Promise<ScimToken | null>
  /** Finds the token with one of these digests, and records the use to the minute. */
  useByDigest(digests: readonly Buffer[]): Promise<(ScimProvider & { digest: Buffer }) | null>
  /** @returns null when the organization does not exist */
  list(organizationId: string, page: PageRequest): Promise<Page<ScimToken> | null>
  /** Locks the token and calls `admit`, which may throw. */
  remove(
    token: Pick<ScimToken, 'organizationId' | 'id'>,
    admit: EventsFrom<ScimToken>,
  ): Promise<boolean>
}

const tokenShape = /^lksc_[0-9A-Za-z]{1,128}$/

export const createScimTokens = (deps: {
  store: ScimTokenStore
  keyring: Pick<Keyring, 'digest' | 'keyIds' | 'digests'>
  shown?: SecretShown
}) => {
  const { store, keyring, shown } = deps
  return {
    /** @returns the token, which cannot be read again @throws Invalid, NotFound */
    create: async (
      organizationId: string,
      { name, groupKind }: Pick<ScimToken, 'name' | 'groupKind'>,
      cause: OperatorCause,
    ): Promise<ScimToken & { token: string }> => {
      refuse(nameFaults('/name', name))
      const token = newSecret('scimToken')
      const id = newId('scimToken')
      const detail = { scim_token_id: id, groups: groupKind }
      const given = { id, organizationId, name, groupKind, isLimited: isLimited(cause.rights) }
      const stored = await store.insert({ ...given, ...digested(keyring, token) }, [
        auditEvent(cause, 'scim_token.created', { organizationId, detail }),
      ])
      return { ...found(stored, 'organization'), token }
    },

    /** @returns null for an unknown or deleted token */
    verify: async (token: string): Promise<ScimProvider | null> => {
      if (!tokenShape.test(token) || !hasChecksum(token)) return null
      const used = await store.useByDigest(keyring.digests(token))
      if (used === null) return null
      const { digest, ...provider } = used
      shown?.('scim_tokens', provider.id, token, digest)
      return provider
    },

    /** Oldest first. @throws NotFound */
    list: async (organizationId: string, page: PageRequest): Promise<Page<ScimToken>> =>
      found(await store.list(organizationId, page), 'organization'),

    /** Revokes the token at once. The users stay as they are. @throws NotFound, PreconditionFailed */
    remove: removal('SCIM token', store.remove, (cause, { organizationId, id }) =>
      auditEvent(cause, 'scim_token.deleted', { organizationId, detail: { scim_token_id: id } }),
    ),
  }
}

export type ScimTokens = ReturnType<typeof createScimTokens>
