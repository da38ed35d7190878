// The form that removes several members of an organization at once, or adds them to workspaces.

import type { InProcessCall } from '../../../http/operator/in-process.ts'
import type { MemberJson } from '../../../http/operator/organizations/members.ts'
import type { WorkspaceJson } from '../../../http/operator/organizations/workspaces.ts'
import { problemWords } from '../../rendering/fault-words.ts'
import { links } from '../../rendering/forms/blocks.ts'
import { linksOf, readPart } from '../../rendering/long-list.ts'
import { fieldRefusal } from '../console-form.ts'
import type { OperatorVisit } from '../gate.ts'
import { personNames } from '../people/by-email.ts'
import type { Tab } from '../tab.ts'
import { organizationPath, readOrganization } from './path.ts'

const mostMembers = '100'

/** Makes the calls one after the other, up to one that is refused. @returns the last one, for the form */
const allButLast = async (visit: OperatorVisit, calls: InProcessCall[]) => {
  const [last] = calls.splice(-1)
  for (const call of calls) {
    const outcome = await visit.api.change(call)
    if ('refusal' in outcome) {
      const { status } = outcome.refusal
      const summary = problemWords(visit.text, outcome.refusal)
      return { refusal: { status, errors: new Map(), summary } }
    }
  }
  return last as InProcessCall
}

export const operatorSeveralMembers = ({ change }: Tab) => {
  const path = `${organizationPath}/members/several`
  change(path, 'organizations:write', readOrganization, async ({ at, url }, visit) => {
    const { text, api, request } = visit
    const words = text.operator.severalMembers
    const part = readPart(request)
    const own = `${url}/members/several`
    const [members, workspaces] = await Promise.all([
      api.list<MemberJson>(`${at}/members`, { limit: mostMembers, cursor: part.after }),
      api.all<WorkspaceJson>(`${at}/workspaces`),
    ])
    const memberIds = members.items.map(({ user_id }) => user_id)
    const people = await personNames(visit, memberIds)
    const { nextUrl, startUrl } = linksOf(own, part, members)
    return {
      ...words.form,
      etag: undefined,
      blocks: links(
        startUrl !== null && [words.start, startUrl],
        nextUrl !== null && [words.next, nextUrl],
      ),
      fields: [
        {
          ...{ name: 'user_ids', kind: 'ticks', label: words.members, isRequired: true },
          missing: words.noMember,
          options: people.map(({ id, name }) => ({ value: id, label: name })),
        },
        {
          ...{ name: 'what', kind: 'choice', label: words.what, isRequired: true },
          options: [
            {
              value: 'workspaces',
              label: words.workspaces,
              more: [
                {
                  ...{ name: 'workspace_ids', kind: 'ticks', label: words.workspaces },
                  options: workspaces.map(({ id, name }) => ({ value: id, label: name })),
                },
              ],
            },
            { value: 'remove', label: words.remove, hint: words.removeHint },
          ],
        },
      ],
      call: async ({ user_ids, what, workspace_ids }) => {
        const [ids, places] = [user_ids as string[], workspace_ids as string[]]
        const known = workspaces.filter((one) => places.includes(one.id))
        if (what === 'workspaces' && known.length === 0)
          return fieldRefusal('workspace_ids', text.workspaces.chooseOne)
        const callsOf = (id: string): InProcessCall[] =>
          what === 'remove'
            ? [{ method: 'DELETE', path: `${at}/members/${encodeURIComponent(id)}` }]
            : known.map((place) => ({
                method: 'PUT',
                path: `/workspaces/${place.id}/members/${encodeURIComponent(id)}`,
                body: {},
              }))
        return allButLast(visit, ids.flatMap(callsOf))
      },
      done: 'several',
      canUndo: true,
    }
  })
}
