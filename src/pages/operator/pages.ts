import type { FastifyInstance } from 'fastify'
import { withUploads } from '../rendering/forms/uploads.ts'
import { operatorApps } from './apps/apps.ts'
import { operatorAppForms } from './apps/forms.ts'
import { operatorHosts } from './apps/hosts.ts'
import { operatorReviews } from './apps/reviews.ts'
import { operatorSuccessor } from './apps/successor.ts'
import { operatorAudit } from './audit.ts'
import type { ConsoleTab } from './console-page.ts'
import type { OperatorPagesDependencies } from './gate.ts'
import { operatorHealth } from './health.ts'
import { operatorKeys } from './keys.ts'
import { operatorOrganizationForms } from './organizations/forms.ts'
import { operatorIdentityProvider } from './organizations/identity-provider.ts'
import { operatorInstall } from './organizations/install.ts'
import { operatorKeySetForms } from './organizations/key-set-forms.ts'
import { operatorKeySets } from './organizations/key-sets.ts'
import { operatorOrganizations } from './organizations/organizations.ts'
import { operatorPolicy } from './organizations/policy.ts'
import { operatorScim } from './organizations/scim.ts'
import { operatorOrganization } from './organizations/sections.ts'
import { operatorSeveralMembers } from './organizations/several-members.ts'
import { operatorWorkspaces } from './organizations/workspaces.ts'
import { operatorOverview } from './overview.ts'
import { operatorPersonAccess } from './people/access.ts'
import { operatorPeopleForms } from './people/forms.ts'
import { operatorPeople } from './people/people.ts'
import { operatorPermissions } from './permissions.ts'
import { operatorQueues } from './queues.ts'
import { operatorSearch } from './search.ts'
import { operatorSecret } from './secret.ts'
import { operatorServers } from './servers.ts'
import { operatorStop } from './stop.ts'
import { createTab, type Tab } from './tab.ts'
import { operatorTokens } from './tokens.ts'
import { operatorWebhookForms } from './webhooks/forms.ts'
import { operatorWebhooks } from './webhooks/webhooks.ts'

type Part = (tab: Tab) => void

const parts: Record<ConsoleTab, readonly Part[]> = {
  overview: [
    operatorOverview,
    operatorSearch,
    operatorQueues,
    ...operatorReviews,
    operatorHosts,
    operatorSecret,
    operatorStop,
  ],
  apps: [operatorApps, ...operatorAppForms, operatorSuccessor],
  organizations: [
    operatorOrganizations,
    operatorOrganization,
    ...operatorOrganizationForms,
    operatorSeveralMembers,
    ...operatorWorkspaces,
    operatorPolicy,
    operatorKeySets,
    ...operatorKeySetForms,
    operatorScim,
    operatorIdentityProvider,
    ...operatorInstall,
  ],
  people: [operatorPeople, operatorPersonAccess, ...operatorPeopleForms],
  servers: [operatorServers],
  permissions: [operatorPermissions],
  keys: [operatorKeys],
  webhooks: [operatorWebhooks, ...operatorWebhookForms],
  audit: [operatorAudit],
  health: [operatorHealth],
  tokens: [operatorTokens],
}

export const operatorPages = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  const serve = (inner: FastifyInstance, name: ConsoleTab) => {
    const tab = createTab(inner, deps, name)
    for (const part of parts[name]) part(tab)
  }
  const { apps: _, ...others } = parts
  for (const name of Object.keys(others) as ConsoleTab[]) serve(scope, name)
  // Forms of apps take a logo.
  withUploads(scope, deps.browser, (inner) => serve(inner, 'apps'))
}
