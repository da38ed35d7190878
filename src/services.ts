// Part of the wiring (app.ts): stores → services.
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config.ts'
import type { Keyring } from './domain/keyring.ts'
import type { Metrics } from './http/operations/metrics.ts'
import { createAccessTokens } from './services/access-tokens.ts'
import { createActivity } from './services/activity.ts'
import { createAppSecrets } from './services/app-secrets.ts'
import { createAppUse } from './services/app-use.ts'
import { createApps } from './services/apps.ts'
import { createAuditTrail } from './services/audit.ts'
import { createAuditLog } from './services/audit-log.ts'
import { createAuthorizationRequests } from './services/authorization-requests.ts'
import { createClients } from './services/clients.ts'
import { createConnections } from './services/connections.ts'
import { createConsents } from './services/consents.ts'
import { createDeviceFlow } from './services/device-flow.ts'
import { createDigestRenewal } from './services/digest-renewal.ts'
import { createDpop } from './services/dpop.ts'
import { createEndSession } from './services/end-session.ts'
import { createGrantBound, superseded } from './services/grant-bound.ts'
import { createGrantIssuance } from './services/grant-issuance.ts'
import { createGrants, type GrantEvents } from './services/grants.ts'
import { createHandovers } from './services/handovers.ts'
import { createIdTokens } from './services/id-tokens.ts'
import { createInstallRequests } from './services/install-requests.ts'
import { createInstalls } from './services/installs.ts'
import { createIntrospection } from './services/introspection.ts'
import { createIssuedTokens } from './services/issued-tokens.ts'
import { createKeySets } from './services/key-sets.ts'
import { createLastSaved } from './services/last-saved.ts'
import { createLastUsed } from './services/last-used.ts'
import { createLimits } from './services/limits.ts'
import { createMasterKeys } from './services/master-keys.ts'
import { createMembers } from './services/members.ts'
import { createMemberships } from './services/memberships.ts'
import { createMoves } from './services/moves.ts'
import { createOperatorTokens } from './services/operator-tokens.ts'
import { createIsOperator } from './services/operators.ts'
import { createOrganizationApps } from './services/organization-apps.ts'
import { createOrganizations } from './services/organizations.ts'
import { createPasswords } from './services/passwords.ts'
import { createResourceServers } from './services/resource-servers.ts'
import { createRevocation } from './services/revocation.ts'
import { createRevocationFeed } from './services/revocation-feed.ts'
import { createSecurityNotices } from './services/security-notices.ts'
import { createSigningKeys } from './services/signing-keys.ts'
import { createSimulations } from './services/simulation.ts'
import { createTokenInspection } from './services/token-inspection.ts'
import { createTwins } from './services/twins.ts'
import { createUnsettledRequests } from './services/unsettled.ts'
import { createUsage } from './services/usage.ts'
import { createUsageReport } from './services/usage-report.ts'
import { createUserinfo } from './services/userinfo.ts'
import { createUsers } from './services/users.ts'
import { createWebhooks } from './services/webhooks.ts'
import { createWorkspaces } from './services/workspaces.ts'
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
    logger.warn({ err }, 'last use not noted'),
  )
  const digests = createDigestRenewal({
    store: stores.masterKeyStore,
    keyring,
    onError: (err) => logger.warn({ err }, 'digests not moved to the current master key'),
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
    // Only where Postgres does not answer either: better late than a family that ends.
    patience: config.storeTimeout + 3500,
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
  return {
    apps: createApps({ store: stores.apps, keyring }),
    appSecrets: createAppSecrets({ store: stores.appSecrets, keyring }),
    activity: createActivity({ store: stores.activity, auditLog }),
    auditLog,
    keySets: createKeySets({ store: stores.keySets, keyring }),
    handovers: createHandovers({ records: stores.records, keyring }),
    lastSaved: createLastSaved({ auditLog }),
    installRequests: createInstallRequests({ store: stores.installRequests }),
    appUse: createAppUse({ store: stores.appUse, now }),
    members: createMembers({ store: stores.members }),
    moves: createMoves({
      store: stores.moves,
      grants: stores.grants,
      families,
      unsettled,
      keyring,
      events,
      bound,
    }),
    twins: createTwins({ store: stores.twins }),
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
    devices: createDeviceFlow({
      records: stores.records,
      counters: stores.counters,
      keyring,
      issuance,
      now,
    }),
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
