import type { Step } from '../../core/authorization/consent-steps.ts'
import { endOfNewInstall } from '../../core/authorization/expected-end.ts'
import type { OpenidScope } from '../../core/clients/openid.ts'
import type { Text } from '../../words/text.ts'
import { endWords } from '../rendering/access-end.ts'
import { forDecision } from '../rendering/decision-list.ts'
import { hasFoldedChoice, workspaceChoice } from '../rendering/fields/workspace-choice.ts'
import { describePermissions } from '../rendering/permission-list.ts'
import { textOf } from '../rendering/reader-text.ts'
import { type Reach, summaryOf } from '../rendering/summary.ts'
import {
  contextOf,
  type FormFault,
  faultWords,
  organizationFrameOf,
  permissionsTicked,
  type StepPagesDependencies,
  workspaceOptions,
} from './step-frame.ts'
import type { InteractionVisit } from './visit.ts'

/** For the admin: what the app will ask each user for; null when nothing. */
const identityWords = (text: Text, scopes: readonly OpenidScope[]) =>
  scopes.length === 0
    ? null
    : text.install.identity(scopes.includes('profile'), scopes.includes('email'))

/** Asks an admin to install the app in an organization. */
export const installPage =
  ({ renderer, catalogue, now }: StepPagesDependencies) =>
  (visit: InteractionVisit, step: Step & { kind: 'install' }, fault?: FormFault) => {
    const text = textOf(visit.request)
    const api = visit.app.interface
    const isCurrent = api === 'current'
    const all = { ticked: fault !== 'workspace_missing' }
    const workspaces = isCurrent
      ? workspaceChoice(text, { all, options: workspaceOptions(step.workspaces, fault) })
      : null
    const { organizationName } = step.membership
    const reach: Reach = isCurrent
      ? { kind: 'all' }
      : { kind: 'organization', name: organizationName }
    const permissionGroups = describePermissions(
      text,
      catalogue,
      api,
      step.offered,
      undefined,
      permissionsTicked(visit, fault),
    )
    return renderer.page(
      visit.request,
      visit.reply,
      'install',
      {
        ...contextOf(visit, text.titles.install, fault),
        withScript: hasFoldedChoice([workspaces]),
      },
      {
        ...organizationFrameOf(visit, step, now),
        mayUntick: step.offered.length > 0,
        ends: endWords(text, endOfNewInstall(step.membership, now())),
        summary: summaryOf(text, { catalogue, api, permissions: step.offered, reach }),
        permissionGroups: forDecision(text, permissionGroups),
        workspaces,
        identity: identityWords(text, step.openidScopes),
        error: faultWords(text, fault),
      },
    )
  }
