// Part of the wiring (app.ts): everything that operators and admins of organizations manage.
import { createActivity } from '../../core/audit/activity.ts'
import { createAuditLog } from '../../core/audit/audit-log.ts'
import { createAuditTail } from '../../core/audit/audit-tail.ts'
import { createConsoleOverview } from '../../core/audit/console-overview.ts'
import { createLastChange } from '../../core/audit/last-change.ts'
import { createUsageReport } from '../../core/audit/usage-report.ts'
import { createAuditStreams } from '../../core/audit-streams/audit-streams.ts'
import { createAppChanges } from '../../core/clients/app-changes.ts'
import { createAppEntries } from '../../core/clients/app-entries.ts'
import { createAppOwners } from '../../core/clients/app-owners.ts'
import { createAppRequests } from '../../core/clients/app-requests.ts'
import { type CreatedAppSecret, createAppSecrets } from '../../core/clients/app-secrets.ts'
import { createApps } from '../../core/clients/apps.ts'
import { createOwnPermissions } from '../../core/clients/own-permissions.ts'
import type { LivePermissionCatalogue } from '../../core/clients/permission-catalogue.ts'
import { createResourceServers } from '../../core/clients/resource-servers.ts'
import { createSuccessors } from '../../core/clients/successors.ts'
import { createAudiencePeople } from '../../core/grants/audience-people.ts'
import type { OfferedUndo } from '../../core/grants/undo.ts'
import { createAccessReview } from '../../core/organizations/access-review.ts'
import { createAppUse } from '../../core/organizations/app-use.ts'
import { createIdentityProviders } from '../../core/organizations/identity-providers.ts'
import { createInstallPreviews } from '../../core/organizations/install-preview.ts'
import { createInstallRequests } from '../../core/organizations/install-requests.ts'
import { createInstalls } from '../../core/organizations/installs.ts'
import type { CreatedKeySetSecret } from '../../core/organizations/key-set-secrets.ts'
import { createKeySets } from '../../core/organizations/key-sets.ts'
import { createMembers } from '../../core/organizations/members.ts'
import { createMemberships } from '../../core/organizations/memberships.ts'
import { createOneTimeSecrets } from '../../core/organizations/one-time-secrets.ts'
import { createOrganizationApps } from '../../core/organizations/organization-apps.ts'
import { createOrganizationPolicies } from '../../core/organizations/organization-policies.ts'
import { createOrganizations } from '../../core/organizations/organizations.ts'
import { createPermissionUse } from '../../core/organizations/permission-use.ts'
import { createSandboxes } from '../../core/organizations/sandboxes.ts'
import { createSearch } from '../../core/organizations/search.ts'
import { createSuspendAll } from '../../core/organizations/suspend-all.ts'
import { createTestPeople, type NewTestPerson } from '../../core/organizations/test-people.ts'
import { createWorkspaces } from '../../core/organizations/workspaces.ts'
import type { Passwords } from '../../core/people/passwords.ts'
import { createScimGroups } from '../../core/provisioning/scim-groups.ts'
import { createScimTokens } from '../../core/provisioning/scim-tokens.ts'
import { createScimUsers } from '../../core/provisioning/scim-users.ts'
import { createAppWebhooks, type ShownWebhookSecret } from '../../core/webhooks/app-webhooks.ts'
import { createWebhooks } from '../../core/webhooks/webhooks.ts'
import { userResource } from '../../http/scim/resources.ts'
import type { ConsoleSecret } from '../../pages/operator/gate.ts'
import type { Foundation } from '../foundation.ts'
import type { Records } from './records.ts'
import type { TokenServices } from './tokens.ts'

/** Apps, resource servers and webhooks, which operators register. */
export const createRegistry = (
  { config, stores, keyring }: Foundation,
  { digests, refusedPages }: Records,
  { signingKeys }: TokenServices,
  catalogue: LivePermissionCatalogue,
) => {
  const { issuer, audience, place, outbound: addresses, tokenLifetimes: lifetimes } = config
  const { shown } = digests
  const { now } = stores
  const apps = createApps({
    store: stores.apps,
    keyring,
    catalogue,
    lifetimes,
    addresses,
    issuer,
    renewLogo: stores.logos.renew,
    // This process signs with the key from now on, so it must not be rolled back.
    prepareKey: (alg) => stores.outsideTransaction(async () => signingKeys.activeFor(alg)),
  })
  const auditLog = createAuditLog({ store: stores.auditLog })
  const webhooks = createWebhooks({ store: stores.webhooks, keyring, ...addresses })
  return {
    apps,
    appEntries: createAppEntries({ apps }),
    appChanges: createAppChanges({
      store: stores.appChanges,
      owners: stores.appOwners,
      apps,
      reachOf: stores.appUse.reach,
    }),
    appOwners: createAppOwners(stores.appOwners, auditLog),
    ownPermissions: createOwnPermissions({ store: stores.ownPermissions, catalogue }),
    appSecrets: createAppSecrets({ store: stores.appSecrets, keyring }),
    successors: createSuccessors({ store: stores.successors }),
    resourceServers: createResourceServers({
      store: stores.resourceServers,
      keyring,
      catalogue,
      defaultAudience: audience,
      shown,
    }),
    scimTokens: createScimTokens({ store: stores.scimTokens, keyring, shown }),
    scimGroups: createScimGroups(stores.scimGroups),
    scimUsers: createScimUsers({ store: stores.scimUsers, resourceOf: userResource(place.base) }),
    webhooks,
    auditStreams: createAuditStreams({ store: stores.auditStreams, keyring, ...addresses }),
    appWebhooks: createAppWebhooks({ store: stores.webhooks, webhooks }),
    appRequests: createAppRequests({ store: stores.appUsage, auditLog, refusedPages, now }),
  }
}

/** Organizations with their members, workspaces, installs and key sets. */
export const createOrganizationServices = (
  { config, stores, keyring }: Foundation,
  catalogue: LivePermissionCatalogue,
  passwords: Passwords,
) => {
  const { issuer, outbound: addresses } = config
  const { keySets, memberships, memberList, organizationApps, identityProviders } = stores
  const { families, now } = stores
  const organizations = createOrganizations({ store: stores.organizations })
  const handover = <Made extends object>(collection: Parameters<typeof createOneTimeSecrets>[1]) =>
    createOneTimeSecrets<Made>({ records: stores.records, keyring }, collection)
  return {
    testPeople: createTestPeople({ store: stores.testPeople, hashPassword: passwords.hash }),
    organizations,
    sandboxes: createSandboxes({ store: stores.sandboxes, organizations }),
    identityProviders: createIdentityProviders({ store: identityProviders, issuer, addresses }),
    accessReview: createAccessReview({ store: stores.accessReview }),
    organizationPolicies: createOrganizationPolicies({ store: stores.organizationPolicies }),
    members: createMembers({ store: stores.members }),
    memberships: createMemberships(memberships, memberList),
    workspaces: createWorkspaces({ store: stores.workspaces }),
    search: createSearch(stores.search),
    suspendAll: createSuspendAll({ store: stores.suspendAll }),
    audiencePeople: createAudiencePeople({ store: stores.audiencePeople, families }),
    installs: createInstalls({ store: stores.installs, now, catalogue }),
    installPreviews: createInstallPreviews(stores.installPreviews),
    permissionUse: createPermissionUse({ store: stores.permissionUse, catalogue, now }),
    installRequests: createInstallRequests({ store: stores.installRequests }),
    directory: stores.directory,
    organizationApps: createOrganizationApps(organizationApps, stores.appPeople),
    keySets: createKeySets({ store: keySets, keyring, catalogue, addresses, issuer }),
    oneTimeSecrets: handover<CreatedKeySetSecret>('handover'),
    oneTimeAppSecrets: handover<CreatedAppSecret>('app_handover'),
    oneTimeOperatorSecrets: handover<ConsoleSecret>('operator_handover'),
    oneTimeWebhookSecrets: handover<ShownWebhookSecret>('webhook_handover'),
    oneTimeTestPeople: handover<NewTestPerson>('test_person_handover'),
    offeredUndo: handover<OfferedUndo>('undo'),
  }
}

/** The audit trail, usage counts and their reports. */
export const createReports = ({ stores, keyring }: Foundation, { refusedPages }: Records) => {
  const { now } = stores
  const auditLog = createAuditLog({ store: stores.auditLog })
  return {
    auditLog,
    auditTail: createAuditTail({ store: stores.auditTail, keyring }),
    activity: createActivity({ store: stores.activity, auditLog, refusedPages }),
    consoleOverview: createConsoleOverview({ store: stores.consoleOverview, now }),
    lastChange: createLastChange({ auditLog }),
    appUse: createAppUse({ store: stores.appUse, now }),
    usageReport: createUsageReport({ store: stores.usageReport, now }),
  }
}
