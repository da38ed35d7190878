// Every store that is always in Postgres. What may be in Redis instead is opened with it (src/app/stores.ts).
import { createActivityStore } from './audit/activity.ts'
import { createAuditStore } from './audit/audit.ts'
import { createAuditLogStore } from './audit/audit-log.ts'
import { createAuditTailStore } from './audit/audit-tail.ts'
import { createConsoleOverviewStore } from './audit/console-overview.ts'
import { createRefusedPageStore } from './audit/refused-pages.ts'
import { createSecurityNoticeStore } from './audit/security-notices.ts'
import { createAppUsageStore, createUsageReportStore, createUsageStore } from './audit/usage.ts'
import { createAuditStreamStore } from './audit-streams/audit-streams.ts'
import { createStreamOutbox } from './audit-streams/stream-outbox.ts'
import { createConsentEndStore } from './authorization/consent-ends.ts'
import { createConsentStore } from './authorization/consents.ts'
import { createImportedConsentStore } from './authorization/import-consents.ts'
import { createStandingStore } from './authorization/standing.ts'
import { clientUrlState, createAppReviewStore } from './client-documents/app-reviews.ts'
import { createClientHostStore } from './client-documents/client-hosts.ts'
import { createDocumentStore } from './client-documents/documents.ts'
import { createAppChangeStore } from './clients/app-changes.ts'
import { createAppOwnerStore } from './clients/app-owners.ts'
import { createAppSecretStore, createForeignSecretStore } from './clients/app-secrets.ts'
import { createAppStore, isPublicOrigin } from './clients/apps.ts'
import { createPermissionCatalogueStore } from './clients/permission-catalogue.ts'
import { createResourceServerStore } from './clients/resource-servers.ts'
import { createSuccessorStore } from './clients/successors.ts'
import type { Database } from './connection/database.ts'
import { createSourcedLineStore } from './credentials/applied-values.ts'
import { createMasterKeyStore } from './credentials/master-keys.ts'
import { createOperatorTokenStore } from './credentials/operator-tokens.ts'
import { createOperatorGrantStore } from './credentials/operators.ts'
import { createDelegationStore } from './delegation/delegations.ts'
import { createAccessSweepStore } from './grants/access-sweeper.ts'
import { createAssertionStore } from './grants/assertions.ts'
import { createAudiencePeopleStore } from './grants/audience-people.ts'
import { createConnectionStore } from './grants/connections.ts'
import { createGrantStore } from './grants/grants.ts'
import { createMigrationStore } from './grants/migration.ts'
import { createRevocationStore } from './grants/revocation.ts'
import { createTakenOverStore } from './grants/taken-over.ts'
import { createIntrospectionStore } from './introspection/introspection.ts'
import { createRevocationFeedStore } from './introspection/revocation-feed.ts'
import { createStopStore } from './introspection/stops.ts'
import { createLogoStore } from './logos/logos.ts'
import { createMailChoiceStore, createPasswordRequestStore } from './notifications/mail-choices.ts'
import { createMailOutbox } from './notifications/mail-outbox.ts'
import { createReminderStore } from './notifications/reminders.ts'
import { createAccessReviewStore } from './organizations/access-review.ts'
import { createAppPeopleStore } from './organizations/app-people.ts'
import { createAppUseStore } from './organizations/app-use.ts'
import { createDeletionCounts } from './organizations/deletion-counts.ts'
import { createDirectoryStore } from './organizations/directory.ts'
import { createIdentityProviderStore } from './organizations/identity-providers.ts'
import { createImportedSecretStore } from './organizations/import-secrets.ts'
import { createImportStore } from './organizations/imports.ts'
import { createInstallPreviewStore } from './organizations/install-preview.ts'
import { createInstallRequestStore } from './organizations/install-requests.ts'
import { createInstallStore } from './organizations/installs.ts'
import { createKeySetStore } from './organizations/key-sets.ts'
import { createMemberListStore } from './organizations/member-list.ts'
import { createMemberStore, createMembershipStore } from './organizations/members.ts'
import { createOrganizationAppStore } from './organizations/organization-apps.ts'
import { createOrganizationPolicyStore } from './organizations/organization-policies.ts'
import { createOrganizationStore } from './organizations/organizations.ts'
import { createPermissionUseStore } from './organizations/permission-use.ts'
import { createSandboxStore } from './organizations/sandboxes.ts'
import { createSearchStore } from './organizations/search.ts'
import { createSuspendAllStore } from './organizations/suspend-all.ts'
import { createTestPeopleStore } from './organizations/test-people.ts'
import { createWorkspaceStore } from './organizations/workspaces.ts'
import { createIdentityStore } from './people/identities.ts'
import { createPasskeyStore } from './people/passkeys.ts'
import { createOldSpellings, createPeopleStore } from './people/people.ts'
import { createSessionStore } from './people/sessions.ts'
import { createUserStore } from './people/users.ts'
import { directoryGroups, workspaceGroups } from './provisioning/group-kinds.ts'
import { createGroups } from './provisioning/groups.ts'
import { createRoleGroups } from './provisioning/role-groups.ts'
import { createScimTokenStore } from './provisioning/scim-tokens.ts'
import { createScimUserStore } from './provisioning/scim-users.ts'
import { createLongestLifetimeStore, createTokenReachStore } from './tokens/access-tokens.ts'
import { createSigningKeyStore, createVerificationKeyStore } from './tokens/signing-keys.ts'
import { createWebhookOutbox } from './webhooks/webhook-outbox.ts'
import { createWebhookStore } from './webhooks/webhooks.ts'

const latestMigration = 'select name from migrations order by name desc limit 1'

export const postgresStores = (database: Database) => ({
  inOneTransaction: database.inOneTransaction,
  outsideTransaction: database.outsideTransaction,
  activity: createActivityStore(database),
  appUsage: createAppUsageStore(database),
  audit: createAuditStore(database),
  auditLog: createAuditLogStore(database),
  auditTail: createAuditTailStore(database),
  consoleOverview: createConsoleOverviewStore(database),
  refusedPages: createRefusedPageStore(database),
  securityNotices: createSecurityNoticeStore(database),
  usage: createUsageStore(database),
  usageReport: createUsageReportStore(database),
  consentEnds: createConsentEndStore(database),
  consents: createConsentStore(database),
  standings: createStandingStore(database),
  appReviews: createAppReviewStore(database),
  clientDocuments: createDocumentStore(database),
  clientHosts: createClientHostStore(database),
  clientUrlState: clientUrlState(database),
  appChanges: createAppChangeStore(database),
  appOwners: createAppOwnerStore(database),
  appSecrets: createAppSecretStore(database),
  foreignSecrets: createForeignSecretStore(database),
  apps: createAppStore(database),
  isPublicOrigin: isPublicOrigin(database),
  ownPermissions: createPermissionCatalogueStore(database),
  resourceServers: createResourceServerStore(database),
  successors: createSuccessorStore(database),
  masterKeyStore: createMasterKeyStore(database),
  operatorTokens: createOperatorTokenStore(database),
  operators: createOperatorGrantStore(database),
  accessSweeper: createAccessSweepStore(database),
  assertions: createAssertionStore(database),
  audiencePeople: createAudiencePeopleStore(database),
  connections: createConnectionStore(database),
  grants: createGrantStore(database),
  migration: createMigrationStore(database),
  revocation: createRevocationStore(database),
  takenOver: createTakenOverStore(database),
  introspection: createIntrospectionStore(database),
  revocationFeed: createRevocationFeedStore(database),
  stops: createStopStore(database),
  mailChoices: createMailChoiceStore(database),
  mailOutbox: createMailOutbox(database),
  passwordRequests: createPasswordRequestStore(database),
  reminders: createReminderStore(database),
  accessReview: createAccessReviewStore(database),
  appPeople: createAppPeopleStore(database),
  appUse: createAppUseStore(database),
  deletionCounts: createDeletionCounts(database),
  directory: createDirectoryStore(database),
  identityProviders: createIdentityProviderStore(database),
  imports: createImportStore(database),
  importedConsents: createImportedConsentStore(database),
  importedSecrets: createImportedSecretStore(database),
  sourcedLines: createSourcedLineStore(database),
  installPreviews: createInstallPreviewStore(database),
  permissionUse: createPermissionUseStore(database),
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
  identities: createIdentityStore(database),
  oldSpellings: createOldSpellings(database),
  passkeys: createPasskeyStore(database),
  people: createPeopleStore(database),
  sessions: createSessionStore(database),
  users: createUserStore(database),
  scimGroups: {
    workspaces: createGroups(database, workspaceGroups(database, createWorkspaceStore(database))),
    roles: createRoleGroups(database),
    groups: createGroups(database, directoryGroups(database)),
  },
  scimTokens: createScimTokenStore(database),
  scimUsers: createScimUserStore(database),
  longestLifetime: createLongestLifetimeStore(database),
  signingKeys: createSigningKeyStore(database),
  verificationKeys: createVerificationKeyStore(database),
  tokenReaches: createTokenReachStore(database),
  webhookOutbox: createWebhookOutbox(database),
  webhooks: createWebhookStore(database),
  auditStreams: createAuditStreamStore(database),
  streamOutbox: createStreamOutbox(database),
  delegations: createDelegationStore(database),
  /** The name of the latest migration of the schema. */
  latestMigration: async () => (await database.value<string>(latestMigration)) ?? '',
  logos: createLogoStore(database),
})
