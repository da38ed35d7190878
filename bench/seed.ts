import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { newId, newSecret, secretHint } from '#dist/core/crypto/identifiers.js'
import { createKeyring } from '#dist/core/crypto/keyring.js'
import { migrate } from '#dist/stores/postgres/connection/migrate.js'
import { connectRedis } from '#dist/stores/redis/connection.js'
import { createFamilyStore } from '#dist/stores/redis/families.js'
import { redirectUri } from './authorization.ts'

export interface Sizes {
  apps: number
  organizations: number
  /** Grant families, each of a different user in one of the organizations. */
  families: number
}

export interface SeededApp {
  clientId: string
  secret: string
  secretDigest: string
}

export interface SeededGrant {
  id: string
  /** Index in the list of apps. */
  app: number
  organizationId: string
  userId: string
}

/** The data that the servers under test use: a sample from all of the seeded data. */
export interface Sample {
  apps: SeededApp[]
  /** Each app with one organization in which it is installed. */
  installs: { app: number; organizationId: string; installId: string; workspaceIds: string[] }[]
  grants: SeededGrant[]
  resourceServer: { clientId: string; secret: string }
}

const batch = 5000
const mostSampled = 20_000
const permissions = ['records:create', 'records:update']

const range = <Item>(count: number, make: (at: number) => Item) =>
  Array.from({ length: count }, (_, at) => make(at))

/** Inserts columns given as arrays, in batches. `common` columns are the same in every row. */
const insert = async (
  client: pg.Client,
  table: string,
  columns: Record<string, { type: string; values: unknown[] }>,
  common: Record<string, string> = {},
) => {
  const names = Object.keys(columns)
  const total = columns[names[0] as string]?.values.length ?? 0
  for (let from = 0; from < total; from += batch) {
    const slices = names.map((name) => columns[name]?.values.slice(from, from + batch))
    await client.query(
      `insert into ${table} (${[...names, ...Object.keys(common)].join(', ')})
       select ${[...names.map((_, at) => `c${at}`), ...Object.values(common)].join(', ')}
         from unnest(${names.map((name, at) => `$${at + 1}::${columns[name]?.type}[]`).join(', ')})
           as t(${names.map((_, at) => `c${at}`).join(', ')})`,
      slices,
    )
  }
}

const text = (values: string[]) => ({ type: 'text', values })

/** Fills the empty stores: apps and installs in all organizations, and one user with two workspaces per family. */
export const seed = async (
  urls: { databaseUrl: string; redisUrl: string },
  masterKey: Buffer,
  sizes: Sizes,
): Promise<Sample> => {
  await migrate(urls.databaseUrl)
  const keyring = createKeyring([masterKey])
  const client = new pg.Client(urls.databaseUrl)
  await client.connect()
  await client.query('set synchronous_commit = off')

  const organizations = range(sizes.organizations, () => newId('organization'))
  const workspaces = organizations.flatMap((id) =>
    range(2, () => ({ id: newId('workspace'), organization: id })),
  )
  const apps = range(sizes.apps, () => {
    const secret = newSecret('app')
    return { clientId: newId('app'), secret, secretDigest: keyring.digest(secret).toString('hex') }
  })
  await insert(client, 'organizations', { id: text(organizations), name: text(organizations) })
  await insert(client, 'workspaces', {
    id: text(workspaces.map(({ id }) => id)),
    organization_id: text(workspaces.map(({ organization }) => organization)),
    name: text(workspaces.map(({ id }) => id)),
  })
  await insert(
    client,
    'apps',
    {
      client_id: text(apps.map(({ clientId }) => clientId)),
      name: text(apps.map(({ clientId }) => clientId)),
    },
    {
      interface: `'current'`,
      client_type: `'confidential'`,
      redirect_uris: `array['${redirectUri}']`,
      permissions: `array['${permissions.join("','")}']`,
    },
  )
  await insert(
    client,
    'app_secrets',
    {
      id: text(apps.map(() => newId('secret'))),
      client_id: text(apps.map(({ clientId }) => clientId)),
      digest: {
        type: 'bytea',
        values: apps.map(({ secretDigest }) => Buffer.from(secretDigest, 'hex')),
      },
    },
    { hint: `'…'` },
  )

  // Each app is installed in at least one organization, and in more when there are more organizations than apps.
  const installs = range(Math.max(sizes.apps, sizes.organizations), (at) => ({
    app: at % sizes.apps,
    organizationId: organizations[
      (at * 7 + Math.floor(at / sizes.apps)) % sizes.organizations
    ] as string,
    installId: newId('install'),
  }))
  const known = new Set<string>()
  const distinct = installs.filter(({ app, organizationId }) => {
    const key = `${app} ${organizationId}`
    return !known.has(key) && known.add(key)
  })
  await insert(
    client,
    'installs',
    {
      id: text(distinct.map(({ installId }) => installId)),
      organization_id: text(distinct.map(({ organizationId }) => organizationId)),
      client_id: text(distinct.map(({ app }) => apps[app]?.clientId as string)),
    },
    { permissions: `array['${permissions.join("','")}']` },
  )

  const workspacesOf = new Map(organizations.map((id) => [id, [] as string[]]))
  for (const { id, organization } of workspaces) workspacesOf.get(organization)?.push(id)
  const redis = await connectRedis({
    url: urls.redisUrl,
    timeout: 10_000,
    onError: () => undefined,
  })
  const families = createFamilyStore(redis)
  const grants: SeededGrant[] = []
  const grantStride = Math.ceil(sizes.families / mostSampled)
  for (let from = 0; from < sizes.families; from += batch) {
    const part = range(Math.min(batch, sizes.families - from), (at) => {
      const install = distinct[(from + at) % distinct.length] as (typeof distinct)[number]
      return { id: randomUUID(), userId: newId('user'), install }
    })
    const users = part.map(({ userId }) => userId)
    const of = part.map(({ install }) => install.organizationId)
    await insert(client, 'users', {
      id: text(users),
      email: text(users.map((id) => `${id}@bench.test`)),
      name: text(users),
    })
    await insert(
      client,
      'members',
      { organization_id: text(of), user_id: text(users) },
      { role: `'member'` },
    )
    await insert(client, 'workspace_members', {
      workspace_id: text(of.flatMap((id) => workspacesOf.get(id) as string[])),
      user_id: text(users.flatMap((id) => [id, id])),
    })
    await insert(
      client,
      'grants',
      {
        id: { type: 'uuid', values: part.map(({ id }) => id) },
        user_id: text(users),
        client_id: text(part.map(({ install }) => apps[install.app]?.clientId as string)),
        organization_id: text(of),
        install_id: text(part.map(({ install }) => install.installId)),
      },
      {
        app_epoch: '0',
        user_epoch: '0',
        permissions: `array['${permissions.join("','")}']`,
        redirect_uri: `'${redirectUri}'`,
        last_used_at: 'now()',
      },
    )
    await insert(
      client,
      'consents',
      {
        user_id: text(users),
        organization_id: text(of),
        client_id: text(part.map(({ install }) => apps[install.app]?.clientId as string)),
        install_id: text(part.map(({ install }) => install.installId)),
      },
      {
        offered: `array['${permissions.join("','")}']`,
        permissions: `array['${permissions.join("','")}']`,
      },
    )
    await Promise.all(part.map(({ id }) => families.create(id, 1, 30 * 86_400)))
    const ofPart = part.map(({ id, userId, install }) => ({
      id,
      userId,
      app: install.app,
      organizationId: install.organizationId,
    }))
    grants.push(...ofPart.filter((_, at) => (from + at) % grantStride === 0))
  }
  await redis.close()

  const resourceServer = { clientId: newId('resourceServer'), secret: newSecret('resourceServer') }
  await client.query(
    'insert into resource_servers (client_id, name, digest, hint) values ($1, $1, $2, $3)',
    [
      resourceServer.clientId,
      keyring.digest(resourceServer.secret),
      secretHint(resourceServer.secret),
    ],
  )
  await client.query('vacuum analyze')
  await client.end()
  const installStride = Math.ceil(distinct.length / mostSampled)
  const sampledInstalls = distinct.filter((_, at) => at % installStride === 0)
  const used = [...new Set([...sampledInstalls, ...grants].map(({ app }) => app))]
  const placeOf = new Map(used.map((app, at) => [app, at]))
  const placed = <Item extends { app: number }>(item: Item) => ({
    ...item,
    app: placeOf.get(item.app) as number,
  })
  return {
    apps: used.map((app) => apps[app] as SeededApp),
    installs: sampledInstalls.map((one) => ({
      ...placed(one),
      workspaceIds: workspacesOf.get(one.organizationId) ?? [],
    })),
    grants: grants.map(placed),
    resourceServer,
  }
}
