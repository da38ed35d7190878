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
    return renderer.page(
      request,
      reply,
      'new-password',
      {
        session: null,
        withScript: true,
        title: isInvitation ? words.invitedTitle : words.title,
        ...(fault && { status: 400 }),
      },
      {
        action: path,
        token,
        heading: isInvitation ? words.invitedHeading(person.name) : [words.heading],
        email: person.email,
        consequence: isInvitation ? null : words.consequence,
        error: fault ? text.faults[fault] : null,
      },
    )
  }

  /** The end of a link: it has set a password, or it no longer works. */
  const showEnd = (request: FastifyRequest, reply: FastifyReply, isDone: boolean) => {
    const words = textOf(request).newPassword
    return renderer.page(
      request,
      reply,
      'password-link-end',
      {
        session: null,
        title: isDone ? words.doneTitle : words.goneTitle,
        ...(!isDone && { status: 410 }),
      },
      isDone
        ? {
            heading: words.doneHeading,
            message: words.done,
            action: { label: words.signIn, href: '/login' },
          }
        : {
            heading: words.goneHeading,
            message: words.gone,
            action: { label: words.again, href: '/forgot-password' },
          },
    )
  }

  scope.get(path, async (request, reply) => {
    const token = queried(request, 'token')
    const link = await passwordLinks.find(token)
    return link ? showForm(request, reply, token, link) : showEnd(request, reply, false)
  })

  scope.post(path, async (request, reply) => {
    const token = field(request, 'token')
    const outcome = await passwordLinks.use(
      token,
      field(request, 'new_password'),
      causeOf(request, null),
    )
    if (outcome === 'done' || outcome === 'gone') return showEnd(request, reply, outcome === 'done')
    const link = await passwordLinks.find(token)
    return link ? showForm(request, reply, token, link, outcome) : showEnd(request, reply, false)
  })
}
