import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isIdShaped } from '../../core/crypto/identifiers.ts'
import { OAuthError } from '../../core/language/errors.ts'
import type { OwnPassword } from '../../core/people/own-password.ts'
import type { Passkeys } from '../../core/people/passkeys.ts'
import type { Session } from '../../core/people/session.ts'
import { type Browser, causeOf } from '../../http/browser/browser.ts'
import { field, fields } from '../rendering/forms/sent-values.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { Renderer } from '../rendering/render.ts'
import type { PasswordPage } from '../rendering/view-models/account.ts'
import { signInUrl, tooManyAttempts } from '../sign-in/page.ts'
import { type AccountTabsDependencies, accountTabs } from './tabs.ts'

export interface AccountPasswordDependencies extends AccountTabsDependencies {
  ownPassword: OwnPassword
  /** null when passkeys cannot work or are switched off. */
  passkeys: Passkeys | null
  browser: Browser
  renderer: Renderer
}

const path = '/account/password'

/** The page to change the user's password. Absent when passwords are switched off. */
export const accountPassword = (scope: FastifyInstance, deps: AccountPasswordDependencies) => {
  const { ownPassword, passkeys, browser, renderer, ways } = deps
  if (!ways.password) return

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    session: Session,
    form: Partial<Pick<PasswordPage, 'error' | 'errorField' | 'notice'>> & { status?: number } = {},
  ) => {
    const { status, ...shown } = form
    const text = textOf(request)
    const ticked = fields(request, 'remove_passkeys')
    const present = passkeys ? await passkeys.list(session.user.id) : []
    return renderer.page(
      request,
      reply,
      'password',
      {
        session,
        title: text.titles.password,
        withScript: true,
        ...(status && { status }),
      },
      {
        tabs: await accountTabs(text, 'password', session, deps),
        action: path,
        notice: null,
        error: null,
        errorField: null,
        hasPassword: await ownPassword.exists(session),
        passkeys: present.map(({ id, name }) => ({ id, name, isTicked: ticked.includes(id) })),
        ...shown,
      },
    )
  }

  scope.get<{ Querystring: Record<string, unknown> }>(path, async (request, reply) => {
    const session = await browser.session(request)
    if (!session) return reply.redirect(signInUrl(path), 303)
    const isDone = request.query.changed !== undefined
    return show(request, reply, session, isDone ? { notice: textOf(request).password.changed } : {})
  })

  scope.post(path, async (request, reply) => {
    const session = await browser.session(request)
    if (!session) return reply.redirect(signInUrl(path), 303)
    const form = {
      current: field(request, 'current_password'),
      next: field(request, 'new_password'),
    }
    try {
      const changed = await ownPassword.change(session, form, causeOf(request, session))
      if ('fault' in changed) {
        const { fault } = changed
        const isWrong = fault === 'wrong'
        const text = textOf(request)
        return await show(request, reply, session, {
          error: isWrong ? text.password.wrong : text.faults[fault],
          errorField: isWrong ? 'current_password' : 'new_password',
          status: isWrong ? 403 : 400,
        })
      }
      for (const id of fields(request, 'remove_passkeys').filter(isIdShaped))
        await passkeys?.remove(session, id, causeOf(request, session))
      // The user signed out in another tab meanwhile. The password is changed, but the user must not become signed in.
      if (changed.token === null) {
        await browser.closeSession(request, reply)
        return reply.redirect(signInUrl(path), 303)
      }
      await browser.openSession(request, reply, changed.token)
      return reply.header('cache-control', 'no-store').redirect(`${path}?changed`, 303)
    } catch (error) {
      if (!(error instanceof OAuthError) || error.status !== 429) throw error
      const errorField = 'current_password'
      return show(request, reply, session, {
        error: tooManyAttempts(reply, error),
        errorField,
        status: 429,
      })
    }
  })
}
