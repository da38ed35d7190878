import type { Json, Running } from './latchkey.ts'
import type { StoreSetup } from './stores.ts'
import type { Answers } from './visitor.ts'

export const password = 'correct horse battery staple'

/** An app with its credentials. */
export interface TestApp {
  client_id: string
  client_secret: string
  redirect_uri: string
}

/** Two organizations, their users and workspaces, and apps of every kind. */
export interface World {
  acme: string
  other: string
  sales: string
  support: string
  finance: string
  foreignWorkspace: string
  /** Admin of Acme, in Sales and Support. */
  kim: Answers & { id: string }
  /** Member of Acme, in Sales and Support. */
  ana: Answers & { id: string }
  /** Member of the other organization only. */
  zoe: Answers & { id: string }
  confidential: TestApp
  second: TestApp
  publicApp: TestApp
  legacy: TestApp
  legacyPublic: TestApp
}

export const currentPermissions = ['records:create', 'records:update', 'workspace_members:read']
export const legacyPermissions = ['readData', 'insertData', 'deleteData']

const created = async (
  running: Pick<Running, 'operator'>,
  path: string,
  body: unknown,
): Promise<Json> => {
  const answer = await running.operator('POST', path, body)
  if (answer.status !== 201)
    throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

const put = async (running: Pick<Running, 'operator'>, path: string, body: unknown = {}) => {
  const answer = await running.operator('PUT', path, body)
  if (answer.status >= 300)
    throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
}

let counter = 0

export const createApp = async (
  running: Pick<Running, 'operator'>,
  part: Record<string, unknown>,
): Promise<TestApp> => {
  const redirectUri = 'https://app.example/cb'
  const body = {
    name: 'Report Builder',
    interface: 'current',
    client_type: 'confidential',
    redirect_uris: [redirectUri],
    permissions: part.interface === 'legacy' ? legacyPermissions : currentPermissions,
    ...part,
  }
  const app = await created(running, '/apps', body)
  return {
    client_id: app.client_id,
    client_secret: app.client_secret,
    redirect_uri: body.redirect_uris[0] as string,
  }
}

export const install = (
  running: Pick<Running, 'operator'>,
  organizationId: string,
  app: TestApp,
  part: Record<string, unknown> = {},
) =>
  put(running, `/organizations/${organizationId}/installs/${app.client_id}`, {
    permissions: currentPermissions,
    workspace_ids: null,
    ...part,
  })

/** The world that the stores began with, or a new one. */
export const worldIn = async ({ world }: StoreSetup, running: Pick<Running, 'operator'>) =>
  world ?? createWorld(running)

/** @param suffix of the mail addresses, which are unique in a server */
export const createWorld = async (
  running: Pick<Running, 'operator'>,
  suffix = String(++counter),
): Promise<World> => {
  const id = async (path: string, body: unknown) =>
    (await created(running, path, body)).id as string
  const person = async (name: string) => {
    const email = `${name}${suffix}@acme.test`
    return { id: await id('/users', { email, name, password }), email, password }
  }
  const acme = await id('/organizations', { name: 'Acme' })
  const other = await id('/organizations', { name: 'Other' })
  const [sales, support, finance] = [
    await id(`/organizations/${acme}/workspaces`, { name: 'Sales' }),
    await id(`/organizations/${acme}/workspaces`, { name: 'Support' }),
    await id(`/organizations/${acme}/workspaces`, { name: 'Finance' }),
  ]
  const foreignWorkspace = await id(`/organizations/${other}/workspaces`, { name: 'Elsewhere' })
  const [kim, ana, zoe] = [await person('kim'), await person('ana'), await person('zoe')]
  await put(running, `/organizations/${acme}/members/${kim.id}`, { role: 'admin' })
  await put(running, `/organizations/${acme}/members/${ana.id}`, { role: 'member' })
  await put(running, `/organizations/${other}/members/${zoe.id}`, { role: 'member' })
  for (const workspace of [sales, support]) {
    for (const { id: user } of [kim, ana])
      await put(running, `/workspaces/${workspace}/members/${user}`)
  }

  const legacy = { interface: 'legacy' }
  const isPublic = { client_type: 'public' }
  const world = {
    acme,
    other,
    sales,
    support,
    finance,
    foreignWorkspace,
    kim: { ...kim, organizationId: acme },
    ana: { ...ana, organizationId: acme },
    zoe: { ...zoe, organizationId: other },
    confidential: await createApp(running, {}),
    second: await createApp(running, { name: 'Second' }),
    publicApp: await createApp(running, {
      ...isPublic,
      name: 'Pocket Tables',
      redirect_uris: ['https://spa.example/cb'],
    }),
    legacy: await createApp(running, { ...legacy, name: 'Sheet Sync' }),
    legacyPublic: await createApp(running, {
      ...legacy,
      ...isPublic,
      name: 'Sheet View',
      redirect_uris: ['https://view.example/cb'],
    }),
  }
  for (const app of [world.confidential, world.second, world.publicApp])
    await install(running, acme, app)
  for (const app of [world.legacy, world.legacyPublic]) {
    await install(running, acme, app, { permissions: legacyPermissions })
  }
  return world
}
