/** English: descriptions of audit events, and reasons for refused tokens. */
import type { EventType } from '../../../core/language/event-types.ts'
import type {
  GrantReason,
  ProofReason,
  ScopeReason,
  TargetReason,
} from '../../../core/language/sub-reasons.ts'
import { type Phrase, phrase } from './phrase.ts'

/** Names that a description may contain. */
export interface EventNames {
  app: string
  person: string
  workspace: string
  /** The reason in words. */
  reason: string
}

/** Descriptions of events. The page puts the actor in front of each. */
export const events: Record<EventType, (of: EventNames) => Phrase> = {
  'install.approved': ({ app }) => phrase`installed ${app}`,
  'install.changed': ({ app }) => phrase`changed what ${app} may do`,
  'install.permissions_declined': ({ app }) =>
    phrase`declined some permissions that ${app} asks for`,
  'install.suspended': ({ app }) => phrase`suspended ${app}`,
  'install.resumed': ({ app }) => phrase`resumed ${app}`,
  'install.ended': ({ app }) => phrase`uninstalled ${app}`,
  'install.code_redeemed': () => ['completed its setup after the installation'],
  'install.requested': ({ app }) => phrase`asked the admins for ${app}`,
  'install_request.approved': ({ app, person }) =>
    phrase`approved the request for ${app} by ${person}`,
  'install_request.refused': ({ app, person }) =>
    phrase`refused the request for ${app} by ${person}`,
  'install_request.withdrawn': ({ app }) => phrase`withdrew the request for ${app}`,

  'consent.granted': ({ app }) => phrase`allowed ${app} to act in their name`,
  'connection.ended': ({ app, person }) => phrase`ended the access of ${app} for ${person}`,
  'grant.ended': ({ app, person }) => {
    return phrase`ended the oldest authorization of ${app} by ${person}, because there were too many`
  },
  'grant.reuse_detected': ({ app, person }) => {
    return phrase`ended the access of ${app} for ${person}, because a code or refresh token was used twice`
  },
  'grant.asserted': ({ person }) =>
    phrase`got access for ${person} from the organization's identity provider`,
  'grant.moved': ({ app, person }) => {
    return phrase`took over the authorization that ${person} gave its legacy version: ${app}`
  },
  'grant.revoked': ({ person }) => phrase`revoked its authorization by ${person}`,
  'access_token.delegated': ({ app, person }) => {
    return phrase`acts for ${person} through ${app}`
  },
  'access_token.revoked': ({ app }) => phrase`revoked an access token of ${app}`,
  'token.inspected': ({ app }) => phrase`inspected a token of ${app}`,
  'token.simulated': ({ app }) => phrase`simulated a token of ${app}`,
  'token.refused': ({ reason }) => [`was refused a token: ${reason}`],

  'key_set.created': ({ app }) => phrase`created the key set ${app}`,
  'key_set.changed': ({ app }) => phrase`changed the key set ${app}`,
  'key_set.rotated': ({ app }) => phrase`created a new secret for the key set ${app}`,
  'key_set.secret_retired': ({ app }) => phrase`retired a secret of the key set ${app}`,
  'key_set.token_without_expiry': ({ app }) => {
    return phrase`used a token without an expiry date, signed for the key set ${app}. Rotate the secret to end such tokens`
  },
  'key_set.deleted': ({ app }) => phrase`deleted the key set ${app}`,

  'member.added': ({ person }) => phrase`added ${person}`,
  'member.changed': ({ person }) => phrase`changed the role of ${person}`,
  'member.removed': ({ person }) => phrase`removed ${person}`,
  'workspace_member.added': ({ person, workspace }) => phrase`added ${person} to ${workspace}`,
  'workspace_member.removed': ({ person, workspace }) =>
    phrase`removed ${person} from ${workspace}`,

  'activity.exported': () => ['downloaded the activity'],
  'import.stored': () => ['imported organizations, users or workspaces'],
  'organization.created': () => ['created the organization'],
  'organization.changed': () => ['changed the organization'],
  'organization.deleted': () => ['deleted the organization'],
  'organization.apps_suspended': () => ['suspended all apps'],
  'organization.apps_resumed': () => ['resumed the apps that were suspended together'],
  'workspace.created': ({ workspace }) => phrase`created the workspace ${workspace}`,
  'workspace.changed': ({ workspace }) => phrase`changed the workspace ${workspace}`,
  'workspace.deleted': ({ workspace }) => phrase`deleted the workspace ${workspace}`,

  'app.created': ({ app }) => phrase`registered ${app}`,
  'app.changed': ({ app }) => phrase`changed the registration of ${app}`,
  'app.disabled': ({ app }) => phrase`switched ${app} off`,
  'app.enabled': ({ app }) => phrase`switched ${app} on again`,
  'app.twin_made': ({ app }) => phrase`set a current version for ${app}`,
  'app.twin_changed': ({ app }) => phrase`changed the migration of ${app} to its current version`,
  'app.twin_removed': ({ app }) => phrase`stopped the migration of ${app} to its current version`,
  'app.deleted': ({ app }) => phrase`deleted the registration of ${app}`,
  'app_secret.created': ({ app }) => phrase`created a new secret for ${app}`,
  'app_secret.deleted': ({ app }) => phrase`deleted a secret of ${app}`,

  'webhook.created': ({ app }) => phrase`set up a webhook for ${app}`,
  'webhook.changed': ({ app }) => phrase`changed a webhook of ${app}`,
  'webhook.rotated': ({ app }) => phrase`created a new secret for a webhook of ${app}`,
  'webhook.tested': ({ app }) => phrase`tested a webhook of ${app}`,
  'webhook.disabled': ({ app }) => phrase`switched a webhook of ${app} off`,
  'webhook.enabled': ({ app }) => phrase`switched a webhook of ${app} on again`,
  'webhook.deleted': ({ app }) => phrase`deleted a webhook of ${app}`,
  'webhook.given_up': ({ app }) => phrase`stopped delivering webhook events to ${app}`,

  'user.created': ({ person }) => phrase`created the account of ${person}`,
  'user.changed': ({ person }) => phrase`changed the account of ${person}`,
  'user.disabled': ({ person }) => phrase`switched the account of ${person} off`,
  'user.enabled': ({ person }) => phrase`switched the account of ${person} on again`,
  'user.password_changed': ({ person }) => phrase`changed the password of ${person}`,
  'user.deleted': ({ person }) => phrase`deleted the account of ${person}`,
  'session.signed_in': () => ['signed in'],
  'session.signed_out': ({ app }) => phrase`signed out at the request of ${app}`,
  'session.ended': ({ person }) => phrase`ended a session of ${person}`,
  'session.sign_in_failed': ({ person }) => phrase`failed to sign in as ${person}`,
  'passkey.added': ({ person }) => phrase`added a passkey to the account of ${person}`,
  'passkey.renamed': ({ person }) => phrase`renamed a passkey of ${person}`,
  'passkey.removed': ({ person }) => phrase`removed a passkey of ${person}`,
  'identity.linked': ({ person }) => phrase`linked a sign-in service to the account of ${person}`,
  'identity.email_conflict': ({ person }) => {
    return phrase`signed in at the sign-in service with the e-mail address of ${person}, and was refused`
  },

  'app.document_failed': ({ app }) =>
    phrase`could not read the description that ${app} has of itself`,
  'app_review.requested': ({ app }) => phrase`asked for a review of ${app}`,
  'app_review.approved': ({ app }) => phrase`approved the review of ${app}`,
  'app_review.refused': ({ app }) => phrase`refused the review of ${app}`,
  'app_change.requested': ({ app }) => phrase`asked for a change of ${app}`,
  'app_change.withdrawn': ({ app }) => phrase`withdrew the request for a change of ${app}`,
  'app_change.approved': ({ app }) => phrase`approved a change of ${app}`,
  'app_change.refused': ({ app }) => phrase`refused a change of ${app}`,
  'client_host.changed': () => ['changed the policy for a host of apps'],
  'client_host.removed': () => ['removed the policy for a host of apps'],

  'operator_token.created': () => ['created an operator token'],
  'operator_token.deleted': () => ['deleted an operator token'],
  'operator.granted': ({ person }) => phrase`made ${person} an operator`,
  'operator.revoked': ({ person }) => phrase`ended the operator access of ${person}`,
  'operator_token.refused': () => ['sent a wrong operator token'],
  'scim_token.created': () => ['created a token for an identity provider (SCIM)'],
  'scim_token.deleted': () => ['deleted a token of an identity provider (SCIM)'],
  'scim_token.refused': () => ['sent a wrong token of an identity provider (SCIM)'],
  'identity_provider.set': () => ['named the identity provider whose assertions apps may use'],
  'identity_provider.changed': () => [
    'changed the identity provider whose assertions apps may use',
  ],
  'identity_provider.removed': () => [
    'removed the identity provider whose assertions apps may use',
  ],
  'permission.added': () => ['added a permission to the catalogue'],
  'permission.changed': () => ['changed a permission of the catalogue'],
  'permission.removed': () => ['removed a permission from the catalogue'],
  'resource_server.created': () => ['registered a data API'],
  'resource_server.changed': () => ['changed a data API'],
  'resource_server.deleted': () => ['deleted a data API'],
  'signing_key.rotated': () => ['rotated the signing keys'],
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
