import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isIdShaped } from '../../core/crypto/identifiers.ts'
import type { Passkey } from '../../core/people/passkeys.ts'
import type { Session } from '../../core/people/session.ts'
import type { Text } from '../../words/text.ts'
import { doneNotice } from '../rendering/done-notice.ts'
import { field, localPath, queried } from '../rendering/forms/sent-values.ts'
import { textOf } from '../rendering/reader-text.ts'
import { momentOf } from '../rendering/render.ts'
import type { Notice } from '../rendering/view-models/frame.ts'
import type { UserVisit } from '../sign-in/guards.ts'
import { signInUrl } from '../sign-in/page.ts'
import type { AccountRoutes } from './routes.ts'

const path = '/account/passkeys'

interface Form {
  notice?: Notice | null
  error?: string
  /** The typed name of an existing or a new passkey, and whether it was refused. */
  typed?: { id: string | null; name: string; isWrong: boolean }
}

const itemOf = (text: Text, { id, name, createdAt, lastUsed }: Passkey, typed: Form['typed']) => ({
  id,
  name,
  added: momentOf(text, createdAt),
  lastUsed: lastUsed && momentOf(text, lastUsed),
  refusedName: typed?.id === id ? typed.name : null,
})

const here = (returnTo: string, done?: string) => {
  const query = new URLSearchParams({
    ...(done && { done }),
    ...(returnTo && { return_to: returnTo }),
  })
  return query.size > 0 ? `${path}?${query}` : path
}

/** The page for the user's passkeys: add, rename, remove. */
export const accountPasskeys = (
  scope: FastifyInstance,
  { get, post, show, deps }: AccountRoutes,
) => {
  const { passkeys, administering, recentSignIn, browser, ways, origin } = deps
  /** The address to return to, of the page or of its form; empty: none. */
  const returnOf = (request: FastifyRequest) => {
    const value = (request.method === 'GET' ? queried : field)(request, 'return_to')
    return value === '' ? '' : localPath(value, origin)
  }
  const pageOf = (request: FastifyRequest) => here(returnOf(request))

  /** Why passkeys cannot be added or removed now, with a link that helps. These checks prevent lasting access for an attacker with a stolen password or an unattended computer. */
  const obstacleTo = (text: Text, session: Session, present: Passkey[], returnTo: string) => {
    const { unavailable, providerOnly, unconfirmed, useOne, stale, signInAgain } = text.passkeys
    if (!passkeys) return { words: ways.password ? unavailable : providerOnly, label: '', href: '' }
    const query = new URLSearchParams({ return_to: here(returnTo) })
    if (present.length > 0 && !administering.mayAdminister(session))
      return { words: unconfirmed, label: useOne, href: `/account/confirm?${query}` }
    return recentSignIn.isRecent(session)
      ? null
      : { words: stale, label: signInAgain, href: signInUrl(here(returnTo), 'confirm') }
  }

  const showForm = async (visit: UserVisit, form: Form) => {
    const { request, text, session } = visit
    const present = passkeys ? await passkeys.list(session.user.id) : []
    const { notice = null, error = null, typed } = form
    const returnTo = returnOf(request)
    return show(visit, 'passkeys', 'passkeys', {
      title: text.titles.passkeys,
      withScript: passkeys !== null,
      status: error ? 400 : 200,
      action: path,
      notice,
      error,
      field: typed?.isWrong ? (typed.id === null ? '#name' : `#name-${typed.id}`) : null,
      newName: typed?.id === null ? typed.name : '',
      passkeys: present.map((one) => itemOf(text, one, typed)),
      obstacle: obstacleTo(text, session, present, returnTo),
      returnTo,
      hasArrived: returnTo !== '' && present.length > 0,
    })
  }

  get(
    path,
    (visit) => showForm(visit, { notice: doneNotice(visit.request, visit.text.passkeys.notices) }),
    pageOf,
  )

  if (!passkeys) return

  const change = async (visit: UserVisit): Promise<FastifyReply> => {
    const { request, reply, text, session, cause } = visit
    const returnTo = returnOf(request)
    const [id, name] = [field(request, 'passkey_id'), field(request, 'name')]
    const decision = field(request, 'decision')
    const theirs = isIdShaped(id)
    const present = await passkeys.list(session.user.id)
    const { faults } = text.passkeys
    if (decision === 'rename') {
      if (theirs && (await passkeys.rename({ userId: session.user.id, id, name }, cause)))
        return reply.redirect(here(returnTo, 'renamed'), 303)
      return present.some((one) => one.id === id)
        ? showForm(visit, { error: faults.name, typed: { id, name, isWrong: true } })
        : showForm(visit, { error: faults.gone })
    }
    const obstacle = obstacleTo(text, session, present, returnTo)
    if (obstacle) return reply.redirect(obstacle.href, 303)
    if (decision === 'remove') {
      const removed = theirs && (await passkeys.remove(session, id, cause))
      return reply.redirect(here(returnTo, removed ? 'removed' : undefined), 303)
    }
    const answer = field(request, 'credential')
    const bound = browser.bound(request) ?? ''
    const added = await passkeys.add(session, { name, answer, browser: bound }, cause)
    if ('fault' in added) {
      const typed = { id: null, name, isWrong: added.fault === 'name' }
      return showForm(visit, { error: faults[added.fault], typed })
    }
    if (added.token === null) return reply.redirect(signInUrl(here(returnTo)), 303)
    await browser.openSession(request, reply, added.token)
    return reply.redirect(here(returnTo, 'added'), 303)
  }

  post(path, change, pageOf)

  scope.post(`${path}/options`, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const session = await browser.session(request)
    const present = session ? await passkeys.list(session.user.id) : []
    const obstacle = session && obstacleTo(textOf(request), session, present, returnOf(request))
    if (!session || obstacle) {
      // The page was open for too long. The script redirects to the page that helps.
      const location = origin + (obstacle?.href ?? signInUrl(pageOf(request)))
      return reply.code(403).send({ location })
    }
    return reply.send(await passkeys.beginAdding(session, browser.bind(request, reply)))
  })
}
