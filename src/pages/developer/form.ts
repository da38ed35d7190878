// Forms of owners of apps, and the pages that show their new secrets.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../../core/people/session.ts'
import type { Browser } from '../../http/browser/browser.ts'
import { type AccountTabsDependencies, accountTabs } from '../account/tabs.ts'
import { ownPath, type PartOfPage, showBlocks } from '../rendering/forms/blocks-page.ts'
import { createFormPages, type FormVisit } from '../rendering/forms/form-page.ts'
import { type ServiceForm, serviceWork } from '../rendering/forms/service-form.ts'
import type { Renderer } from '../rendering/render.ts'
import type { RecentSignIn } from '../sign-in/recent-sign-in.ts'

export interface DeveloperFormDependencies extends AccountTabsDependencies {
  browser: Browser
  renderer: Renderer
  recentSignIn: RecentSignIn
}

type Visit = FormVisit & { session: Session }

/** A page with the tabs of the account. */
export const showDeveloper = async (
  deps: AccountTabsDependencies & { renderer: Renderer },
  visit: Visit,
  page: PartOfPage,
): Promise<FastifyReply> => {
  const { text, session } = visit
  const tabs = await accountTabs(text, 'developer', session, deps)
  return showBlocks(deps.renderer, visit, { tabs, navigation: text.accountTabs.label }, page)
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Adds pages with one form each, at their own addresses. All of them need a recent sign-in. */
export const createDeveloperForms = <Own extends Visit>(
  scope: FastifyInstance,
  deps: DeveloperFormDependencies,
  gate: (work: (visit: Own) => Promise<FastifyReply>) => Handler,
) => {
  const { browser, recentSignIn } = deps
  const forms = createFormPages<Own, ServiceForm>({
    browser,
    show: (visit, _spec, page) => showDeveloper(deps, visit, page),
    work: serviceWork,
  })
  const recently = (work: (visit: Own) => Promise<FastifyReply>) =>
    gate(async (visit) =>
      recentSignIn.isRecent(visit.session)
        ? work(visit)
        : // The fields do not survive the redirect, so the user has to submit the form again.
          recentSignIn.askAgain(visit.reply, ownPath(visit)),
    )
  /** @param specify the form, or the address of the page that the user gets instead */
  return (
    path: string,
    specify: (visit: Own) => Promise<ServiceForm | string> | ServiceForm | string,
  ) => {
    scope.get(
      path,
      recently((visit) => forms.get(visit, specify)),
    )
    scope.post(
      path,
      recently((visit) => forms.send(visit, specify)),
    )
  }
}
