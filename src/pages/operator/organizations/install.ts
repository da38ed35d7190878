// An app in an organization: its install, what it may do and where, when its access ends, and whether it works.

import type { AppJson } from '../../../http/operator/apps/schemas.ts'
import type { InstallJson } from '../../../http/operator/organizations/installs.ts'
import type { OrganizationJson } from '../../../http/operator/organizations/organizations.ts'
import { accessEndIn, endField, idleField, isoOf } from '../../rendering/fields/access-end.ts'
import { codes, copied, facts, linked, links, marked, timed } from '../../rendering/forms/blocks.ts'
import { appName } from '../apps/app.ts'
import { allApps, appState } from '../apps/apps.ts'
import type { OperatorVisit } from '../gate.ts'
import { listTable } from '../list-table.ts'
import type { Tab } from '../tab.ts'
import { placesOf } from './key-sets.ts'
import { organizationId, organizationPath, organizationUrl, readOrganization } from './path.ts'
import { reachFields, reachIn } from './workspace-choice.ts'

const choicePath = `${organizationPath}/install`
const path = `${organizationPath}/installs/:client_id`
const right = 'installs:write'
const day = 86_400 // s

/** @throws NotFound */
const readInstall = async (visit: OperatorVisit) => {
  const id = organizationId(visit)
  const place = `installs/${visit.parameter('client_id')}`
  const read = await visit.api.readVersion<InstallJson>(`/organizations/${id}/${place}`)
  const subject = await appName(visit, read.item.client_id)
  return { ...read, id, subject, url: `${organizationUrl(id)}/${place}` }
}

const settingsOf = async (visit: OperatorVisit, id: string, install: InstallJson) => {
  const { text, api, may } = visit
  const { columns, states, daily } = text.operator
  const { expires_at: expiresAt, idle_seconds: idle } = install
  const organization = may('organizations:read')
    ? linked((await api.read<OrganizationJson>(`/organizations/${id}`)).name, organizationUrl(id))
    : copied(id)
  return facts(null, [
    [columns.app, copied(install.client_id)],
    [columns.organization, organization],
    [columns.state, install.suspended ? marked(states.suspended) : states.active],
    [daily.installedFor, install.self ? daily.byMembers : daily.byAdmin],
    [columns.permissions, codes(text, install.permissions)],
    [columns.where, await placesOf(visit, install.workspace_ids)],
    [columns.ends, expiresAt === null ? daily.policy.noEnd : timed(text, expiresAt)],
    [daily.policy.idle, idle === null ? daily.policy.noEnd : daily.policy.days(idle / day)],
  ])
}

const overview = ({ page }: Tab) =>
  page(path, 'installs:read', async (visit) => {
    const { organizations, daily } = visit.text.operator
    const { item, id, url, subject } = await readInstall(visit)
    const mayChange = visit.may(right)
    const maySeeOrganization = visit.may('organizations:read')
    const choiceUrl = `${organizationUrl(id)}/install/${encodeURIComponent(item.client_id)}`
    return {
      heading: [{ name: subject }],
      isNarrow: true,
      blocks: [
        await settingsOf(visit, id, item),
        ...links(
          mayChange &&
            maySeeOrganization &&
            visit.may('apps:read') && [daily.changeInstall.change, choiceUrl],
          mayChange && [daily.installEnd.change, `${url}/end`],
          mayChange &&
            (item.suspended
              ? [organizations.resume, `${url}/resume`]
              : [organizations.suspend, `${url}/suspend`]),
          mayChange && [organizations.uninstall, `${url}/uninstall`],
        ),
      ],
      back: maySeeOrganization ? { label: organizations.back, href: organizationUrl(id) } : null,
    }
  })

const end = ({ change, deps }: Tab) =>
  change(`${path}/end`, right, readInstall, ({ item, at }, { request, text }) => {
    const present = {
      expiresAt: item.expires_at === null ? null : new Date(item.expires_at),
      idleSeconds: item.idle_seconds,
    }
    return {
      ...text.operator.daily.installEnd,
      fields: [endField(text, present.expiresAt), idleField(text, present.idleSeconds)],
      call: () => {
        const next = accessEndIn(request, text, present, deps.now())
        if ('errors' in next) return { refusal: next }
        const body = { expires_at: isoOf(next.expiresAt), idle_seconds: next.idleSeconds }
        return { method: 'PATCH', path: at, body }
      },
    }
  })

const actions = {
  suspend: ['suspendInstall', 'suspended', { method: 'PATCH', body: { suspended: true } }],
  resume: ['resumeInstall', 'resumed', { method: 'PATCH', body: { suspended: false } }],
  uninstall: ['uninstall', 'uninstalled', { method: 'DELETE' }],
} as const

const actionsOnAll = {
  'suspend-all': ['suspendAll', 'suspended_all'],
  'resume-all': ['resumeAll', 'resumed_all'],
} as const

const stops = ({ confirm }: Tab) => {
  for (const [name, [words, done, call]] of Object.entries(actions))
    confirm(`${path}/${name}`, right, readInstall, ({ at, id }, { text }) => ({
      words: text.operator.forms[words],
      isHarmless: name === 'resume',
      canUndo: name === 'suspend',
      call: { ...call, path: at },
      next: organizationUrl(id),
      done,
    }))

  for (const [name, [words, done]] of Object.entries(actionsOnAll))
    confirm(`${organizationPath}/${name}`, right, readOrganization, ({ at }, visit) => ({
      words: visit.text.operator.forms[words],
      isHarmless: name === 'resume-all',
      canUndo: name === 'suspend-all',
      etag: undefined,
      call: { method: 'POST', path: `${at}/${name}`, body: {} },
      done,
    }))
}

/** The choice of an app to install, and the form of a new install or of one that exists. */
const choice = ({ page, change }: Tab) => {
  page(choicePath, right, async (visit) => {
    const { columns, interfaces, organizations, daily } = visit.text.operator
    const { item: organization, url } = await readOrganization(visit)
    const appUrl = (id: string) => `${url}/install/${encodeURIComponent(id)}`
    return {
      heading: daily.chooseApp.heading,
      subject: organization.name,
      blocks: [
        await listTable<AppJson>(visit, {
          ...allApps(visit),
          url: `${url}/install`,
          columns: [
            [columns.app, (app) => linked(app.name, appUrl(app.client_id)), 'name'],
            [columns.id, (app) => copied(app.client_id)],
            [columns.interface, (app) => interfaces[app.interface]],
            [columns.state, (app) => appState(visit, app)],
          ],
        }),
      ],
      back: { label: organizations.back, href: url },
    }
  })

  change(`${choicePath}/:client_id`, right, readOrganization, async (organization, visit) => {
    const { api, parameter } = visit
    const { forms, daily } = visit.text.operator
    const { item, at: place, url } = organization
    const clientId = parameter('client_id')
    const app = await api.read<AppJson>(`/apps/${clientId}`)
    const at = `${place}/installs/${clientId}`
    const present = await api.find<InstallJson>(at)
    const limit = present?.item.workspace_ids ?? null
    const offered = [...app.permissions, ...(present?.item.permissions ?? [])]
    const boxes = { offered, ticked: present?.item.permissions ?? app.permissions }
    return {
      subject: app.name,
      isFirstStep: true,
      ...(present ? daily.changeInstall : forms.install),
      fields: await reachFields(visit, item.id, app.interface, boxes, limit),
      cancelUrl: present ? `${url}/installs/${clientId}` : url,
      etag: present?.etag,
      call: (typed) => {
        const read = reachIn(visit, app.interface, typed, limit)
        return 'refusal' in read ? read : { method: present ? 'PATCH' : 'PUT', path: at, ...read }
      },
      next: url,
    }
  })
}

export const operatorInstall = [choice, overview, end, stops]
