import type { Database } from '../connection/database.ts'
import { createAccessReviewStore } from './access-review.ts'
import { createAppPeopleStore } from './app-people.ts'
import { createAppUseStore } from './app-use.ts'
import { createDirectoryStore } from './directory.ts'
import { createIdentityProviderStore } from './identity-providers.ts'
import { createImportStore } from './imports.ts'
import { createInstallPreviewStore } from './install-preview.ts'
import { createInstallRequestStore } from './install-requests.ts'
import { createInstallStore } from './installs.ts'
import { createKeySetStore } from './key-sets.ts'
import { createMemberListStore } from './member-list.ts'
import { createMemberStore } from './members.ts'
import { createMembershipStore } from './memberships.ts'
import { createOrganizationAppStore } from './organization-apps.ts'
import { createOrganizationPolicyStore } from './organization-policies.ts'
import { createOrganizationStore } from './organizations.ts'
import { createSandboxStore } from './sandboxes.ts'
import { createSearchStore } from './search.ts'
import { createSuspendAllStore } from './suspend-all.ts'
import { createTestPeopleStore } from './test-people.ts'
import { createWorkspaceStore } from './workspaces.ts'

export const organizationStores = (database: Database) => ({
  accessReview: createAccessReviewStore(database),
  appPeople: createAppPeopleStore(database),
  appUse: createAppUseStore(database),
  directory: createDirectoryStore(database),
  identityProviders: createIdentityProviderStore(database),
  imports: createImportStore(database),
  installPreviews: createInstallPreviewStore(database),
  installRequests: createInstallRequestStore(database),
  installs: createInstallStore(database),
  keySets: createKeySetStore(database),
  memberList: createMemberListStore(database),
  members: createMemberStore(database),
  memberships: createMembershipStore(database),
  organizationApps: createOrganizationAppStore(database),
  organizationPolicies: createOrganizationPolicyStore(database),
  organizations: createOrganizationStore(database),
  sandboxes: createSandboxStore(database),
  search: createSearchStore(database),
  suspendAll: createSuspendAllStore(database),
  testPeople: createTestPeopleStore(database),
  workspaces: createWorkspaceStore(database),
})
