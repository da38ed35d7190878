// The pages on which an admin chooses for whom an install is.
import { fingerprintOf } from '../../../core/crypto/digests.ts'
import { editConflict } from '../../../core/language/service-errors.ts'
import {
  type AudienceLimit,
  noAudience,
  orderedAudience,
} from '../../../core/organizations/audience.ts'
import type { InstalledAppWithWidening } from '../../../core/organizations/organization-apps.ts'
import { shownEmail } from '../../../core/people/email-address.ts'
import { boxesField } from '../../rendering/fields/workspace-choice.ts'
import { tamperedForm } from '../../rendering/forms/approval-form.ts'
import { linked, links, marked, table } from '../../rendering/forms/blocks.ts'
import { type Body, type Field, listIn } from '../../rendering/forms/form-field.ts'
import { field } from '../../rendering/forms/sent-values.ts'
import { listOf } from '../../rendering/long-list.ts'
import { showParts } from '../frame.ts'
import { type AdminVisit, installIn } from '../gate.ts'
import type { AdminRoutes } from '../routes.ts'
import { appUrl } from './items.ts'
import { appOfVisit } from './page.ts'

const versionOf = ({ install }: InstalledAppWithWidening) =>
  fingerprintOf([install.id, JSON.stringify(install.audience)])

const membersAt = <const Order extends string>(
  visit: AdminVisit,
  url: string,
  orders: readonly Order[] | null,
) => listOf(visit, url, orders, { label: visit.text.organization.app.find, anchor: 'list' })

const audienceIn = (body: Body): AudienceLimit => {
  if (body.who === 'everyone') return null
  if (body.who !== 'chosen') throw tamperedForm()
  return {
    workspaces: listIn(body.workspaces),
    groups: listIn(body.groups),
    users: listIn(body.users),
  }
}

export const organizationAppAudience = ({ get, form, deps }: AdminRoutes) => {
  const { audiencePeople, installs, installPreviews, workspaces } = deps

  /** Writes the audience that `choose` makes of the present one. @throws Conflict */
  const write = async (
    visit: AdminVisit,
    one: InstalledAppWithWidening,
    version: string,
    audience: AudienceLimit,
  ) => {
    await installs.change(installIn(visit, one.app.clientId), { audience }, visit.cause, {
      precondition: (live) => {
        if (live && versionOf({ ...one, install: live }) !== version) throw editConflict()
      },
    })
  }

  const chosenFields = async (
    { text, organization }: AdminVisit,
    chosen: NonNullable<AudienceLimit>,
  ): Promise<Field[]> => {
    const words = text.organization.audience
    const offered = await Promise.all([
      workspaces.names(organization.id),
      audiencePeople.groups(organization.id),
      audiencePeople.users(chosen.users),
    ])
    const [places, groups, people] = offered
    const ofGroups = { total: words.groupTotal, ticked: words.groupTicked, find: words.groupFind }
    const named = { name: 'groups', label: words.groups, words: ofGroups }
    const fields: Field[] = [
      boxesField(text, { name: 'workspaces', label: words.workspaces }, places, chosen.workspaces),
      boxesField(text, named, groups, chosen.groups),
      {
        ...{ name: 'users', kind: 'ticks', label: words.people, hint: words.peopleHint },
        values: chosen.users,
        options: people.map(({ id, name }) => ({ value: id, label: name })),
      },
    ]
    return fields.filter((_, at) => offered[at]?.length !== 0)
  }

  form('/apps/:client_id/audience', async (visit) => {
    const { request, text, organization, base } = visit
    const words = text.organization.audience
    const one = await appOfVisit(deps, visit)
    const url = appUrl(base, one.app.clientId)
    const { audience, permissions, workspaceIds } = one.install
    const { members } = await audiencePeople.size(one.install)
    // The page asks once more when people lose their access by what was chosen.
    const hidden = { asked: '' }
    return {
      ...{ tab: 'apps', title: words.title, lead: words.lead },
      heading: words.heading(one.app.name, organization.name),
      blocks: links([words.byName, `${url}/audience/names`], [words.list, `${url}/members`]),
      fields: [
        {
          ...{ name: 'who', kind: 'choice', label: words.legend, isRequired: true },
          values: [audience ? 'chosen' : 'everyone'],
          options: [
            { value: 'everyone', label: words.everyone, hint: words.everyoneHint(members) },
            {
              value: 'chosen',
              label: words.chosen,
              more: await chosenFields(visit, audience ?? noAudience),
            },
          ],
        },
      ],
      submit: words.save,
      cancelUrl: url,
      version: versionOf(one),
      hidden,
      otherFault: text.organization.outdated,
      work: async (body, { version }) => {
        const next = audienceIn(body)
        const approval = { permissions, workspaceIds, audience: next }
        const { people } = await installPreviews.find(one.install, approval)
        const chosen = fingerprintOf([JSON.stringify(next && orderedAudience(next))])
        if (people > 0 && field(request, 'asked') !== chosen) {
          hidden.asked = chosen
          return { status: 200, errors: new Map(), summary: words.affected(people) }
        }
        await write(visit, one, version, next)
        return `${url}?done=audience`
      },
    }
  })

  form('/apps/:client_id/audience/names', async (visit) => {
    const { text, base } = visit
    const { names: words, save } = text.organization.audience
    const one = await appOfVisit(deps, visit)
    const url = appUrl(base, one.app.clientId)
    const list = membersAt(visit, `${url}/audience/names`, null)
    const audience = one.install.audience ?? noAudience
    const [named, found] = await Promise.all([
      audiencePeople.users(audience.users),
      audiencePeople.list(one.install, list.ask()),
    ])
    const others = found.items.filter(({ userId }) => !audience.users.includes(userId))
    return {
      ...{ tab: 'apps', title: words.title, lead: words.lead },
      heading: words.heading(one.app.name),
      blocks: [table({ columns: [], rows: [], empty: '', filter: list.filter })],
      fields: [
        {
          ...{ name: 'users', kind: 'ticks', label: words.legend, values: audience.users },
          hint: found.items.length === 0 ? words.none : null,
          options: [
            ...named.map(({ id, name }) => ({ value: id, label: name })),
            ...others.map(({ userId, name, email }) => ({
              ...{ value: userId, label: name, hint: shownEmail(email) },
            })),
          ],
        },
      ],
      submit: save,
      decision: 'names',
      cancelUrl: `${url}/audience`,
      version: versionOf(one),
      otherFault: text.organization.outdated,
      work: async (body, { version }) => {
        await write(visit, one, version, { ...audience, users: listIn(body.users) })
        return `${url}?done=audience`
      },
    }
  })

  get('/apps/:client_id/members', async (visit) => {
    const { text, organization, base } = visit
    const one = await appOfVisit(deps, visit)
    const { audience } = text.organization
    const { members: words } = audience
    const url = appUrl(base, one.app.clientId)
    const list = membersAt(visit, `${url}/members`, ['name'])
    const [{ inside, members }, page] = await Promise.all([
      audiencePeople.size(one.install),
      audiencePeople.list(one.install, list.ask()),
    ])
    return showParts(visit, 'apps', {
      title: words.title,
      heading: audience.heading(one.app.name, organization.name),
      lead: [audience.size(inside, members)],
      blocks: [
        ...links([audience.change, `${url}/audience`, true]),
        table({
          columns: [
            { label: text.organization.app.person, sort: list.sorts.name },
            words.why,
            words.decide,
          ],
          rows: page.items.map(({ userId, name, email, reason }) => {
            const decision = reason === 'denied' ? 'admit' : 'deny'
            const href = `${url}/people/${encodeURIComponent(userId)}/${decision}`
            return [
              `${name} · ${shownEmail(email)}`,
              marked(words.reasons[reason], reason === 'denied'),
              linked(words[decision], href, name),
            ]
          }),
          empty: words.empty,
          list: list.links(page),
          filter: list.filter,
        }),
      ],
      back: { label: one.app.name, href: url },
    })
  })
}
