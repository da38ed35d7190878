import type { MemberJson } from '../http/operator/members.ts'
import type { OrganizationJson } from '../http/operator/organizations.ts'
import type { SwitchedInstallsJson } from '../http/operator/suspend-all.ts'
import type { Command } from './command.ts'
import { operatorAction } from './operator-action.ts'
import { pathSegment } from './operator-api.ts'
import { policy, setPolicy } from './organization-policy.ts'
import { type Column, moment, printDone, printList, printOne, shown } from './output.ts'

const columns: Column<OrganizationJson>[] = [
  ['id', (organization) => organization.id],
  ['name', (organization) => organization.name],
  ['created', (organization) => moment(organization.created_at)],
]

const brandColumns: Column<OrganizationJson>[] = [
  ['logo', (organization) => shown(organization.logo_uri)],
  ['accent', (organization) => shown(organization.accent)],
]

const memberColumns: Column<MemberJson>[] = [
  ['user id', (member) => member.user_id],
  ['role', (member) => member.role],
  ['since', (member) => moment(member.created_at)],
]

const create = operatorAction({
  name: 'create',
  summary: 'Create an organization.',
  options: { name: { value: 'text', help: 'the name that people see' } },
  run: async (api, input, terminal) => {
    const body = { name: input.required('name') }
    const created = await api.call<OrganizationJson>('POST', '/organizations', body)
    printOne(terminal, input, columns, created)
  },
})

const list = operatorAction({
  name: 'list',
  summary: 'List the organizations.',
  run: async (api, input, terminal) =>
    printList(terminal, input, columns, await api.list<OrganizationJson>('/organizations')),
})

const rename = operatorAction({
  name: 'rename',
  summary: 'Rename an organization.',
  positionals: ['organization-id'],
  options: { name: { value: 'text', help: 'the new name' } },
  run: async (api, input, terminal) => {
    const path = `/organizations/${pathSegment(input.argument('organization-id'))}`
    const body = { name: input.required('name') }
    printOne(terminal, input, columns, await api.call<OrganizationJson>('PATCH', path, body))
  },
})

const orNone = (text: string | undefined) => (text === 'none' ? null : text)

const brand = operatorAction({
  name: 'brand',
  summary: 'Set the logo and the accent colour of the pages of an organization.',
  positionals: ['organization-id'],
  options: {
    'logo-uri': { value: 'uri|none', help: 'https; PNG, JPEG or WebP' },
    accent: { value: '#rrggbb|none', help: 'a colour such as #3355cc' },
  },
  run: async (api, input, terminal) => {
    const path = `/organizations/${pathSegment(input.argument('organization-id'))}`
    const body = { logo_uri: orNone(input.text('logo-uri')), accent: orNone(input.text('accent')) }
    const changed = await api.call<OrganizationJson>('PATCH', path, body)
    printOne(terminal, input, [...columns, ...brandColumns], changed)
  },
})

const remove = operatorAction({
  name: 'delete',
  summary: 'Delete an organization with its workspaces, members, installs, grants and key sets.',
  positionals: ['organization-id'],
  run: async (api, input, terminal) => {
    await api.call('DELETE', `/organizations/${pathSegment(input.argument('organization-id'))}`)
    printDone(terminal, input, 'Deleted.')
  },
})

const members = operatorAction({
  name: 'members',
  summary: 'List the members of an organization.',
  positionals: ['organization-id'],
  run: async (api, input, terminal) => {
    const path = `/organizations/${pathSegment(input.argument('organization-id'))}/members`
    printList(terminal, input, memberColumns, await api.list<MemberJson>(path))
  },
})

const addMember = operatorAction({
  name: 'add-member',
  summary: "Add a user to an organization, or change the user's role.",
  positionals: ['organization-id', 'user-id'],
  options: { role: { value: 'admin|member', help: 'admins decide about apps (default: member)' } },
  run: async (api, input, terminal) => {
    const [org, user] = [
      pathSegment(input.argument('organization-id')),
      pathSegment(input.argument('user-id')),
    ]
    const body = { role: input.choice('role', ['admin', 'member']) ?? 'member' }
    const path = `/organizations/${org}/members/${user}`
    printOne(terminal, input, memberColumns, await api.call<MemberJson>('PUT', path, body))
  },
})

const removeMember = operatorAction({
  name: 'remove-member',
  summary: 'Remove a user from an organization and all of its workspaces.',
  positionals: ['organization-id', 'user-id'],
  run: async (api, input, terminal) => {
    const [org, user] = [
      pathSegment(input.argument('organization-id')),
      pathSegment(input.argument('user-id')),
    ]
    await api.call('DELETE', `/organizations/${org}/members/${user}`)
    printDone(terminal, input, 'Removed.')
  },
})

const switchAll = (call: 'suspend-all' | 'resume-all', summary: string, done: string) =>
  operatorAction({
    name: call,
    summary,
    positionals: ['organization-id'],
    run: async (api, input, terminal) => {
      const path = `/organizations/${pathSegment(input.argument('organization-id'))}/${call}`
      const changed = await api.call<SwitchedInstallsJson>('POST', path, {})
      printOne(terminal, input, [[done, ({ apps }: SwitchedInstallsJson) => String(apps)]], changed)
    },
  })

export const org: Command = {
  name: 'org',
  summary: 'organizations and their members',
  actions: [
    create,
    list,
    rename,
    brand,
    remove,
    members,
    addMember,
    removeMember,
    policy,
    setPolicy,
    switchAll('suspend-all', 'Suspend every app of an organization that works.', 'suspended'),
    switchAll('resume-all', 'Resume the apps that suspend-all suspended.', 'resumed'),
  ],
}
