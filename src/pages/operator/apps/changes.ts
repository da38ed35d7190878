// Changes of apps that their owners have asked for.
import type { FastifyInstance } from 'fastify'
import type { AppChangeJson } from '../../../http/operator/apps/changes.ts'
import { code, facts, linked, links, plain, words } from '../../rendering/forms/blocks.ts'
import type { Field } from '../../rendering/forms/form-field.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'
import { doneAt, formPage, type Specify } from '../console-form.ts'
import { home, tabUrl } from '../console-page.ts'
import type { OperatorPagesDependencies, OperatorVisit } from '../gate.ts'
import { parameter } from '../parameter.ts'
import { personNames } from '../people/by-email.ts'
import { changesTable } from './changes-table.ts'
import { appUrl } from './path.ts'

const path = `${home}/changes/:change_id`
const readChange = ({ api, request }: OperatorVisit) =>
  api.read<AppChangeJson>(`/app-changes/${parameter(request, 'change_id')}`)

const noteField = ({ text }: OperatorVisit): Field => ({
  name: 'note',
  kind: 'text',
  label: text.operator.changes.note,
})

const summaryOf = async (visit: OperatorVisit, change: AppChangeJson): Promise<Block[]> => {
  const { columns, changes } = visit.text.operator
  const { none } = visit.text.form
  const { requested_by: id } = change
  const [owner] = await personNames(visit, [id])
  return [
    ...(change.outdated ? [words(changes.outdated, 'bad')] : []),
    facts(null, [
      [columns.id, code(change.client_id)],
      [
        columns.who,
        owner && owner.name !== id ? linked(owner.name, `${tabUrl('people')}/${id}`) : code(id),
      ],
      [changes.reason, plain(change.reason ?? none)],
    ]),
    changesTable(visit.text, change.changes),
    ...links(
      [visit.text.operator.review.refuse, `${home}/changes/${change.id}/refuse`, change.outdated],
      change.outdated && [changes.openApp, appUrl(change.client_id)],
    ),
  ]
}

export const operatorChanges = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  const decide = (at: string, decision: 'approve' | 'refuse') => {
    const specify: Specify = async (visit) => {
      const change = await readChange(visit)
      const { changes, review } = visit.text.operator
      const isApproval = decision === 'approve'
      const isImpossible = isApproval && change.outdated
      return {
        tab: 'overview',
        heading: isApproval ? changes.heading : changes.refuseHeading,
        subject: change.name,
        lead: isImpossible ? null : isApproval ? changes.lead : changes.refuseLead,
        blocks: isApproval ? await summaryOf(visit, change) : [],
        fields: [noteField(visit)],
        submit: isImpossible ? null : isApproval ? review.approve : changes.refuseSubmit,
        isDanger: !isApproval,
        cancelUrl: isApproval ? home : `${home}/changes/${change.id}`,
        call: (body) => ({
          method: 'POST',
          path: `/app-changes/${change.id}`,
          body: { ...body, decision },
        }),
        done: doneAt(visit, home, isApproval ? 'approved' : 'refused'),
      }
    }
    formPage(scope, deps, at, 'apps:write', specify, home)
  }
  decide(path, 'approve')
  decide(`${path}/refuse`, 'refuse')
}
