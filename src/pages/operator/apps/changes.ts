// Changes of apps that their owners have asked for.
import type { AppChangeJson } from '../../../http/operator/apps/changes.ts'
import type { SettingChangeJson } from '../../../http/operator/apps/schemas.ts'
import type { Text } from '../../../words/text.ts'
import { code, facts, linked, links, plain, words } from '../../rendering/forms/blocks.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'
import { home, tabUrl } from '../console-page.ts'
import type { OperatorVisit } from '../gate.ts'
import { itemTable } from '../list-table.ts'
import { personNames } from '../people/by-email.ts'
import type { Tab } from '../tab.ts'
import { appUrl } from './app.ts'

const path = `${home}/changes/:change_id`

/** A value of a setting, as people compare it. */
const shownValue = (value: unknown, none: string): string => {
  if (value === null || value === undefined) return none
  if (Array.isArray(value))
    return value.length === 0 ? none : value.map((one) => shownValue(one, none)).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** @param isNew there are no values before */
export const changesTable = (
  text: Text,
  changes: readonly SettingChangeJson[],
  isNew = false,
): Block => {
  const { columns, review } = text.operator
  const { none } = text.form
  return itemTable(
    changes,
    [
      [columns.setting, ({ field }) => code(field)],
      !isNew && [columns.before, ({ before }) => plain(shownValue(before, none))],
      [columns.after, ({ after }) => plain(shownValue(after, none))],
    ],
    { id: 'changes', heading: review.changes, empty: review.noChanges },
  )
}

const summaryOf = async (visit: OperatorVisit, change: AppChangeJson): Promise<Block[]> => {
  const { columns, changes, review } = visit.text.operator
  const { none } = visit.text.form
  const { requested_by: id, outdated } = change
  const [owner] = await personNames(visit, [id])
  const isNamed = owner !== undefined && owner.name !== id
  return [
    ...(outdated ? [words(changes.outdated, 'bad')] : []),
    facts(null, [
      [columns.id, code(change.client_id)],
      [columns.who, isNamed ? linked(owner.name, `${tabUrl('people')}/${id}`) : code(id)],
      [changes.reason, plain(change.reason ?? none)],
    ]),
    changesTable(visit.text, change.changes),
    ...links(
      [review.refuse, `${home}/changes/${change.id}/refuse`, outdated],
      outdated && [changes.openApp, appUrl(change.client_id)],
    ),
  ]
}

export const operatorChanges = ({ form }: Tab) => {
  const decide = (at: string, decision: 'approve' | 'refuse') =>
    form(
      at,
      'apps:write',
      async (visit) => {
        const { api, parameter } = visit
        const change = await api.read<AppChangeJson>(`/app-changes/${parameter('change_id')}`)
        const { changes, review } = visit.text.operator
        const isApproval = decision === 'approve'
        const isImpossible = isApproval && change.outdated
        return {
          heading: isApproval ? changes.heading : changes.refuseHeading,
          subject: change.name,
          lead: isImpossible ? null : isApproval ? changes.lead : changes.refuseLead,
          blocks: isApproval ? await summaryOf(visit, change) : [],
          fields: [{ name: 'note', kind: 'text', label: changes.note }],
          submit: isImpossible ? null : isApproval ? review.approve : changes.refuseSubmit,
          isDanger: !isApproval,
          cancelUrl: isApproval ? home : `${home}/changes/${change.id}`,
          call: (body) => ({
            method: 'POST',
            path: `/app-changes/${change.id}`,
            body: { ...body, decision },
          }),
          next: home,
          done: isApproval ? 'approved' : 'refused',
        }
      },
      home,
    )
  decide(path, 'approve')
  decide(`${path}/refuse`, 'refuse')
}
