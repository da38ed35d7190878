import type { FastifyInstance } from 'fastify'
import type { Limits } from '../../core/limits/limits.ts'
import type { Memberships } from '../../core/organizations/memberships.ts'
import { publicError } from '../oauth/oauth-errors.ts'
import { type AccountAppsDependencies, accountApps } from './account/account-apps.ts'
import { type AccountPasskeysDependencies, accountPasskeys } from './account/account-passkeys.ts'
import { type AccountPasswordDependencies, accountPassword } from './account/account-password.ts'
import { type AccountSessionsDependencies, accountSessions } from './account/account-sessions.ts'
import { type DeviceDependencies, device } from './authorization/device.ts'
import { type InteractionDependencies, interaction } from './authorization/interaction.ts'
import {
  type OrganizationActivityDependencies,
  organizationActivity,
} from './organization/organization-activity.ts'
import {
  type OrganizationAppsDependencies,
  organizationApps,
} from './organization/organization-apps.ts'
import {
  type OrganizationInspectDependencies,
  organizationInspect,
} from './organization/organization-inspect.ts'
import {
  type OrganizationKeysDependencies,
  organizationKeys,
} from './organization/organization-keys.ts'
import { assets } from './rendering/assets.ts'
import { documentation } from './rendering/documentation.ts'
import { formError, protectForms } from './rendering/forms.ts'
import { type NoticesDependencies, notices } from './rendering/notices.ts'
import { limitPosts } from './rendering/post-limit.ts'
import { text } from './rendering/text.ts'
import type { Brand } from './rendering/view-models.ts'
import { type EndSessionDependencies, endSession } from './sign-in/end-session.ts'
import { type PasskeySignInDependencies, passkeySignIn } from './sign-in/passkey-sign-in.ts'
import { type ProviderSignInDependencies, providerSignIn } from './sign-in/provider-sign-in.ts'
import { type SignInDependencies, signIn } from './sign-in/sign-in.ts'
import { createSignInPage } from './sign-in/sign-in-page.ts'

export type PagesDependencies = SignInDependencies &
  ProviderSignInDependencies &
  PasskeySignInDependencies &
  EndSessionDependencies &
  AccountSessionsDependencies &
  NoticesDependencies &
  AccountPasskeysDependencies &
  AccountPasswordDependencies &
  InteractionDependencies &
  DeviceDependencies &
  AccountAppsDependencies &
  OrganizationAppsDependencies &
  OrganizationKeysDependencies &
  OrganizationActivityDependencies &
  OrganizationInspectDependencies & {
    memberships: Memberships
    limits: Pick<Limits, 'authorizationBegun' | 'exportBegun' | 'pagePosted' | 'userCodeTried'>
    brand: Brand
    /** Our own origins. Forms are accepted from no other. */
    origins: readonly string[]
    csrfKey: string
  }

/** All pages for people, shared by both interfaces. */
export const pages = (deps: PagesDependencies) => async (scope: FastifyInstance) => {
  const { renderer, browser } = deps
  assets(scope, deps.brand)
  documentation(scope, renderer)
  await protectForms(scope, browser, deps.origins, deps.csrfKey)
  limitPosts(scope, browser, deps.limits)
  scope.setErrorHandler((error, request, reply) =>
    renderer.error(request, reply, publicError(formError(error))),
  )

  scope.get('/', async (request, reply) => {
    const session = await browser.session(request)
    return renderer.page(
      request,
      reply,
      'home',
      { session, title: text.titles.home },
      {
        signInUrl: '/login',
        organizations: session ? await deps.memberships.administered(session.user.id) : [],
        withPasskeys: deps.ways.passkey,
        withPassword: deps.ways.password,
      },
    )
  })
  const showSignIn = createSignInPage(deps)
  signIn(scope, deps, showSignIn)
  endSession(scope, deps)
  providerSignIn(scope, deps, showSignIn)
  passkeySignIn(scope, deps, showSignIn)
  interaction(scope, deps)
  device(scope, deps)
  accountApps(scope, deps)
  accountSessions(scope, deps)
  notices(scope, deps)
  accountPasskeys(scope, deps)
  accountPassword(scope, deps)
  organizationApps(scope, deps)
  organizationKeys(scope, deps)
  organizationActivity(scope, deps)
  organizationInspect(scope, deps)
}
