import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { OAuthError } from '../../domain/errors.ts'
import type { OwnPassword } from '../../services/own-password.ts'
import type { Session } from '../../services/sessions.ts'
import { type Browser, originOf } from '../browser.ts'
import { accountTabs } from './account-tabs.ts'
import { field } from './forms.ts'
import type { Renderer } from './render.ts'
import { type SignInWays, signInUrl, tooMany } from './sign-in-page.ts'
import { text } from './text.ts'
import type { PasswordPage } from './view-models.ts'

export interface AccountPasswordDependencies {
  ownPassword: OwnPassword
  browser: Browser
  renderer: Renderer
  ways: SignInWays
}

const path = '/account/password'

/** One's own password, where there is one. */
export const accountPassword = (scope: FastifyInstance, deps: AccountPasswordDependencies) => {
  const { ownPassword, browser, renderer, ways } = deps
  if (!ways.password) return

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    session: Session,
    form: Partial<Pick<PasswordPage, 'error' | 'errorField' | 'notice'>> & { status?: number } = {},
  ) => {
    const { status, ...shown } = form
    return renderer.page(
      request,
      reply,
      'password',
      { session, title: text.titles.password, ...(status && { status }) },
      {
        tabs: accountTabs('password', ways),
        action: path,
        notice: null,
        error: null,
        errorField: null,
        hasPassword: await ownPassword.exists(session),
        ...shown,
      },
    )
  }

  scope.get<{ Querystring: Record<string, unknown> }>(path, async (request, reply) => {
    const session = await browser.session(request)
    if (!session) return reply.redirect(signInUrl(path), 303)
    const isDone = request.query.changed !== undefined
    return show(request, reply, session, isDone ? { notice: text.password.changed } : {})
  })

  scope.post(path, async (request, reply) => {
    const session = await browser.session(request)
    if (!session) return reply.redirect(signInUrl(path), 303)
    const form = {
      current: field(request, 'current_password'),
      next: field(request, 'new_password'),
    }
    try {
      const changed = await ownPassword.change(session, form, originOf(request, session))
      if ('fault' in changed) {
        const isWrong = changed.fault === 'wrong'
        return await show(request, reply, session, {
          error: text.password[changed.fault],
          errorField: isWrong ? 'current_password' : 'new_password',
          status: isWrong ? 403 : 400,
        })
      }
      await browser.openSession(request, reply, changed.token)
      return reply.header('cache-control', 'no-store').redirect(`${path}?changed`, 303)
    } catch (error) {
      if (!(error instanceof OAuthError) || error.status !== 429) throw error
      const errorField = 'current_password'
      return show(request, reply, session, {
        error: tooMany(reply, error),
        errorField,
        status: 429,
      })
    }
  })
}
