// Part of the wiring (app.ts): stores → services.
import { createConsentEnds } from '../../core/authorization/consent-ends.ts'
import { createConsents } from '../../core/authorization/consents.ts'
import { createEndSession } from '../../core/authorization/end-session.ts'
import { createAuthorizationRequests } from '../../core/authorization/requests.ts'
import { createStandings } from '../../core/authorization/standing.ts'
import { createPermissionCatalogue } from '../../core/clients/permission-catalogue.ts'
import { createTargets } from '../../core/clients/targets.ts'
import { createMasterKeys } from '../../core/credentials/master-keys.ts'
import { createOperatorGrants } from '../../core/credentials/operator-grants.ts'
import { createIsOperator, createOperatorTokens } from '../../core/credentials/operator-tokens.ts'
import { createAccessEnd, createAllAccessEnd } from '../../core/grants/access-end.ts'
import { createUndo } from '../../core/grants/undo.ts'
import { createSimulations } from '../../core/inspection/simulation.ts'
import { createTokenInspection } from '../../core/inspection/token-inspection.ts'
import { createIntrospection } from '../../core/introspection/introspection.ts'
import { createRevocationFeed } from '../../core/introspection/revocation-feed.ts'
import { createStops } from '../../core/introspection/stops.ts'
import { createUserinfo } from '../../core/introspection/userinfo.ts'
import { createLimits, type Limits } from '../../core/limits/limits.ts'
import { createEncodeLogo } from '../../core/logos/logo-image.ts'
import { createLogoUploads } from '../../core/logos/logo-uploads.ts'
import { createInvitations } from '../../core/notifications/invitations.ts'
import { createMailChoices } from '../../core/notifications/mail-choices.ts'
import { createPasswordRequests } from '../../core/notifications/password-requests.ts'
import { createSecretImport } from '../../core/organizations/import-secrets.ts'
import { createImports } from '../../core/organizations/imports.ts'
import { createPasswordLinks } from '../../core/people/password-links.ts'
import { namesOfService } from '../../core/people/password-rules.ts'
import { createPasswords, type Passwords } from '../../core/people/passwords.ts'
import { createSecurityNotices } from '../../core/people/security-notices.ts'
import { createUsers, type Users } from '../../core/people/users.ts'
import { textIn } from '../../words/text.ts'
import type { Foundation } from '../foundation.ts'
import { createDocumentServices } from './client-documents.ts'
import { createGrantServices } from './grants.ts'
import { createOrganizationServices, createRegistry, createReports } from './organizations.ts'
import { createOutbound } from './outbound.ts'
import { createRecords, type Records } from './records.ts'
import { createSignIn } from './sign-in.ts'
import { createTokenServices, type TokenServices } from './tokens.ts'

const createTokenMeaning = (
  { config, stores, keyring }: Foundation,
  { lastUsed, digests }: Records,
  { issuedTokens }: TokenServices,
) => {
  const { issuer, audience } = config
  const introspection = createIntrospection({
    store: stores.introspection,
    families: stores.families,
    issuedTokens,
    keyring,
    issuer,
    audience,
    used: lastUsed,
    secretShown: digests.shown,
    now: stores.now,
  })
  return {
    introspection,
    tokenInspection: createTokenInspection({ introspection, store: stores.activity }),
    userinfo: createUserinfo({ introspection, people: stores.people }),
    stops: createStops(stores.stops),
    revocationFeed: createRevocationFeed({
      store: stores.revocationFeed,
      keyring,
      defaultAudience: audience,
    }),
  }
}

const createOperators = ({ stores, keyring }: Foundation, { digests: { shown } }: Records) => {
  const tokens = createOperatorTokens({ store: stores.operatorTokens, keyring, shown })
  return {
    operators: createOperatorGrants(stores.operators),
    operatorTokens: tokens,
    isOperator: createIsOperator({ configured: stores.operatorToken, tokens, keyring }),
    masterKeys: createMasterKeys({ store: stores.masterKeyStore, keyring }),
  }
}

/** Mails to users, and the links in them. */
const createMailServices = (
  { config, stores, keyring }: Foundation,
  shared: { limits: Limits; users: Users; passwords: Passwords },
) => {
  const { people, passwordRequests, now } = stores
  return {
    mailChoices: createMailChoices({ store: stores.mailChoices, keyring }),
    passwordLinks: createPasswordLinks({ ...shared, people, keyring, now }),
    passwordRequests: createPasswordRequests({ store: passwordRequests, limits: shared.limits }),
    invitations: createInvitations({
      store: stores.users,
      withMails: config.mail !== null,
      withPasswords: !config.signIn.providerOnly,
    }),
  }
}

/** The services of one process, on its stores. */
export const createServices = async (foundation: Foundation) => {
  const { config, stores, keyring, metrics } = foundation
  const { now, sourcedLines: lines } = stores
  const catalogue = createPermissionCatalogue({
    store: stores.ownPermissions,
    builtIn: textIn('en').permissions,
  })
  await catalogue.refresh()
  const records = createRecords(foundation)
  const { audit } = records
  const limits = createLimits(stores.counters, config.limits, metrics.limited)
  const passwords = createPasswords()
  const users = createUsers({
    store: stores.users,
    hashPassword: passwords.hash,
    verifyPassword: passwords.verify,
    serviceNames: namesOfService(config.brand.name, config.issuer),
  })
  const outbound = createOutbound(foundation)
  const tokens = await createTokenServices(foundation, records, outbound, passwords)
  const signIn = await createSignIn(config, stores, { passwords, limits, audit, users, now })
  const organizations = createOrganizationServices(foundation, catalogue, passwords)
  const targets = createTargets({ store: stores.resourceServers, defaultAudience: config.audience })
  const meaning = createTokenMeaning(foundation, records, tokens)
  const grants = createGrantServices(foundation, {
    ...tokens,
    ...outbound,
    ...meaning,
    records,
    limits,
    targets,
  })
  const registry = createRegistry(foundation, records, tokens, catalogue)
  const { apps } = registry
  const { installs, members, keySets, offeredUndo: kept } = organizations
  const { connections } = grants
  const reports = createReports(foundation, records)
  return {
    ...records,
    ...outbound,
    ...tokens,
    ...signIn,
    ...organizations,
    ...grants,
    accessEnd: createAccessEnd({ connections, installs, members }),
    undo: createUndo({ ...organizations, ...reports, users, connections, kept, now }),
    allAccessEnd: createAllAccessEnd(connections, stores.memberList.apps),
    targets,
    ...registry,
    ...createDocumentServices(foundation, { ...outbound, apps, catalogue, limits }),
    logoUploads: createLogoUploads({
      store: stores.logos,
      limits,
      loadEncoder: createEncodeLogo(),
    }),
    imports: createImports({
      store: stores.imports,
      users,
      installs,
      consents: stores.importedConsents,
      lines,
      secrets: createSecretImport({ store: stores.importedSecrets, lines, apps, keySets, keyring }),
      takeOver: grants.takeOver,
      verificationKeys: tokens.verificationKeys,
    }),
    ...reports,
    ...meaning,
    ...createOperators(foundation, records),
    ...createMailServices(foundation, { limits, users, passwords }),
    catalogue,
    inOneTransaction: stores.inOneTransaction,
    limits,
    users,
    consents: createConsents(stores.consents, targets, catalogue, now),
    consentEnds: createConsentEnds({ store: stores.consentEnds, now }),
    standings: createStandings({ store: stores.standings, sessions: signIn.sessions }),
    requests: createAuthorizationRequests({ records: stores.records, limits, keyring, now }),
    endSession: createEndSession({ store: stores.apps, readIdTokenHint: tokens.idTokens.readHint }),
    securityNotices: createSecurityNotices(stores.securityNotices),
    simulations: createSimulations({
      grants: stores.grants,
      consents: stores.consents,
      users,
      organizations: organizations.organizations,
      lifetimes: config.tokenLifetimes,
      catalogue,
    }),
  }
}

export type Services = Awaited<ReturnType<typeof createServices>>
