// What an error page says, and what it offers next.
import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../../core/clients/redirect-uri.ts'
import type { OAuthError } from '../../core/language/errors.ts'
import type { Phrase } from '../../words/phrase.ts'
import type { Text } from '../../words/text.ts'
import { pageOfForm } from './forms/sent-values.ts'
import { textOf } from './reader-text.ts'

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

/** True for the limit per address, which does not count signed-in users. */
const isOfAddress = ({ reason }: OAuthError) => reason === 'authorizations_of_address'

type ErrorPageName =
  | (typeof namesByReason)[keyof typeof namesByReason]
  | ('tooMany' | 'tooManyHere' | 'unavailable' | 'server' | 'request')

export const errorPageOf = (error: OAuthError): ErrorPageName => {
  const { reason, code, status } = error
  const known = [reason, code].find((one) => Object.hasOwn(namesByReason, one))
  if (known !== undefined) return namesByReason[known as keyof typeof namesByReason]
  if (status === 429) return isOfAddress(error) ? 'tooManyHere' : 'tooMany'
  if (status === 503) return 'unavailable'
  return status >= 500 ? 'server' : 'request'
}

/** The request names an address of the user's device, which the operator can register for any port. */
const returnsToDevice = ({ query }: FastifyRequest) => {
  const { redirect_uri: sent } = (query ?? {}) as { redirect_uri?: unknown }
  return typeof sent === 'string' && URL.canParse(sent) && isLoopback(new URL(sent))
}

export const wordsFor = (request: FastifyRequest, error: OAuthError): ErrorWords => {
  const text = textOf(request)
  const name = errorPageOf(error)
  if (name === 'redirectUri' && returnsToDevice(request)) return text.error.redirectUriOnDevice
  const words = text.error[name]
  if (typeof words.move === 'string') return { ...words, move: words.move }
  return { ...words, move: words.move(Math.ceil(Math.max(1, error.retryAfter ?? 60) / 60)) }
}

export const homeAction = (text: Text) => ({ label: text.error.home, href: '/' })

/** The next actions. A refused form can be reloaded. */
export const actionsFor = (request: FastifyRequest, error: OAuthError) => {
  const text = textOf(request)
  const home = homeAction(text)
  if (isOfAddress(error)) return [{ label: text.error.signIn, href: '/login' }, home]
  const isForm = error.reason.startsWith('form_') || error.status === 429
  const again = isForm ? pageOfForm(request) : null
  return again === null ? [home] : [{ label: text.error.loadAgain, href: again }, home]
}
