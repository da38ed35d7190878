// Part of the wiring (app.ts): grants and the token requests that redeem them.
import { createDeviceFlow } from '../../core/authorization/device-flow.ts'
import { createDeviceGrant } from '../../core/authorization/device-grant.ts'
import type { App } from '../../core/clients/app.ts'
import type { Targets } from '../../core/clients/targets.ts'
import { tokenLifetimeOf } from '../../core/clients/token-lifetime.ts'
import { createCheckWorkload } from '../../core/clients/workload-assertion.ts'
import { createDelegationGrant } from '../../core/delegation/delegation.ts'
import { createAssertionGrant } from '../../core/grants/assertion-grant.ts'
import { createAuthenticateClient } from '../../core/grants/client-requests.ts'
import { createConnections } from '../../core/grants/connections.ts'
import { createGrantBound } from '../../core/grants/grant-bound.ts'
import { createGrantTypes } from '../../core/grants/grant-types.ts'
import { createVerifyAssertion } from '../../core/grants/id-jag.ts'
import { createInstallCodes } from '../../core/grants/install-codes.ts'
import { createRedeemInstall } from '../../core/grants/install-token.ts'
import { createGrantIssuance } from '../../core/grants/issue.ts'
import { createKeySetTokens } from '../../core/grants/key-set-token.ts'
import { createMigration } from '../../core/grants/migration.ts'
import { createGrants } from '../../core/grants/redeem.ts'
import { createRevocation } from '../../core/grants/revocation.ts'
import { createTakeOver } from '../../core/grants/taken-over.ts'
import { createSettleReach } from '../../core/grants/token-reach.ts'
import { createAnswerTokenRequest } from '../../core/grants/token-request.ts'
import { createUnsettledRequests } from '../../core/grants/unsettled.ts'
import type { Introspection } from '../../core/introspection/introspection.ts'
import type { Limits } from '../../core/limits/limits.ts'
import type { Foundation } from '../foundation.ts'
import { createGrantEvents } from './grant-events.ts'
import type { Outbound } from './outbound.ts'
import type { Records } from './records.ts'
import type { TokenServices } from './tokens.ts'

const unsettledRequests = ({ config, stores, metrics, logger }: Foundation) =>
  createUnsettledRequests({
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

export const createGrantServices = (
  foundation: Foundation,
  services: TokenServices &
    Pick<Outbound, 'remoteKeys'> & {
      records: Records
      limits: Limits
      targets: Targets
      introspection: Introspection
    },
) => {
  const { config, stores, keyring } = foundation
  const { records, limits, targets, introspection, issuedTokens, accessTokens } = services
  const { families, records: stored, counters, now, grants: store } = stores
  const { issuer, grantsPerUserAndApp: most } = config
  const { audit } = records
  const events = createGrantEvents(foundation.metrics, records)
  const bound = createGrantBound({ store, families, events, limits, most })
  const issuance = createGrantIssuance({ store, families, keyring, events, bound })
  const unsettled = unsettledRequests(foundation)
  const lifetimeOf = (app: App) => tokenLifetimeOf(app, config.tokenLifetimes)
  const settleReach = createSettleReach({ store: stores.tokenReaches, accessTokens, lifetimeOf })
  const shared = { families, unsettled, keyring, targets, events, bound, settleReach, now }
  const grants = createGrants({ ...shared, store })
  const migration = createMigration({ ...shared, store: stores.migration, grants: store })
  const devices = createDeviceFlow({ records: stored, counters, keyring, issuance, now })
  const redeemInstall = createRedeemInstall(shared)
  const verification = { remoteKeys: services.remoteKeys, records: stored, issuer, now }
  return {
    authenticateClient: createAuthenticateClient({ ...services, store }),
    answerTokenRequest: createAnswerTokenRequest(services),
    grantTypes: createGrantTypes({ store, grants, redeemInstall, migration }),
    keySetTokens: createKeySetTokens({
      ...shared,
      store: stores.introspection,
      checkWorkload: createCheckWorkload(verification),
      limits,
    }),
    deviceGrant: createDeviceGrant({ store, grants, devices }),
    assertionGrant: createAssertionGrant({
      ...shared,
      store: stores.assertions,
      records: stored,
      verifyAssertion: createVerifyAssertion(verification),
      issuance,
      audit,
      lifetimeOf,
    }),
    delegationGrant: createDelegationGrant({
      ...shared,
      store: stores.delegations,
      grants: store,
      issuedTokens,
      introspection,
    }),
    installCodes: createInstallCodes({ store, records: stored, keyring, redeemInstall, audit }),
    devices,
    issuance,
    unsettled,
    revocation: createRevocation({ store: stores.revocation, families, issuedTokens, keyring }),
    takeOver: createTakeOver({
      store: stores.takenOver,
      grants: store,
      revocation: stores.revocation,
      families,
      events,
      most,
      now,
    }),
    connections: createConnections({ store: stores.connections, families }),
  }
}
