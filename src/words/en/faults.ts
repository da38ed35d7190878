/** English: why a form is not saved, by the reason of the fault or the conflict. */
import type { FaultReason } from '../../core/language/faults.ts'
import type { ConflictReason } from '../../core/language/service-errors.ts'
import { message } from '../message.ts'

/** Conflicts that the pages of their capability say too. */
type SaidElsewhere = 'change_outdated' | 'change_waits' | 'changed_meanwhile' | 'delivery_waits'

type Reason = FaultReason | Exclude<ConflictReason, SaidElsewhere> | 'forbidden'

export const faults = {
  required: 'Fill in this field.',
  unknown_field: 'This field does not exist here.',
  form: 'This value does not have the form that it needs.',
  empty: 'Tick at least one.',
  too_many: 'There are more entries than allowed.',
  duplicate: 'An entry is there twice.',
  out_of_range: 'This number is too small or too large.',

  accent: 'Enter a colour such as #3355cc.',
  confidential_only: 'This is for confidential apps of the current interface only.',
  current_only: 'This is for the current interface only.',
  description: 'Enter at most 1,000 characters, without control characters.',
  email: 'Enter an e-mail address.',
  email_letters:
    'Enter an address with only ASCII letters before the @: not every mail server takes others.',
  event_type: 'One of these is no type of event.',
  expires_at: 'Enter a time in the future, such as 2030-01-31T12:00:00Z.',
  fapi2: 'The security profile fapi2 does not allow this.',
  host: 'Enter a host in lower case, with its port if that is not 443.',
  interface_fixed: 'The interface of an app cannot change.',
  invite: 'A person with a password gets no invitation. Leave out one of the two.',
  issuer: 'Enter the https address of the issuer, without a query.',
  jwks: 'Give a JSON Web Key Set with public keys only: {"keys": […]}.',
  jwks_uri: 'Give an address that begins with https:// and can be reached from the internet.',
  keys_twice: 'Give the keys or their address, not both.',
  link: 'Give an address that begins with https://.',
  logo_twice: 'Give an address of a logo or upload one, not both.',
  logo_upload: 'This image is no longer here. Upload it again.',
  location: 'Enter an address that begins with https://, or with http:// on loopback.',
  name: 'Give a name of 1 to 100 characters without control characters.',
  own_issuer: 'Tokens of this server are for data APIs. They cannot stand for a program.',
  password_characters:
    'This password has characters that cannot be used, such as line breaks. Choose another one.',
  password_common:
    'Use a few random words. This one is a common password, or little more than a common word.',
  password_length: 'Choose a password of 8 to 1000 characters.',
  password_pattern:
    'Use a few random words. This one is little more than a repetition, a sequence, a row of keys or a date.',
  password_personal:
    'Use a few random words. This one is little more than the e-mail address or the name.',
  password_service:
    'Use a few random words. This one is little more than the name of this service.',
  period: 'Enter a first and a last day, such as 2030-01-31.',
  path_prefix: 'Enter a path that begins with /, without “..”, “//”, “%” and “;”.',
  permission_beyond_app: 'The app may not have one of these permissions.',
  permission_map:
    'One of these permissions is none of this app, or more than the current app may have.',
  permission_name:
    'Choose another name, such as invoices:read. Names of OpenID Connect and of the other interface are taken.',
  permission_required:
    'The app does not work without one of these permissions. Approve all that it needs, or uninstall it.',
  permissions_too_long: 'These permissions are too long for a token. Choose fewer.',
  pkce: 'Only a confidential OpenID app of the current interface can do without PKCE.',
  redirect_uri:
    'Give at least one redirect URI. Each begins with https:// or belongs to an app on a device, and none is there twice.',
  resource: 'Enter absolute addresses without a fragment, one on each line.',
  resource_default:
    'One of these is the default audience (TOKEN_AUDIENCE). Leave the field empty for a data API of the default audience.',
  sentence: 'Enter 1 to 200 characters on one line.',
  setup_uri:
    'Enter an address that begins with https:// and follows the rules of redirect URIs. Only a confidential app can have one.',
  successor: 'Choose a current app. It needs a secret or a key if this app has one.',
  svg: 'The image is an SVG. Choose a PNG, JPEG or WebP.',
  unknown_app: 'No app has this client id.',
  unknown_organization: 'One of these is no id of an organization.',
  unknown_permission: 'One of the permissions does not exist any more. Choose again.',
  unknown_place:
    'One of the workspaces, groups or people is not in this organization any more. Choose again.',
  unknown_user: 'No user has this address.',
  unknown_workspace: 'One of the workspaces does not exist any more. Choose again.',
  webhook_secret: 'Give whsec_ and 24 to 64 bytes in base64.',
  webhook_url: 'Give an https address that can be reached from the internet.',
  workload_claims: 'Enter each claim as name=value on a line of its own, at most 10.',
  workload_duplicate: 'This program is trusted already.',
  workload_keys:
    'Enter the https address of the keys. It is the same for all programs of an issuer.',
  workload_subject: 'Enter a subject, or a claim.',

  document_url:
    'Enter an https address with a path, of at most 500 characters, without capitals in the host, port 443, fragment, user information and dot segments.',
  document_address: 'The address leads to a network that this server does not connect to.',
  document_timeout: 'The address did not answer within 5 seconds.',
  document_too_large: 'The document at this address is larger than 32 KiB.',
  document_redirect: 'The address answers with a redirect, which is not followed.',
  document_unreachable: 'The address cannot be reached.',
  document_content_type: 'The address does not answer with JSON.',
  document_status: 'The address does not answer with status 200.',
  document_json: 'The document at this address is not a JSON object, or has a member twice.',
  document_client: 'The client_id in the document is not this address.',
  document_secret: 'The document is public, so it must not have a client_secret.',
  document_method:
    'In the document, token_endpoint_auth_method must be none, or private_key_jwt with public keys in jwks or an https address in jwks_uri.',
  document_name:
    'In the document, client_name must have 1 to 100 characters, without control characters.',
  document_redirects:
    'In the document, redirect_uris must be a list of 1 to 200 addresses that follow the rules of redirect URIs.',
  document_grants:
    'The document must allow the grant type authorization_code and the response type code.',
  document_scope: 'In the document, scope must be names with spaces between them.',
  document_other: message('In the document, {member} breaks a rule.', 'member'),
  document_link: message(
    'In the document, {member} must be an address that begins with https://.',
    'member',
  ),

  built_in_permission: 'A built-in permission cannot be deleted.',
  document_app: 'The settings of this app are those of its document.',
  document_app_has_no_secrets: 'The keys of this app are in its document. It has no secrets.',
  email_taken: 'Another person has this e-mail address.',
  forbidden:
    'The person is an operator. Only an operator with all rights can change or delete the account.',
  has_password: 'The person has a password already, so no invitation is needed.',
  host_refused: 'Documents of this host are refused. Change the policy of the host first.',
  id_taken: 'This id is taken.',
  last_redirect_uri: 'An app needs a redirect URI. Add another one first.',
  mail_not_configured: 'This server sends no mails, so nobody can be invited.',
  not_a_member: 'The person is not a member of the organization.',
  passwords_refused: 'People sign in through the provider only. They have no passwords here.',
  permission_in_use: 'The permission is used by apps, installs or keys.',
  public_app_has_no_secrets: 'A public app has no secrets.',
  resource_taken: 'Another resource server has one of these addresses.',
  review_decided: 'This was decided before, or taken back.',
  sandbox_exists: 'The person has a sandbox. Delete it first.',
  sandbox_full: 'The sandbox has no room for more.',
  too_many_secrets:
    'The app has as many secrets as possible. Delete one first, or let the secrets in use stop now.',
  too_many_streams: 'The organization has as many receivers of its activity as possible.',
  too_many_webhooks: 'The app has as many webhooks as possible.',
  twin_taken: 'This app is the successor of another one already.',
  user_disabled: 'The person is disabled. Enable the person first.',
  webhook_disabled: 'The webhook is disabled. Enable it first.',
} satisfies Record<Reason, string | ((member: string) => string)>
