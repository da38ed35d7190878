import { createHash, randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { createKeyring, type Keyring } from '../../../src/domain/keyring.ts'
import { adminFront } from '../../../src/http/admin/front.ts'
import { watchRoutes } from '../../../src/http/allowed-methods.ts'
import { sendError } from '../../../src/http/problem.ts'
import { createAppSecrets } from '../../../src/services/app-secrets.ts'
import { createAppUse } from '../../../src/services/app-use.ts'
import { createApps } from '../../../src/services/apps.ts'
import { createAuditLog } from '../../../src/services/audit-log.ts'
import { createInstalls, type Installs } from '../../../src/services/installs.ts'
import { createIntrospection } from '../../../src/services/introspection.ts'
import { createIssuedTokens } from '../../../src/services/issued-tokens.ts'
import { createKeySets } from '../../../src/services/key-sets.ts'
import { createMembers } from '../../../src/services/members.ts'
import { createOperatorTokens, type OperatorTokens } from '../../../src/services/operator-tokens.ts'
import { createOrganizations } from '../../../src/services/organizations.ts'
import { createResourceServers } from '../../../src/services/resource-servers.ts'
import { createSigningKeys } from '../../../src/services/signing-keys.ts'
import { createSimulations } from '../../../src/services/simulation.ts'
import { createTwins } from '../../../src/services/twins.ts'
import { createUsageReport } from '../../../src/services/usage-report.ts'
import { createUsers } from '../../../src/services/users.ts'
import { createWebhooks } from '../../../src/services/webhooks.ts'
import { createWorkspaces } from '../../../src/services/workspaces.ts'
import { createAppSecretStore } from '../../../src/stores/postgres/app-secrets.ts'
import { createAppUseStore } from '../../../src/stores/postgres/app-use.ts'
import { createAppStore } from '../../../src/stores/postgres/apps.ts'
import { createAuditLogStore } from '../../../src/stores/postgres/audit-log.ts'
import { createConsentStore } from '../../../src/stores/postgres/consents.ts'
import { type Database, openDatabase } from '../../../src/stores/postgres/database.ts'
import { createFamilyStore } from '../../../src/stores/postgres/families.ts'
import { createGrantStore } from '../../../src/stores/postgres/grants.ts'
import { createInstallStore } from '../../../src/stores/postgres/installs.ts'
import { createIntrospectionStore } from '../../../src/stores/postgres/introspection.ts'
import { createKeySetStore } from '../../../src/stores/postgres/key-sets.ts'
import { createMemberStore } from '../../../src/stores/postgres/members.ts'
import { migrate } from '../../../src/stores/postgres/migrate.ts'
import { createOperatorTokenStore } from '../../../src/stores/postgres/operator-tokens.ts'
import { createOrganizationStore } from '../../../src/stores/postgres/organizations.ts'
import { createResourceServerStore } from '../../../src/stores/postgres/resource-servers.ts'
import { createSessionStore } from '../../../src/stores/postgres/sessions.ts'
import { createSigningKeyStore } from '../../../src/stores/postgres/signing-keys.ts'
import { createTwinStore } from '../../../src/stores/postgres/twins.ts'
import { createUsageReportStore } from '../../../src/stores/postgres/usage.ts'
import { createUserStore } from '../../../src/stores/postgres/users.ts'
import { createWebhookStore } from '../../../src/stores/postgres/webhooks.ts'
import { createWorkspaceStore } from '../../../src/stores/postgres/workspaces.ts'
import { type StoreSetup, testStores } from '../../support/stores.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
export type Json = any

export interface Answer {
  status: number
  body: Json
  headers: Headers
}

export interface OperatorApi {
  /** Where the API is, with its prefix. */
  url: string
  token: string
  /** Calls as the operator; a body that is not undefined is sent as JSON. */
  call(method: string, path: string, body?: unknown): Promise<Answer>
  /** Sends exactly this. */
  send(method: string, path: string, init?: RequestInit): Promise<Answer>
  /** The same, but fails the test unless the status is this one. */
  expect(status: number, method: string, path: string, body?: unknown): Promise<Json>
  database: Database
  keyring: Keyring
  installs: Installs
  operatorTokens: OperatorTokens
  /** Everything logged so far. */
  logged(): string
}

const hashPassword = async (password: string) =>
  `hash:${createHash('sha256').update(password).digest('hex')}`

const createServices = async (database: Database, keyring: Keyring) => {
  const signingKeyStore = createSigningKeyStore(database)
  const signingKeys = await createSigningKeys({
    store: signingKeyStore,
    keyring,
    publishedAhead: 120,
  })
  const users = createUsers({ store: createUserStore(database), hashPassword })
  const organizations = createOrganizations({ store: createOrganizationStore(database) })
  const issuer = 'http://127.0.0.1'
  const about = { keyring, issuer, now: Date.now }
  return {
    users,
    organizations,
    members: createMembers({ store: createMemberStore(database) }),
    workspaces: createWorkspaces({ store: createWorkspaceStore(database) }),
    apps: createApps({ store: createAppStore(database), keyring }),
    appSecrets: createAppSecrets({ store: createAppSecretStore(database), keyring }),
    appUse: createAppUse({ store: createAppUseStore(database), now: Date.now }),
    twins: createTwins({ store: createTwinStore(database) }),
    installs: createInstalls({ store: createInstallStore(database) }),
    keySets: createKeySets({ store: createKeySetStore(database), keyring }),
    resourceServers: createResourceServers({ store: createResourceServerStore(database), keyring }),
    signingKeys,
    usageReport: createUsageReport({ store: createUsageReportStore(database), now: Date.now }),
    auditLog: createAuditLog({ store: createAuditLogStore(database) }),
    webhooks: createWebhooks({ store: createWebhookStore(database), keyring, allowPrivate: false }),
    introspection: createIntrospection({
      ...about,
      store: createIntrospectionStore(database),
      families: createFamilyStore(database, 5000),
      issuedTokens: createIssuedTokens({ ...about, signingKeys, audience: issuer }),
      audiences: [issuer],
      used: { keySetSecret: () => undefined },
      secretShown: () => undefined,
    }),
    simulations: createSimulations({
      grants: createGrantStore(database),
      consents: createConsentStore(database),
      users,
      organizations,
    }),
    operatorTokens: createOperatorTokens({ store: createOperatorTokenStore(database), keyring }),
    sessions: {
      list: (userId: string) => createSessionStore(database).list(userId, 0, 100),
      endAll: async () => 0,
    },
  }
}

const read = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
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
  const { token } = await services.operatorTokens.create('tests', null, {
    actor,
    address: null,
    requestId: null,
  })

  let log = ''
  const stream = new PassThrough().on('data', (line) => {
    log += line
  })
  const app = Fastify({
    logger: { level: 'info', stream },
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (error, request, reply) => sendError(request, reply, error),
  })
  watchRoutes(app)
  const none = async () => undefined
  await app.register(
    adminFront({
      ...services,
      isOperator: services.operatorTokens.verify,
      limits: { operatorFailed: none, repeatedOperatorFailure: () => null },
      audit: { record: () => undefined, close: none },
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

/** Runs the tests on every backend that is installed, each with a fresh database. */
export const onEveryBackend = async (work: Work) => run(await testStores(), work)

/** For what has little to do with the backend. */
export const onOneBackend = async (work: Work) => {
  const [one, ...others] = await testStores()
  await Promise.all(others.map((stores) => stores.drop()))
  await run(one ? [one] : [], work)
}
