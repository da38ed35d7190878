// What a user's answer does, by the step that the user is at.
import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Step } from '../../core/authorization/consent-steps.ts'
import type {
  AuthorizationAnswer,
  AuthorizationRequest,
} from '../../core/authorization/requests.ts'
import { isIdShaped } from '../../core/crypto/identifiers.ts'
import { OAuthError } from '../../core/language/errors.ts'
import { noAudience } from '../../core/organizations/audience.ts'
import { continuationOf, gone, isAnswerOfUser } from '../../http/browser/answered-request.ts'
import { signedOf } from '../../http/browser/browser.ts'
import { logRefusal } from '../../http/oauth/oauth-errors.ts'
import { remember } from '../rendering/done-notice.ts'
import { readApproval, tamperedForm } from '../rendering/forms/approval-form.ts'
import { field, fields } from '../rendering/forms/sent-values.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { PageServices } from '../sign-in/services.ts'
import { decidedBy, decisionIn, isOtherOrganization, isOtherStep, reasonIn } from './step-form.ts'
import type { InteractionVisit } from './step-frame.ts'
import { showStep } from './step-pages.ts'

const notAllowed = () =>
  new OAuthError('access_denied', 'only an admin of the organization can approve this app', {
    reason: 'form_refused',
  })

const installedBy = ({ session }: InteractionVisit, organizationId: string, installId: string) => ({
  ...{ kind: 'installed' as const, codeId: randomUUID() },
  ...{ userId: session.user.id, organizationId, installId },
})

const continuationPath = (pending: AuthorizationRequest) =>
  `/interaction/${pending.id}/${continuationOf(pending)}`

/** @param find reads a request of this browser again */
export const createStepAnswers = (
  deps: PageServices,
  find: (request: FastifyRequest, id: string) => Promise<AuthorizationRequest>,
) => {
  const { requests, consents, installRequests, administering, recentSignIn } = deps

  const again = ({ reply, pending }: InteractionVisit) =>
    reply.redirect(`/interaction/${pending.id}`, 303)

  /**
   * A second click may have cancelled the redirect of the first. So a repeated answer gets a page with a link to
   * continue.
   */
  const answeredBefore = async (
    request: FastifyRequest,
    reply: FastifyReply,
    pending: AuthorizationRequest,
    repeated = decisionIn(request),
  ) => {
    const { answer } = pending
    const isOwnAnswer = await isAnswerOfUser(deps, request, answer)
    if (!answer || decidedBy(answer) !== repeated || !isOwnAnswer) throw gone()
    logRefusal(request, gone())
    const { goOn, ...words } = textOf(request).error.answered
    const actions = [{ label: goOn, href: continuationPath(pending) }]
    const context = { session: null, title: words.heading, status: 400 }
    const own = { ...words, details: null, actions }
    return deps.renderer.page(request, reply, 'error', context, own)
  }

  /** Only the first answer counts. A second click, a back button or another tab finds it given. */
  const finish = async (
    { request, reply, pending, text, app }: InteractionVisit,
    answer: AuthorizationAnswer,
    organization: string | null = null,
  ) => {
    if (!(await requests.answer(pending, answer)))
      return answeredBefore(request, reply, await find(request, pending.id), decidedBy(answer))
    const { allowed, installed, refused } = text.done.answered
    const said = {
      approved: allowed(app.name, organization),
      installed: installed(app.name, organization ?? ''),
      refused: refused(app.name),
    }[answer.kind]
    const at =
      answer.kind === 'installed'
        ? `/organizations/${answer.organizationId}/apps/${encodeURIComponent(app.clientId)}`
        : '/account/apps'
    remember(request, { from: `/interaction/${pending.id}`, said, at })
    return reply.redirect(continuationPath(pending), 303)
  }

  const choose = async (visit: InteractionVisit, organizationId: string) => {
    const { pending, app, session } = visit
    const chosen = { ...pending, organizationId, organizationHint: organizationId }
    const step = await consents.next(chosen, app, signedOf(session))
    if (step.kind === 'choose_organization') return showStep(visit, step, 'choice_missing')
    if (!(await requests.chooseOrganization(pending, organizationId))) throw gone()
    return again(visit)
  }

  const approveInstall = async (visit: InteractionVisit, step: Step & { kind: 'install' }) => {
    const { request, app } = visit
    const present = step.workspaces.map((one) => one.id)
    const approval = readApproval(request, app, step.offered, present)
    if (typeof approval === 'string') return showStep(visit, step, approval)
    const isSensitive = deps.catalogue.hasSensitive(app.interface, approval.permissions)
    if (isSensitive && !recentSignIn.isRecent(visit.session))
      return recentSignIn.askAgain(visit.reply, `/interaction/${visit.pending.id}`)
    const { organizationId, organizationName } = step.membership
    const isForMe = field(request, 'who') === 'me'
    const audience = isForMe ? { ...noAudience, users: [visit.session.user.id] } : null
    const choice = { organizationId, clientId: app.clientId, ...approval, audience }
    const install = await deps.installs.install(choice, visit.cause)
    return visit.pending.installLink
      ? finish(visit, installedBy(visit, organizationId, install.id), organizationName)
      : again(visit)
  }

  /** The next page shows the consent, or whom to ask, if the member may no longer do this. */
  const approveSelfInstall = async (
    visit: InteractionVisit,
    { membership, offered }: Step & { kind: 'self_install' },
  ) => {
    const { app, session, pending } = visit
    const install = { organizationId: membership.organizationId, clientId: app.clientId }
    const person = { userId: session.user.id, permissions: offered }
    const byDevice = Boolean(pending.device)
    await deps.installs.installForSelf({ ...install, ...person, byDevice }, visit.cause)
    return again(visit)
  }

  /** Only an admin of the organization can confirm an install for the app. */
  const confirmInstall = (visit: InteractionVisit, step: Step & { kind: 'installed' }) => {
    const { organizationId, organizationName, role, install } = step.membership
    if (role !== 'admin') throw notAllowed()
    return finish(visit, installedBy(visit, organizationId, install.id), organizationName)
  }

  const approveConsent = async (visit: InteractionVisit, step: Step & { kind: 'consent' }) => {
    const { request, pending, app, session } = visit
    const ticked = {
      permissions: fields(request, 'permissions'),
      workspaceIds: fields(request, 'workspace_ids'),
      later: field(request, 'later_offered') === '' || field(request, 'later_workspaces') !== '',
    }
    if (step.workspaces.length > 0 && ticked.workspaceIds.length === 0)
      return showStep(visit, step, 'workspace_missing')
    const asking = { request: pending, app, signed: signedOf(session) }
    const approval = await consents.approve(step, asking, ticked, visit.cause)
    const { organizationName } = step.membership
    return approval ? finish(visit, approval, organizationName) : showStep(visit, step, 'outdated')
  }

  /** Withdraws the request. The next page shows the current state, even if an admin answered first. */
  const withdraw = async (visit: InteractionVisit, organizationId: string) => {
    const { app, session } = visit
    const request = { userId: session.user.id, clientId: app.clientId, organizationId }
    if (!isIdShaped(organizationId)) throw tamperedForm()
    await installRequests.withdraw(request, visit.cause)
    return again(visit)
  }

  /** False for an admin who must use a passkey before a page that decides for the organization. */
  const mayGoOn = ({ session }: InteractionVisit, step: Step) =>
    !['install', 'installed'].includes(step.kind) || administering.mayAdminister(session)

  const askForPasskey = ({ reply, pending }: InteractionVisit) =>
    administering.askForPasskey(reply, `/interaction/${pending.id}`)

  const askAdmins = async (visit: InteractionVisit, step: Step & { kind: 'ask_admin' }) => {
    const { request, app, session } = visit
    const reason = reasonIn(request)
    await consents.askAdmins({ step, app, signed: signedOf(session), reason }, visit.cause)
    return again(visit)
  }

  /** The approval of each step. A step without one only has its page. */
  const approve = (visit: InteractionVisit, step: Step) => {
    switch (step.kind) {
      case 'install':
        return approveInstall(visit, step)
      case 'self_install':
        return approveSelfInstall(visit, step)
      case 'installed':
        return confirmInstall(visit, step)
      case 'consent':
        return approveConsent(visit, step)
      default:
        return showStep(visit, step)
    }
  }

  /** What the form has decided about the step that is the user's now. */
  const decide = async (visit: InteractionVisit, step: Step) => {
    const decision = field(visit.request, 'decision')
    if (decision === 'deny') return finish(visit, { kind: 'refused', error: 'access_denied' })
    const chosen = field(visit.request, 'organization_id')
    const isChoice = decision === '' && field(visit.request, 'step') === ''
    if (chosen !== '' && isChoice) return choose(visit, chosen)
    if (decision === 'withdraw') return withdraw(visit, chosen)
    if (isOtherStep(visit, step)) return again(visit)
    if (step.kind === 'ask_admin' && decision !== 'request') throw notAllowed()
    if (isOtherOrganization(visit, step)) return again(visit)
    if (!mayGoOn(visit, step)) return askForPasskey(visit)
    if (step.kind === 'answered') return finish(visit, step.answer)
    if (step.kind === 'ask_admin') return askAdmins(visit, step)
    if (step.kind === 'choose_organization') return showStep(visit, step, 'choice_missing')
    return decision === 'approve' ? approve(visit, step) : showStep(visit, step)
  }

  /** The page of the step, unless the user has to do something else first. */
  const show = (visit: InteractionVisit, step: Step) => {
    if (step.kind === 'answered') return finish(visit, step.answer)
    return mayGoOn(visit, step) ? showStep(visit, step) : askForPasskey(visit)
  }

  return { answeredBefore, decide, show }
}
