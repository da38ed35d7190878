import type { DeviceFlow } from '../../core/authorization/device-flow.ts'
import { deviceCodeLifetime, pollingInterval } from '../../core/authorization/device-request.ts'
import type { DocumentRequests } from '../../core/client-documents/document-requests.ts'
import { readScope } from '../../core/clients/openid.ts'
import { parseResources, type Targets } from '../../core/clients/targets.ts'
import { isIdShaped } from '../../core/crypto/identifiers.ts'
import type { AuthenticateClient } from '../../core/grants/client-requests.ts'
import { unauthorizedClient } from '../../core/language/errors.ts'
import { narrow, parseWorkspaceIds } from '../../core/language/scope.ts'
import { deviceOf } from '../../core/people/user-agent.ts'
import { type ClientEndpointDependencies, clientEndpoint } from '../oauth/client-endpoint.ts'
import { readClientRequest, requesterOf } from '../oauth/client-request.ts'
import type { IsPublicOrigin } from '../oauth/page-origin.ts'

export interface DeviceAuthorizationDependencies extends ClientEndpointDependencies {
  issuer: string
  authenticateClient: AuthenticateClient
  documentRequests: DocumentRequests
  devices: Pick<DeviceFlow, 'begin'>
  targets: Pick<Targets, 'ofRequest'>
  isPublicOrigin: IsPublicOrigin
}

/** The endpoint where a device without a browser starts (RFC 8628 §3.1). */
export const deviceAuthorization = (deps: DeviceAuthorizationDependencies) =>
  clientEndpoint(deps, {
    url: '/api/oauth/device_authorization',
    takesResources: true,
    isPublicOrigin: deps.isPublicOrigin,
    handle: async (form, request, reply) => {
      const { headers, ip } = request
      // A foreign page is refused before the visitor's address is counted.
      const client = readClientRequest('current', form, request, reply)
      const { clientId } = client.credentials
      const { app } = await deps.documentRequests.withClient(clientId, requesterOf(request), () =>
        deps.authenticateClient(client),
      )
      if (!app.deviceFlow) throw unauthorizedClient('device_flow_off')
      const scope = readScope(app, form.get('scope'))
      // Scopes beyond the registration are refused, as at the authorization endpoint.
      const permissions =
        scope && narrow(app.permissions, scope.permissions, 'permission_not_approved')
      const workspaceIds = parseWorkspaceIds(form.get('workspace_ids'))
      const target = await deps.targets.ofRequest(parseResources(form.resources))
      const hint = form.get('organization_id') ?? ''
      await deps.limits.deviceBegun(ip, app.clientType === 'public' ? null : app.clientId)
      const { deviceCode, userCode } = await deps.devices.begin(app, {
        permissions,
        ...(scope?.beyond && { beyond: scope.beyond }),
        openidScopes: scope && scope.openidScopes.length > 0 ? scope.openidScopes : null,
        workspaceIds,
        ...(target && { resources: target.resources }),
        organizationHint: isIdShaped(hint) ? hint : null,
        starter: { address: ip, ...deviceOf(headers['user-agent']) },
      })
      const page = `${deps.issuer}/activate`
      return {
        device_code: deviceCode,
        user_code: userCode,
        verification_uri: page,
        verification_uri_complete: `${page}?user_code=${userCode}`,
        expires_in: deviceCodeLifetime,
        interval: pollingInterval,
      }
    },
  })
