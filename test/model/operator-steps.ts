import { attempt } from './attempt.ts'
import { type Drive, part, pick } from './choices.ts'
import { type Day, type DayApp, mostOf, operate } from './day.ts'

const installPath = (day: Day, app: DayApp) =>
  `/organizations/${day.organizationId}/installs/${app.credentials.client_id}`

/** Steps of operators and admins. */
export const operatorSteps: Drive<
  | 'install'
  | 'uninstall'
  | 'suspend'
  | 'app permissions'
  | 'disable app'
  | 'rotate'
  | 'disable user'
  | 'membership'
  | 'workspace'
> = {
  install: async (day, { app: number, mask, everywhere }) => {
    const app = pick(day.apps, number)
    if (!app) return
    const workspaceIds =
      everywhere || app.interface === 'legacy' ? null : part(day.workspaceIds, mask >> 5)
    const permissions = part(app.permissions, mask)
    const body = { permissions, workspace_ids: workspaceIds }
    await operate(day.running, 'PUT', installPath(day, app), body)
    if (app.install) Object.assign(app.install, { permissions, workspaceIds })
    else app.install = { permissions, workspaceIds, suspended: false }
  },
  uninstall: async (day, { app: number }) => {
    const app = pick(day.apps, number)
    if (!app?.install) return
    await operate(day.running, 'DELETE', installPath(day, app))
    app.install = null
  },
  suspend: async (day, { app: number, on }) => {
    const app = pick(day.apps, number)
    if (!app?.install) return
    await operate(day.running, 'PATCH', installPath(day, app), { suspended: on })
    app.install.suspended = on
  },

  'app permissions': async (day, { app: number, mask }) => {
    const app = pick(day.apps, number)
    if (!app) return
    const permissions = part(mostOf(app), mask)
    await operate(day.running, 'PATCH', `/apps/${app.credentials.client_id}`, { permissions })
    app.permissions = permissions
  },
  'disable app': async (day, { app: number, on }) => {
    const app = pick(day.apps, number)
    if (!app) return
    await operate(day.running, 'PATCH', `/apps/${app.credentials.client_id}`, { disabled: on })
    if (on && !app.disabled) {
      app.epoch += 1
      for (const family of day.families) if (family.app === app) family.ended = true
    }
    app.disabled = on
  },
  rotate: async (day, { app: number }) => {
    const app = pick(day.apps, number)
    if (!app || app.isPublic) return
    const path = `/apps/${app.credentials.client_id}/secrets`
    const { client_secret } = await operate(day.running, 'POST', path, {})
    const family = day.families.find((one) => one.app === app)
    const old = app.credentials.client_secret
    app.credentials = { ...app.credentials, client_secret }
    if (family) await attempt(day, { family, generation: family.live, at: 1, secret: old })
  },

  'disable user': async (day, { user: number, on }) => {
    const user = pick(day.users, number)
    if (!user) return
    await operate(day.running, 'PATCH', `/users/${user.id}`, { disabled: on })
    user.disabled = on
  },
  membership: async (day, { user: number, on }) => {
    const user = pick(day.users, number)
    if (!user || user.member === on) return
    const path = `/organizations/${day.organizationId}/members/${user.id}`
    await operate(day.running, on ? 'PUT' : 'DELETE', path, on ? { role: 'member' } : undefined)
    user.member = on
    if (!on) user.workspaceIds = []
  },
  workspace: async (day, { user: number, workspace: which, on }) => {
    const [user, workspace] = [pick(day.users, number), pick(day.workspaceIds, which)]
    if (!user?.member || !workspace || user.workspaceIds.includes(workspace) === on) return
    const path = `/workspaces/${workspace}/members/${user.id}`
    await operate(day.running, on ? 'PUT' : 'DELETE', path, on ? {} : undefined)
    user.workspaceIds = on
      ? [...user.workspaceIds, workspace]
      : user.workspaceIds.filter((one) => one !== workspace)
  },
}
