import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config/config.ts'
import { localSecrets } from '../stores/embedded/secrets.ts'
import { createActivityStore } from '../stores/postgres/audit/activity.ts'
import { createAuditStore } from '../stores/postgres/audit/audit.ts'
import { createAuditLogStore } from '../stores/postgres/audit/audit-log.ts'
import { createSecurityNoticeStore } from '../stores/postgres/audit/security-notices.ts'
import {
  createAppUsageStore,
  createUsageReportStore,
  createUsageStore,
} from '../stores/postgres/audit/usage.ts'
import { createAccessSweepStore } from '../stores/postgres/authorization/access-sweeper.ts'
import { createConsentEndStore } from '../stores/postgres/authorization/consent-ends.ts'
import { createConsentStore } from '../stores/postgres/authorization/consents.ts'
import { createDelegationStore } from '../stores/postgres/authorization/delegations.ts'
import { createStandingStore } from '../stores/postgres/authorization/standing.ts'
import {
  clientUrlState,
  createAppReviewStore,
} from '../stores/postgres/client-documents/app-reviews.ts'
import { createClientHostStore } from '../stores/postgres/client-documents/client-hosts.ts'
import { createDocumentStore } from '../stores/postgres/client-documents/documents.ts'
import { createAppChangeStore } from '../stores/postgres/clients/app-changes.ts'
import { createAppOwnerStore } from '../stores/postgres/clients/app-owners.ts'
import { createAppSecretStore } from '../stores/postgres/clients/app-secrets.ts'
import { createAppStore } from '../stores/postgres/clients/apps.ts'
import { isPublicOrigin } from '../stores/postgres/clients/origins.ts'
import { createPermissionCatalogueStore } from '../stores/postgres/clients/permission-catalogue.ts'
import { createResourceServerStore } from '../stores/postgres/clients/resource-servers.ts'
import { createSuccessorStore } from '../stores/postgres/clients/successors.ts'
import { readClock } from '../stores/postgres/connection/clock.ts'
import { openDatabase } from '../stores/postgres/connection/database.ts'
import { latestMigration } from '../stores/postgres/connection/latest-migration.ts'
import { migrate } from '../stores/postgres/connection/migrate.ts'
import {
  createCounterStore as createCounterTable,
  createRecordStore as createRecordTable,
} from '../stores/postgres/connection/records.ts'
import { estimateFamilies, estimateRows } from '../stores/postgres/connection/row-estimates.ts'
import { createMasterKeyStore } from '../stores/postgres/credentials/master-keys.ts'
import { createOperatorTokenStore } from '../stores/postgres/credentials/operator-tokens.ts'
import { createOperatorGrantStore } from '../stores/postgres/credentials/operators.ts'
import { createAssertionStore } from '../stores/postgres/grants/assertions.ts'
import { createConnectionStore } from '../stores/postgres/grants/connections.ts'
import { createCleanUp } from '../stores/postgres/grants/expired.ts'
import { createFamilyStore as createFamilyTable } from '../stores/postgres/grants/families.ts'
import { createGrantStore } from '../stores/postgres/grants/grants.ts'
import { createMigrationStore } from '../stores/postgres/grants/migration.ts'
import { createRevocationStore } from '../stores/postgres/grants/revocation.ts'
import { createIntrospectionStore } from '../stores/postgres/introspection/introspection.ts'
import { createRevocationFeedStore } from '../stores/postgres/introspection/revocation-feed.ts'
import { createLogoStore } from '../stores/postgres/logos/logos.ts'
import {
  createMailChoiceStore,
  createPasswordRequestStore,
} from '../stores/postgres/notifications/mail-choices.ts'
import { createMailOutbox } from '../stores/postgres/notifications/mail-outbox.ts'
import { createReminderStore } from '../stores/postgres/notifications/reminders.ts'
import { createAccessReviewStore } from '../stores/postgres/organizations/access-review.ts'
import { createAppPeopleStore } from '../stores/postgres/organizations/app-people.ts'
import { createAppUseStore } from '../stores/postgres/organizations/app-use.ts'
import { createDirectoryStore } from '../stores/postgres/organizations/directory.ts'
import { createIdentityProviderStore } from '../stores/postgres/organizations/identity-providers.ts'
import { createImportStore } from '../stores/postgres/organizations/imports.ts'
import { createInstallRequestStore } from '../stores/postgres/organizations/install-requests.ts'
import { createInstallStore } from '../stores/postgres/organizations/installs.ts'
import { createKeySetStore } from '../stores/postgres/organizations/key-sets.ts'
import { createMemberListStore } from '../stores/postgres/organizations/member-list.ts'
import { createMemberStore } from '../stores/postgres/organizations/members.ts'
import { createMembershipStore } from '../stores/postgres/organizations/memberships.ts'
import { createOrganizationAppStore } from '../stores/postgres/organizations/organization-apps.ts'
import { createOrganizationPolicyStore } from '../stores/postgres/organizations/organization-policies.ts'
import { createOrganizationStore } from '../stores/postgres/organizations/organizations.ts'
import { createSandboxStore } from '../stores/postgres/organizations/sandboxes.ts'
import { createSuspendAllStore } from '../stores/postgres/organizations/suspend-all.ts'
import { createTestPeopleStore } from '../stores/postgres/organizations/test-people.ts'
import { createWorkspaceStore } from '../stores/postgres/organizations/workspaces.ts'
import { createIdentityStore } from '../stores/postgres/people/identities.ts'
import { createPasskeyStore } from '../stores/postgres/people/passkeys.ts'
import { createPeopleStore } from '../stores/postgres/people/people.ts'
import { createSessionStore } from '../stores/postgres/people/sessions.ts'
import { createUserStore } from '../stores/postgres/people/users.ts'
import { createRoleGroups } from '../stores/postgres/provisioning/role-groups.ts'
import { createScimTokenStore } from '../stores/postgres/provisioning/scim-tokens.ts'
import { createScimUserStore } from '../stores/postgres/provisioning/scim-users.ts'
import { createWorkspaceGroups } from '../stores/postgres/provisioning/workspace-groups.ts'
import { createLongestLifetimeStore } from '../stores/postgres/tokens/longest-lifetime.ts'
import { createSigningKeyStore } from '../stores/postgres/tokens/signing-keys.ts'
import { createTokenReachStore } from '../stores/postgres/tokens/token-reaches.ts'
import { createWebhookOutbox } from '../stores/postgres/webhooks/webhook-outbox.ts'
import { createWebhookStore } from '../stores/postgres/webhooks/webhooks.ts'
import { connectRedis } from '../stores/redis/connection.ts'
import type { RedisWarning } from '../stores/redis/durability.ts'
import { createFamilyStore } from '../stores/redis/families.ts'
import { createCounterStore, createRecordStore } from '../stores/redis/records.ts'
import { createStoreClock } from '../stores/store-clock.ts'

/** The connection string of a Postgres behind a Unix socket. */
const socketUrl = (connection: { host: string; port: number; user: string; database: string }) => {
  const query = new URLSearchParams({ host: connection.host, port: String(connection.port) })
  return `postgres://${connection.user}@/${connection.database}?${query}`
}

/**
 * Opens the configured Postgres, or starts or joins the packaged one.
 * @param name what this process is to the others that use the packaged one
 */
export const openPostgres = async (
  config: Pick<Config, 'databaseUrl' | 'dataDirectory'>,
  name: string,
  log: (line: string) => void = () => undefined,
) => {
  if (config.databaseUrl !== null)
    return { url: config.databaseUrl, others: async () => [], stop: async () => undefined }
  const { startEmbeddedPostgres } = await import('../stores/embedded/launcher.ts')
  const embedded = await startEmbeddedPostgres({ directory: config.dataDirectory, name, log })
  const { others, stop } = embedded
  return { url: socketUrl(embedded.connection), others, stop }
}

/** The name of a server to the other processes that use the packaged Postgres. */
export const serverName = ({ host, port }: Pick<Config, 'host' | 'port'>) =>
  `server ${host}:${port}`

/** Receives the measurements of the stores. */
export interface StoreObserver {
  /**
   * One statement or script, timed from its caller's point of view.
   * @param statement its name, or its text when it has none; never a value
   * @param began performance.now()
   * @param failed true when the store was unavailable or too slow, not when it returned an error
   */
  roundTrip(store: 'postgres' | 'redis', statement: string, began: number, failed: boolean): void
  /**
   * A read that shared its query with others, timed from its caller's point of view. The query itself is a separate
   * round trip.
   */
  shared?: (statement: string, began: number, failed: boolean) => void
  rowsRemoved(table: string, count: number): void
}

const silentObserver: StoreObserver = { roundTrip: () => undefined, rowsRemoved: () => undefined }

const redisAdvice: Record<RedisWarning, string> = {
  evicts:
    'redis may evict data, and users would lose their tokens: set maxmemory-policy noeviction',
  not_durable: 'redis loses all data when it restarts: set appendonly yes',
  not_synced:
    'redis loses the last second in a crash, and a token consumed then becomes valid again: set appendfsync always',
}

const openRedis = async (config: Config, logger: FastifyBaseLogger, observer: StoreObserver) => {
  if (config.redisUrl === null) return null
  let warnings: RedisWarning[] = []
  const connection = await connectRedis({
    url: config.redisUrl,
    timeout: config.storeTimeout,
    replicas: config.redisReplicas,
    onError: (err) => logger.warn({ err: { message: err.message } }, 'redis'),
    onRoundTrip: (command, began, failed) => observer.roundTrip('redis', command, began, failed),
    onWarnings: (found) => {
      for (const one of found) {
        if (!warnings.includes(one)) logger.warn({ warning: `redis_${one}` }, redisAdvice[one])
      }
      warnings = found
    },
  })
  return { ...connection, warnings: () => warnings.map((one) => `redis_${one}`) }
}

/** Migrates the schema. */
export const migrateStores = async (url: string, timeout: number, logger: FastifyBaseLogger) => {
  const applied = await migrate(url, timeout)
  if (applied.length > 0) logger.info({ applied }, 'migrations applied')
}

/**
 * Opens Postgres (configured or embedded), migrates its schema, and opens Redis when configured.
 * @param migrates false when another process migrates the schema
 * @param clock regularly set to the time of Postgres
 */
export const openStores = async (
  config: Config,
  logger: FastifyBaseLogger,
  observer: StoreObserver = silentObserver,
  migrates = true,
  clock = createStoreClock(),
) => {
  // With embedded stores, secrets that are not configured are created once and stored beside the data.
  const secrets = config.databaseUrl === null ? await localSecrets(config.dataDirectory) : null
  const postgres = await openPostgres(config, serverName(config), (line) =>
    logger.debug({ line }, 'embedded postgres'),
  )
  if (migrates)
    await migrateStores(postgres.url, config.migrationTimeout, logger).catch(async (error) => {
      await postgres.stop()
      throw error
    })

  const database = openDatabase({
    url: postgres.url,
    poolSize: config.databasePoolSize,
    pooler: config.databasePooler,
    timeout: config.storeTimeout,
    onError: (err) => logger.warn({ err: { message: err.message } }, 'postgres'),
    onRoundTrip: (statement, began, failed) =>
      observer.roundTrip('postgres', statement, began, failed),
    onShared: observer.shared,
  })
  const readTime = () => readClock(database, clock)
  // On failure, the date of this machine is used until the next attempt.
  await readTime().catch((err) =>
    logger.warn({ err: { message: err.message } }, 'store time not read'),
  )
  const redis = await openRedis(config, logger, observer)
  const families = redis
    ? createFamilyStore(redis)
    : createFamilyTable(database, config.storeTimeout, clock)

  return {
    masterKeys: config.masterKeys.length > 0 || !secrets ? config.masterKeys : [secrets.masterKey],
    operatorToken: config.operatorToken ?? secrets?.operatorToken ?? null,
    database,
    accessReview: createAccessReviewStore(database),
    accessSweeper: createAccessSweepStore(database),
    activity: createActivityStore(database),
    appReviews: createAppReviewStore(database),
    appChanges: createAppChangeStore(database),
    appOwners: createAppOwnerStore(database),
    appSecrets: createAppSecretStore(database),
    appPeople: createAppPeopleStore(database),
    appUse: createAppUseStore(database),
    apps: createAppStore(database),
    assertions: createAssertionStore(database),
    audit: createAuditStore(database),
    auditLog: createAuditLogStore(database),
    clientDocuments: createDocumentStore(database),
    clientHosts: createClientHostStore(database),
    clientUrlState: clientUrlState(database),
    connections: createConnectionStore(database),
    consents: createConsentStore(database),
    consentEnds: createConsentEndStore(database),
    delegations: createDelegationStore(database),
    counters: redis ? createCounterStore(redis) : createCounterTable(database),
    families,
    grants: createGrantStore(database),
    identities: createIdentityStore(database),
    identityProviders: createIdentityProviderStore(database),
    installRequests: createInstallRequestStore(database),
    imports: createImportStore(database),
    installs: createInstallStore(database),
    introspection: createIntrospectionStore(database),
    keySets: createKeySetStore(database),
    latestMigration: latestMigration(database),
    longestLifetime: createLongestLifetimeStore(database),
    mailChoices: createMailChoiceStore(database),
    mailOutbox: createMailOutbox(database),
    masterKeyStore: createMasterKeyStore(database),
    memberList: createMemberListStore(database),
    members: createMemberStore(database),
    memberships: createMembershipStore(database),
    migration: createMigrationStore(database),
    operators: createOperatorGrantStore(database),
    operatorTokens: createOperatorTokenStore(database),
    sandboxes: createSandboxStore(database),
    testPeople: createTestPeopleStore(database),
    scimTokens: createScimTokenStore(database),
    scimUsers: createScimUserStore(database),
    scimGroups: {
      workspaces: createWorkspaceGroups(database, createWorkspaceStore(database)),
      roles: createRoleGroups(database),
    },
    logos: createLogoStore(database),
    directory: createDirectoryStore(database),
    organizationPolicies: createOrganizationPolicyStore(database),
    organizationApps: createOrganizationAppStore(database),
    organizations: createOrganizationStore(database),
    ownPermissions: createPermissionCatalogueStore(database),
    passkeys: createPasskeyStore(database),
    passwordRequests: createPasswordRequestStore(database),
    people: createPeopleStore(database),
    reminders: createReminderStore(database),
    records: redis ? createRecordStore(redis) : createRecordTable(database),
    resourceServers: createResourceServerStore(database),
    revocation: createRevocationStore(database),
    revocationFeed: createRevocationFeedStore(database),
    securityNotices: createSecurityNoticeStore(database),
    sessions: createSessionStore(database),
    signingKeys: createSigningKeyStore(database),
    standings: createStandingStore(database),
    successors: createSuccessorStore(database),
    suspendAll: createSuspendAllStore(database),
    tokenReaches: createTokenReachStore(database),
    usage: createUsageStore(database),
    appUsage: createAppUsageStore(database),
    usageReport: createUsageReportStore(database),
    users: createUserStore(database),
    webhookOutbox: createWebhookOutbox(database),
    webhooks: createWebhookStore(database),
    workspaces: createWorkspaceStore(database),
    isPublicOrigin: isPublicOrigin(database),
    /** Milliseconds since 1970 by the clock of Postgres, the same on all instances. */
    now: clock.now,
    readTime,
    removeExpired: createCleanUp(database, families, config.retention, observer.rowsRemoved),
    estimateRows: () => estimateRows(database),
    estimateFamilies: () => estimateFamilies(database),
    redisKeys: redis?.size ?? null,
    checks: {
      postgres: async () => void (await database.query('select 1')),
      ...(redis && { redis: redis.ping }),
    },
    /** Configuration problems of the stores that do not stop them from working. */
    warnings: redis?.warnings ?? (() => []),
    close: async () => {
      await redis?.close()
      await database.close()
      await postgres.stop()
    },
  }
}

export type Stores = Awaited<ReturnType<typeof openStores>>
