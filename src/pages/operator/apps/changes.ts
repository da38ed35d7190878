// Changes of apps that their owners have asked for.
import type { AppChangeJson } from '../../../http/operator/apps/changes.ts'
import { code, facts, linked, links, plain, words } from '../../rendering/forms/blocks.ts'
import { ownPath } from '../../rendering/forms/blocks-page.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'
import { home, tabUrl } from '../console-page.ts'
import type { OperatorPagesDependencies, OperatorVisit } from '../gate.ts'
import { personNames } from '../people/by-email.ts'
import type { Tab } from '../tab.ts'
import { appUrl } from './app.ts'
import { comparison, decisionButtons, noteField, noteIn, sentDecision } from './comparison.ts'

const summaryOf = async (
  visit: OperatorVisit,
  { catalogue }: OperatorPagesDependencies,
  change: AppChangeJson,
): Promise<Block[]> => {
  const { columns, changes } = visit.text.operator
  const { requested_by: id, outdated } = change
  const [owner] = await personNames(visit, [id])
  const isNamed = owner !== undefined && owner.name !== id
  return [
    ...(outdated ? [words(changes.outdated, 'bad')] : []),
    ...comparison(visit.text, catalogue, { ...change, hint: outdated ? null : changes.lead }),
    facts(null, [
      [columns.who, isNamed ? linked(owner.name, `${tabUrl('people')}/${id}`) : code(id)],
      [changes.reason, plain(change.reason ?? visit.text.form.none)],
    ]),
    ...links([changes.openApp, appUrl(change.client_id)]),
  ]
}

export const operatorChanges = ({ form }: Tab, deps: OperatorPagesDependencies) =>
  form(
    `${home}/changes/:change_id`,
    'apps:write',
    async (visit) => {
      const { api, parameter, request, text } = visit
      const change = await api.read<AppChangeJson>(`/app-changes/${parameter('change_id')}`)
      const { changes } = text.operator
      const decision = sentDecision(visit)
      // The page says why it cannot be approved any more.
      if (request.method === 'POST' && decision === 'approve' && change.outdated)
        return ownPath(visit)
      return {
        heading: (change.outdated ? changes.outdatedHeading : changes.question)(change.name),
        blocks: await summaryOf(visit, deps, change),
        fields: [noteField(text)],
        ...decisionButtons(text, !change.outdated),
        cancelUrl: home,
        call: (body) => ({
          method: 'POST',
          path: `/app-changes/${change.id}`,
          body: { decision, note: noteIn(body) },
        }),
        next: home,
        done: decision === 'approve' ? 'approved' : 'refused',
      }
    },
    home,
  )
