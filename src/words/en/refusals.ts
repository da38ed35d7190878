/** English: why a request was refused, what helps, and the page that explains one request. */
import type {
  ClientReason,
  GrantReason,
  ProofReason,
  ScopeReason,
  TargetReason,
  TokenReason,
} from '../../core/language/sub-reasons.ts'
import { message } from '../message.ts'
import { refusedPages } from './refused-pages.ts'

type Reason =
  | GrantReason
  | ScopeReason
  | TargetReason
  | Exclude<ClientReason, 'unknown_client'>
  | Exclude<ProofReason, 'proof_stale'>

const allowAgain = 'The person allows the app again, from the app.'
const newAssertion = 'The app gets a new assertion from the identity provider.'
const providerCorrects = 'An administrator of the identity provider corrects it there.'
const newProof = 'The maker of the app corrects how it makes key proofs. Nothing was lost.'
const ownAssertion = 'The maker of the app corrects how it signs in with its key.'
const askForLess = 'The app asks for less, or an admin and the person allow it more.'
const ofThePlatform = 'The maker of the app compares it with the programs that the app trusts.'

/** What helps. Reasons without an entry have the words of a token that is not accepted (`inspector.reasons`). */
const helps: Record<Exclude<Reason, TokenReason>, string> & Partial<Record<TokenReason, string>> = {
  actor_not_named: 'The operator lets the other app name this one as one that may act through it.',
  assertion_invalid: ownAssertion,
  assertion_lives_too_long: 'The maker of the app makes a new assertion for each request.',
  assertion_malformed: ownAssertion,
  assertion_of_the_future: 'Whoever runs the app corrects its clock.',
  assertion_on_legacy: 'The maker of the app sends the secret there.',
  assertion_replayed:
    'The maker of the app makes a new assertion, with a new jti, for each request.',
  assertion_required: 'The maker of the app signs in with its key instead of a secret.',
  assertion_subject: ownAssertion,
  authorization_answered_twice: 'The person starts again from the app.',
  basic_malformed: 'The maker of the app encodes the Client ID and the secret as the guide says.',
  chain_too_long: 'The app uses a token from earlier in the chain.',
  challenge_missing: 'The maker of the app sends a PKCE challenge with the request.',
  client_id_missing: 'The maker of the app sends the Client ID.',
  device_flow_off: 'The operator allows the app to use devices without a browser.',
  disabled: 'The operator switches the app on again.',
  id_jag_app_not_allowed: 'The operator lets the app use assertions of this identity provider.',
  id_jag_audience: 'An administrator of the identity provider makes the assertion for this server.',
  id_jag_client:
    'An administrator of the identity provider enters the Client ID that the app has here.',
  id_jag_expired: newAssertion,
  id_jag_issuer: 'The operator names the identity provider for the organization.',
  id_jag_lives_too_long: providerCorrects,
  id_jag_malformed: providerCorrects,
  id_jag_not_yet_valid: providerCorrects,
  id_jag_off: 'The operator allows the app to use assertions of identity providers.',
  id_jag_replayed: newAssertion,
  id_jag_signature: 'The operator checks the address of the public keys of the identity provider.',
  id_jag_type: 'The maker of the app asks the identity provider for an assertion for access.',
  id_jag_user_unknown:
    'An admin connects the identity provider, or adds the person with the same e-mail address.',
  install_suspended: 'An admin resumes the app under Apps. Then the app can ask again.',
  jti_malformed: ownAssertion,
  key_mismatch: `The app uses the key that it began with. If it has lost it: ${allowAgain}`,
  keys_unavailable: 'The maker of the app checks that its public keys can be fetched from outside.',
  malformed: 'The maker of the app writes the scope as the guide says, or leaves it out.',
  no_keys_registered: 'The maker of the app registers its public keys, or sends a secret.',
  no_legacy_app: 'The operator makes the app the current version of a legacy app.',
  not_in_audience:
    'An admin changes on the page of the app whom it is for. Then the person allows it again.',
  not_installed: 'An admin installs the app, or the app names an organization that has it.',
  openid_missing: 'The maker of the app asks for openid too.',
  openid_not_allowed: 'The operator allows the app to ask for the identity of people.',
  openid_not_approved: 'The app asks the person for it, at the page where they allow the app.',
  other_interface: 'The maker of the app uses the addresses of its own interface.',
  permission_not_approved: askForLess,
  permission_of_other_resource:
    'The maker of the app asks for permissions that the data API knows.',
  policy: 'An admin can change that under Rules. Then the app can ask again.',
  proof_algorithm: newProof,
  proof_key: newProof,
  proof_malformed: newProof,
  proof_method: newProof,
  proof_missing: newProof,
  proof_other_key: newProof,
  proof_replayed: 'The app makes a new key proof for each request. Nothing was lost.',
  proof_signature: newProof,
  proof_token: newProof,
  proof_url: newProof,
  public_client: 'The operator registers an app that can keep a secret.',
  reading_not_granted: 'The person allows the current version of the app itself.',
  redirect_uri_mismatch: 'The maker of the app sends the same redirect URI in both requests.',
  resource_malformed: 'The maker of the app sends the address of the data API as its guide says.',
  resource_not_granted: 'The app names the data API when it asks the person.',
  resource_not_serving:
    'The person chooses another organization, or the operator lets the data API serve this one.',
  resource_unknown: 'The maker of the app compares the address with that of the data API.',
  secret_from_public_client: 'The maker of the app sends the Client ID alone.',
  secret_missing: 'The maker of the app sends the secret.',
  secret_wrong: 'The maker of the app looks for a server that still has the old secret.',
  self_install: 'An admin approves the app for the organization.',
  subject_expired: 'The app uses a newer token.',
  subject_inactive:
    'The app uses a newer token. An admin sees under Check access why this one has ended.',
  token_too_long: 'The app asks for fewer permissions at once.',
  token_unknown_or_foreign: 'The app that got the token uses it.',
  token_unreadable: `The app copies the token completely. If it has lost it: ${allowAgain}`,
  too_many_resources: 'The maker of the app names fewer data APIs.',
  unknown_permission:
    'The maker of the app uses the names of its own interface, and asks the operator for more.',
  user_disconnected: allowAgain,
  user_not_member: 'An admin or the operator adds the person to the organization.',
  verifier_mismatch: 'The maker of the app sends the PKCE verifier of the same request.',
  verifier_missing: 'The maker of the app sends the PKCE verifier.',
  weaker_than_legacy: 'The operator makes the current version an app that can keep a secret.',
  workload_audience: 'Whoever runs the program asks for a token for this server alone.',
  workload_mismatch: ofThePlatform,
  workload_untrusted: ofThePlatform,
  workspace_not_approved: askForLess,
}

export const explained = {
  helps,
  refusedPages,
  find: 'Look up a request by its id',
  title: 'A request',
  heading: 'What happened in this request',
  findHeading: 'Look up a request',
  lead: 'See what was asked, what was answered, why, and what helps.',
  label: 'Request id',
  hint: 'An error page shows it, and an app gets it in the header x-request-id. It begins with req_.',
  submit: 'Look up',
  fault: 'Enter the whole id, such as req_ and twelve characters.',
  none: 'Nothing is recorded here for this request. Refusals appear after a few seconds. Requests that changed nothing, token requests of unknown apps, pages from more than a week ago, and most pages of a flood are only in the log of the server.',
  another: 'Look up another request',
  why: message('Refused: {reason}.', 'reason'),
  help: message('What helps: {help}', 'help'),
  facts: {
    when: 'When',
    app: 'App',
    person: 'Person',
    organization: 'Organization',
    asked: 'Asked for',
    answered: 'Answered',
    from: 'From',
  },
  codes: { endpoint: 'Endpoint', grant: 'Grant type', error: 'Error', status: 'Status' },
  /** What a token request asked for, by its grant type. */
  grants: {
    authorization_code: 'The tokens for a code, after a person had allowed the app',
    refresh_token: 'A new token in the name of a person',
    client_credentials: 'A token for the app itself',
    token_exchange: 'A token in exchange for another one',
    device_code: 'The tokens for a device',
    jwt_bearer: 'A token for an assertion of an identity provider',
    install_code: 'The confirmation of an installation',
    other: 'Something that is not known',
  },
  noGrant: 'No token: another request of the app',
  /** What the app could read, by the code of the error. */
  answers: {
    invalid_client: 'Nothing. The app reads that it could not sign in.',
    invalid_grant: 'No token. The app reads only that what it sent is not valid, not why.',
    invalid_scope: 'No token. The app reads that it asked for too much.',
    invalid_target: 'No token. The app reads that it named a wrong data API.',
    unauthorized_client: 'No token. The app reads that it may not ask in this way.',
    invalid_dpop_proof: 'No token. The app reads that its key proof is wrong.',
    other: 'No token. The app reads an error, but not the reason.',
  },
  activityOfApp: 'Activity of this app',
  activityOfPerson: 'Activity of this person',
  activityOfOrganization: 'Activity of this organization',
  activityOfKeySet: 'Activity of this key',
  activityOfServer: 'Activity of this server',
}
