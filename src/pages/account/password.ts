import { isIdShaped } from '../../core/crypto/identifiers.ts'
import { doneNotice } from '../rendering/done-notice.ts'
import { field, fields } from '../rendering/forms/sent-values.ts'
import type { Notice } from '../rendering/view-models/frame.ts'
import type { UserVisit } from '../sign-in/guards.ts'
import { signInUrl, tooManyFor } from '../sign-in/page.ts'
import type { AccountRoutes } from './routes.ts'

const path = '/account/password'

/** The page to change the user's password. Absent when passwords are switched off. */
export const accountPassword = ({ get, post, show, deps }: AccountRoutes) => {
  const { ownPassword, passkeys, browser, ways } = deps
  if (!ways.password) return

  const showForm = async (
    visit: UserVisit,
    form: { error?: string; errorField?: string; notice?: Notice | null; status?: number },
  ) => {
    const { request, text, session } = visit
    const ticked = fields(request, 'remove_passkeys')
    const present = passkeys ? await passkeys.list(session.user.id) : []
    return show(visit, 'password', 'password', {
      title: text.titles.password,
      withScript: true,
      action: path,
      notice: null,
      error: null,
      errorField: null,
      hasPassword: await ownPassword.exists(session),
      passkeys: present.map(({ id, name }) => ({ id, name, isTicked: ticked.includes(id) })),
      ...form,
    })
  }

  get(path, async (visit) => {
    const { changed } = visit.text.password
    return showForm(visit, { notice: doneNotice(visit.request, { changed }) })
  })

  post(path, async (visit) => {
    const { request, reply, text, session, cause } = visit
    const form = {
      current: field(request, 'current_password'),
      next: field(request, 'new_password'),
    }
    try {
      const changed = await ownPassword.change(session, form, cause)
      if ('fault' in changed) {
        const { fault } = changed
        const isWrong = fault === 'wrong'
        return await showForm(visit, {
          error: isWrong ? text.password.wrong : text.faults[fault],
          errorField: isWrong ? 'current_password' : 'new_password',
          status: isWrong ? 403 : 400,
        })
      }
      for (const id of fields(request, 'remove_passkeys').filter(isIdShaped))
        await passkeys?.remove(session, id, cause)
      // The user signed out in another tab meanwhile. The password is changed, but the user must not become signed in.
      if (changed.token === null) {
        await browser.closeSession(request, reply)
        return reply.redirect(signInUrl(path), 303)
      }
      await browser.openSession(request, reply, changed.token)
      return reply.redirect(`${path}?done=changed`, 303)
    } catch (error) {
      return showForm(visit, { ...tooManyFor(reply, error), errorField: 'current_password' })
    }
  })
}
