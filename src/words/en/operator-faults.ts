/** English: why the operator's console does not save a form. */
import { message } from '../message.ts'

export const operatorFaults = {
  tickOne: 'Tick at least one.',
  /** Why the metadata document of an app cannot be taken. */
  document: {
    url: 'Enter an https address with a path, of at most 500 characters, without capitals in the host, port 443, fragment, user information and dot segments.',
    address: 'The address leads to a network that this server does not connect to.',
    timeout: 'The address did not answer within 5 seconds.',
    too_large: 'The document at this address is larger than 32 KiB.',
    redirect: 'The address answers with a redirect, which is not followed.',
    unreachable: 'The address cannot be reached.',
    content_type: 'The address does not answer with JSON.',
    status: 'The address does not answer with status 200.',
    json: 'The document at this address is not a JSON object, or has a member twice.',
    client: 'The client_id in the document is not this address.',
    secret: 'The document is public, so it must not have a client_secret.',
    method:
      'In the document, token_endpoint_auth_method must be none, or private_key_jwt with public keys in jwks or an https address in jwks_uri.',
    name: 'In the document, client_name must have 1 to 100 characters, without control characters.',
    redirects:
      'In the document, redirect_uris must be a list of 1 to 200 addresses that follow the rules of redirect URIs.',
    grants: 'The document must allow the grant type authorization_code and the response type code.',
    scope: 'In the document, scope must be names with spaces between them.',
    other: message('In the document, {member} breaks a rule.', 'member'),
    link: message(
      'In the document, {member} must be an address that begins with https://.',
      'member',
    ),
  },
  email: 'Enter an e-mail address.',
  events: 'One of these is no type of event.',
  expiresAt: 'Enter a time in the future, such as 2030-01-31T12:00:00Z.',
  host: 'Enter a host in lower case, with its port if that is not 443.',
  invite: 'A person with a password gets no invitation. Leave out one of the two.',
  location: 'Enter an address that begins with https://, or with http:// on loopback.',
  setupUri:
    'Enter an address that begins with https:// and follows the rules of redirect URIs. Only a confidential app can have one.',
  organizations: 'One of these is no id of an organization.',
  permissionName:
    'Choose another name, such as invoices:read. Names of OpenID Connect and of the other interface are taken.',
  permissionTaken: 'This permission exists already. Change it in the list of permissions.',
  resource: 'Enter absolute addresses without a fragment, one on each line.',
  sentence: 'Enter 1 to 200 characters on one line.',
  successor: 'Choose a current app. It needs a secret or a key if this app has one.',
  words: 'Enter at most 1,000 characters, without control characters.',
  worth: 'One of these permissions is none of this app, or more than the current app may have.',

  /** By the reason of the conflict. */
  conflicts: {
    document_app_has_no_secrets: 'The keys of this app are in its document. It has no secrets.',
    email_taken: 'Another person has this e-mail address.',
    forbidden:
      'The person is an operator. Only an operator with all rights can change or delete the account.',
    has_password: 'The person has a password already, so no invitation is needed.',
    host_refused: 'Documents of this host are refused. Change the policy of the host first.',
    mail_not_configured: 'This server sends no mails, so nobody can be invited.',
    not_a_member: 'The person is not a member of the organization.',
    passwords_refused: 'People sign in through the provider only. They have no passwords here.',
    public_app_has_no_secrets: 'A public app has no secrets.',
    resource_taken: 'Another resource server has one of these addresses.',
    review_decided: 'This was decided before, or taken back.',
    too_many_secrets:
      'The app has as many secrets as possible. Delete one first, or let the secrets in use stop now.',
    twin_taken: 'This app is the successor of another one already.',
    user_disabled: 'The person is disabled. Enable the person first.',
    webhook_disabled: 'The webhook is disabled. Enable it first.',
  },
}
