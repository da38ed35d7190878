import type { FastifyInstance } from 'fastify'
import { operatorAppForms } from './operator-app-forms.ts'
import { operatorAppReview } from './operator-app-review.ts'
import { operatorApps } from './operator-apps.ts'
import { operatorAudit } from './operator-audit.ts'
import { operatorChanges } from './operator-changes.ts'
import type { OperatorPagesDependencies } from './operator-gate.ts'
import { operatorHealth } from './operator-health.ts'
import { operatorIdentityProvider } from './operator-identity-provider.ts'
import { operatorInstall } from './operator-install.ts'
import { operatorInstallChoice } from './operator-install-choice.ts'
import { operatorInstallForm } from './operator-install-form.ts'
import { operatorKeySetForms } from './operator-key-set-forms.ts'
import { operatorKeySetWorkloads } from './operator-key-set-workloads.ts'
import { operatorKeySets } from './operator-key-sets.ts'
import { operatorKeys } from './operator-keys.ts'
import { operatorOrganizationForms } from './operator-organization-forms.ts'
import { operatorOrganizations } from './operator-organizations.ts'
import { operatorOverview } from './operator-overview.ts'
import { operatorPeople } from './operator-people.ts'
import { operatorPermissions } from './operator-permissions.ts'
import { operatorPolicy } from './operator-policy.ts'
import { operatorReviews } from './operator-reviews.ts'
import { operatorScim } from './operator-scim.ts'
import { operatorSecret } from './operator-secret.ts'
import { operatorServers } from './operator-servers.ts'
import { operatorSuccessor } from './operator-successor.ts'
import { operatorTokens } from './operator-tokens.ts'
import { operatorWebhookForms } from './operator-webhook-forms.ts'
import { operatorWebhooks } from './operator-webhooks.ts'
import { operatorWorkspaces } from './operator-workspaces.ts'

export type { OperatorPagesDependencies } from './operator-gate.ts'

const parts = [
  operatorOverview,
  operatorReviews,
  operatorChanges,
  operatorApps,
  operatorAppForms,
  operatorAppReview,
  operatorSuccessor,
  operatorOrganizations,
  operatorOrganizationForms,
  operatorWorkspaces,
  operatorPolicy,
  operatorKeySets,
  operatorKeySetForms,
  operatorKeySetWorkloads,
  operatorScim,
  operatorIdentityProvider,
  operatorInstallChoice,
  operatorInstallForm,
  operatorInstall,
  operatorPeople,
  operatorServers,
  operatorPermissions,
  operatorKeys,
  operatorWebhooks,
  operatorWebhookForms,
  operatorAudit,
  operatorHealth,
  operatorTokens,
  operatorSecret,
]

/** The operator's console. */
export const operatorPages = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  for (const part of parts) part(scope, deps)
}
