import type { FastifyInstance } from 'fastify'
import { publicError } from '../http/oauth/oauth-errors.ts'
import { recentApps } from './account/apps.ts'
import { accountPages } from './account/pages.ts'
import { authorizationPages } from './authorization/pages.ts'
import { developerPages } from './developer/pages.ts'
import type { OperatorPagesDependencies } from './operator/gate.ts'
import { operatorPages } from './operator/pages.ts'
import { organizationPages } from './organization/pages.ts'
import { assets } from './rendering/assets.ts'
import { documentation } from './rendering/documentation.ts'
import { doneNotices } from './rendering/done-notice.ts'
import { formError, limitPosts, protectForms, queried } from './rendering/forms/sent-values.ts'
import { leftLists } from './rendering/left-lists.ts'
import { logos } from './rendering/logos.ts'
import { notices } from './rendering/notices.ts'
import { textOf } from './rendering/reader-text.ts'
import { signInPages } from './sign-in/pages.ts'
import { undoPage } from './undo.ts'

export interface PagesDependencies extends OperatorPagesDependencies {
  /** Our own origins. Forms are accepted from no other. */
  origins: readonly string[]
  csrfKey: string
}

/** All pages for people, shared by both interfaces. */
export const pages = (deps: PagesDependencies) => async (scope: FastifyInstance) => {
  const { renderer, browser } = deps
  assets(scope, renderer)
  documentation(scope, renderer)
  logos(scope, deps.logos)
  await protectForms(scope, browser, deps.origins, deps.csrfKey)
  limitPosts(scope, browser, deps.limits)
  doneNotices(scope, browser)
  leftLists(scope, browser)
  scope.setErrorHandler((error, request, reply) =>
    renderer.error(request, reply, publicError(formError(error))),
  )

  // GET shows a new secret once, so HEAD would lose it.
  scope.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'HEAD' || queried(request, 'handover') === '') return
    reply.header('allow', 'GET')
    return renderer.wrongMethod(request, reply)
  })

  scope.get('/', async (request, reply) => {
    const session = await browser.session(request)
    const organizations = session ? await deps.memberships.all(session.user.id) : []
    const administered = organizations.filter(({ role }) => role === 'admin')
    const hasDirectory = organizations.length > 0 && !(await deps.directory.isEmpty())
    const text = textOf(request)
    const context = { session, title: text.titles.home }
    return renderer.page(request, reply, 'home', context, {
      signInUrl: '/login',
      apps: session ? await recentApps(text, deps.connections, session) : [],
      organizations: administered,
      /** Organizations in which apps wait for a decision of this admin, and how many. */
      waiting:
        session && administered.length > 0
          ? await deps.organizationApps.waitingFor(session.user.id)
          : [],
      /** Empty when the operator has listed no app. */
      directories: hasDirectory ? organizations : [],
      isOperator: session?.isOperator ?? false,
      ownsApps: session !== null && (await deps.appOwners.ownsApps(session.user.id)),
      withPasskeys: deps.ways.passkey,
      withPassword: deps.ways.password,
      withMails: deps.ways.mails,
    })
  })
  notices(scope, deps)
  signInPages(scope, deps)
  authorizationPages(scope, deps)
  accountPages(scope, deps)
  organizationPages(scope, deps)
  developerPages(scope, deps)
  operatorPages(scope, deps)
  undoPage(scope, deps)
}
