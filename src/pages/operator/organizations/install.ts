// An app in an organization: what it may do, when its access ends, and whether it works.
import type { InstallJson } from '../../../http/operator/organizations/installs.ts'
import type { OrganizationJson } from '../../../http/operator/organizations/organizations.ts'
import {
  accessEndErrors,
  accessEndIn,
  endField,
  idleField,
  isoOf,
} from '../../rendering/fields/access-end.ts'
import {
  codes,
  copied,
  facts,
  linked,
  links,
  marked,
  plain,
  timed,
} from '../../rendering/forms/blocks.ts'
import { appName } from '../apps/app.ts'
import type { OperatorPagesDependencies, OperatorVisit } from '../gate.ts'
import type { Tab } from '../tab.ts'
import { placesOf } from './key-sets.ts'
import { organizationId, organizationPath, organizationUrl, readOrganization } from './path.ts'

const path = `${organizationPath}/installs/:client_id`
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
    [columns.state, install.suspended ? marked(states.suspended) : plain(states.active)],
    [daily.installedFor, plain(install.self ? daily.byMembers : daily.byAdmin)],
    [columns.permissions, codes(text, install.permissions)],
    [columns.where, await placesOf(visit, install.workspace_ids)],
    [columns.ends, expiresAt === null ? plain(daily.policy.noEnd) : timed(text, expiresAt)],
    [daily.policy.idle, plain(idle === null ? daily.policy.noEnd : daily.policy.days(idle / day))],
  ])
}

const overview = ({ page }: Tab) =>
  page(path, 'installs:read', async (visit) => {
    const { organizations, daily } = visit.text.operator
    const { item, id, url, subject } = await readInstall(visit)
    const mayChange = visit.may('installs:write')
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

const end = ({ form }: Tab, { now }: OperatorPagesDependencies) =>
  form(`${path}/end`, 'installs:write', async (visit) => {
    const { request, text } = visit
    const { item, etag, at, url, subject } = await readInstall(visit)
    const present = {
      expiresAt: item.expires_at === null ? null : new Date(item.expires_at),
      idleSeconds: item.idle_seconds,
    }
    return {
      subject,
      ...text.operator.daily.installEnd,
      fields: [endField(text, present.expiresAt), idleField(text, present.idleSeconds)],
      cancelUrl: url,
      etag,
      call: () => {
        const next = accessEndIn(request, present, now())
        const errors = accessEndErrors(text, next, now())
        const [summary] = errors.values()
        if (summary !== undefined) return { refusal: { status: 400, errors, summary } }
        const body = { expires_at: isoOf(next.expiresAt), idle_seconds: next.idleSeconds }
        return { method: 'PATCH', path: at, body }
      },
    }
  })

const actions = {
  suspend: {
    words: 'suspendInstall',
    done: 'suspended',
    method: 'PATCH',
    body: { suspended: true },
  },
  resume: { words: 'resumeInstall', done: 'resumed', method: 'PATCH', body: { suspended: false } },
  uninstall: { words: 'uninstall', done: 'uninstalled', method: 'DELETE', body: undefined },
} as const

const stops = ({ confirm }: Tab) => {
  for (const [name, { words, done, method, body }] of Object.entries(actions))
    confirm(`${path}/${name}`, 'installs:write', async (visit) => {
      const { etag, at, id, url, subject } = await readInstall(visit)
      return {
        words: visit.text.operator.forms[words],
        subject,
        isHarmless: name === 'resume',
        canUndo: name === 'suspend',
        cancelUrl: url,
        etag,
        call: { method, path: at, body },
        next: organizationUrl(id),
        done,
      }
    })

  for (const [name, words, done] of [
    ['suspend-all', 'suspendAll', 'suspended_all'],
    ['resume-all', 'resumeAll', 'resumed_all'],
  ] as const)
    confirm(`${organizationPath}/${name}`, 'installs:write', async (visit) => {
      const { item, at, url } = await readOrganization(visit)
      return {
        words: visit.text.operator.forms[words],
        subject: item.name,
        isHarmless: name === 'resume-all',
        canUndo: name === 'suspend-all',
        cancelUrl: url,
        call: { method: 'POST', path: `${at}/${name}`, body: {} },
        done,
      }
    })
}

export const operatorInstall = (tab: Tab, deps: OperatorPagesDependencies) => {
  overview(tab)
  end(tab, deps)
  stops(tab)
}
