// Part of the wiring (app.ts): stores → services.
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config/config.ts'
import { createActivity } from '../core/audit/activity.ts'
import { createAuditTrail } from '../core/audit/audit.ts'
import { createAuditLog } from '../core/audit/audit-log.ts'
import { createLastChange } from '../core/audit/last-change.ts'
import { createLastUsed } from '../core/audit/last-used.ts'
import { createUsage } from '../core/audit/usage.ts'
import { createUsageReport } from '../core/audit/usage-report.ts'
import { createConsents } from '../core/authorization/consents.ts'
import { createDeviceFlow } from '../core/authorization/device-flow.ts'
import { createDeviceGrant } from '../core/authorization/device-grant.ts'
import { createEndSession } from '../core/authorization/end-session.ts'
import { createAuthorizationRequests } from '../core/authorization/requests.ts'
import { createSimulations } from '../core/authorization/simulation.ts'
import { createTokenInspection } from '../core/authorization/token-inspection.ts'
import { createAppSecrets } from '../core/clients/app-secrets.ts'
import { createApps } from '../core/clients/apps.ts'
import { createClients } from '../core/clients/authenticate.ts'
import { createResourceServers } from '../core/clients/resource-servers.ts'
import { createSuccessors } from '../core/clients/successors.ts'
import { createDigestRenewal } from '../core/credentials/digest-renewal.ts'
import { createMasterKeys } from '../core/credentials/master-keys.ts'
import { createOperatorTokens } from '../core/credentials/operator-tokens.ts'
import { createIsOperator } from '../core/credentials/operators.ts'
import type { Keyring } from '../core/crypto/keyring.ts'
import { createAuthenticateClient } from '../core/grants/client-requests.ts'
import { createConnections } from '../core/grants/connections.ts'
import type { GrantEvents } from '../core/grants/events.ts'
import { createGrantBound, superseded } from '../core/grants/grant-bound.ts'
import { createGrantTypes } from '../core/grants/grant-types.ts'
import { createRedeemInstall } from '../core/grants/install-token.ts'
import { createGrantIssuance } from '../core/grants/issue.ts'
import { createMigration } from '../core/grants/migration.ts'
import { createGrants } from '../core/grants/redeem.ts'
import { createRevocation } from '../core/grants/revocation.ts'
import { createAnswerTokenRequest } from '../core/grants/token-request.ts'
import { createUnsettledRequests } from '../core/grants/unsettled.ts'
import { createIntrospection } from '../core/introspection/introspection.ts'
import { createRevocationFeed } from '../core/introspection/revocation-feed.ts'
import { createUserinfo } from '../core/introspection/userinfo.ts'
import { createLimits } from '../core/limits/limits.ts'
import { createAppUse } from '../core/organizations/app-use.ts'
import { createInstallRequests } from '../core/organizations/install-requests.ts'
import { createInstalls } from '../core/organizations/installs.ts'
import { createKeySets } from '../core/organizations/key-sets.ts'
import { createMembers } from '../core/organizations/members.ts'
import { createMemberships } from '../core/organizations/memberships.ts'
import { createOneTimeSecrets } from '../core/organizations/one-time-secrets.ts'
import { createOrganizationApps } from '../core/organizations/organization-apps.ts'
import { createOrganizations } from '../core/organizations/organizations.ts'
import { createWorkspaces } from '../core/organizations/workspaces.ts'
import { createPasswords } from '../core/people/passwords.ts'
import { createSecurityNotices } from '../core/people/security-notices.ts'
import { createUsers } from '../core/people/users.ts'
import { createAccessTokens } from '../core/tokens/access-tokens.ts'
import { createDpop } from '../core/tokens/dpop.ts'
import { createIdTokens } from '../core/tokens/id-tokens.ts'
import { createIssuedTokens } from '../core/tokens/issued-tokens.ts'
import { createSigningKeys } from '../core/tokens/signing-keys.ts'
import { createWebhooks } from '../core/webhooks/webhooks.ts'
import type { Metrics } from '../http/operations/metrics.ts'
import { createSignIn } from './sign-in.ts'
import type { Stores } from './stores.ts'

/** The services of one process, on its stores. */
export const createServices = async (
  config: Config,
  stores: Stores,
  keyring: Keyring,
  metrics: Metrics,
  logger: FastifyBaseLogger,
) => {
  const { now } = stores
  const audit = createAuditTrail(stores.audit, (count, cause) => {
    metrics.auditLost(count)
    logger.error({ count, cause: String(cause) }, 'audit events lost')
  })
  const lastUsed = createLastUsed(stores.grants, (err) =>
    logger.warn({ err }, 'last use not recorded'),
  )
  const digests = createDigestRenewal({
    store: stores.masterKeyStore,
    keyring,
    onError: (err) => logger.warn({ err }, 'digests not migrated to the current master key'),
  })
  const usage = createUsage({
    store: stores.usage,
    now,
    onLost: (count, cause) => logger.warn({ count, cause: String(cause) }, 'requests not counted'),
  })
  const limits = createLimits(stores.counters, config.limits, metrics.limited)
  const passwords = createPasswords()
  const signingKeys = await createSigningKeys({
    store: stores.signingKeys,
    keyring,
    publishedAhead: config.signingKeyAhead,
  })
  const { issuer, audience } = config
  const accessTokens = createAccessTokens({ signingKeys, issuer, audience, now })
  const issuedTokens = createIssuedTokens({ signingKeys, issuer, audience, now })
  const idTokens = createIdTokens({ signingKeys, issuer, now })
  const clients = createClients({
    keyring,
    records: stores.records,
    now,
    audiences: [
      issuer,
      `${issuer}/api/oauth/token`,
      `${issuer}/api/oauth/par`,
      `${issuer}/api/oauth/device_authorization`,
      `${issuer}/api/oauth/revoke`,
    ],
    secretUsed: lastUsed.secret,
    secretShown: digests.shown,
  })
  const system = { actor: { kind: 'system', id: null }, address: null, requestId: null } as const
  const events: GrantEvents = {
    used: (grant) => lastUsed.grant(grant.id),
    installUsed: lastUsed.install,
    ended: (grant, reason) => {
      metrics.familyEnded(reason)
      if (reason !== superseded) return
      audit.record({
        ...system,
        type: 'grant.ended',
        organizationId: grant.organizationId,
        clientId: grant.clientId,
        userId: grant.userId,
        detail: { grant_id: grant.id, reason },
      })
    },
    reuseDetected: (grant, generation) => {
      metrics.familyEnded('reuse_detected')
      audit.record({
        ...system,
        type: 'grant.reuse_detected',
        organizationId: grant.organizationId,
        clientId: grant.clientId,
        userId: grant.userId,
        detail: { grant_id: grant.id, generation },
      })
    },
  }
  const { families } = stores
  const bound = createGrantBound({
    store: stores.grants,
    families,
    events,
    limits,
    most: config.grantsPerUserAndApp,
  })
  const issuance = createGrantIssuance({ store: stores.grants, families, keyring, events, bound })
  const unsettled = createUnsettledRequests({
    store: stores.grants,
    // Reached only when Postgres does not answer either. A late answer is better than a revoked family.
    answerWithin: config.storeTimeout + 3500,
    onRecorded: (count) => {
      metrics.unsettled('recorded', count)
      logger.info({ count }, 'recorded 503 answers whose outcome is unknown: clients may retry')
    },
    onLate: () => {
      metrics.unsettled('late', 1)
      logger.warn('answered 503 before its unknown outcome was recorded: a retry may be a replay')
    },
  })
  const grants = createGrants({ store: stores.grants, families, unsettled, keyring, events })
  const users = createUsers({ store: stores.users, hashPassword: passwords.hash })
  const signIn = await createSignIn(config, stores, { passwords, limits, audit, users, now })
  const requests = createAuthorizationRequests({ records: stores.records, limits, keyring, now })
  const consents = createConsents(stores.consents, now)
  const installs = createInstalls({ store: stores.installs })
  const operatorTokens = createOperatorTokens({
    store: stores.operatorTokens,
    keyring,
    shown: digests.shown,
  })
  const organizations = createOrganizations({ store: stores.organizations })
  const introspection = createIntrospection({
    store: stores.introspection,
    families: stores.families,
    issuedTokens,
    keyring,
    issuer,
    audiences: [audience, issuer],
    used: lastUsed,
    secretShown: digests.shown,
    now,
  })
  const auditLog = createAuditLog({ store: stores.auditLog })
  const migration = createMigration({
    store: stores.migration,
    grants: stores.grants,
    families,
    unsettled,
    keyring,
    events,
    bound,
  })
  const devices = createDeviceFlow({
    records: stores.records,
    counters: stores.counters,
    keyring,
    issuance,
    now,
  })
  return {
    authenticateClient: createAuthenticateClient({ store: stores.grants, clients }),
    answerTokenRequest: createAnswerTokenRequest({ clients, limits, accessTokens, idTokens }),
    grantTypes: createGrantTypes({
      store: stores.grants,
      grants,
      redeemInstall: createRedeemInstall({ events }),
      migration,
    }),
    deviceGrant: createDeviceGrant({ store: stores.grants, grants, devices }),
    apps: createApps({ store: stores.apps, keyring }),
    appSecrets: createAppSecrets({ store: stores.appSecrets, keyring }),
    activity: createActivity({ store: stores.activity, auditLog }),
    auditLog,
    keySets: createKeySets({ store: stores.keySets, keyring }),
    oneTimeSecrets: createOneTimeSecrets({ records: stores.records, keyring }),
    lastChange: createLastChange({ auditLog }),
    installRequests: createInstallRequests({ store: stores.installRequests }),
    appUse: createAppUse({ store: stores.appUse, now }),
    members: createMembers({ store: stores.members }),
    successors: createSuccessors({ store: stores.successors }),
    memberships: createMemberships({ store: stores.memberships }),
    organizationApps: createOrganizationApps({ store: stores.organizationApps }),
    organizations,
    introspection,
    tokenInspection: createTokenInspection({ introspection, store: stores.activity }),
    simulations: createSimulations({
      grants: stores.grants,
      consents: stores.consents,
      users,
      organizations,
    }),
    revocation: createRevocation({
      store: stores.revocation,
      families: stores.families,
      issuedTokens,
      keyring,
    }),
    securityNotices: createSecurityNotices(stores.securityNotices),
    revocationFeed: createRevocationFeed(stores.revocationFeed),
    resourceServers: createResourceServers({
      store: stores.resourceServers,
      keyring,
      shown: digests.shown,
    }),
    webhooks: createWebhooks({ store: stores.webhooks, keyring, ...config.webhooks }),
    workspaces: createWorkspaces({ store: stores.workspaces }),
    isOperator: createIsOperator({
      configured: stores.operatorToken,
      tokens: operatorTokens,
      keyring,
    }),
    connections: createConnections({ store: stores.connections, families: stores.families }),
    accessTokens,
    audit,
    clients,
    consents,
    devices,
    digests,
    dpop: createDpop({ issuer, records: stores.records, keyring, now }),
    endSession: createEndSession({ store: stores.apps, readIdTokenHint: idTokens.readHint }),
    grants,
    idTokens,
    installs,
    issuance,
    lastUsed,
    limits,
    masterKeys: createMasterKeys({ store: stores.masterKeyStore, keyring }),
    passwords,
    ...signIn,
    now,
    requests,
    signingKeys,
    unsettled,
    userinfo: createUserinfo({ introspection, people: stores.people }),
    users,
    usage,
    usageReport: createUsageReport({ store: stores.usageReport, now }),
  }
}

export type Services = Awaited<ReturnType<typeof createServices>>
