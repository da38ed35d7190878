import type { FastifyInstance } from 'fastify'
import { operatorApps } from './apps/apps.ts'
import { operatorChanges } from './apps/changes.ts'
import { operatorAppForms } from './apps/forms.ts'
import { operatorAppReview } from './apps/review.ts'
import { operatorReviews } from './apps/reviews.ts'
import { operatorSuccessor } from './apps/successor.ts'
import { operatorAudit } from './audit.ts'
import type { OperatorPagesDependencies } from './gate.ts'
import { operatorHealth } from './health.ts'
import { operatorKeys } from './keys.ts'
import { operatorOrganizationForms } from './organizations/forms.ts'
import { operatorIdentityProvider } from './organizations/identity-provider.ts'
import { operatorInstall } from './organizations/install.ts'
import { operatorInstallChoice } from './organizations/install-choice.ts'
import { operatorInstallForm } from './organizations/install-form.ts'
import { operatorKeySetForms } from './organizations/key-set-forms.ts'
import { operatorKeySetWorkloads } from './organizations/key-set-workloads.ts'
import { operatorKeySets } from './organizations/key-sets.ts'
import { operatorOrganizations } from './organizations/organizations.ts'
import { operatorPolicy } from './organizations/policy.ts'
import { operatorScim } from './organizations/scim.ts'
import { operatorWorkspaces } from './organizations/workspaces.ts'
import { operatorOverview } from './overview.ts'
import { operatorPeople } from './people/people.ts'
import { operatorPermissions } from './permissions.ts'
import { operatorSecret } from './secret.ts'
import { operatorServers } from './servers.ts'
import { operatorTokens } from './tokens.ts'
import { operatorWebhookForms } from './webhooks/forms.ts'
import { operatorWebhooks } from './webhooks/webhooks.ts'

export type { OperatorPagesDependencies } from './gate.ts'

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
