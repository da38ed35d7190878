import { scopeText } from '../../core/clients/openid.ts'
import type { Introspection } from '../../core/introspection/introspection.ts'
import type { TokenFacts } from '../../core/introspection/token-facts.ts'
import type { PermissionUse } from '../../core/organizations/permission-use.ts'
import { actClaim } from '../../core/tokens/delegated-token.ts'
import { readClientCredentials } from './client-credentials.ts'
import { type ClientEndpointDependencies, clientEndpoint } from './client-endpoint.ts'
import { required } from './form.ts'
import { refreshExpirationJson } from './token-answer.ts'

export interface IntrospectDependencies extends ClientEndpointDependencies {
  introspection: Pick<Introspection, 'introspect'>
  permissionUse: Pick<PermissionUse, 'seen'>
  /** Counts an answer by kind of token and by the reason why it is not active. */
  introspected(kind: string, refused: string | null): void
}

const inactive = { active: false }

/** RFC 7662 §2.2, with members of our own. */
const answerOf = (facts: TokenFacts) => ({
  active: true,
  kind: facts.kind,
  interface: facts.interface,
  iss: facts.issuer,
  sub: facts.subject,
  client_id: facts.clientId,
  organization_id: facts.organizationId,
  scope: scopeText(facts.openidScopes, facts.permissions),
  permissions: facts.permissions,
  workspace_ids: facts.workspaceIds,
  ...(facts.type === 'access_token' && {
    token_type: facts.jkt === null ? 'Bearer' : 'DPoP',
  }),
  ...(facts.jkt !== null && { cnf: { jkt: facts.jkt } }),
  ...(facts.issuedAt !== null && { iat: facts.issuedAt }),
  ...(facts.expiresAt !== null && { exp: facts.expiresAt }),
  ...(facts.authenticatedAt !== null && { auth_time: facts.authenticatedAt }),
  ...(facts.contextClass !== null && { acr: facts.contextClass }),
  ...refreshExpirationJson(facts.refreshExpiration),
  ...(facts.jti !== null && { jti: facts.jti }),
  ...(facts.actors.length > 0 && { act: actClaim(facts.actors) }),
})

/** Token introspection for resource servers (RFC 7662). The answer for an inactive token contains no facts about it. */
export const introspect = (deps: IntrospectDependencies) =>
  clientEndpoint(deps, {
    url: '/api/oauth/introspect',
    handle: async (form, { headers }) => {
      const credentials = readClientCredentials(headers.authorization, form)
      const token = form.get('token') ?? ''
      const { refused, facts } = await deps.introspection.introspect(token, credentials)
      await deps.permissionUse.seen(credentials.clientId, true)
      required(form, 'token')
      deps.introspected(facts?.kind ?? 'unknown', refused)
      return facts && refused === null ? answerOf(facts) : inactive
    },
  })
