// The Operator API (/api/admin/v1), one file per resource. The schema of a route defines validation, serialization and
// its OpenAPI description.
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { NotFound } from '../../core/language/service-errors.ts'
import { problem, sendError, sendProblem } from '../oauth/problem.ts'
import { allowOthers } from '../server/allowed-methods.ts'
import { lazyValidators } from '../server/lazy-schemas.ts'
import { addComponents, answerAsDeclared } from './answers.ts'
import { appRoutes } from './apps/apps.ts'
import { appChangeRoutes } from './apps/changes.ts'
import { clientHostRoutes } from './apps/client-hosts.ts'
import { appDocumentRoutes } from './apps/documents.ts'
import { appEntryRoutes } from './apps/entries.ts'
import { appSecretRoutes } from './apps/secrets.ts'
import { successorRoutes } from './apps/successors.ts'
import { batchRoutes } from './batch.ts'
import { tagResources } from './etag.ts'
import { folderSchema } from './folder-kinds.ts'
import { type GuardOptions, guard } from './guard.ts'
import { acceptJsonOnly } from './json-body.ts'
import { type Catalogue, serveOpenApi } from './openapi.ts'
import type { Scope, TypeBoxProvider } from './operation.ts'
import { identityProviderRoutes } from './organizations/identity-providers.ts'
import { audiencePeopleRoutes, installUserRoutes } from './organizations/install-users.ts'
import { installRoutes } from './organizations/installs.ts'
import { keySetRoutes } from './organizations/key-sets.ts'
import { memberRoutes } from './organizations/members.ts'
import { organizationRoutes } from './organizations/organizations.ts'
import { organizationPolicyRoutes } from './organizations/policies.ts'
import { scimTokenRoutes } from './organizations/scim-tokens.ts'
import { stopRoutes } from './organizations/stops.ts'
import { workspaceMemberRoutes, workspaceRoutes } from './organizations/workspaces.ts'
import { operatorTokenRoutes } from './people/operator-tokens.ts'
import { operatorRoutes } from './people/operators.ts'
import { userSessionRoutes } from './people/sessions.ts'
import { userRoutes } from './people/users.ts'
import { auditRoutes } from './reports/audit.ts'
import { importRoutes } from './reports/import.ts'
import { searchRoutes } from './reports/search.ts'
import { appUseRoutes, usageRoutes } from './reports/usage.ts'
import { problemSchema } from './schemas.ts'
import { tokenInspectionRoutes } from './tokens/inspection.ts'
import { permissionRoutes } from './tokens/permissions.ts'
import { resourceServerRoutes } from './tokens/resource-servers.ts'
import { signingKeyRoutes } from './tokens/signing-keys.ts'
import { tokenSimulationRoutes } from './tokens/simulation.ts'
import { createValidatorCompiler, withoutText } from './validation.ts'
import { auditStreamRoutes } from './webhooks/audit-streams.ts'
import { webhookDeliveryRoutes, webhookRoutes } from './webhooks/webhooks.ts'

const prefix = '/api/admin/v1'

/** In the order of the description. */
const resources = [
  userRoutes,
  userSessionRoutes,
  organizationRoutes,
  identityProviderRoutes,
  organizationPolicyRoutes,
  memberRoutes,
  workspaceRoutes,
  workspaceMemberRoutes,
  appRoutes,
  appEntryRoutes,
  appSecretRoutes,
  appDocumentRoutes,
  appChangeRoutes,
  clientHostRoutes,
  successorRoutes,
  appUseRoutes,
  importRoutes,
  batchRoutes,
  installRoutes,
  installUserRoutes,
  audiencePeopleRoutes,
  keySetRoutes,
  stopRoutes,
  permissionRoutes,
  resourceServerRoutes,
  operatorRoutes,
  operatorTokenRoutes,
  scimTokenRoutes,
  signingKeyRoutes,
  searchRoutes,
  auditRoutes,
  auditStreamRoutes,
  usageRoutes,
  webhookRoutes,
  webhookDeliveryRoutes,
  tokenInspectionRoutes,
  tokenSimulationRoutes,
]

/** What all of them need together. */
type Services<Routes> = [Routes] extends [(scope: Scope, services: infer All) => unknown]
  ? All
  : never

export type OperatorFrontOptions = GuardOptions &
  Services<(typeof resources)[number]> & { catalogue: Catalogue; issuerPath?: string }

const routes = (options: OperatorFrontOptions) => async (instance: FastifyInstance) => {
  instance.addSchema(problemSchema)
  addComponents(instance)
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
  for (const serve of resources) await serve(scope, options)
}

/** A proxy that resolves dot segments, however they are encoded, reads such a path as a public one. */
export const hasDotSegment = (url: string): boolean =>
  /^[^?]*(?:[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?:[/\\;?#]|%2f|%5c|%3b|$)/i.test(url)

/**
 * The Operator API. It is always served under `/api/admin/v1`, whatever prefix it is registered with. Only
 * `openapi.json` needs no token, and the schema of folders that is made from it.
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
      const document = serveOpenApi(scope, described, options.catalogue, options.issuerPath)
      let schema = { of: '', json: '' }
      app.get('/schemas/apply-v1.json', { exposeHeadRoute: true }, async (_, reply) => {
        const of = await document()
        if (schema.of !== of) schema = { of, json: JSON.stringify(folderSchema(JSON.parse(of))) }
        return reply.type('application/schema+json').send(schema.json)
      })
      await scope.register(described)
    }
    await app.register(front, { prefix })
  }
