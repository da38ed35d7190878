// The only wiring: configuration → stores → services → fronts.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { WorkerPlace } from './cluster/worker.ts'
import type { Config } from './config.ts'
import { createKeyring, type Keyring } from './domain/keyring.ts'
import { createEngine } from './engine/engine.ts'
import { adminFront } from './http/admin/front.ts'
import { admitRequests } from './http/admission.ts'
import { createBrowser } from './http/browser.ts'
import { watchConnections } from './http/connections.ts'
import { currentAuthorize } from './http/current/authorize.ts'
import { endSessionForm } from './http/current/end-session.ts'
import { introspect } from './http/current/introspect.ts'
import { metadata } from './http/current/metadata.ts'
import { preflight } from './http/current/preflight.ts'
import { pushedRequest } from './http/current/pushed-request.ts'
import { revocations } from './http/current/revocations.ts'
import { revoke } from './http/current/revoke.ts'
import { currentToken } from './http/current/token.ts'
import { userinfo } from './http/current/userinfo.ts'
import { legacyAuthorize } from './http/legacy/authorize.ts'
import { legacyToken } from './http/legacy/token.ts'
import { publicError } from './http/oauth-errors.ts'
import { createMetrics, type Metrics } from './http/operations/metrics.ts'
import { metricsServer, operations } from './http/operations/operations.ts'
import { registerStateMetrics } from './http/operations/state-metrics.ts'
import { registerWorkerMetrics } from './http/operations/worker-metrics.ts'
import { pages } from './http/pages/pages.ts'
import { createRenderer } from './http/pages/render.ts'
import { createServer } from './http/server.ts'
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
import { createDigestRenewal } from './services/digest-renewal.ts'
import { createEndSession } from './services/end-session.ts'
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
import { createSigningKeys } from './services/signing-keys.ts'
import { createSimulations } from './services/simulation.ts'
import { createTokenInspection } from './services/token-inspection.ts'
import { createTwins } from './services/twins.ts'
import { createUsage } from './services/usage.ts'
import { createUsageReport } from './services/usage-report.ts'
import { createUserinfo } from './services/userinfo.ts'
import { createUsers } from './services/users.ts'
import { createWebhookDelivery } from './services/webhook-delivery.ts'
import { createWebhookSender } from './services/webhook-sender.ts'
import { createWebhooks } from './services/webhooks.ts'
import { createWorkspaces } from './services/workspaces.ts'
import { createSignIn } from './sign-in.ts'
import type { StoreClock } from './stores/store-clock.ts'
import { openStores, type Stores } from './stores.ts'
import type { Tracing } from './telemetry/tracing.ts'
import { observersOf, openTracing } from './tracing.ts'

export interface Latchkey {
  server: FastifyInstance
  /** The operator token in force: configured, or made at the first start. */
  operatorToken: string | null
  /** Starts to listen. @returns the issuer */
  listen(): Promise<string>
  /** Says that it is going and serves on for a while, so that clients and balancers leave in time. */
  drain(): Promise<void>
  /** Stops taking requests, finishes those under way, writes what is buffered and lets go of the stores. */
  close(): Promise<void>
}

const sweepEvery = 60_000
const keysEvery = 5_000
const timeEvery = 5_000

const createServices = async (
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
      `${issuer}/api/oauth/revoke`,
    ],
    secretUsed: lastUsed.secret,
    secretShown: digests.shown,
  })
  const system = { actor: { kind: 'system', id: null }, address: null, requestId: null } as const
  const events: GrantEvents = {
    used: (grant) => lastUsed.grant(grant.id),
    installUsed: lastUsed.install,
    ended: (_grant, reason) => metrics.familyEnded(reason),
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
  const grants = createGrants({ store: stores.grants, families, keyring, events })
  const users = createUsers({ store: stores.users, hashPassword: passwords.hash })
  const signIn = await createSignIn(config, stores, { passwords, limits, audit, users, now })
  const requests = createAuthorizationRequests({ records: stores.records, limits, now })
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
    moves: createMoves({ store: stores.moves, grants: stores.grants, families, keyring, events }),
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
    digests,
    endSession: createEndSession({ store: stores.apps, readIdTokenHint: idTokens.readHint }),
    grants,
    idTokens,
    installs,
    lastUsed,
    limits,
    masterKeys: createMasterKeys({ store: stores.masterKeyStore, keyring }),
    passwords,
    ...signIn,
    now,
    requests,
    signingKeys,
    userinfo: createUserinfo({ introspection, people: stores.people }),
    users,
    usage,
    usageReport: createUsageReport({ store: stores.usageReport, now }),
  }
}

export type Services = Awaited<ReturnType<typeof createServices>>

const startWebhooks = (
  config: Config,
  stores: Stores,
  keyring: Keyring,
  metrics: Metrics,
  logger: FastifyBaseLogger,
) =>
  createWebhookDelivery({
    outbox: stores.webhookOutbox,
    keyring,
    send: createWebhookSender({ ...config.webhooks, now: stores.now }),
    now: stores.now,
    random: Math.random,
    onAttempt: ({ webhookId, id, type, attempts }, attempt, fate) => {
      const outcome = typeof fate === 'string' ? fate : 'retried'
      metrics.webhookTried(outcome)
      logger.debug({ webhookId, id, type, attempts, attempt, outcome }, 'webhook')
    },
    onBacklog: metrics.webhooksWaiting,
    onError: (err) => logger.warn({ err }, 'webhooks not sent'),
  })

/** What is to be done beside the requests, and once for all instances: several of them do it without harm. */
const startChores = (
  config: Config,
  stores: Stores,
  keyring: Keyring,
  metrics: Metrics,
  services: Services,
  logger: FastifyBaseLogger,
) => {
  const webhooks = startWebhooks(config, stores, keyring, metrics, logger)
  const cleanUp = () =>
    stores.removeExpired().then(
      () => metrics.stores.cleanedUp(true),
      (err) => {
        metrics.stores.cleanedUp(false)
        logger.warn({ err }, 'expired rows not removed')
      },
    )
  const cleaning = setInterval(() => void cleanUp(), sweepEvery)
  cleaning.unref()
  // What it cannot do now, the next start or `latchkey keys reseal` does. With one key there is nothing to change.
  if (stores.masterKeys.length > 1)
    services.masterKeys
      .reseal()
      .catch((err) => logger.warn({ err }, 'older sealed texts not sealed anew'))
  logger.debug('does the chores')
  return {
    close: async () => {
      clearInterval(cleaning)
      await webhooks.close()
    },
  }
}

const registerFronts = async (
  server: FastifyInstance,
  config: Config,
  stores: Stores,
  keyring: Keyring,
  metrics: Metrics,
  services: Services,
) => {
  const { issuer, audience, legacyOrigin, legacyEnd, brand } = config
  const browser = createBrowser(services.sessions, issuer.startsWith('https:'))
  const renderer = createRenderer(brand, browser.sessionMark)
  const engine = createEngine(issuer, {
    findApp: stores.consents.findApp,
    issueCode: services.grants.issueCode,
    readIdTokenHint: services.idTokens.readHint,
    records: stores.records,
    keyring,
    now: stores.now,
  })
  const shared = {
    ...services,
    browser,
    renderer,
    engine,
    grantStore: stores.grants,
    outcome: metrics.tokenOutcome,
    introspected: metrics.introspected,
    userinfoRead: metrics.userinfoRead,
    signOutAsked: metrics.signOutAsked,
    isPublicOrigin: stores.isPublicOrigin,
    audience,
    legacyHost: legacyOrigin && new URL(legacyOrigin).host,
    legacyEnd,
    showError: renderer.error,
  }

  server.setErrorHandler((error, request, reply) =>
    renderer.error(request, reply, publicError(error)),
  )
  await server.register(adminFront(services))
  await server.register(
    metadata({ issuer, signingKeys: services.signingKeys, keyAhead: config.signingKeyAhead }),
  )
  await server.register(currentToken(shared))
  await server.register(pushedRequest(shared))
  await server.register(introspect(shared))
  await server.register(revoke(shared))
  await server.register(revocations(shared))
  await server.register(preflight(shared))
  await server.register(userinfo(shared))
  await server.register(currentAuthorize(shared))
  await server.register(endSessionForm(shared))
  await server.register(legacyToken(shared))
  await server.register(legacyAuthorize(shared))
  await server.register(
    pages({
      ...shared,
      brand,
      origin: issuer,
      origins: [issuer, ...(legacyOrigin ? [legacyOrigin] : [])],
      csrfKey: keyring.csrfKey,
      now: stores.now,
      install: (origin, { organizationId, clientId, ...approval }) =>
        services.installs.approve(organizationId, clientId, approval, origin),
    }),
  )
  server.setNotFoundHandler((request, reply) => renderer.notFound(request, reply))
}

/** How the metrics of this process, or of all workers of its instance, are told. */
const tellMetrics = ({ registry }: Metrics, place: WorkerPlace | null) => {
  if (place) {
    place.show(registry)
    return place.metrics
  }
  registerWorkerMetrics(registry, () => ({ listening: 1, replaced: 0 }))
  return () => registry.metrics()
}

const assemble = async (
  config: Config,
  stores: Stores,
  metrics: Metrics,
  tracing: Tracing | null,
  logger: FastifyBaseLogger,
  place: WorkerPlace | null,
): Promise<Latchkey> => {
  const [firstKey, ...olderKeys] = stores.masterKeys
  const keyring = createKeyring([firstKey as Buffer, ...olderKeys])
  const services = await createServices(config, stores, keyring, metrics, logger)
  registerStateMetrics(metrics.registry, {
    connections: stores.database.connections,
    rows: stores.estimateRows,
    families: stores.estimateFamilies,
    redisKeys: stores.redisKeys,
    warnings: stores.warnings,
    signingKeys: services.signingKeys.ages,
    masterKeys: stores.masterKeys.length,
    feedReaders: services.revocationFeed.waiting,
  })

  const server = await createServer({
    logger,
    trustedProxies: config.trustedProxies,
    cookieKeys: keyring.cookieKeys,
    secure: config.issuer.startsWith('https:'),
    watch: tracing?.watch,
  })
  const connections = watchConnections(server)
  admitRequests(server, config.admission, metrics.turnedAway)
  let closing = false
  const exposition = tellMetrics(metrics, place)
  await server.register(
    operations({
      metrics: exposition,
      stores: stores.checks,
      warnings: stores.warnings,
      isClosing: () => closing,
      metricsToken: config.metrics.token,
    }),
  )
  await registerFronts(server, config, stores, keyring, metrics, services)
  server.addHook('onResponse', (request, reply, done) => {
    metrics.answered(request.routeOptions.url ?? 'none', reply.statusCode, reply.elapsedTime / 1000)
    done()
  })

  const measuring = place || config.metrics.port === null ? null : metricsServer(exposition)
  const quietly = (work: () => Promise<unknown>, what: string) => () =>
    void work().catch((err) => logger.warn({ err }, what))
  const timers = [
    setInterval(quietly(services.signingKeys.refresh, 'signing keys not read'), keysEvery),
    setInterval(quietly(stores.readTime, 'time not read'), timeEvery),
  ]
  for (const timer of timers) timer.unref()
  // What is done once for an instance is done by one of its workers.
  const chores =
    place === null || place.number === 1
      ? startChores(config, stores, keyring, metrics, services, logger)
      : null

  return {
    server,
    operatorToken: stores.operatorToken,
    listen: async () => {
      await server.listen({ port: config.port, host: config.host })
      await measuring?.listen({ port: config.metrics.port as number, host: config.host })
      return config.issuer
    },
    drain: async () => {
      closing = true
      tracing?.flush()
      await connections.drain(config.shutdownDrain)
    },
    close: async () => {
      closing = true
      for (const timer of timers) clearInterval(timer)
      services.revocationFeed.close()
      await connections.settle()
      await server.close()
      await measuring?.close()
      await chores?.close()
      await services.audit.close()
      await services.lastUsed.close()
      await services.digests.close()
      await services.usage.close()
      await stores.close()
      await tracing?.close()
    },
  }
}

/**
 * Builds a server on the stores that the configuration names; nothing listens yet.
 * @param place among the workers of an instance; null: it is all of it
 */
export const createLatchkey = async (
  config: Config,
  logger: FastifyBaseLogger,
  place: WorkerPlace | null = null,
  clock?: StoreClock,
): Promise<Latchkey> => {
  const metrics = createMetrics()
  const tracing = await openTracing(config, metrics, logger)
  const stores = await openStores(
    config,
    logger,
    observersOf(metrics, tracing),
    place === null,
    clock,
  )
  try {
    return await assemble(config, stores, metrics, tracing, logger, place)
  } catch (error) {
    await stores.close()
    throw error
  }
}
