// Part of the wiring (app.ts): services → SCIM.
import type { ScimFrontOptions } from '../../http/scim/front.ts'
import type { Foundation } from '../foundation.ts'
import type { Services } from '../services/services.ts'

export const scimFrontArgument = (
  { config, metrics }: Pick<Foundation, 'config' | 'metrics'>,
  services: Services,
): ScimFrontOptions => ({
  issuer: config.issuer,
  scimTokens: services.scimTokens,
  users: services.scimUsers,
  groups: services.scimGroups,
  limits: services.limits,
  audit: services.audit,
  refused: metrics.operatorRefused,
})
