// Part of the wiring (app.ts): services → Operator API.
import type { OperatorFrontOptions } from '../../http/operator/front.ts'
import type { Foundation } from '../foundation.ts'
import type { Services } from '../services/services.ts'

export const operatorFrontArgument = (
  { metrics }: Pick<Foundation, 'metrics'>,
  services: Services,
): OperatorFrontOptions => ({
  isOperator: services.isOperator,
  limits: services.limits,
  audit: services.audit,
  operatorRefused: metrics.operatorRefused,
  users: services.users,
  sessions: services.sessions,
  organizations: services.organizations,
  identityProviders: services.identityProviders,
  members: services.members,
  workspaces: services.workspaces,
  apps: services.apps,
  appEntries: services.appEntries,
  appSecrets: services.appSecrets,
  appUse: services.appUse,
  documentImports: services.documentImports,
  appReviews: services.appReviews,
  clientHosts: services.clientHosts,
  ownPermissions: services.ownPermissions,
  catalogue: services.catalogue,
  successors: services.successors,
  imports: services.imports,
  installs: services.installs,
  keySets: services.keySets,
  resourceServers: services.resourceServers,
  operators: services.operators,
  operatorTokens: services.operatorTokens,
  scimTokens: services.scimTokens,
  signingKeys: services.signingKeys,
  auditLog: services.auditLog,
  usageReport: services.usageReport,
  webhooks: services.webhooks,
  introspection: services.introspection,
  simulations: services.simulations,
})
