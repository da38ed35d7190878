import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isIdShaped } from '../../core/crypto/identifiers.ts'
import type { Passkey, Passkeys } from '../../core/people/passkeys.ts'
import type { Session } from '../../core/people/session.ts'
import { type Browser, causeOf } from '../../http/browser/browser.ts'
import type { Text } from '../../words/text.ts'
import { field, localPath } from '../rendering/forms/sent-values.ts'
import { textOf } from '../rendering/reader-text.ts'
import { momentOf, type Renderer } from '../rendering/render.ts'
import type { PasskeyItem, PasskeysPage } from '../rendering/view-models/account.ts'
import type { Administering } from '../sign-in/administering.ts'
import { signInUrl } from '../sign-in/page.ts'
import type { RecentSignIn } from '../sign-in/recent-sign-in.ts'
import { type AccountTabsDependencies, accountTabs } from './tabs.ts'

export interface AccountPasskeysDependencies extends AccountTabsDependencies {
  passkeys: Passkeys | null
  administering: Administering
  browser: Browser
  renderer: Renderer
  origin: string
  recentSignIn: RecentSignIn
}

const path = '/account/passkeys'

interface Form {
  returnTo: string
  notice?: string | null
  error?: string
  /** The typed name of an existing or a new passkey, and whether it was refused. */
  typed?: { id: string | null; name: string; isWrong: boolean }
}

const itemOf = (
  text: Text,
  { id, name, createdAt, lastUsed }: Passkey,
  typed: Form['typed'],
): PasskeyItem => ({
  id,
  name,
  added: momentOf(text, createdAt),
  lastUsed: lastUsed && momentOf(text, lastUsed),
  refusedName: typed?.id === id ? typed.name : null,
})

const noticeOf = (text: Text, done: unknown) =>
  done === 'added' || done === 'renamed' || done === 'removed' ? text.passkeys.notices[done] : null

/** The page for the user's passkeys: add, rename, remove. */
export const accountPasskeys = (scope: FastifyInstance, deps: AccountPasskeysDependencies) => {
  const { passkeys, administering, recentSignIn, browser, renderer, ways, origin } = deps

  const here = (returnTo: string, done?: string) => {
    const query = new URLSearchParams({
      ...(done && { done }),
      ...(returnTo && { return_to: returnTo }),
    })
    return query.size > 0 ? `${path}?${query}` : path
  }

  /** These checks prevent lasting access for an attacker with a stolen password or an unattended computer. */
  const obstacleTo = (
    text: Text,
    session: Session,
    present: Passkey[],
    returnTo: string,
  ): PasskeysPage['obstacle'] => {
    const { unavailable, providerOnly, unconfirmed, useOne, stale, signInAgain } = text.passkeys
    if (!passkeys) {
      return { words: ways.password ? unavailable : providerOnly, label: '', href: '' }
    }
    const query = new URLSearchParams({ return_to: here(returnTo) })
    if (present.length > 0 && !administering.mayAdminister(session)) {
      return { words: unconfirmed, label: useOne, href: `/account/confirm?${query}` }
    }
    return recentSignIn.isRecent(session)
      ? null
      : { words: stale, label: signInAgain, href: signInUrl(here(returnTo), 'confirm') }
  }

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    session: Session,
    form: Form,
  ) => {
    const text = textOf(request)
    const present = passkeys ? await passkeys.list(session.user.id) : []
    const { returnTo, notice = null, error = null, typed } = form
    const field = typed?.isWrong ? (typed.id === null ? '#name' : `#name-${typed.id}`) : null
    return renderer.page(
      request,
      reply,
      'passkeys',
      {
        session,
        title: text.titles.passkeys,
        withScript: passkeys !== null,
        ...(error && { status: 400 }),
      },
      {
        tabs: await accountTabs(text, 'passkeys', session, deps),
        action: path,
        notice,
        error,
        field,
        newName: typed?.id === null ? typed.name : '',
        passkeys: present.map((one) => itemOf(text, one, typed)),
        obstacle: obstacleTo(text, session, present, returnTo),
        returnTo,
        hasArrived: returnTo !== '' && present.length > 0,
      },
    )
  }

  const returnOf = (value: unknown) =>
    typeof value === 'string' && value !== '' ? localPath(value, origin) : ''

  scope.get<{ Querystring: Record<string, unknown> }>(path, async (request, reply) => {
    const session = await browser.session(request)
    const returnTo = returnOf(request.query.return_to)
    if (!session) return reply.redirect(signInUrl(here(returnTo)), 303)
    const notice = noticeOf(textOf(request), request.query.done)
    return show(request, reply, session, { returnTo, notice })
  })

  if (!passkeys) return

  const change = async (
    request: FastifyRequest,
    reply: FastifyReply,
    session: Session,
    returnTo: string,
  ): Promise<FastifyReply> => {
    const text = textOf(request)
    const from = causeOf(request, session)
    const [id, name] = [field(request, 'passkey_id'), field(request, 'name')]
    const decision = field(request, 'decision')
    const theirs = isIdShaped(id)
    const present = await passkeys.list(session.user.id)
    if (decision === 'rename') {
      if (theirs && (await passkeys.rename(session.user.id, id, name, from)))
        return reply.redirect(here(returnTo, 'renamed'), 303)
      const { faults } = text.passkeys
      return present.some((one) => one.id === id)
        ? show(request, reply, session, {
            returnTo,
            error: faults.name,
            typed: { id, name, isWrong: true },
          })
        : show(request, reply, session, { returnTo, error: faults.gone })
    }
    const obstacle = obstacleTo(text, session, present, returnTo)
    if (obstacle) return reply.redirect(obstacle.href, 303)
    if (decision === 'remove') {
      const removed = theirs && (await passkeys.remove(session, id, from))
      return reply.redirect(here(returnTo, removed ? 'removed' : undefined), 303)
    }
    const answer = field(request, 'credential')
    const bound = browser.bound(request) ?? ''
    const added = await passkeys.add(session, { name, answer, browser: bound }, from)
    if ('fault' in added) {
      const typed = { id: null, name, isWrong: added.fault === 'name' }
      const error = text.passkeys.faults[added.fault]
      return show(request, reply, session, { returnTo, error, typed })
    }
    if (added.token === null) return reply.redirect(signInUrl(here(returnTo)), 303)
    await browser.openSession(request, reply, added.token)
    return reply.redirect(here(returnTo, 'added'), 303)
  }

  scope.post(path, async (request, reply) => {
    const session = await browser.session(request)
    const returnTo = returnOf(field(request, 'return_to'))
    reply.header('cache-control', 'no-store')
    if (!session) return reply.redirect(signInUrl(here(returnTo)), 303)
    return change(request, reply, session, returnTo)
  })

  scope.post(`${path}/options`, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const session = await browser.session(request)
    const present = session ? await passkeys.list(session.user.id) : []
    const returnTo = returnOf(field(request, 'return_to'))
    const obstacle = session && obstacleTo(textOf(request), session, present, returnTo)
    if (!session || obstacle) {
      // The page was open for too long. The script redirects to the page that helps.
      return reply.code(403).send({ location: obstacle?.href ?? signInUrl(here(returnTo)) })
    }
    return reply.send(await passkeys.beginAdding(session, browser.bind(request, reply)))
  })
}
