// The token of an organization's key set, for a workload that it trusts: the job stores no secret.
import { createHmac } from 'node:crypto'
import type { ClientRequest } from '../clients/authenticate.ts'
import type { Targets } from '../clients/targets.ts'
import type { CheckWorkload } from '../clients/workload-assertion.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { randomText } from '../crypto/random.ts'
import {
  about,
  invalidClient,
  invalidRequest,
  invalidScope,
  OAuthError,
} from '../language/errors.ts'
import type { Limits } from '../limits/limits.ts'
import type { KeySet } from '../organizations/key-set.ts'
import { workloadTokenKey } from '../organizations/workload-token-key.ts'
import { audienceOf } from '../tokens/access-token-claims.ts'
import { longestToken } from '../tokens/access-tokens.ts'
import { narrowedTo } from './approval.ts'
import type { TokenRequest, Tokens } from './token-request.ts'

/** Seconds. */
const lifetime = 3600

/** Could this be the Client ID of a key set? */
export const isKeySetClient = (clientId: string): boolean =>
  /^kcl[0-9A-Za-z]{10,20}$/.test(clientId)

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

const signed = (claims: object, key: Buffer): string => {
  const input = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`
  return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`
}

export const createKeySetTokens = (deps: {
  store: {
    keySet(
      resourceServer: null,
      clientId: string,
    ): Promise<{ found: { keySet: KeySet; presentWorkspaceIds: string[] } | null }>
  }
  checkWorkload: CheckWorkload
  limits: Pick<Limits, 'tokenRequested'>
  targets: Pick<Targets, 'ofApp'>
  keyring: Pick<Keyring, 'digest'>
  /** Milliseconds since 1970. */
  now: () => number
}) => {
  const { store, checkWorkload, limits, targets, keyring, now } = deps

  /**
   * Authenticates before anything is revealed, also for a request that is refused before it has a grant type.
   * @throws OAuthError invalid_client; OutboundBusy
   */
  const authenticate = async ({ credentials, provenBy, onWait }: ClientRequest) => {
    const { found } = await store.keySet(null, credentials.clientId)
    if (!found) throw invalidClient('unknown_client')
    if (found.keySet.interface !== 'current') throw invalidClient('other_interface')
    // The secret of a key set signs its tokens. It is never sent (specification §5.2 A).
    if (credentials.method !== 'private_key_jwt') throw invalidClient('assertion_required')
    const { workloads, organizationId } = found.keySet
    const waiter = { owner: organizationId, onWait }
    const proven = await checkWorkload(workloads, credentials.assertion, waiter)
    provenBy(proven)
    return { ...found, workload: proven.workload }
  }

  /**
   * Answers `client_credentials` of a key set with a self-signed token that this server signs for it (specification §5.2 A).
   * @param named the organization that the request names; null: none
   * @throws OAuthError invalid_client, invalid_request for another organization, invalid_scope, invalid_target
   */
  const answer = async (request: TokenRequest, named: string | null): Promise<Tokens> => {
    const { keySet, presentWorkspaceIds, workload } = await authenticate(request)
    const { clientId, organizationId, permissions } = keySet
    await limits.tokenRequested(clientId, null)
    try {
      if (named !== null && named !== organizationId)
        throw invalidRequest('organization_id is not the organization of the key set')
      const target = await targets.ofApp(request.requested.resources ?? [], organizationId)
      const narrowed = narrowedTo(
        { interface: 'current', permissions, openid: false },
        {
          installPermissions: permissions,
          installWorkspaceIds: keySet.workspaceIds,
          presentWorkspaceIds,
        },
        null,
        request.requested,
        target,
      )
      const issuedAt = Math.floor(now() / 1000)
      const claims = {
        iss: clientId,
        sub: clientId,
        client_id: clientId,
        organization_id: organizationId,
        kind: 'self_signed',
        interface: 'current',
        iat: issuedAt,
        exp: issuedAt + lifetime,
        jti: randomText(16),
        permissions: narrowed.permissions,
        ...(target && { aud: audienceOf(target.resources) }),
        // Absent: all that the key set may reach, also later ones.
        ...(narrowed.namesWorkspaces && { workspace_ids: narrowed.workspaceIds }),
      }
      const accessToken = signed(claims, keyring.digest(workloadTokenKey(keySet.id, workload)))
      if (accessToken.length >= longestToken) throw invalidScope('token_too_long')
      return {
        subject: { ...narrowed, clientId, organizationId },
        accessToken,
        expiresIn: lifetime,
        refreshToken: null,
        signIn: null,
        jkt: null,
        idToken: null,
      }
    } catch (error) {
      throw about(error, { clientId, organizationId, userId: null })
    }
  }

  return {
    authenticate,
    answer,
    /** Refuses any other grant type (RFC 6749 §5.2). @throws OAuthError invalid_client, unauthorized_client */
    refuse: async (request: TokenRequest): Promise<never> => {
      const { clientId, organizationId } = (await authenticate(request)).keySet
      const description = 'a key set may use client_credentials only'
      const fault = new OAuthError('unauthorized_client', description)
      throw about(fault, { clientId, organizationId, userId: null })
    },
  }
}

export type KeySetTokens = ReturnType<typeof createKeySetTokens>
