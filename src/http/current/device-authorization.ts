import type { FastifyInstance } from 'fastify'
import { deviceCodeLifetime, pollingInterval } from '../../domain/device.ts'
import { unauthorizedClient } from '../../domain/errors.ts'
import { isIdShaped } from '../../domain/identifiers.ts'
import { readScope } from '../../domain/openid.ts'
import { narrow, parseWorkspaceIds } from '../../domain/scope.ts'
import type { AuditTrail } from '../../services/audit.ts'
import { allowedOrigin, type Clients } from '../../services/clients.ts'
import type { DeviceFlow } from '../../services/device-flow.ts'
import type { GrantStore } from '../../services/grant-store.ts'
import type { Limits } from '../../services/limits.ts'
import { readClientCredentials } from '../client-credentials.ts'
import { clientEndpoint } from '../client-endpoint.ts'

export interface DeviceAuthorizationDependencies {
  issuer: string
  clients: Clients
  grantStore: Pick<GrantStore, 'loadGrant'>
  devices: Pick<DeviceFlow, 'begin'>
  limits: Limits
  audit: AuditTrail
}

/** Where a device without a browser begins (RFC 8628 §3.1). */
export const deviceAuthorization =
  (deps: DeviceAuthorizationDependencies) => (scope: FastifyInstance) =>
    clientEndpoint({
      url: '/api/oauth/device_authorization',
      limits: deps.limits,
      audit: deps.audit,
      handle: async (form, { headers, ip }) => {
        const credentials = readClientCredentials(headers.authorization, form)
        const loaded = await deps.grantStore.loadGrant(credentials.clientId, null)
        const app = await deps.clients.authenticate(loaded, credentials, 'current')
        allowedOrigin(app, headers.origin) // before the visitor's address is counted
        if (!app.deviceFlow) throw unauthorizedClient('device_flow_off')
        const scope = readScope(app, form.get('scope'))
        // More than it is registered for is refused, as at the authorization page.
        const permissions =
          scope && narrow(app.permissions, scope.permissions, 'permission_not_approved')
        const workspaceIds = parseWorkspaceIds(form.get('workspace_ids'))
        const hint = form.get('organization_id') ?? ''
        await deps.limits.deviceBegun(ip, app.clientType === 'public' ? null : app.clientId)
        const { deviceCode, userCode } = await deps.devices.begin(app, {
          permissions,
          openidScopes: scope && scope.openidScopes.length > 0 ? scope.openidScopes : null,
          workspaceIds,
          organizationHint: isIdShaped(hint) ? hint : null,
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
    })(scope)
