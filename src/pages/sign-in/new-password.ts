import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PasswordLink, PasswordLinks } from '../../core/people/password-links.ts'
import type { PasswordReason } from '../../core/people/password-rules.ts'
import { causeOf } from '../../http/browser/browser.ts'
import { field, queried } from '../rendering/forms/sent-values.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { Renderer } from '../rendering/render.ts'
import type { SignInWays } from './page.ts'

export interface NewPasswordDependencies {
  passwordLinks: PasswordLinks
  renderer: Renderer
  ways: SignInWays
}

const path = '/set-password'

/** A user sets a password by the link of a mail. */
export const newPassword = (scope: FastifyInstance, deps: NewPasswordDependencies) => {
  const { passwordLinks, renderer, ways } = deps
  if (!ways.passwordByMail) return

  const showForm = (
    request: FastifyRequest,
    reply: FastifyReply,
    token: string,
    { kind, person }: PasswordLink,
    fault?: PasswordReason,
  ) => {
    const text = textOf(request)
    const words = text.newPassword
    const isInvitation = kind === 'invitation'
    const title = isInvitation ? words.invitedTitle : words.title
    const context = { session: null, withScript: true, title, ...(fault && { status: 400 }) }
    return renderer.page(request, reply, 'new-password', context, {
      action: path,
      token,
      heading: isInvitation ? words.invitedHeading(person.name) : [words.heading],
      email: person.email,
      consequence: isInvitation ? null : words.consequence,
      error: fault ? text.faults[fault] : null,
    })
  }

  /** The end of a link: it has set a password, or it no longer works. */
  const showEnd = (request: FastifyRequest, reply: FastifyReply, end: 'done' | 'gone') => {
    const words = textOf(request).newPassword
    const { status, label, href } = {
      done: { status: 200, label: words.signIn, href: '/login' },
      gone: { status: 410, label: words.again, href: '/forgot-password' },
    }[end]
    const context = { session: null, title: words[`${end}Title`], status }
    return renderer.page(request, reply, 'password-link-end', context, {
      heading: words[`${end}Heading`],
      message: words[end],
      action: { label, href },
    })
  }

  scope.get(path, async (request, reply) => {
    const token = queried(request, 'token')
    const link = await passwordLinks.find(token)
    return link ? showForm(request, reply, token, link) : showEnd(request, reply, 'gone')
  })

  scope.post(path, async (request, reply) => {
    const token = field(request, 'token')
    const typed = field(request, 'new_password')
    const outcome = await passwordLinks.use(token, typed, causeOf(request, null))
    if (outcome === 'done' || outcome === 'gone') return showEnd(request, reply, outcome)
    const link = await passwordLinks.find(token)
    return link ? showForm(request, reply, token, link, outcome) : showEnd(request, reply, 'gone')
  })
}
