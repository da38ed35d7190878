import type { EndSessionRequest } from '../../core/authorization/end-session.ts'
import type { Form } from './form.ts'

export const endSessionPath = '/end-session'

/** Parameters of a sign-out request from an app. Others are ignored. */
export const endSessionFields = [
  'id_token_hint',
  'client_id',
  'post_logout_redirect_uri',
  'state',
] as const

export const readEndSession = (form: Form): EndSessionRequest => ({
  idTokenHint: form.get('id_token_hint'),
  clientId: form.get('client_id'),
  postLogoutRedirectUri: form.get('post_logout_redirect_uri'),
  state: form.get('state'),
})
