import type { FastifyInstance } from 'fastify'
import type { AppOwners } from '../core/clients/app-owners.ts'
import type { Limits } from '../core/limits/limits.ts'
import type { LogoStore } from '../core/logos/logo-store.ts'
import type { Directory } from '../core/organizations/directory.ts'
import type { Memberships } from '../core/organizations/memberships.ts'
import type { OrganizationApps } from '../core/organizations/organization-apps.ts'
import type { Browser } from '../http/browser/browser.ts'
import { publicError } from '../http/oauth/oauth-errors.ts'
import { recentApps } from './account/apps.ts'
import { accountPages } from './account/pages.ts'
import type { AccountPagesDependencies } from './account/routes.ts'
import { type AuthorizationPagesDependencies, authorizationPages } from './authorization/pages.ts'
import { type DeveloperPagesDependencies, developerPages } from './developer/pages.ts'
import { type OperatorPagesDependencies, operatorPages } from './operator/pages.ts'
import type { OrganizationPagesDependencies } from './organization/dependencies.ts'
import { organizationPages } from './organization/pages.ts'
import { assets } from './rendering/assets.ts'
import { documentation } from './rendering/documentation.ts'
import { doneNotices } from './rendering/done-notice.ts'
import { formError, limitPosts, protectForms, queried } from './rendering/forms/sent-values.ts'
import { leftLists } from './rendering/left-lists.ts'
import { logos } from './rendering/logos.ts'
import { type NoticesDependencies, notices } from './rendering/notices.ts'
import { textOf } from './rendering/reader-text.ts'
import type { Renderer } from './rendering/render.ts'
import type { SignInWays } from './sign-in/page.ts'
import { type SignInPagesDependencies, signInPages } from './sign-in/pages.ts'
import { type UndoDependencies, undoPage } from './undo.ts'

export interface PagesDependencies extends NoticesDependencies, UndoDependencies {
  browser: Browser
  renderer: Renderer
  memberships: Pick<Memberships, 'all' | 'asAdmin'>
  organizationApps: Pick<OrganizationApps, 'waitingFor'>
  directory: Pick<Directory, 'isEmpty'>
  appOwners: Pick<AppOwners, 'ownsApps'>
  limits: Pick<Limits, 'pagePosted'>
  ways: SignInWays
  logos: Pick<LogoStore, 'image' | 'stateOf'>
  /** Our own origins. Forms are accepted from no other. */
  origins: readonly string[]
  csrfKey: string
  signIn: SignInPagesDependencies
  account: AccountPagesDependencies
  authorization: AuthorizationPagesDependencies
  organization: OrganizationPagesDependencies
  developer: DeveloperPagesDependencies
  operator: OperatorPagesDependencies
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
      apps: session ? await recentApps(text, deps.account.connections, session) : [],
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
  signInPages(scope, deps.signIn)
  authorizationPages(scope, deps.authorization)
  accountPages(scope, deps.account)
  organizationPages(scope, deps.organization)
  developerPages(scope, deps.developer)
  operatorPages(scope, deps.operator)
  undoPage(scope, deps)
}
