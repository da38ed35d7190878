// The Operator API (/api/admin/v1), one file per resource. The schema of a route defines validation, serialization and
// its OpenAPI description.
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { AuditLog } from '../../core/audit/audit-log.ts'
import type { UsageReport } from '../../core/audit/usage-report.ts'
import type { ConsentEnds } from '../../core/authorization/consent-ends.ts'
import type { AppReviews } from '../../core/client-documents/app-reviews.ts'
import type { ClientHosts } from '../../core/client-documents/client-hosts.ts'
import type { DocumentImports } from '../../core/client-documents/document-imports.ts'
import type { AppChanges } from '../../core/clients/app-changes.ts'
import type { AppEntries } from '../../core/clients/app-entries.ts'
import type { AppSecrets } from '../../core/clients/app-secrets.ts'
import type { Apps } from '../../core/clients/apps.ts'
import type { OwnPermissions } from '../../core/clients/own-permissions.ts'
import type { ResourceServers } from '../../core/clients/resource-servers.ts'
import type { Successors } from '../../core/clients/successors.ts'
import type { OperatorGrants } from '../../core/credentials/operator-grants.ts'
import type { OperatorTokens } from '../../core/credentials/operator-tokens.ts'
import type { AccessEnd } from '../../core/grants/access-end.ts'
import type { Simulations } from '../../core/inspection/simulation.ts'
import type { Introspection } from '../../core/introspection/introspection.ts'
import type { PermissionCatalogue } from '../../core/language/permission-catalogue.ts'
import { NotFound } from '../../core/language/service-errors.ts'
import type { Invitations } from '../../core/notifications/invitations.ts'
import type { AppUse } from '../../core/organizations/app-use.ts'
import type { IdentityProviders } from '../../core/organizations/identity-providers.ts'
import type { Imports } from '../../core/organizations/imports.ts'
import type { Installs } from '../../core/organizations/installs.ts'
import type { KeySets } from '../../core/organizations/key-sets.ts'
import type { Members } from '../../core/organizations/members.ts'
import type { OrganizationPolicies } from '../../core/organizations/organization-policies.ts'
import type { Organizations } from '../../core/organizations/organizations.ts'
import type { SuspendAll } from '../../core/organizations/suspend-all.ts'
import type { Workspaces } from '../../core/organizations/workspaces.ts'
import type { Sessions } from '../../core/people/sessions.ts'
import type { Users } from '../../core/people/users.ts'
import type { ScimTokens } from '../../core/provisioning/scim-tokens.ts'
import type { Webhooks } from '../../core/webhooks/webhooks.ts'
import { problem, sendError, sendProblem } from '../oauth/problem.ts'
import { allowOthers } from '../server/allowed-methods.ts'
import { lazyValidators } from '../server/lazy-schemas.ts'
import { appRoutes } from './apps/apps.ts'
import { appChangeRoutes, appChangeSchema, decidedChangeSchema } from './apps/changes.ts'
import { clientHostRoutes, clientHostSchema } from './apps/client-hosts.ts'
import { consentRoutes, consentSchema } from './apps/consents.ts'
import {
  appDocumentRoutes,
  appReviewSchema,
  decidedReviewSchema,
  importedAppSchema,
} from './apps/documents.ts'
import {
  appEntryRoutes,
  appKeySchema,
  appPermissionSchema,
  redirectUriSchema,
} from './apps/entries.ts'
import { appSchema, createdAppSchema } from './apps/schemas.ts'
import { appSecretRoutes, createdSecretSchema, secretSchema } from './apps/secrets.ts'
import { successorRoutes, successorSchema } from './apps/successors.ts'
import { appPersonSchema, appUseRoutes, appUseSchema } from './apps/use.ts'
import { tagResources } from './etag.ts'
import { type GuardOptions, guard } from './guard.ts'
import { acceptJsonOnly } from './json-body.ts'
import { serveOpenApi } from './openapi.ts'
import { answerAsDeclared, type TypeBoxProvider } from './operation.ts'
import {
  identityProviderRoutes,
  identityProviderSchema,
} from './organizations/identity-providers.ts'
import { installUserRoutes } from './organizations/install-users.ts'
import { installRoutes, installSchema } from './organizations/installs.ts'
import { keySetRoutes, keySetSchema, keySetWithSecretSchema } from './organizations/key-sets.ts'
import { memberRoutes, memberSchema } from './organizations/members.ts'
import { organizationRoutes, organizationSchema } from './organizations/organizations.ts'
import { organizationPolicyRoutes, organizationPolicySchema } from './organizations/policies.ts'
import {
  createdScimTokenSchema,
  scimTokenRoutes,
  scimTokenSchema,
} from './organizations/scim-tokens.ts'
import { suspendAllRoutes, switchedInstallsSchema } from './organizations/suspend-all.ts'
import { workspaceMemberRoutes, workspaceMemberSchema } from './organizations/workspace-members.ts'
import { workspaceRoutes, workspaceSchema } from './organizations/workspaces.ts'
import {
  createdOperatorTokenSchema,
  operatorTokenRoutes,
  operatorTokenSchema,
} from './people/operator-tokens.ts'
import { operatorRoutes, userOperatorSchema } from './people/operators.ts'
import { userSessionRoutes, userSessionSchema } from './people/sessions.ts'
import { userRoutes, userSchema } from './people/users.ts'
import { auditEventSchema, auditRoutes } from './reports/audit.ts'
import { importRoutes } from './reports/import.ts'
import { usageDaySchema, usageRoutes } from './reports/usage.ts'
import { problemSchema } from './schemas.ts'
import { tokenInspectionRoutes, tokenInspectionSchema } from './tokens/inspection.ts'
import { permissionRoutes, permissionSchema } from './tokens/permissions.ts'
import {
  createdResourceServerSchema,
  resourceServerRoutes,
  resourceServerSchema,
} from './tokens/resource-servers.ts'
import {
  type SigningKeysForOperators,
  signingKeyRoutes,
  signingKeySchema,
} from './tokens/signing-keys.ts'
import { tokenSimulationRoutes, tokenSimulationSchema } from './tokens/simulation.ts'
import { createValidatorCompiler, withoutText } from './validation.ts'
import {
  createdWebhookSecretSchema,
  deliverySchema,
  webhookDeliveryRoutes,
} from './webhooks/deliveries.ts'
import { createdWebhookSchema, webhookRoutes, webhookSchema } from './webhooks/webhooks.ts'

export interface OperatorFrontOptions extends GuardOptions {
  users: Users
  invitations: Invitations
  sessions: Pick<Sessions, 'list' | 'endAll'>
  organizations: Organizations
  identityProviders: IdentityProviders
  organizationPolicies: OrganizationPolicies
  consentEnds: ConsentEnds
  members: Members
  workspaces: Workspaces
  apps: Apps
  appEntries: AppEntries
  appSecrets: AppSecrets
  appUse: AppUse
  documentImports: DocumentImports
  appReviews: AppReviews
  appChanges: AppChanges
  clientHosts: ClientHosts
  ownPermissions: OwnPermissions
  catalogue: Pick<PermissionCatalogue, 'names'>
  successors: Successors
  imports: Imports
  installs: Installs
  suspendAll: SuspendAll
  accessEnd: AccessEnd
  keySets: KeySets
  resourceServers: ResourceServers
  operators: OperatorGrants
  operatorTokens: OperatorTokens
  scimTokens: ScimTokens
  signingKeys: SigningKeysForOperators
  auditLog: AuditLog
  usageReport: UsageReport
  webhooks: Webhooks
  introspection: Pick<Introspection, 'explain'>
  simulations: Simulations
}

const prefix = '/api/admin/v1'

const components = [
  problemSchema,
  userSchema,
  userSessionSchema,
  organizationSchema,
  identityProviderSchema,
  organizationPolicySchema,
  consentSchema,
  memberSchema,
  workspaceSchema,
  workspaceMemberSchema,
  appSchema,
  createdAppSchema,
  importedAppSchema,
  appReviewSchema,
  decidedReviewSchema,
  appChangeSchema,
  decidedChangeSchema,
  clientHostSchema,
  redirectUriSchema,
  appPermissionSchema,
  appKeySchema,
  secretSchema,
  createdSecretSchema,
  successorSchema,
  appUseSchema,
  appPersonSchema,
  installSchema,
  switchedInstallsSchema,
  keySetSchema,
  keySetWithSecretSchema,
  permissionSchema,
  resourceServerSchema,
  createdResourceServerSchema,
  userOperatorSchema,
  operatorTokenSchema,
  createdOperatorTokenSchema,
  scimTokenSchema,
  createdScimTokenSchema,
  signingKeySchema,
  auditEventSchema,
  usageDaySchema,
  webhookSchema,
  createdWebhookSchema,
  createdWebhookSecretSchema,
  deliverySchema,
  tokenInspectionSchema,
  tokenSimulationSchema,
]

const routes = (options: OperatorFrontOptions) => async (instance: FastifyInstance) => {
  for (const schema of components) instance.addSchema(schema)
  instance.setValidatorCompiler(lazyValidators(createValidatorCompiler()))
  instance.setSchemaErrorFormatter(withoutText)
  guard(instance, options)
  answerAsDeclared(instance)
  tagResources(instance)
  instance.setNotFoundHandler((request, reply) =>
    sendProblem(
      request,
      reply,
      allowOthers(request, reply)
        ? problem(405, 'this path does not support the method')
        : problem(404, 'there is nothing here'),
    ),
  )
  const scope = instance.withTypeProvider<TypeBoxProvider>()
  userRoutes(scope, options.users, options.invitations)
  userSessionRoutes(scope, options.users, options.sessions)
  organizationRoutes(scope, options.organizations)
  identityProviderRoutes(scope, options.identityProviders)
  organizationPolicyRoutes(scope, options.organizationPolicies)
  memberRoutes(scope, options.members)
  workspaceRoutes(scope, options.workspaces)
  workspaceMemberRoutes(scope, options.workspaces)
  appRoutes(scope, options.apps)
  appEntryRoutes(scope, options.appEntries)
  appSecretRoutes(scope, options.appSecrets)
  appDocumentRoutes(scope, options.documentImports, options.appReviews)
  appChangeRoutes(scope, options.appChanges)
  clientHostRoutes(scope, options.clientHosts)
  successorRoutes(scope, options.successors)
  appUseRoutes(scope, options.appUse)
  await importRoutes(instance, options.imports)
  installRoutes(scope, options.installs)
  suspendAllRoutes(scope, options.suspendAll)
  installUserRoutes(scope, options.accessEnd)
  consentRoutes(scope, options.consentEnds)
  keySetRoutes(scope, options.keySets)
  permissionRoutes(scope, options.ownPermissions)
  resourceServerRoutes(scope, options.resourceServers)
  operatorRoutes(scope, options.operators)
  operatorTokenRoutes(scope, options.operatorTokens)
  scimTokenRoutes(scope, options.scimTokens)
  signingKeyRoutes(scope, options.signingKeys)
  auditRoutes(scope, options.auditLog)
  usageRoutes(scope, options.usageReport)
  webhookRoutes(scope, options.webhooks)
  webhookDeliveryRoutes(scope, options.webhooks)
  tokenInspectionRoutes(scope, options.introspection, options.audit)
  tokenSimulationRoutes(scope, options.simulations, options.audit)
}

/** A proxy that resolves dot segments, however they are encoded, reads such a path as a public one. */
export const hasDotSegment = (url: string): boolean =>
  /^[^?]*(?:[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?:[/\\;?#]|%2f|%5c|%3b|$)/i.test(url)

/**
 * The Operator API. It is always served under `/api/admin/v1`, whatever prefix it is registered with. Only
 * `openapi.json` needs no token.
 */
export const operatorFront =
  (options: OperatorFrontOptions): FastifyPluginAsync =>
  async (app) => {
    const front = async (scope: FastifyInstance) => {
      scope.addHook('onRequest', async (request, reply) => {
        reply.header('cache-control', 'no-store')
        if (hasDotSegment(request.url)) throw new NotFound('resource')
      })
      scope.setErrorHandler((error, request, reply) => sendError(request, reply, error))
      acceptJsonOnly(scope)
      const described = routes(options)
      serveOpenApi(scope, described, options.catalogue)
      await scope.register(described)
    }
    await app.register(front, { prefix })
  }
