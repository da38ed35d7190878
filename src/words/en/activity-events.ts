/** English: descriptions of audit events, and reasons for refused tokens. */
import type { EventType } from '../../core/language/event-types.ts'
import type {
  GrantReason,
  ProofReason,
  ScopeReason,
  TargetReason,
} from '../../core/language/sub-reasons.ts'
import { sentenceOf, type Words } from '../message.ts'
import type { Phrase } from '../phrase.ts'

/** Names that a description may contain. */
export interface EventNames {
  app: string
  person: string
  workspace: string
  /** The workload that acted, and its issuer. */
  workload: string
  /** The reason in words. */
  reason: string
}

const sentence = sentenceOf<EventNames>()

/** Descriptions of events. The page puts `trail.actor` in front of each; a language may also use nouns here. */
export const events: Record<EventType, Words<[of: EventNames], Phrase>> = {
  'install.approved': sentence('installed {app}'),
  'install.changed': sentence('changed what {app} may do'),
  'install.permissions_declined': sentence('declined some permissions that {app} asks for'),
  'install.suspended': sentence('suspended {app}'),
  'install.resumed': sentence('resumed {app}'),
  'install.ended': sentence('uninstalled {app}'),
  'install.code_redeemed': sentence('completed its setup after the installation'),
  'install.requested': sentence('asked the admins for {app}'),
  'install_request.approved': sentence('approved the request for {app} by {person}'),
  'install_request.refused': sentence('refused the request for {app} by {person}'),
  'install_request.withdrawn': sentence('withdrew the request for {app}'),
  'install_request.reminded': sentence('reminded the admins of the request for {app} by {person}'),
  'install_request.expired': sentence(
    'ended the request for {app} by {person}, because no admin answered it',
  ),

  'consent.granted': sentence('allowed {app} to act in their name'),
  'consent.changed': sentence('changed how long {app} may act for {person}'),
  'connection.ended': sentence('ended the access of {app} for {person}'),
  'grant.ended': sentence(
    'ended the oldest authorization of {app} by {person}, because there were too many',
  ),
  'grant.reuse_detected': sentence(
    'ended the access of {app} for {person}, because a code or refresh token was used twice',
  ),
  'grant.asserted': sentence("got access for {person} from the organization's identity provider"),
  'grant.moved': sentence(
    'took over the authorization that {person} gave its legacy version: {app}',
  ),
  'grant.revoked': sentence('revoked its authorization by {person}'),
  'access_token.delegated': sentence('acts for {person} through {app}'),
  'access_token.revoked': sentence('revoked an access token of {app}'),
  'token.inspected': sentence('inspected a token of {app}'),
  'token.simulated': sentence('simulated a token of {app}'),
  'token.refused': sentence('was refused a token: {reason}'),
  'token.issued_to_workload': sentence('got a token, without a secret, as the workload {workload}'),

  'key_set.created': sentence('created the key set {app}'),
  'key_set.changed': sentence('changed the key set {app}'),
  'key_set.rotated': sentence('created a new secret for the key set {app}'),
  'key_set.secret_retired': sentence('retired a secret of the key set {app}'),
  'key_set.token_without_expiry': sentence(
    'used a token without an expiry date, signed for the key set {app}. Rotate the secret to end such tokens',
  ),
  'key_set.deleted': sentence('deleted the key set {app}'),

  'member.added': sentence('added {person}'),
  'member.changed': sentence('changed the role of {person}'),
  'member.removed': sentence('removed {person}'),
  'workspace_member.added': sentence('added {person} to {workspace}'),
  'workspace_member.removed': sentence('removed {person} from {workspace}'),

  'activity.exported': sentence('downloaded the activity'),
  'import.stored': sentence('imported organizations, users or workspaces'),
  'organization.created': sentence('created the organization'),
  'organization.changed': sentence('changed the organization'),
  'organization.deleted': sentence('deleted the organization'),
  'organization.policy_changed': sentence('changed the rules for apps'),
  'organization.apps_suspended': sentence('suspended all apps'),
  'organization.apps_resumed': sentence('resumed the apps that were suspended together'),
  'workspace.created': sentence('created the workspace {workspace}'),
  'workspace.changed': sentence('changed the workspace {workspace}'),
  'workspace.deleted': sentence('deleted the workspace {workspace}'),

  'app.created': sentence('registered {app}'),
  'app.changed': sentence('changed the registration of {app}'),
  'app.disabled': sentence('switched {app} off'),
  'app.enabled': sentence('switched {app} on again'),
  'app.twin_made': sentence('set a current version for {app}'),
  'app.twin_changed': sentence('changed the migration of {app} to its current version'),
  'app.twin_removed': sentence('stopped the migration of {app} to its current version'),
  'app.deleted': sentence('deleted the registration of {app}'),
  'app_secret.created': sentence('created a new secret for {app}'),
  'app_secret.deleted': sentence('deleted a secret of {app}'),

  'webhook.created': sentence('set up a webhook for {app}'),
  'webhook.changed': sentence('changed a webhook of {app}'),
  'webhook.rotated': sentence('created a new secret for a webhook of {app}'),
  'webhook.tested': sentence('tested a webhook of {app}'),
  'webhook.resent': sentence('sent a webhook event to {app} again'),
  'webhook.disabled': sentence('switched a webhook of {app} off'),
  'webhook.enabled': sentence('switched a webhook of {app} on again'),
  'webhook.deleted': sentence('deleted a webhook of {app}'),
  'webhook.given_up': sentence('stopped delivering webhook events to {app}'),

  'secret.expiring': sentence('gave notice that a secret of {app} ends soon'),
  'user.invited': sentence('invited {person}'),
  'user.created': sentence('created the account of {person}'),
  'user.changed': sentence('changed the account of {person}'),
  'user.disabled': sentence('switched the account of {person} off'),
  'user.enabled': sentence('switched the account of {person} on again'),
  'user.password_changed': sentence('changed the password of {person}'),
  'user.password_requested': sentence('requested a new password for the account of {person}'),
  'user.mails_changed': sentence('changed which mails {person} gets'),
  'user.deleted': sentence('deleted the account of {person}'),
  'session.signed_in': sentence('signed in'),
  'session.signed_out': sentence('signed out at the request of {app}'),
  'session.ended': sentence('ended a session of {person}'),
  'session.sign_in_failed': sentence('failed to sign in as {person}'),
  'passkey.added': sentence('added a passkey to the account of {person}'),
  'passkey.renamed': sentence('renamed a passkey of {person}'),
  'passkey.removed': sentence('removed a passkey of {person}'),
  'identity.linked': sentence('linked a sign-in service to the account of {person}'),
  'identity.email_conflict': sentence(
    'signed in at the sign-in service with the e-mail address of {person}, and was refused',
  ),

  'app.document_failed': sentence('could not read the description that {app} has of itself'),
  'app_review.requested': sentence('asked for a review of {app}'),
  'app_review.approved': sentence('approved the review of {app}'),
  'app_review.refused': sentence('refused the review of {app}'),
  'app_change.requested': sentence('asked for a change of {app}'),
  'app_change.withdrawn': sentence('withdrew the request for a change of {app}'),
  'app_change.approved': sentence('approved a change of {app}'),
  'app_change.refused': sentence('refused a change of {app}'),
  'client_host.changed': sentence('changed the policy for a host of apps'),
  'client_host.removed': sentence('removed the policy for a host of apps'),

  'operator_token.created': sentence('created an operator token'),
  'operator_token.deleted': sentence('deleted an operator token'),
  'operator.granted': sentence('made {person} an operator'),
  'operator.revoked': sentence('ended the operator access of {person}'),
  'operator_token.refused': sentence('sent a wrong operator token'),
  'scim_token.created': sentence('created a token for an identity provider (SCIM)'),
  'scim_token.deleted': sentence('deleted a token of an identity provider (SCIM)'),
  'scim_token.refused': sentence('sent a wrong token of an identity provider (SCIM)'),
  'identity_provider.set': sentence('named the identity provider whose assertions apps may use'),
  'identity_provider.changed': sentence(
    'changed the identity provider whose assertions apps may use',
  ),
  'identity_provider.removed': sentence(
    'removed the identity provider whose assertions apps may use',
  ),
  'permission.added': sentence('added a permission to the catalogue'),
  'permission.changed': sentence('changed a permission of the catalogue'),
  'permission.removed': sentence('removed a permission from the catalogue'),
  'resource_server.created': sentence('registered a data API'),
  'resource_server.changed': sentence('changed a data API'),
  'resource_server.deleted': sentence('deleted a data API'),
  'signing_key.rotated': sentence('rotated the signing keys'),
}

/** Reasons why a token request was refused; `proof_stale` is in the log only. */
export const reasons: Record<
  GrantReason | ScopeReason | TargetReason | Exclude<ProofReason, 'proof_stale'>,
  string
> = {
  actor_not_named: 'the token belongs to an app that does not let this one act through it',
  app_disabled: 'the operator had switched the app off, or had ended its tokens',
  authorization_answered_twice: 'the request was answered before',
  chain_too_long: 'too many apps act through one another',
  challenge_missing: 'the code was requested without a PKCE challenge',
  code_expired_or_ended: 'the code was older than a minute, or its authorization had ended',
  code_reused: 'the code had been used before',
  device_flow_off: 'the app is not registered for devices without a browser',
  family_ended: 'the authorization had ended',
  grant_ended: 'the authorization had ended',
  id_jag_app_not_allowed: 'the app may not use assertions of the identity provider here',
  id_jag_audience: 'the assertion of the identity provider was for another server',
  id_jag_client: 'the assertion of the identity provider was for another app',
  id_jag_expired: 'the assertion of the identity provider had expired',
  id_jag_issuer: 'no organization has named the identity provider of the assertion',
  id_jag_lives_too_long:
    'the assertion of the identity provider was valid for more than ten minutes',
  id_jag_malformed: 'the assertion of the identity provider could not be read, or lacked something',
  id_jag_not_yet_valid: 'the assertion of the identity provider was not valid yet',
  id_jag_off: 'the app is not registered for assertions of identity providers',
  id_jag_replayed: 'the assertion of the identity provider had been used before',
  id_jag_signature: 'the assertion was not signed with a key of the identity provider',
  id_jag_type: 'it was not an assertion for access, but another token of the identity provider',
  id_jag_user_unknown:
    'the identity provider named a person whose account could not be found for sure',
  install_suspended: 'the app is suspended here',
  key_mismatch: 'the token was bound to another key',
  malformed: 'the scope or the workspaces could not be read',
  moved: 'the authorization moved to the current version of the app, and ended there',
  no_legacy_app: 'the app has no legacy version',
  not_installed: 'the app is not installed here',
  openid_missing: 'it asked for a name or an e-mail address, but not for openid',
  openid_not_allowed: 'it asked for the identity of the person, but is not registered for that',
  openid_not_approved: 'it asked for more personal data than the person allowed',
  password_changed: 'the person has changed the password since',
  permission_not_approved: 'it asked for a permission that was not approved',
  permission_of_other_resource: 'it asked for permissions that this data API does not know',
  proof_algorithm: 'the key proof used an algorithm that is not accepted',
  proof_key: 'the key of the key proof is not accepted',
  proof_malformed: 'the key proof could not be read',
  proof_method: 'the key proof was for another request',
  proof_missing: 'the key proof was missing',
  proof_other_key: 'the request named another key than the key proof',
  proof_replayed: 'the key proof had been used before',
  proof_signature: 'the key proof was not signed with its key',
  proof_token: 'the key proof was for another token',
  proof_url: 'the key proof was for another address',
  public_client: 'an app without a secret never acts for itself',
  reading_not_granted: 'its legacy version may not read, but each current token can',
  redirect_uri_mismatch: 'the redirect URI was not the one that the code was issued for',
  refresh_token_reused: 'the refresh token had been used before',
  resource_malformed: 'it named a data API in a form that cannot be read',
  resource_not_granted: 'it named a data API that the person had not allowed',
  resource_not_serving: 'it named a data API that does not serve this organization',
  resource_unknown: 'it named a data API that is not registered',
  subject_expired: 'the token that it acts through had expired',
  subject_inactive: 'the token that it acts through had ended',
  token_too_long: 'its permissions are too long for one token',
  token_unknown_or_foreign: 'the token is unknown or belongs to another app',
  token_unreadable: 'the token is damaged or not genuine',
  too_many_resources: 'it named too many data APIs at once',
  uninstalled: 'the app was uninstalled',
  unknown_permission: 'it asked for a permission that does not exist or is not registered for it',
  user_disabled: 'the account of the person was switched off',
  user_disconnected:
    'the access of the app for the person was ended, and the person has not allowed it again',
  user_left: 'the person has left the organization',
  user_not_member: 'the person is not a member of the organization',
  verifier_mismatch: 'the PKCE verifier did not match the code',
  verifier_missing: 'the PKCE verifier was missing',
  weaker_than_legacy: 'the app has no secret, but its legacy version has one',
  workspace_not_approved: 'it asked for a workspace that was not approved',
}
