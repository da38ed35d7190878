import { vocabulary } from '../../src/core/language/permissions.ts'
import type { Running } from '../support/latchkey.ts'
import type { ResourceServer } from '../support/resource-server.ts'
import type { Answers, Visitor } from '../support/visitor.ts'
import { createApp, type TestApp } from '../support/world.ts'
import type { ModelAccessToken, ModelApp, ModelFamily, ModelInstall, ModelUser } from './rules.ts'

/** Each of the model's objects with the server's data for it. */
export interface DayApp extends ModelApp {
  credentials: TestApp
}

export interface DayUser extends ModelUser {
  id: string
  answers: Answers
  visitor: Visitor
}

export interface DayFamily extends ModelFamily {
  app: DayApp
  user: DayUser
  /** By generation; the first is the code. */
  tokens: string[]
  verifier: string
}

export interface DayAccessToken extends ModelAccessToken {
  app: DayApp
  text: string
}

/** An organization of its own with its own apps, in which one sequence of steps happens. */
export interface Day {
  running: Running
  server: ResourceServer
  organizationId: string
  workspaceIds: string[]
  apps: DayApp[]
  users: DayUser[]
  families: DayFamily[]
  accessTokens: DayAccessToken[]
}

/** Users who stay for all days, because signing in is slow on purpose. */
export interface Person {
  id: string
  answers: Answers
  visitor: Visitor
}

const most = {
  current: vocabulary.current.slice(0, 5),
  legacy: vocabulary.legacy.slice(0, 4),
}

/** The permissions that an app may request; there are always others. */
export const mostOf = (app: ModelApp) => [...most[app.interface]]

const kinds = [
  { interface: 'current', client_type: 'confidential', retry_window_seconds: 0 },
  { interface: 'current', client_type: 'public', retry_window_seconds: 60 },
  { interface: 'legacy', client_type: 'confidential', retry_window_seconds: 0 },
] as const

export const operate = async (
  running: Running,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ id: string; client_secret: string }> => {
  const answer = await running.operator(method, path, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

const newApp = async (
  running: Running,
  organizationId: string,
  kind: (typeof kinds)[number],
): Promise<DayApp> => {
  const permissions = [...most[kind.interface]]
  const credentials = await createApp(running, { ...kind, permissions })
  const install: ModelInstall = { permissions, workspaceIds: null, suspended: false }
  await operate(
    running,
    'PUT',
    `/organizations/${organizationId}/installs/${credentials.client_id}`,
    { permissions, workspace_ids: null },
  )
  return {
    credentials,
    interface: kind.interface,
    isPublic: kind.client_type === 'public',
    retryWindow: kind.retry_window_seconds,
    permissions,
    disabled: false,
    epoch: 0,
    install,
  }
}

const newUser = async (
  running: Running,
  organizationId: string,
  workspaceIds: string[],
  person: Person,
): Promise<DayUser> => {
  await operate(running, 'PATCH', `/users/${person.id}`, { disabled: false })
  await operate(running, 'PUT', `/organizations/${organizationId}/members/${person.id}`, {
    role: 'member',
  })
  for (const workspace of workspaceIds)
    await operate(running, 'PUT', `/workspaces/${workspace}/members/${person.id}`, {})
  return { ...person, disabled: false, member: true, workspaceIds: [...workspaceIds] }
}

export const beginDay = async (
  running: Running,
  server: ResourceServer,
  people: Person[],
): Promise<Day> => {
  const create = async (path: string) => (await operate(running, 'POST', path, { name: 'One' })).id
  const organizationId = await create('/organizations')
  const workspaceIds: string[] = []
  for (const _ of [1, 2, 3])
    workspaceIds.push(await create(`/organizations/${organizationId}/workspaces`))
  const apps: DayApp[] = []
  for (const kind of kinds) apps.push(await newApp(running, organizationId, kind))
  const users: DayUser[] = []
  for (const person of people)
    users.push(await newUser(running, organizationId, workspaceIds.slice(0, 2), person))
  return {
    running,
    server,
    organizationId,
    workspaceIds: workspaceIds.sort(),
    apps,
    users,
    families: [],
    accessTokens: [],
  }
}

/** Removes memberships of earlier days' organizations. */
export const endDay = async ({ running, organizationId, users }: Day): Promise<void> => {
  for (const user of users) {
    await running.operator('DELETE', `/organizations/${organizationId}/members/${user.id}`)
  }
}
