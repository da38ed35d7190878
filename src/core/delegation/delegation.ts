import { type AuditEvent, auditEvent } from '../audit/audit.ts'
import type { App } from '../clients/app.ts'
import type { Targets } from '../clients/targets.ts'
import type { GrantEvents, GrantStore, LoadedInstall, WithInstall } from '../grants/store.ts'
import type { SettleReach, TokenReach } from '../grants/token-reach.ts'
import type { GrantType, ProvenRequest, Redemption } from '../grants/token-request.ts'
import type { Introspection } from '../introspection/introspection.ts'
import type { TokenFacts } from '../introspection/token-facts.ts'
import { about, invalidGrant, invalidRequest, unauthorizedClient } from '../language/errors.ts'
import { isGrantReason } from '../language/sub-reasons.ts'
import type { AccessTokenClaims } from '../tokens/access-token-claims.ts'
import type { IssuedTokens } from '../tokens/issued-tokens.ts'
import {
  chainOf,
  type DelegationLink,
  delegatedReach,
  delegatedSubject,
  demandSubjectKey,
  holderOf,
  linksTo,
} from './rules.ts'

/** The app of an authorization, the user (null: the app itself), and the app that acts with it. */
export interface DelegationParties {
  installId: string
  userId: string | null
  actorInstallId: string
}

export interface DelegationStore {
  /**
   * Is the actor of every link named by the app of the authorization, or by the holder of that link?
   * @param clientId of the app of the authorization
   */
  mayAct(clientId: string, links: readonly DelegationLink[]): Promise<boolean>
  /** Records that the app acts with the authorization today. The event is written on the first use of a day (UTC). */
  record(parties: DelegationParties, event: AuditEvent): Promise<void>
}

/** RFC 8693: an access token of the client, or of an app that lets it act, for a narrower one. */
export type DelegationGrant = (subjectToken: string) => GrantType<WithInstall>

type Exchange = ProvenRequest<WithInstall>

/** RFC 8693 §2.2.2. @throws OAuthError invalid_request, invalid_grant for an expired token */
const readSubject = (issuedTokens: IssuedTokens, text: string) => {
  const token = issuedTokens.read(text)
  const claims = token?.refused === 'other_issuer' ? null : (token?.claims ?? null)
  const demand = (): AccessTokenClaims => {
    if (!claims)
      throw invalidRequest('subject_token is not an access token of this server', 'subject_token')
    if (claims.interface !== 'current')
      throw invalidRequest('subject_token is of the legacy interface', 'subject_token_legacy')
    if (token?.refused === 'expired') throw invalidGrant('subject_expired')
    return claims
  }
  const userId = claims?.kind === 'user' ? claims.sub : null
  return { organizationId: claims?.organization_id ?? '', userId, demand }
}

export const createDelegationGrant = (deps: {
  store: DelegationStore
  grants: Pick<GrantStore, 'loadInstall'>
  issuedTokens: IssuedTokens
  introspection: Pick<Introspection, 'exchanged'>
  targets: Pick<Targets, 'isDefault' | 'ofGrant'>
  settleReach: SettleReach
  events: Pick<GrantEvents, 'installUsed'>
}): DelegationGrant => {
  const { store, grants, issuedTokens, introspection, targets, settleReach, events } = deps

  /** An app that is no longer named ends what it handed on, too. @throws OAuthError invalid_grant */
  const demandActors = async (claims: AccessTokenClaims, { clientId }: App): Promise<void> => {
    const links = linksTo(claims, clientId)
    if (links.length > 0 && !(await store.mayAct(claims.client_id, links)))
      throw invalidGrant('actor_not_named')
  }

  const demandInstall = (install: LoadedInstall | null, isForUser: boolean): LoadedInstall => {
    if (!install) throw invalidGrant('not_installed')
    const { paused, keptOut, self } = install
    const refused = paused ?? keptOut
    if (refused) throw invalidGrant(refused)
    if (self && !isForUser) throw invalidGrant('self_install')
    return install
  }

  /** The present meaning of the token. @throws OAuthError invalid_grant when it has ended */
  const meaningOf = async (claims: AccessTokenClaims): Promise<TokenFacts> => {
    const { refused, facts } = await introspection.exchanged(claims)
    if (refused === null && facts) return facts
    throw invalidGrant(refused && isGrantReason(refused) ? refused : 'subject_inactive')
  }

  /** The audiences of the token, or those of them that the request names (RFC 8707). @throws OAuthError invalid_target */
  const targetOf = (claims: AccessTokenClaims, { resources = [] }: Exchange['requested']) => {
    const audiences = [claims.aud].flat()
    const granted = targets.isDefault(audiences) ? undefined : audiences
    return targets.ofGrant(granted, resources, claims.organization_id)
  }

  /** An app that acts with a token of its own tells the organization nothing new. */
  const record = async (
    { app, cause }: Exchange,
    install: LoadedInstall,
    { subject }: Redemption,
  ) => {
    events.installUsed(install.installId)
    if (app.clientId === subject.clientId) return
    const { organizationId, clientId, permissions, workspaceIds, delegated } = subject
    const userId = subject.kind === 'user' ? subject.userId : null
    const event = auditEvent(cause, 'access_token.delegated', {
      organizationId,
      clientId,
      userId,
      detail: {
        actors: delegated?.actors.map((actor) => actor.clientId),
        permissions,
        workspace_ids: workspaceIds,
      },
    })
    const { installId } = subject
    await store.record({ installId, userId, actorInstallId: install.installId }, event)
  }

  const exchange = async (request: Exchange, claims: AccessTokenClaims): Promise<Redemption> => {
    const { app, loaded, requested, proof } = request
    await demandActors(claims, app)
    const install = demandInstall(loaded.install, claims.kind === 'user')
    demandSubjectKey(claims, proof, holderOf(claims) === app.clientId)
    const actors = chainOf(claims, app, install)
    const facts = await meaningOf(claims)
    const target = await targetOf(claims, requested)
    const narrowed = delegatedReach(facts, app, install, requested, target)
    const withReach = (reach: TokenReach) => delegatedSubject(claims, app, actors, reach)
    const subject = withReach(await settleReach(app, narrowed, withReach))
    const redemption = { subject, refreshToken: null, signIn: null }
    if (proof) await proof.use()
    await record(request, install, redemption)
    return redemption
  }

  return (subjectToken) => {
    // The signature alone decides here. Stores are asked about the token only after the client is authenticated.
    const subject = readSubject(issuedTokens, subjectToken)
    return {
      load: (clientId) => grants.loadInstall(clientId, subject.organizationId, subject.userId),
      redeem: async (request) => {
        if (request.app.clientType === 'public') throw unauthorizedClient('public_client')
        const claims = subject.demand()
        try {
          return await exchange(request, claims)
        } catch (error) {
          const { organization_id: organizationId, kind, sub } = claims
          const userId = kind === 'user' ? sub : null
          throw about(error, { clientId: request.app.clientId, organizationId, userId })
        }
      },
    }
  }
}
