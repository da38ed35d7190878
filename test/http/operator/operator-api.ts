import { createHash, randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { createAuditLog } from '../../../src/core/audit/audit-log.ts'
import { createAuditTail } from '../../../src/core/audit/audit-tail.ts'
import { createUsageReport } from '../../../src/core/audit/usage-report.ts'
import { createAuditStreams } from '../../../src/core/audit-streams/audit-streams.ts'
import { createConsentEnds } from '../../../src/core/authorization/consent-ends.ts'
import { createAcceptDocument } from '../../../src/core/client-documents/accept-document.ts'
import { createAppReviews } from '../../../src/core/client-documents/app-reviews.ts'
import { createClientHosts } from '../../../src/core/client-documents/client-hosts.ts'
import { createDocumentImports } from '../../../src/core/client-documents/document-imports.ts'
import { createReadDocument } from '../../../src/core/client-documents/read-document.ts'
import { createAppChanges } from '../../../src/core/clients/app-changes.ts'
import { createAppEntries } from '../../../src/core/clients/app-entries.ts'
import { createAppSecrets } from '../../../src/core/clients/app-secrets.ts'
import { type Apps, createApps } from '../../../src/core/clients/apps.ts'
import { createOwnPermissions } from '../../../src/core/clients/own-permissions.ts'
import { createPermissionCatalogue } from '../../../src/core/clients/permission-catalogue.ts'
import { createResourceServers } from '../../../src/core/clients/resource-servers.ts'
import { createSuccessors } from '../../../src/core/clients/successors.ts'
import { createOperatorGrants } from '../../../src/core/credentials/operator-grants.ts'
import {
  createOperatorTokens,
  type OperatorTokens,
} from '../../../src/core/credentials/operator-tokens.ts'
import { createKeyring, type Keyring } from '../../../src/core/crypto/keyring.ts'
import { createAccessEnd } from '../../../src/core/grants/access-end.ts'
import { createAudiencePeople } from '../../../src/core/grants/audience-people.ts'
import { createConnections } from '../../../src/core/grants/connections.ts'
import { createTakeOver } from '../../../src/core/grants/taken-over.ts'
import { createSimulations } from '../../../src/core/inspection/simulation.ts'
import { createIntrospection } from '../../../src/core/introspection/introspection.ts'
import { createStops } from '../../../src/core/introspection/stops.ts'
import { createInvitations } from '../../../src/core/notifications/invitations.ts'
import { createAppUse } from '../../../src/core/organizations/app-use.ts'
import { createIdentityProviders } from '../../../src/core/organizations/identity-providers.ts'
import { createSecretImport } from '../../../src/core/organizations/import-secrets.ts'
import { createImports } from '../../../src/core/organizations/imports.ts'
import { createInstallPreviews } from '../../../src/core/organizations/install-preview.ts'
import { createInstalls, type Installs } from '../../../src/core/organizations/installs.ts'
import { createKeySets } from '../../../src/core/organizations/key-sets.ts'
import { createMembers } from '../../../src/core/organizations/members.ts'
import { createOrganizationPolicies } from '../../../src/core/organizations/organization-policies.ts'
import { createOrganizations } from '../../../src/core/organizations/organizations.ts'
import { createPermissionUse } from '../../../src/core/organizations/permission-use.ts'
import { createSearch } from '../../../src/core/organizations/search.ts'
import { createSuspendAll } from '../../../src/core/organizations/suspend-all.ts'
import { createWorkspaces } from '../../../src/core/organizations/workspaces.ts'
import { createFetchDocument } from '../../../src/core/outbound/fetch-document.ts'
import { createWait } from '../../../src/core/outbound/waits.ts'
import { createUsers } from '../../../src/core/people/users.ts'
import { createScimTokens } from '../../../src/core/provisioning/scim-tokens.ts'
import { createIssuedTokens } from '../../../src/core/tokens/issued-tokens.ts'
import { createSigningKeys } from '../../../src/core/tokens/signing-keys.ts'
import { createVerificationKeys } from '../../../src/core/tokens/verification-keys.ts'
import { createWebhooks } from '../../../src/core/webhooks/webhooks.ts'
import { sendError } from '../../../src/http/oauth/problem.ts'
import { operatorFront } from '../../../src/http/operator/front.ts'
import { createInProcessApi } from '../../../src/http/operator/in-process.ts'
import { watchRoutes } from '../../../src/http/server/allowed-methods.ts'
import { buildLazySerializer } from '../../../src/http/server/lazy-schemas.ts'
import { createAuditLogStore } from '../../../src/stores/postgres/audit/audit-log.ts'
import { createAuditTailStore } from '../../../src/stores/postgres/audit/audit-tail.ts'
import { createUsageReportStore } from '../../../src/stores/postgres/audit/usage.ts'
import { createAuditStreamStore } from '../../../src/stores/postgres/audit-streams/audit-streams.ts'
import { createConsentEndStore } from '../../../src/stores/postgres/authorization/consent-ends.ts'
import { createConsentStore } from '../../../src/stores/postgres/authorization/consents.ts'
import { createImportedConsentStore } from '../../../src/stores/postgres/authorization/import-consents.ts'
import { createAppReviewStore } from '../../../src/stores/postgres/client-documents/app-reviews.ts'
import { createClientHostStore } from '../../../src/stores/postgres/client-documents/client-hosts.ts'
import { createDocumentStore } from '../../../src/stores/postgres/client-documents/documents.ts'
import { createAppChangeStore } from '../../../src/stores/postgres/clients/app-changes.ts'
import { createAppOwnerStore } from '../../../src/stores/postgres/clients/app-owners.ts'
import { createAppSecretStore } from '../../../src/stores/postgres/clients/app-secrets.ts'
import { createAppStore } from '../../../src/stores/postgres/clients/apps.ts'
import { createPermissionCatalogueStore } from '../../../src/stores/postgres/clients/permission-catalogue.ts'
import { createResourceServerStore } from '../../../src/stores/postgres/clients/resource-servers.ts'
import { createSuccessorStore } from '../../../src/stores/postgres/clients/successors.ts'
import { type Database, openDatabase } from '../../../src/stores/postgres/connection/database.ts'
import { migrate } from '../../../src/stores/postgres/connection/migrate.ts'
import { createSourcedLineStore } from '../../../src/stores/postgres/credentials/applied-values.ts'
import { createOperatorTokenStore } from '../../../src/stores/postgres/credentials/operator-tokens.ts'
import { createOperatorGrantStore } from '../../../src/stores/postgres/credentials/operators.ts'
import { createAudiencePeopleStore } from '../../../src/stores/postgres/grants/audience-people.ts'
import { createConnectionStore } from '../../../src/stores/postgres/grants/connections.ts'
import { createFamilyStore } from '../../../src/stores/postgres/grants/families.ts'
import { createGrantStore } from '../../../src/stores/postgres/grants/grants.ts'
import { createRevocationStore } from '../../../src/stores/postgres/grants/revocation.ts'
import { createTakenOverStore } from '../../../src/stores/postgres/grants/taken-over.ts'
import { createIntrospectionStore } from '../../../src/stores/postgres/introspection/introspection.ts'
import { createStopStore } from '../../../src/stores/postgres/introspection/stops.ts'
import { createLogoStore } from '../../../src/stores/postgres/logos/logos.ts'
import { createAppUseStore } from '../../../src/stores/postgres/organizations/app-use.ts'
import { createIdentityProviderStore } from '../../../src/stores/postgres/organizations/identity-providers.ts'
import { createImportedSecretStore } from '../../../src/stores/postgres/organizations/import-secrets.ts'
import { createImportStore } from '../../../src/stores/postgres/organizations/imports.ts'
import { createInstallPreviewStore } from '../../../src/stores/postgres/organizations/install-preview.ts'
import { createInstallStore } from '../../../src/stores/postgres/organizations/installs.ts'
import { createKeySetStore } from '../../../src/stores/postgres/organizations/key-sets.ts'
import { createMemberStore } from '../../../src/stores/postgres/organizations/members.ts'
import { createOrganizationPolicyStore } from '../../../src/stores/postgres/organizations/organization-policies.ts'
import { createOrganizationStore } from '../../../src/stores/postgres/organizations/organizations.ts'
import { createPermissionUseStore } from '../../../src/stores/postgres/organizations/permission-use.ts'
import { createSearchStore } from '../../../src/stores/postgres/organizations/search.ts'
import { createSuspendAllStore } from '../../../src/stores/postgres/organizations/suspend-all.ts'
import { createWorkspaceStore } from '../../../src/stores/postgres/organizations/workspaces.ts'
import { createSessionStore } from '../../../src/stores/postgres/people/sessions.ts'
import { createUserStore } from '../../../src/stores/postgres/people/users.ts'
import { createScimTokenStore } from '../../../src/stores/postgres/provisioning/scim-tokens.ts'
import {
  createSigningKeyStore,
  createVerificationKeyStore,
} from '../../../src/stores/postgres/tokens/signing-keys.ts'
import { createWebhookStore } from '../../../src/stores/postgres/webhooks/webhooks.ts'
import { textIn } from '../../../src/words/text.ts'
import { type StoreSetup, testStores } from '../../support/stores.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
export type Json = any

export interface Answer {
  status: number
  body: Json
  headers: Headers
}

export interface OperatorApi {
  /** The address of the API, with its prefix. */
  url: string
  token: string
  /** Calls as the operator; a defined body is sent as JSON. */
  call(method: string, path: string, body?: unknown): Promise<Answer>
  /** Sends exactly this body. */
  send(method: string, path: string, init?: RequestInit): Promise<Answer>
  /** The same, but fails the test unless the status matches. */
  expect(status: number, method: string, path: string, body?: unknown): Promise<Json>
  database: Database
  keyring: Keyring
  installs: Installs
  operatorTokens: OperatorTokens
  /** The log so far. */
  logged(): string
}

const hashPassword = async (password: string) =>
  `hash:${createHash('sha256').update(password).digest('hex')}`

const lifetimes = { current: 3600, legacy: 7200 }

const documentServices = (
  database: Database,
  apps: Apps,
  catalogue: ReturnType<typeof createPermissionCatalogue>,
) => {
  const [store, reviews] = [createDocumentStore(database), createAppReviewStore(database)]
  const hosts = createClientHostStore(database)
  const fetchDocument = createFetchDocument({ allowPrivate: false })
  const wait = createWait({ all: 20, each: 20 })
  const readDocument = createReadDocument({
    fetchDocument,
    lifetimes,
    addresses: { allowPrivate: false },
    now: Date.now,
  })
  const accept = createAcceptDocument({ apps, catalogue, store, hosts })
  return {
    documentImports: createDocumentImports({ readDocument, wait, accept, hosts, reviews }),
    appReviews: createAppReviews({
      store: reviews,
      documents: store,
      accept,
      apps,
      catalogue,
      reachOf: createAppUseStore(database).reach,
    }),
    clientHosts: createClientHosts({ store: hosts, apps, catalogue, lifetimes }),
  }
}

const createServices = async (database: Database, keyring: Keyring) => {
  const permissionStore = createPermissionCatalogueStore(database)
  const catalogue = createPermissionCatalogue({
    store: permissionStore,
    builtIn: textIn('en').permissions,
  })
  const signingKeyStore = createSigningKeyStore(database)
  const signingKeys = await createSigningKeys({
    store: signingKeyStore,
    keyring,
    publishedAhead: 120,
    longestLifetime: 7200,
  })
  const users = createUsers({
    serviceNames: [],
    store: createUserStore(database),
    hashPassword,
    verifyPassword: async (hash, password) => hash === (await hashPassword(password)),
  })
  const organizations = createOrganizations({ store: createOrganizationStore(database) })
  const apps = createApps({
    store: createAppStore(database),
    keyring,
    lifetimes,
    catalogue,
    addresses: { allowPrivate: false },
    issuer: 'http://127.0.0.1',
    renewLogo: createLogoStore(database).renew,
    prepareKey: async (alg) => signingKeys.activeFor(alg),
  })
  const members = createMembers({ store: createMemberStore(database) })
  const connections = createConnections({
    store: createConnectionStore(database),
    families: createFamilyStore(database, 5000),
  })
  const installs = createInstalls({ store: createInstallStore(database), now: Date.now, catalogue })
  const issuer = 'http://127.0.0.1'
  const about = { keyring, issuer, now: Date.now }
  const keySets = createKeySets({
    store: createKeySetStore(database),
    keyring,
    catalogue,
    addresses: { allowPrivate: false },
    issuer,
  })
  return {
    users,
    organizations,
    identityProviders: createIdentityProviders({
      store: createIdentityProviderStore(database),
      issuer,
      addresses: { allowPrivate: false },
    }),
    members,
    organizationPolicies: createOrganizationPolicies({
      store: createOrganizationPolicyStore(database),
    }),
    consentEnds: createConsentEnds({ store: createConsentEndStore(database), now: Date.now }),
    workspaces: createWorkspaces({ store: createWorkspaceStore(database) }),
    apps,
    ...documentServices(database, apps, catalogue),
    appChanges: createAppChanges({
      store: createAppChangeStore(database),
      owners: createAppOwnerStore(database),
      apps,
      reachOf: createAppUseStore(database).reach,
    }),
    appEntries: createAppEntries({ apps }),
    appSecrets: createAppSecrets({ store: createAppSecretStore(database), keyring }),
    appUse: createAppUse({ store: createAppUseStore(database), now: Date.now }),
    catalogue,
    ownPermissions: createOwnPermissions({ store: permissionStore, catalogue }),
    successors: createSuccessors({ store: createSuccessorStore(database) }),
    installs,
    audiencePeople: createAudiencePeople({
      store: createAudiencePeopleStore(database),
      families: createFamilyStore(database, 5000),
    }),
    installPreviews: createInstallPreviews(createInstallPreviewStore(database)),
    permissionUse: createPermissionUse({
      store: createPermissionUseStore(database),
      catalogue,
      now: Date.now,
    }),
    search: createSearch(createSearchStore(database)),
    suspendAll: createSuspendAll({ store: createSuspendAllStore(database) }),
    accessEnd: createAccessEnd({ connections, installs, members }),
    imports: createImports({
      store: createImportStore(database),
      users,
      installs,
      consents: createImportedConsentStore(database),
      lines: createSourcedLineStore(database),
      secrets: createSecretImport({
        store: createImportedSecretStore(database),
        lines: createSourcedLineStore(database),
        apps,
        keySets,
        keyring,
      }),
      takeOver: createTakeOver({
        store: createTakenOverStore(database),
        grants: createGrantStore(database),
        revocation: createRevocationStore(database),
        families: createFamilyStore(database, 5000),
        events: { ended: () => undefined },
        most: 100,
        now: Date.now,
      }),
      verificationKeys: createVerificationKeys({
        store: createVerificationKeyStore(database),
        now: Date.now,
      }),
    }),
    keySets,
    resourceServers: createResourceServers({
      store: createResourceServerStore(database),
      keyring,
      catalogue,
      defaultAudience: issuer,
    }),
    signingKeys,
    usageReport: createUsageReport({ store: createUsageReportStore(database), now: Date.now }),
    auditLog: createAuditLog({ store: createAuditLogStore(database) }),
    auditTail: createAuditTail({ store: createAuditTailStore(database), keyring }),
    auditStreams: createAuditStreams({
      store: createAuditStreamStore(database),
      keyring,
      allowPrivate: false,
    }),
    webhooks: createWebhooks({ store: createWebhookStore(database), keyring, allowPrivate: false }),
    stops: createStops(createStopStore(database)),
    introspection: createIntrospection({
      ...about,
      store: createIntrospectionStore(database),
      families: createFamilyStore(database, 5000),
      issuedTokens: createIssuedTokens({ ...about, signingKeys }),
      audience: issuer,
      used: { keySetSecret: () => undefined },
      secretShown: () => undefined,
    }),
    simulations: createSimulations({
      grants: createGrantStore(database),
      consents: createConsentStore(database),
      users,
      organizations,
      lifetimes,
      catalogue,
    }),
    scimTokens: createScimTokens({ store: createScimTokenStore(database), keyring }),
    invitations: createInvitations({
      store: createUserStore(database),
      withMails: true,
      withPasswords: true,
    }),
    operators: createOperatorGrants(createOperatorGrantStore(database)),
    operatorTokens: createOperatorTokens({ store: createOperatorTokenStore(database), keyring }),
    sessions: {
      list: (userId: string) => createSessionStore(database).list(userId, 0, 100),
      endAll: async () => 0,
    },
  }
}

const read = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  const isJson = /\/(problem\+)?json/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    body: isJson ? JSON.parse(text) : text,
    headers: response.headers,
  }
}

/** A server with the Operator API alone, on this database. */
export const startOperatorApi = async (t: Test, databaseUrl: string): Promise<OperatorApi> => {
  await migrate(databaseUrl)
  const database = openDatabase({
    url: databaseUrl,
    poolSize: 12,
    timeout: 30_000,
    onError: () => {},
  })
  const keyring = createKeyring([randomBytes(32)])
  const services = await createServices(database, keyring)
  const actor = { kind: 'system', id: null } as const
  const all = { permissions: ['*'], organizationIds: null, expiresAt: null }
  const { token } = await services.operatorTokens.create(
    { name: 'tests', ...all },
    { actor, address: null, requestId: null },
  )

  let log = ''
  const stream = new PassThrough().on('data', (line) => {
    log += line
  })
  const app = Fastify({
    logger: { level: 'info', stream },
    routerOptions: { maxParamLength: 512 },
    // As in server.ts.
    schemaController: { compilersFactory: { buildSerializer: buildLazySerializer } },
    exposeHeadRoutes: false,
    frameworkErrors: (error, request, reply) => sendError(request, reply, error),
  })
  watchRoutes(app)
  const none = async () => undefined
  const front = {
    ...services,
    inOneTransaction: database.inOneTransaction,
    limits: { operatorFailed: none, refuseRepeatedOperator: () => undefined },
    audit: { record: () => undefined, close: none },
  }
  await app.register(
    operatorFront({
      ...front,
      callApi: createInProcessApi(front, app.log),
      isOperator: services.operatorTokens.verify,
      operatorRefused: () => undefined,
    }),
  )
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/api/admin/v1`
  t.teardown(async () => {
    await app.close()
    await database.close()
  })

  const send = async (method: string, path: string, init: RequestInit = {}) =>
    read(await fetch(url + path, { method, ...init }))
  const call = (method: string, path: string, body?: unknown) =>
    send(method, path, {
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  return {
    url,
    token,
    send,
    call,
    expect: async (status, method, path, body) => {
      const answer = await call(method, path, body)
      if (answer.status !== status)
        throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body
    },
    database,
    keyring,
    installs: services.installs,
    operatorTokens: services.operatorTokens,
    logged: () => log,
  }
}

type Work = (t: Test, api: OperatorApi) => Promise<void>

const run = async (backends: StoreSetup[], work: Work) => {
  for (const stores of backends) {
    await t.test(stores.name, async (t) => {
      t.teardown(() => stores.drop())
      await work(t, await startOperatorApi(t, stores.databaseUrl))
    })
  }
}

/** Runs the tests on every installed backend, each with a fresh database. */
export const onEveryBackend = async (work: Work) => run(await testStores(), work)

/** For tests that hardly depend on the backend. */
export const onOneBackend = async (work: Work) => {
  const [one, ...others] = await testStores()
  await Promise.all(others.map((stores) => stores.drop()))
  await run(one ? [one] : [], work)
}
