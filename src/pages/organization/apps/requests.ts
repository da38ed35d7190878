// The requests of members: the page of one app, to which a mail leads, and the page that decides about several.
import { lockedPermissions } from '../../../core/clients/required-permissions.ts'
import { isIdShaped } from '../../../core/crypto/identifiers.ts'
import type { Undoable } from '../../../core/grants/undo.ts'
import { NotFound } from '../../../core/language/service-errors.ts'
import type { RequestedApp } from '../../../core/organizations/install-requests.ts'
import { lastAnswer, tell } from '../../rendering/done-notice.ts'
import { hasFoldedChoice } from '../../rendering/fields/workspace-choice.ts'
import { leave } from '../../rendering/forms/blocks-page.ts'
import { field, plainText } from '../../rendering/forms/sent-values.ts'
import { asLeft } from '../../rendering/left-lists.ts'
import { describePermissions, initialTicks } from '../../rendering/permission-list.ts'
import { signInUrl } from '../../sign-in/page.ts'
import { showPage } from '../frame.ts'
import { type AdminVisit, installIn, parameter } from '../gate.ts'
import type { AdminRoutes } from '../routes.ts'
import { requestItem } from './items.ts'

/** Letters of a reason, as of the one that a member gives. */
export const longestReason = 500

export const organizationRequests = ({ get, form, deps }: AdminRoutes) => {
  const { installRequests, installs, workspaces, catalogue, recentSignIn, browser } = deps

  get('/requests/:client_id', async (visit) => {
    const { request, organization, base } = visit
    const requested = await installRequests.list(organization.id)
    const clientId = parameter(request, 'client_id')
    const one = requested.find(({ app }) => app.clientId === clientId)
    if (!one && lastAnswer(request, browser)) throw new NotFound('install request')
    // The mail is older than the answer of another admin.
    if (!one) return leave(visit, `${base}/apps`, 'outdated')
    const names = await workspaces.names(organization.id)
    const item = requestItem(visit, one, names, null)
    return showPage(visit, 'apps', 'organization-request', {
      title: one.app.name,
      withScript: hasFoldedChoice([item.workspaces]),
      notice: null,
      action: `${base}/apps`,
      backUrl: asLeft(request, `${base}/apps`),
      request: item,
    })
  })

  /** What is approved together: what each app cannot do without, and nothing sensitive beyond it. */
  const approvalOf = ({ app, permissions }: RequestedApp) => {
    const locked = lockedPermissions(app, permissions)
    return [...new Set([...locked, ...initialTicks(deps, app, permissions)])]
  }

  const optionOf = (visit: AdminVisit, one: RequestedApp) => {
    const { app, requests, isInstalled } = one
    const people = [...new Set(requests.map(({ user }) => user.name))].join(', ')
    const may = describePermissions(visit, app.interface, approvalOf(one))
      .flatMap(({ lines }) => lines)
      .map(({ sentence, mark }) => (mark ? `${sentence} (${mark})` : sentence))
    const hint = isInstalled ? people : `${people} · ${may.join('; ')}`
    return { value: app.clientId, label: app.name, hint }
  }

  const seenIn = (visit: AdminVisit) => {
    const ids = field(visit.request, 'seen').split(' ').filter(isIdShaped)
    return ({ requests }: RequestedApp) =>
      requests.map(({ id }) => id).filter((id) => ids.includes(id))
  }

  const approve = async (
    visit: AdminVisit,
    one: RequestedApp,
    ids: string[],
  ): Promise<Undoable> => {
    const { cause } = visit
    const install = installIn(visit, one.app.clientId)
    if (one.isInstalled) {
      const requestIds = await installRequests.approve({ ...install, ids }, cause)
      return { kind: 'reopen', install, requestIds }
    }
    const approval = { permissions: approvalOf(one), offered: one.permissions, workspaceIds: null }
    const { updatedAt } = await installs.approveRequested({ ...install, ...approval }, cause)
    const requestIds = one.requests.map(({ id }) => id)
    return { kind: 'uninstall', install, at: updatedAt.getTime(), requestIds }
  }

  const refuse = async (
    visit: AdminVisit,
    { app }: RequestedApp,
    answer: { ids: string[]; reason: string | null },
  ): Promise<Undoable> => {
    const install = installIn(visit, app.clientId)
    const requestIds = await installRequests.refuse({ ...install, ...answer }, visit.cause)
    return { kind: 'reopen', install, requestIds }
  }

  /** @returns how to undo it; null when another admin was first */
  const unlessAnswered = (work: Promise<Undoable>): Promise<Undoable | null> =>
    work.catch((error) => {
      if (error instanceof NotFound) return null
      throw error
    })

  form('/requests', async (visit) => {
    const { request, text, organization, session, base } = visit
    const words = text.organization.severalRequests
    const requested = await installRequests.list(organization.id)
    const isRefusal = field(request, 'decision') === 'refuse'
    const seenOf = seenIn(visit)
    return {
      tab: 'apps',
      title: words.title,
      heading: words.heading(organization.name),
      lead: words.lead,
      fields: [
        {
          ...{ name: 'client_ids', kind: 'ticks', label: words.apps, isRequired: true },
          missing: words.missing,
          options: requested.map((one) => optionOf(visit, one)),
        },
        {
          ...{ name: 'refusal_reason', kind: 'text', most: longestReason },
          label: text.organization.requests.refusalReason,
        },
      ],
      submit: words.approve,
      decision: 'approve',
      other: { submit: words.refuse, decision: 'refuse' },
      hidden: {
        seen: requested.flatMap(({ requests }) => requests.map(({ id }) => id)).join(' '),
      },
      cancelUrl: `${base}/apps`,
      work: async ({ client_ids: ticked, refusal_reason: typed }) => {
        const chosen = requested.filter(({ app }) => (ticked as string[]).includes(app.clientId))
        const isSensitive = chosen.some((one) =>
          catalogue.hasSensitive(one.app.interface, approvalOf(one)),
        )
        if (!isRefusal && isSensitive && !recentSignIn.isRecent(session))
          return signInUrl(`${base}/requests`, 'confirm')
        const reason = plainText(String(typed ?? ''), longestReason) || null
        const names: string[] = []
        const all: Undoable[] = []
        for (const one of chosen) {
          const ids = seenOf(one)
          const done = await unlessAnswered(
            isRefusal ? refuse(visit, one, { ids, reason }) : approve(visit, one, ids),
          )
          if (!done) continue
          names.push(one.app.name)
          all.push(done)
        }
        const undo = all.length > 0 && (await deps.undo.offer(all, browser.sessionMark(request)))
        tell(request, {
          names: { app: names, organization: organization.name },
          ...(undo && { undo }),
        })
        const done = isRefusal ? 'refused_several' : 'approved_several'
        return `${base}/apps?done=${names.length > 0 ? done : 'outdated'}`
      },
    }
  })
}
