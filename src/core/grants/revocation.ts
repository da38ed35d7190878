import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { comparableResources } from '../clients/resources.ts'
import { successorGrantId } from '../clients/successor-rules.ts'
import type { Keyring } from '../crypto/keyring.ts'
import type { AccessTokenClaims } from '../tokens/access-token-claims.ts'
import type { IssuedTokens } from '../tokens/issued-tokens.ts'
import type { FamilyStore } from './families.ts'
import { foreignTokenOf } from './foreign-token.ts'
import type { LoadedGrant, WithGrant } from './store.ts'
import { decodeGrantToken, type GrantToken } from './token-format.ts'

/** An access token that is revoked: resource servers of its audiences and its organization are notified. */
export interface RevokedToken {
  jti: string
  /** Seconds since 1970. */
  expiresAt: number
  organizationId: string
  audiences: readonly string[]
}

export interface RevocationStore {
  /**
   * Ends a grant and all of its tokens.
   * @param event concerns the app of the grant, whichever app the event names
   * @returns false when it had ended before
   */
  endGrant(grantId: string, event: AuditEvent): Promise<boolean>
  /** Revokes one access token. @returns false when it was revoked before */
  revokeToken(token: RevokedToken, event: AuditEvent): Promise<boolean>
}

/** A token of ours that a client wants to revoke. */
export type Revocable =
  | { type: 'grant'; token: GrantToken }
  | { type: 'access_token'; claims: AccessTokenClaims }

export const createRevocation = (deps: {
  store: RevocationStore
  families: Pick<FamilyStore, 'end'>
  issuedTokens: IssuedTokens
  keyring: Keyring
}) => {
  const { store, families, issuedTokens, keyring } = deps

  const endGrant = async ({ grant, migrated }: LoadedGrant, cause: Cause) => {
    const { organizationId, clientId, userId } = grant
    const id = migrated ? successorGrantId(grant.id) : grant.id
    const about = { organizationId, clientId, userId, detail: { grant_id: id } }
    await store.endGrant(id, auditEvent(cause, 'grant.revoked', about))
    // The row has ended already, on every instance. This only frees the space of the family.
    await families.end(id).catch(() => undefined)
  }

  return {
    /** @returns null for an expired token or one that is not ours: there is nothing to revoke (RFC 7009 §2.2) */
    read: (text: string): Revocable | null => {
      const token =
        decodeGrantToken(keyring, 'refresh_token', text) ?? decodeGrantToken(keyring, 'code', text)
      if (token) return { type: 'grant', token }
      const issued = issuedTokens.read(text)
      const foreign = issued ? null : foreignTokenOf(text)
      if (foreign) return { type: 'grant', token: foreign }
      return issued?.claims && !issued.refused
        ? { type: 'access_token', claims: issued.claims }
        : null
    },

    /** Revokes a token of this client. Another client's token stays valid, with the same response. */
    revoke: async ({ app, grant }: WithGrant, revocable: Revocable, cause: Cause) => {
      if (revocable.type === 'grant') {
        if (grant) await endGrant(grant, cause)
        return
      }
      const { claims } = revocable
      // RFC 7009 §2.1: the token must have been issued to the client. An exchanged one is also the authorization's.
      const owners = [claims.client_id, claims.act?.client_id]
      if (!owners.includes(app.clientId)) return
      const about = {
        organizationId: claims.organization_id,
        clientId: app.clientId,
        userId: claims.kind === 'user' ? claims.sub : null,
        detail: { kind: claims.kind },
      }
      const event = auditEvent(cause, 'access_token.revoked', about)
      const { jti, exp: expiresAt, organization_id: organizationId, aud } = claims
      const audiences = comparableResources([aud].flat())
      await store.revokeToken({ jti, expiresAt, organizationId, audiences }, event)
    },
  }
}

export type Revocation = ReturnType<typeof createRevocation>
