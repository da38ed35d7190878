import type { FastifyInstance } from 'fastify'
import {
  hasOtherLetters,
  isEmailAddress,
  normaliseEmail,
  shownEmail,
} from '../../core/people/email-address.ts'
import type { PasswordReason } from '../../core/people/password-rules.ts'
import { causeOf } from '../../http/browser/browser.ts'
import type { Visitor } from '../rendering/forms/blocks-page.ts'
import { field, queried } from '../rendering/forms/sent-values.ts'
import { textOf } from '../rendering/reader-text.ts'
import { longestEmail, tooManyFor } from './page.ts'
import type { PageServices } from './services.ts'

const askPath = '/forgot-password'
const setPath = '/set-password'

/** A user asks for a link for a new password. The page says the same for every address. */
const forgottenPassword = (
  scope: FastifyInstance,
  { passwordRequests, renderer }: PageServices,
) => {
  const show = (
    { request, reply }: Visitor,
    form: { email?: string; error?: string; status?: number; sentTo?: string } = {},
  ) => {
    const { forgotten } = textOf(request)
    const { email = '', error = null, status, sentTo = null } = form
    const title = sentTo === null ? forgotten.title : forgotten.sentTitle
    const context = { session: null, title, ...(status && { status }) }
    const own = { action: askPath, email, error, sentTo }
    return renderer.page(request, reply, 'forgotten-password', context, own)
  }

  scope.get(askPath, (request, reply) => show({ request, reply }))

  scope.post(askPath, async (request, reply) => {
    const email = field(request, 'email').trim().slice(0, longestEmail)
    const { forgotten, faults } = textOf(request)
    const incomplete = hasOtherLetters(email) ? faults.email_letters : forgotten.incomplete
    if (!isEmailAddress(normaliseEmail(email)))
      return show({ request, reply }, { email, error: incomplete, status: 400 })
    try {
      await passwordRequests.request(email, { address: request.ip, requestId: request.id })
      return show({ request, reply }, { sentTo: email })
    } catch (error) {
      return show({ request, reply }, { email, ...tooManyFor(reply, error) })
    }
  })
}

/** A user sets a password by the link of a mail. */
const newPassword = (scope: FastifyInstance, { passwordLinks, renderer }: PageServices) => {
  const showForm = async ({ request, reply }: Visitor, token: string, fault?: PasswordReason) => {
    const link = await passwordLinks.find(token)
    if (!link) return showEnd({ request, reply }, 'gone')
    const { kind, person } = link
    const text = textOf(request)
    const words = text.newPassword
    const isInvitation = kind === 'invitation'
    const title = isInvitation ? words.invitedTitle : words.title
    const context = { session: null, withScript: true, title, ...(fault && { status: 400 }) }
    return renderer.page(request, reply, 'new-password', context, {
      action: setPath,
      token,
      heading: isInvitation ? words.invitedHeading(person.name) : [words.heading],
      label: isInvitation ? words.invitedPassword : words.password,
      email: shownEmail(person.email),
      consequence: isInvitation ? null : words.consequence,
      error: fault ? text.faults[fault] : null,
    })
  }

  /** The end of a link: it has set a password, or it no longer works. */
  const showEnd = ({ request, reply }: Visitor, end: 'done' | 'gone') => {
    const words = textOf(request).newPassword
    const { status, label, href } = {
      done: { status: 200, label: words.signIn, href: '/login' },
      gone: { status: 410, label: words.again, href: askPath },
    }[end]
    const context = { session: null, title: words[`${end}Title`], status }
    return renderer.page(request, reply, 'password-link-end', context, {
      heading: words[`${end}Heading`],
      message: words[end],
      action: { label, href },
    })
  }

  scope.get(setPath, (request, reply) => showForm({ request, reply }, queried(request, 'token')))

  scope.post(setPath, async (request, reply) => {
    const token = field(request, 'token')
    const password = field(request, 'new_password')
    const outcome = await passwordLinks.use({ token, password }, causeOf(request, null))
    return outcome === 'done' || outcome === 'gone'
      ? showEnd({ request, reply }, outcome)
      : showForm({ request, reply }, token, outcome)
  })
}

export const passwordByMail = (scope: FastifyInstance, deps: PageServices) => {
  if (!deps.ways.passwordByMail) return
  forgottenPassword(scope, deps)
  newPassword(scope, deps)
}
