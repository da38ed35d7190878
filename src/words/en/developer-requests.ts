/** English: refused requests and usage of an app, for its owners. */
import type { ClientReason } from '../../core/language/sub-reasons.ts'
import { message, phraseOf } from '../message.ts'

/** Why the app failed to authenticate; `unknown_client` belongs to no app. */
const clientReasons: Record<Exclude<ClientReason, 'unknown_client'>, string> = {
  assertion_invalid:
    'the signature, issuer, subject, audience or times of the assertion are not right',
  assertion_lives_too_long: 'the assertion was valid for more than an hour',
  assertion_malformed: 'the assertion could not be read',
  assertion_of_the_future: 'the assertion is from the future: the clock of the app is wrong',
  assertion_on_legacy: 'the legacy interface takes the secret only, and no assertion',
  assertion_replayed: 'the assertion had been used before',
  assertion_required: 'it sent a secret where an assertion is needed',
  assertion_subject: 'the subject of the assertion is not the Client ID',
  basic_malformed: 'the header Authorization could not be read',
  client_id_missing: 'the Client ID was missing',
  disabled: 'the operator has switched the app off',
  jti_malformed: 'the id of the assertion (jti) could not be read',
  keys_unavailable: 'the public keys could not be fetched',
  no_keys_registered: 'it sent an assertion, but has no registered keys',
  other_interface: 'it used the endpoints of the other interface',
  secret_from_public_client: 'a public app sends no secret and no assertion',
  secret_missing: 'the secret was missing',
  secret_wrong: 'the secret is wrong, or no longer works',
  workload_audience: 'the token of the program was not for this server alone',
  workload_mismatch: 'the issuer is trusted, but not this program',
  workload_untrusted: 'no program of this issuer is trusted',
}

export const developerRequests = {
  link: 'Refused requests and usage',
  title: 'Requests of the app',
  heading: phraseOf('Requests of {app}', 'app'),
  requestId: 'Request id',
  requestIdHint: 'It is in the header x-request-id of the answer.',
  find: 'Find',
  refusals: 'Latest refused requests',
  none: 'No token request of the app was refused.',
  notFound: 'This app has no refused request with this id. Refusals appear after a few seconds.',
  id: 'Request',
  guide: 'All reasons and what helps',
  usage: 'Last 30 days',
  issued: 'Tokens issued',
  refused: 'Refused requests, by reason',
  unused: 'The app got no token in the last 30 days.',
  clientReasons,
  because: message('Refused: {reason}', 'reason'),
  counted: message('{reason}: {count, number}', 'reason', 'count'),
  back: 'Back to the app',
}
