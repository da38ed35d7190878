import { createHash } from 'node:crypto'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiRefusal, type OperatorApi } from '#dist/cli/operator-api.js'
import {
  type AppKey,
  apps,
  type Home,
  keySet,
  organizations,
  type PersonKey,
  type PlayedApp,
  password,
  people,
} from './cast.ts'
import { writePrivately } from './memory.ts'
import { type Platform, platformOf } from './platform.ts'

export interface DemoApp {
  clientId: string
  /** null for a public app. */
  clientSecret: string | null
  redirectUri: string
}

/** The seeded data that the demo client needs. */
export interface Seeded {
  acmeId: string
  userIds: Readonly<Record<PersonKey, string>>
  apps: Record<AppKey, DemoApp>
  keySet: Credentials
  resourceServer: Credentials
  /** The MCP server, which is a resource server of its own. */
  mcpServer: Credentials
  platform: Platform
  /** Names of organizations, workspaces and users by id, to explain tokens in words. */
  names: ReadonlyMap<string, string>
}

interface Credentials {
  clientId: string
  clientSecret: string
}

/** The origins of the apps in this run, and that of the MCP server. */
export type Homes = Readonly<Record<Home | 'mcpServer', string>>

interface Row {
  id: string
  name: string
}

interface AppRow {
  client_id: string
  name: string
  redirect_uris: string[]
  setup_uri: string | null
}

interface KeySetRow extends Row {
  client_id: string
}

/** The id of the workspace Sales of Acme. */
export const salesOf = ({ platform, acmeId }: Seeded): string => {
  const acme = platform.organizations.find(({ id }) => id === acmeId)
  return acme?.workspaces.find(({ name }) => name === 'Sales')?.id ?? ''
}

const mapEntries = async <Key extends string, From, To>(
  record: Readonly<Record<Key, From>>,
  work: (value: From, key: Key) => Promise<To>,
) => {
  const done: [Key, To][] = []
  for (const [key, value] of Object.entries(record) as [Key, From][])
    done.push([key, await work(value, key)])
  return Object.fromEntries(done) as Record<Key, To>
}

const findOrCreate = async (api: OperatorApi, path: string, name: string): Promise<Row> => {
  const rows = await api.list<Row>(path)
  return rows.find((row) => row.name === name) ?? api.call<Row>('POST', path, { name })
}

const seedPeople = (api: OperatorApi) =>
  mapEntries(people, async ({ email, name }) => {
    const [known] = await api.list<Row>('/users', { email })
    return known ?? api.call<Row>('POST', '/users', { email, name, password })
  })

/** The operator of the console. */
const seedOperator = (api: OperatorApi, { olga }: Ids) =>
  api.call('PUT', `/users/${olga.id}/operator`, { permissions: ['*'] })

type Ids = Record<PersonKey, Row>

const seedOrganizations = (api: OperatorApi, ids: Ids) =>
  mapEntries(organizations, async (organization) => {
    const { id } = await findOrCreate(api, '/organizations', organization.name)
    for (const [person, role] of Object.entries(organization.members))
      await api.call('PUT', `/organizations/${id}/members/${ids[person as PersonKey].id}`, { role })
    const workspaces: Row[] = []
    for (const { name, members } of organization.workspaces) {
      const workspace = await findOrCreate(api, `/organizations/${id}/workspaces`, name)
      for (const person of members)
        await api.call('PUT', `/workspaces/${workspace.id}/members/${ids[person].id}`, {})
      workspaces.push(workspace)
    }
    return { id, name: organization.name, workspaces }
  })

/** Secrets from earlier runs by client id, because the server cannot show them again. */
const keptSecrets = (path: string) => ({
  read: async (): Promise<Record<string, string>> =>
    JSON.parse(await readFile(path, 'utf8').catch(() => '{}')),
  write: async (secrets: Record<string, string>) => {
    await writeFile(path, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
    await chmod(path, 0o600)
  },
})

/** Registers the app, or updates its addresses for this run. */
const seedApp = async (
  api: OperatorApi,
  key: AppKey,
  homes: Homes,
  known: Record<string, string>,
): Promise<DemoApp> => {
  const {
    home,
    callback,
    signedOut,
    setUpByLink,
    succeeds: _,
    approved: __,
    ...settings
  } = apps[key] as PlayedApp
  const redirectUri = new URL(callback, homes[home]).href
  const addresses = {
    redirect_uris: [redirectUri],
    ...(setUpByLink && { setup_uri: redirectUri }),
    ...(signedOut !== undefined && { post_logout_redirect_uris: [`${homes[home]}${signedOut}`] }),
  }
  const rows = await api.list<AppRow>('/apps')
  const row = rows.find(({ name }) => name === settings.name)
  if (!row) {
    const body = { ...settings, ...addresses }
    const made = await api.call<AppRow & { client_secret?: string }>('POST', '/apps', body)
    return { clientId: made.client_id, clientSecret: made.client_secret ?? null, redirectUri }
  }
  const clientId = row.client_id
  const isSetUp = !setUpByLink || row.setup_uri === redirectUri
  if (row.redirect_uris[0] !== redirectUri || !isSetUp)
    await api.call('PATCH', `/apps/${clientId}`, { ...addresses, disabled: false })
  if (settings.client_type === 'public') return { clientId, clientSecret: null, redirectUri }
  const kept = known[clientId]
  if (kept !== undefined) return { clientId, clientSecret: kept, redirectUri }
  const path = `/apps/${clientId}/secrets`
  const { client_secret } = await api.call<{ client_secret: string }>('POST', path, {})
  return { clientId, clientSecret: client_secret, redirectUri }
}

/** Creates the key set in Acme, or rotates its secret when the old one was not stored. */
const seedKeySet = async (
  api: OperatorApi,
  acme: Tenant,
  known: Record<string, string>,
): Promise<Credentials> => {
  const path = `/organizations/${acme.id}/key-sets`
  const row = (await api.list<KeySetRow>(path)).find(({ name }) => name === keySet.name)
  const kept = row && known[row.client_id]
  if (row && kept !== undefined) return { clientId: row.client_id, clientSecret: kept }
  const made = await (row
    ? api.call<KeySetRow & { secret: string }>('POST', `${path}/${row.id}/rotate`, {})
    : api.call<KeySetRow & { secret: string }>('POST', path, keySet))
  return { clientId: made.client_id, clientSecret: made.secret }
}

const dataApi = 'Data API of the demo'
const mcpServer = 'MCP server of the demo'

/**
 * Registers a resource server, or registers it again when its secret was not stored.
 * @param resource its audiences in this run; null: the default audience
 */
const seedResourceServer = async (
  api: OperatorApi,
  name: string,
  resource: string[] | null,
  known: Record<string, string>,
): Promise<Credentials> => {
  const path = '/resource-servers'
  const rows = await api.list<{ client_id: string; name: string }>(path)
  for (const { client_id: clientId } of rows.filter((row) => row.name === name)) {
    const clientSecret = known[clientId]
    if (clientSecret !== undefined) {
      if (resource) await api.call('PATCH', `${path}/${clientId}`, { resource })
      return { clientId, clientSecret }
    }
    await api.call('DELETE', `${path}/${clientId}`)
  }
  const made = await api.call<{ client_id: string; client_secret: string }>('POST', path, {
    name,
    ...(resource && { resource }),
  })
  return { clientId: made.client_id, clientSecret: made.client_secret }
}

/** Installs the app in Acme unless it is installed. A narrowed install stays unchanged. */
const installApp = async (api: OperatorApi, acme: Tenant, key: AppKey, clientId: string) => {
  const path = `/organizations/${acme.id}/installs/${clientId}`
  const live = await api.call('GET', path).catch((error) => {
    if (error instanceof ApiRefusal && error.status === 404) return null
    throw error
  })
  if (live) return
  const { permissions, workspaces } = apps[key].approved
  const ids =
    workspaces &&
    acme.workspaces
      .filter(({ name }) => (workspaces as readonly string[]).includes(name))
      .map(({ id }) => id)
  await api.call('PUT', path, { permissions, workspace_ids: ids })
}

interface Tenant extends Row {
  workspaces: Row[]
}

/** Maps the permissions of each legacy app that has a successor. */
const seedSuccessors = async (api: OperatorApi, seeded: Record<AppKey, DemoApp>) => {
  for (const [key, app] of Object.entries(apps) as [AppKey, PlayedApp][]) {
    if (!app.succeeds) continue
    const legacy = seeded[app.succeeds.app as AppKey].clientId
    const body = { client_id: seeded[key].clientId, worth: app.succeeds.permissions }
    await api.call('PUT', `/apps/${legacy}/twin`, body)
  }
}

/**
 * Adds the users, organizations and apps of the demo to a server through the Operator API. A second run adds only what
 * is missing.
 * @param options.secretsPath file with the apps' secrets from earlier runs
 */
const seed = async (
  api: OperatorApi,
  options: { homes: Homes; secretsPath: string },
): Promise<Seeded> => {
  const persons = await seedPeople(api)
  await seedOperator(api, persons)
  const tenants = await seedOrganizations(api, persons)
  const kept = keptSecrets(options.secretsPath)
  const known = await kept.read()
  const seeded = await mapEntries(apps, async (_, key) => {
    const app = await seedApp(api, key, options.homes, known)
    await installApp(api, tenants.acme, key, app.clientId)
    return app
  })
  await seedSuccessors(api, seeded)
  const ownKeys = await seedKeySet(api, tenants.acme, known)
  const resourceServer = await seedResourceServer(api, dataApi, null, known)
  const mcpUrl = `${options.homes.mcpServer}/mcp`
  const ownServer = await seedResourceServer(api, mcpServer, [mcpUrl], known)
  const secrets = [...Object.values(seeded), ownKeys, resourceServer, ownServer].flatMap(
    ({ clientId, clientSecret }) => (clientSecret === null ? [] : [[clientId, clientSecret]]),
  )
  await kept.write(Object.fromEntries(secrets))

  const rows = [
    ...Object.values(persons),
    ...Object.values(tenants).flatMap((tenant) => [tenant, ...tenant.workspaces]),
    ...Object.entries(seeded).map(([key, app]) => ({
      id: app.clientId,
      name: apps[key as AppKey].name,
    })),
  ]
  return {
    acmeId: tenants.acme.id,
    userIds: {
      ana: persons.ana.id,
      kim: persons.kim.id,
      lee: persons.lee.id,
      olga: persons.olga.id,
    },
    apps: seeded,
    keySet: ownKeys,
    resourceServer,
    mcpServer: ownServer,
    platform: platformOf(tenants, persons),
    names: new Map(rows.map(({ id, name }) => [id, name])),
  }
}

interface Remembered {
  /** Of everything that was put into the server. */
  digest: string
  seeded: Omit<Seeded, 'names'> & { names: [string, string][] }
}

const digestOf = (homes: Homes) =>
  createHash('sha256')
    .update(JSON.stringify([people, organizations, apps, keySet, homes]))
    .digest('hex')

/** True if Acme has installed all apps with their ids. Another database has none of them. */
const isSeeded = async (api: OperatorApi, { acmeId, apps: known }: Remembered['seeded']) => {
  const installs = await api
    .list<{ client_id: string }>(`/organizations/${acmeId}/installs`)
    .catch((error) => {
      if (error instanceof ApiRefusal && error.status === 404) return []
      throw error
    })
  const ids = new Set(installs.map(({ client_id }) => client_id))
  return Object.values(known).every(({ clientId }) => ids.has(clientId))
}

/** Seeds the server, or returns what an earlier start has put into it. */
export const seedUnlessSeeded = async (
  api: OperatorApi,
  { homes, directory }: { homes: Homes; directory: string },
): Promise<Seeded> => {
  const path = join(directory, 'seeded.json')
  const digest = digestOf(homes)
  const text = await readFile(path, 'utf8').catch(() => null)
  const last = text === null ? null : (JSON.parse(text) as Remembered)
  if (last?.digest === digest && (await isSeeded(api, last.seeded)))
    return { ...last.seeded, names: new Map(last.seeded.names) }
  const seeded = await seed(api, { homes, secretsPath: join(directory, 'demo-apps.json') })
  const remembered: Remembered = { digest, seeded: { ...seeded, names: [...seeded.names] } }
  await writePrivately(path, `${JSON.stringify(remembered, null, 2)}\n`)
  return seeded
}
