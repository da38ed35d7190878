import type { Step } from '../../core/authorization/consent-steps.ts'
import { endOfConsent } from '../../core/authorization/expected-end.ts'
import type { Text } from '../../words/text.ts'
import { endWords } from '../rendering/access-end.ts'
import { forDecision } from '../rendering/decision-list.ts'
import { hasFoldedChoice, workspaceChoice } from '../rendering/fields/workspace-choice.ts'
import { describePermissions, permissionSentence } from '../rendering/permission-list.ts'
import { textOf } from '../rendering/reader-text.ts'
import { momentOf } from '../rendering/render.ts'
import { type Reach, summaryOf } from '../rendering/summary.ts'
import {
  contextOf,
  type FormFault,
  faultWords,
  laterTicked,
  organizationFrameOf,
  permissionsTicked,
  type StepPagesDependencies,
  workspaceOptions,
} from './step-frame.ts'
import type { InteractionVisit } from './visit.ts'

type ConsentStep = Step & { kind: 'consent' }

/** Where the permissions of a consent count. */
const reachOf = ({ app, pending }: InteractionVisit, step: ConsentStep): Reach => {
  if (app.interface === 'legacy')
    return { kind: 'organization', name: step.membership.organizationName }
  const { length: count } = step.workspaces
  const isAll = pending.workspaceIds === null && count > 0 && count === step.workspaceTotal
  return isAll ? { kind: 'all' } : { kind: 'some', count }
}

/** @param resources data APIs; without a name, the platform's own */
const apisOf = ({ formats, consent }: Text, resources: readonly { name: string | null }[]) =>
  consent.apis(formats.list.all([...new Set(resources.map(({ name }) => name ?? consent.ownApi))]))

/** An app may ask for more than the install allows, for example when one of its tools needs it (RFC 6750 §3.1). */
const withheldOf = (
  text: Text,
  { catalogue }: StepPagesDependencies,
  { withheld, membership }: ConsentStep,
) =>
  withheld.length === 0
    ? null
    : text.consent.withheld(
        membership.organizationName,
        text.formats.list.all(withheld.map((one) => permissionSentence(text, catalogue, one))),
      )

/** A list that the user can shorten, and a box for workspaces joined later. */
const workspacesOf = (text: Text, visit: InteractionVisit, step: ConsentStep, fault?: FormFault) =>
  workspaceChoice(text, {
    all: null,
    options: workspaceOptions(step.workspaces, fault),
    total: step.workspaceTotal,
    later: visit.pending.workspaceIds === null ? { ticked: laterTicked(visit, fault) } : null,
  })

const permissionsOf = (
  text: Text,
  { catalogue }: StepPagesDependencies,
  visit: InteractionVisit,
  { offered, before, openidScopes }: ConsentStep,
  fault?: FormFault,
) =>
  describePermissions(
    text,
    catalogue,
    visit.app.interface,
    offered,
    before?.permissions,
    permissionsTicked(visit, fault),
    {
      scopes: openidScopes,
      reader: 'self',
      ...(before && { before: before.openidScopes }),
    },
  )

/** Asks a user to let an installed app act with their account. */
export const consentPage =
  (deps: StepPagesDependencies) =>
  (visit: InteractionVisit, step: ConsentStep, fault?: FormFault) => {
    const { renderer, catalogue, now } = deps
    const text = textOf(visit.request)
    const api = visit.app.interface
    const { install } = step.membership
    const workspaces = api === 'current' ? workspacesOf(text, visit, step, fault) : null
    return renderer.page(
      visit.request,
      visit.reply,
      'consent',
      {
        ...contextOf(visit, text.titles.consent, fault),
        withScript: hasFoldedChoice([workspaces]),
      },
      {
        ...organizationFrameOf(visit, step, now),
        mayUntick: step.offered.length > 0,
        apis: step.resources && apisOf(text, step.resources),
        withheld: withheldOf(text, deps, step),
        ends: endWords(text, endOfConsent(step.membership, step.before !== null, now())),
        summary: summaryOf(text, {
          catalogue,
          api,
          permissions: step.offered,
          reach: reachOf(visit, step),
        }),
        permissionGroups: forDecision(text, permissionsOf(text, deps, visit, step, fault)),
        workspaces,
        approval: install.approvedBy
          ? { by: install.approvedBy, on: momentOf(text, install.createdAt) }
          : null,
        error: faultWords(text, fault),
      },
    )
  }
