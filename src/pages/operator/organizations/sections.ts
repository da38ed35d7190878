// The pages of one organization: a header with its state and counts, and a tab for each of its parts.
import type { OperatorPermission } from '../../../core/credentials/operator-permissions.ts'
import { code, facts, links, timed, words } from '../../rendering/forms/blocks.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'
import { type ConsolePage, tabUrl } from '../console-page.ts'
import type { OperatorPagesDependencies, OperatorVisit } from '../gate.ts'
import { partOf } from '../list-table.ts'
import type { Tab } from '../tab.ts'
import { identityProviderBlocks } from './identity-provider.ts'
import { keySetsBlocks } from './key-sets.ts'
import { installsBlocks, type ListBlocks, membersBlocks, workspacesBlocks } from './lists.ts'
import { organizationPath, readOrganization } from './path.ts'
import { policyBlocks } from './policy.ts'
import { scimBlocks } from './scim.ts'

type Organization = Awaited<ReturnType<typeof readOrganization>>
type SectionBlocks = (visit: OperatorVisit, of: Organization) => Promise<Block[]>

const listed =
  (blocks: ListBlocks): SectionBlocks =>
  (visit, { item }) =>
    blocks(visit, item.id, partOf(visit))

const settings: SectionBlocks = async (visit, { item, url }) => {
  const { text, may } = visit
  const { columns, organizations } = text.operator
  return [
    facts(null, [
      [columns.id, code(item.id)],
      [columns.created, timed(text, item.created_at)],
    ]),
    ...links(may('organizations:write') && [organizations.rename, `${url}/rename`]),
    ...(await policyBlocks(visit, item.id)),
  ]
}

const signIn: SectionBlocks = async (visit, of) => [
  ...(await listed(scimBlocks)(visit, of)),
  ...(await identityProviderBlocks(visit, of.item.id)),
]

const end: SectionBlocks = async ({ text, may }, { url }) => [
  words(text.operator.forms.deleteOrganization.lead),
  ...links(may('organizations:write') && [text.operator.organizations.remove, `${url}/delete`]),
]

/** By the ends of the addresses of their pages, in the order of the tabs: what is dangerous comes last. */
const sections = {
  installs: ['installs:read', listed(installsBlocks)],
  members: ['organizations:read', listed(membersBlocks)],
  workspaces: ['organizations:read', listed(workspacesBlocks)],
  'key-sets': ['key_sets:read', listed(keySetsBlocks)],
  settings: ['organizations:read', settings],
  'sign-in': ['organizations:read', signIn],
  'scim-tokens': ['users:read', signIn],
  end: ['organizations:write', end],
} as const satisfies Record<string, [permission: OperatorPermission, blocks: SectionBlocks]>

type Section = keyof typeof sections
/** The rest of a long list in another tab. */
const withoutTab: Partial<Record<Section, Section>> = { 'scim-tokens': 'sign-in' }

const tabsOf = ({ text, may }: OperatorVisit, url: string, current: Section): Block => {
  const { tabs, parts } = text.operator.organization
  return {
    kind: 'tabs',
    label: parts,
    tabs: (Object.keys(sections) as Section[])
      .filter((name) => withoutTab[name] === undefined && may(sections[name][0]))
      .map((name) => ({
        label: tabs[name as keyof typeof tabs],
        href: `${url}/${name}`,
        isCurrent: name === (withoutTab[current] ?? current),
      })),
  }
}

/** Organizations, each with its parts. The first page of one is that of its apps. */
export const operatorOrganization = ({ page }: Tab, deps: OperatorPagesDependencies) => {
  const show = async (visit: OperatorVisit, section: Section): Promise<ConsolePage> => {
    const { text, may } = visit
    const { organization, organizations } = text.operator
    const read = await readOrganization(visit)
    const { item, url } = read
    const [{ members, workspaces, apps, keySets }, { active, suspendedTogether }, blocks] =
      await Promise.all([
        deps.organizations.counts(item.id),
        deps.suspendAll.counts(item.id),
        sections[section][1](visit, read),
      ])
    const maySuspend = may('installs:write')
    return {
      heading: item.name,
      lead: organization.counts(members, workspaces, apps, keySets),
      blocks: [
        ...links(
          maySuspend &&
            suspendedTogether > 0 && [
              organization.resumeThem(suspendedTogether),
              `${url}/resume-all`,
              true,
            ],
          maySuspend && active > 0 && [organizations.suspendAll, `${url}/suspend-all`],
        ),
        tabsOf(visit, url, section),
        ...blocks,
      ],
      back: { label: organizations.heading, href: tabUrl('organizations') },
    }
  }

  page(organizationPath, 'organizations:read', (visit) =>
    show(visit, visit.may('installs:read') ? 'installs' : 'members'),
  )
  for (const name of Object.keys(sections) as Section[])
    page(`${organizationPath}/${name}`, sections[name][0], (visit) => show(visit, name))
}
