// The pages of one organization: a header with its state and counts, and a tab for each of its parts.
import type { OperatorPermission } from '../../../core/credentials/operator-permissions.ts'
import type { OrganizationJson } from '../../../http/operator/organizations/organizations.ts'
import { code, facts, links, timed } from '../../rendering/forms/blocks.ts'
import type { PartOfPage } from '../../rendering/forms/blocks-page.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'
import { activityUrl, tabUrl } from '../console-page.ts'
import type { OperatorVisit } from '../gate.ts'
import type { Tab } from '../tab.ts'
import { identityProviderBlocks } from './identity-provider.ts'
import { keySetsBlocks } from './key-sets.ts'
import { installsBlocks, membersBlocks, workspacesBlocks } from './lists.ts'
import { organizationPath, organizationUrl, readOrganization } from './path.ts'
import { policyBlocks } from './policy.ts'
import { scimBlocks } from './scim.ts'

type SectionBlocks = (visit: OperatorVisit, id: string, of: OrganizationJson) => Promise<Block[]>

const settings: SectionBlocks = async (visit, id, { created_at: created }) => {
  const { text, may } = visit
  const { columns, organizations } = text.operator
  return [
    facts(null, [
      [columns.id, code(id)],
      [columns.created, timed(text, created)],
    ]),
    ...links(
      may('organizations:write') && [organizations.rename, `${organizationUrl(id)}/rename`],
      may('audit:read') && [
        text.explained.activityOfOrganization,
        activityUrl({ organization_id: id }),
      ],
    ),
    ...(await policyBlocks(visit, id)),
  ]
}

const signIn: SectionBlocks = async (visit, id) => [
  ...(await scimBlocks(visit, id)),
  ...(await identityProviderBlocks(visit, id)),
]

/** By the ends of the addresses of their pages. */
const sections = {
  installs: ['installs:read', installsBlocks],
  members: ['organizations:read', membersBlocks],
  workspaces: ['organizations:read', workspacesBlocks],
  'key-sets': ['key_sets:read', keySetsBlocks],
  settings: ['organizations:read', settings],
  'sign-in': ['organizations:read', signIn],
} as const satisfies Record<string, [permission: OperatorPermission, blocks: SectionBlocks]>

type Section = keyof typeof sections
const names = Object.keys(sections) as Section[]

/** What is dangerous comes last, on a page of its own. */
const tabsOf = ({ text, may }: OperatorVisit, url: string, current: Section): Block => {
  const { tabs, parts } = text.operator.organization
  const shown = [
    ...names.filter((name) => may(sections[name][0])),
    ...(may('organizations:write') ? (['delete'] as const) : []),
  ]
  return {
    ...{ kind: 'tabs', label: parts },
    tabs: shown.map((name) => ({
      ...{ label: tabs[name], href: `${url}/${name}`, isCurrent: name === current },
    })),
  }
}

/** Organizations, each with its parts. The first page of one is that of its apps. */
export const operatorOrganization = ({ page, deps }: Tab) => {
  const show = async (visit: OperatorVisit, section: Section): Promise<PartOfPage> => {
    const { organization, organizations } = visit.text.operator
    const { item, url } = await readOrganization(visit)
    const [{ members, workspaces, installs, keySets }, { active, suspendedTogether }, blocks] =
      await Promise.all([
        deps.deletionCounts.ofOrganization(item.id),
        deps.suspendAll.counts(item.id),
        sections[section][1](visit, item.id, item),
      ])
    const { resumeThem } = organization
    return {
      heading: item.name,
      title: `${organization.tabs[section]} · ${item.name}`,
      lead: organization.counts(members, workspaces, installs, keySets),
      blocks: [
        ...(visit.may('installs:write')
          ? links(
              suspendedTogether > 0 && [resumeThem(suspendedTogether), `${url}/resume-all`, true],
              active > 0 && [organizations.suspendAll, `${url}/suspend-all`],
            )
          : []),
        tabsOf(visit, url, section),
        ...blocks,
      ],
      back: { label: organizations.heading, href: tabUrl('organizations') },
    }
  }

  page(organizationPath, 'organizations:read', (visit) =>
    show(visit, visit.may('installs:read') ? 'installs' : 'members'),
  )
  for (const name of names)
    page(`${organizationPath}/${name}`, sections[name][0], (visit) => show(visit, name))
}
