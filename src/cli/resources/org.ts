import type { SwitchedInstallsJson } from '../../http/operator/organizations/installs.ts'
import type { MemberJson } from '../../http/operator/organizations/members.ts'
import type { OrganizationJson } from '../../http/operator/organizations/organizations.ts'
import type { OrganizationPolicyJson } from '../../http/operator/organizations/policies.ts'
import { apiAction, inColumns } from '../api-action.ts'
import type { Command } from '../command.ts'
import { usageError } from '../exit-codes.ts'
import { type Column, columnsOf } from '../output.ts'
import { resource } from '../resource.ts'
import { choice, required, type Setting, text, textOrNone } from '../setting.ts'

const columns = columnsOf<OrganizationJson>('id', 'name', 'created_at')

const brandColumns = columnsOf<OrganizationJson>(['logo_uri', 'logo'], 'accent')

const memberColumns = columnsOf<MemberJson>('user_id', 'role', ['created_at', 'since'])

const switchAll = (name: 'suspend-all' | 'resume-all', summary: string, switched: string) =>
  apiAction(name, `POST /organizations/{organization-id}/${name}`, {
    summary,
    body: {},
    print: inColumns<SwitchedInstallsJson>([[switched, ({ apps }) => String(apps)]]),
  })

const members = resource('/organizations/{organization-id}/members/{user-id}', memberColumns)
const { create, list, rename, remove } = resource('/organizations/{organization-id}', columns)

const daysOf = (days: number | null) => (days === null ? 'never' : `after ${days} days`)

const policyColumns: Column<OrganizationPolicyJson>[] = [
  ...columnsOf<OrganizationPolicyJson>(['organization_id', 'organization']),
  ...columnsOf<OrganizationPolicyJson>(['connect', 'members connect']),
  ...columnsOf<OrganizationPolicyJson>(['self_install', 'members install']),
  ...columnsOf<OrganizationPolicyJson>('device_flow', 'public_apps', 'ai_clients'),
  ['access expires', (policy) => daysOf(policy.default_expires_days)],
  ['unused access ends', (policy) => daysOf(policy.default_idle_days)],
]

const policy = resource('/organizations/{organization-id}/policy', policyColumns)

/** `never`, or a number of days. */
const days = (name: string, help: string): Setting => ({
  ...text(`${name} <days>`, help),
  read: (input) => {
    const given = input.text(name)
    if (given === undefined || given === 'never') return null
    if (!/^\d{1,4}$/.test(given)) throw usageError(`--${name} is not a number of days`)
    return Number(given)
  },
})

/** A rule of its own; absent: unchanged. */
const rule = (name: string, what: string) =>
  choice(name, ['allow', 'ask', 'refuse'], `${what} (default: unchanged)`)

const setPolicy = policy.put('set-policy', 'Replace the policy of an organization.', {
  settings: {
    connect: required(
      text(
        'connect <all|installed|ask>',
        'the apps that members may connect: installed ones and others on request, installed ones only, or each one after an admin has approved it',
      ),
    ),
    default_expires_days: days(
      'expires-days',
      'days after which new installs and consents expire (default: never)',
    ),
    self_install: choice(
      'self-install',
      ['never', 'reviewed_read_only'],
      'what members may install for themselves (default: unchanged)',
    ),
    device_flow: rule('device-flow', 'connections made with the code of a device'),
    public_apps: rule('public-apps', 'apps without a secret'),
    ai_clients: rule('ai-clients', 'apps whose client id is the address of a document'),
    default_idle_days: days('idle-days', 'days without use after which they end (default: never)'),
  },
})

export const org: Command = {
  name: 'org',
  summary: 'organizations and their members',
  actions: [
    create('Create an organization.', {
      settings: { name: required(text('name <text>', 'the name that people see')) },
    }),
    list('List the organizations.'),
    rename('Rename an organization.'),
    apiAction('brand', 'PATCH /organizations/{organization-id}', {
      summary: 'Set the logo and the accent colour of the pages of an organization.',
      settings: {
        logo_uri: textOrNone('logo-uri <uri|none>', 'https; PNG, JPEG or WebP'),
        accent: textOrNone('accent <#rrggbb|none>', 'a colour such as #3355cc'),
      },
      print: inColumns([...columns, ...brandColumns]),
    }),
    remove('Delete an organization with its workspaces, members, installs, grants and key sets.'),
    members.list('List the members of an organization.', 'members'),
    members.put('add-member', "Add a user to an organization, or change the user's role.", {
      body: { role: 'member' },
      settings: {
        role: choice('role', ['admin', 'member'], 'admins decide about apps (default: member)'),
      },
    }),
    members.remove(
      'Remove a user from an organization and all of its workspaces.',
      'remove-member',
    ),
    policy.show('Show the policy of an organization.', 'policy'),
    setPolicy,
    switchAll('suspend-all', 'Suspend every app of an organization that works.', 'suspended'),
    switchAll('resume-all', 'Resume the apps that suspend-all suspended.', 'resumed'),
  ],
}
