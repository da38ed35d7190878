// What an error page says, and what it offers next.
import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../../core/clients/redirect-uri.ts'
import type { OAuthError } from '../../core/language/errors.ts'
import type { Phrase } from '../../words/phrase.ts'
import type { Text } from '../../words/text.ts'
import { pageOfForm } from './forms/sent-values.ts'
import { textOf } from './reader-text.ts'
import type { ErrorPage } from './view-models/frame.ts'

export interface ErrorWords {
  heading: string
  message: string | Phrase
  move: string
}

const namesByReason = {
  client_unknown: 'unknownApp',
  install_link_invalid: 'installLink',
  install_link_permissions: 'installLinkPermissions',
  client_not_reviewed: 'unreviewedApp',
  client_waits_for_review: 'waitingApp',
  client_document_refused: 'unreadableApp',
  invalid_client: 'unknownApp',
  redirect_uri_unregistered: 'redirectUri',
  invalid_redirect_uri: 'redirectUri',
  interaction_gone: 'expired',
  authorization_answered_twice: 'expired',
  form_refused: 'form',
  list_order: 'listOrder',
} as const

const wordsNameOf = ({ reason, code }: OAuthError) => {
  const known = [reason, code].find((one) => Object.hasOwn(namesByReason, one))
  return known === undefined ? null : namesByReason[known as keyof typeof namesByReason]
}

/** True for the limit per address, which does not count signed-in users. */
const isOfAddress = ({ reason }: OAuthError) => reason === 'authorizations_of_address'

/** The request names an address of the user's device, which the operator can register for any port. */
const returnsToDevice = ({ query }: FastifyRequest) => {
  const { redirect_uri: sent } = (query ?? {}) as { redirect_uri?: unknown }
  return typeof sent === 'string' && URL.canParse(sent) && isLoopback(new URL(sent))
}

export const wordsFor = (request: FastifyRequest, error: OAuthError): ErrorWords => {
  const text = textOf(request)
  const name = wordsNameOf(error)
  if (name === 'redirectUri' && returnsToDevice(request)) return text.error.redirectUriOnDevice
  if (name) return text.error[name]
  if (error.status === 429) {
    const minutes = Math.ceil(Math.max(1, error.retryAfter ?? 60) / 60)
    const words = isOfAddress(error) ? text.error.tooManyHere : text.error.tooMany
    return { ...words, move: words.move(minutes) }
  }
  if (error.status === 503) return text.error.unavailable
  return error.status >= 500 ? text.error.server : text.error.request
}

export const homeAction = (text: Text) => ({ label: text.error.home, href: '/' })

/** The next actions. A refused form can be reloaded. */
export const actionsFor = (request: FastifyRequest, error: OAuthError): ErrorPage['actions'] => {
  const text = textOf(request)
  const home = homeAction(text)
  if (isOfAddress(error)) return [{ label: text.error.signIn, href: '/login' }, home]
  const isForm = error.reason.startsWith('form_') || error.status === 429
  const again = isForm ? pageOfForm(request) : null
  return again === null ? [home] : [{ label: text.error.loadAgain, href: again }, home]
}
