// Adds pages behind a gate, and shows those that consist of blocks.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { showAccountBlocks } from '../account/tabs.ts'
import { ownPath, type PartOfPage } from '../rendering/forms/blocks-page.ts'
import { createFormPages } from '../rendering/forms/form-page.ts'
import { type ServiceForm, serviceWork } from '../rendering/forms/service-form.ts'
import type { UserVisit } from '../sign-in/guards.ts'
import type { PageServices } from '../sign-in/services.ts'
import type { Gate } from './gate.ts'

export const showDeveloper = (deps: PageServices, visit: UserVisit, page: PartOfPage) =>
  showAccountBlocks(deps, visit, 'developer', page)

/** Adds pages with one form each, at their own addresses. All of them need a recent sign-in. */
export const createDeveloperForms = <Visit extends UserVisit>(
  scope: FastifyInstance,
  deps: PageServices,
  gate: Gate<Visit>,
) => {
  const { browser, recentSignIn } = deps
  const forms = createFormPages<Visit, ServiceForm>({
    browser,
    show: (visit, _spec, page) => showDeveloper(deps, visit, page),
    work: serviceWork,
  })
  const recently = (work: (visit: Visit) => Promise<FastifyReply>) =>
    gate(async (visit) =>
      recentSignIn.isRecent(visit.session)
        ? work(visit)
        : // The fields do not survive the redirect, so the user has to submit the form again.
          recentSignIn.askAgain(visit.reply, ownPath(visit)),
    )
  type Outcome = ServiceForm | string
  /** @param specify the form, or the address of the page that the user gets instead */
  return (path: string, specify: (visit: Visit) => Promise<Outcome> | Outcome) => {
    const show = (visit: Visit) => forms.get(visit, specify)
    scope.get(path, recently(show))
    const send = (visit: Visit) => forms.send(visit, specify)
    scope.post(path, recently(send))
  }
}

export type DeveloperForm<Visit extends UserVisit> = ReturnType<typeof createDeveloperForms<Visit>>
