/** English: what can happen, and why a token was refused. */
import { type Phrase, phrase } from './phrase.ts'

/** What a sentence may name. */
export interface EventNames {
  app: string
  person: string
  workspace: string
  /** In words. */
  reason: string
}

/** What somebody did; who did it stands before it. */
export const events: Record<string, (of: EventNames) => Phrase> = {
  'install.approved': ({ app }) => phrase`installed ${app}`,
  'install.changed': ({ app }) => phrase`changed what ${app} may do`,
  'install.permissions_declined': ({ app }) => phrase`did not approve all that ${app} asks for`,
  'install.suspended': ({ app }) => phrase`suspended ${app}`,
  'install.resumed': ({ app }) => phrase`let ${app} work again`,
  'install.ended': ({ app }) => phrase`uninstalled ${app}`,
  'install.requested': ({ app }) => phrase`asked the admins for ${app}`,
  'install_request.approved': ({ app, person }) => phrase`approved ${app}, as ${person} had asked`,
  'install_request.refused': ({ app, person }) => phrase`refused ${app}, for which ${person} asked`,
  'install_request.withdrawn': ({ app }) => phrase`no longer asks the admins for ${app}`,

  'consent.granted': ({ app }) => phrase`allowed ${app} to act in their name`,
  'connection.ended': ({ app, person }) => phrase`ended what ${app} may do for ${person}`,
  'grant.ended': ({ app, person }) => {
    return phrase`ended the oldest authorization of ${app} by ${person}: there are newer ones, and too many`
  },
  'grant.reuse_detected': ({ app, person }) => {
    return phrase`ended what ${app} may do for ${person}, because a code or refresh token came a second time`
  },
  'grant.moved': ({ app, person }) => {
    return phrase`took over what ${person} had allowed its legacy version: ${app}`
  },
  'grant.revoked': ({ person }) => phrase`gave back what ${person} had allowed it`,
  'access_token.revoked': ({ app }) => phrase`gave back an access token of ${app}`,
  'token.inspected': ({ app }) => phrase`inspected a token of ${app}`,
  'token.simulated': ({ app }) => phrase`simulated a token of ${app}`,
  'token.refused': ({ reason }) => [`was refused a token: ${reason}`],

  'key_set.created': ({ app }) => phrase`made the key set ${app}`,
  'key_set.changed': ({ app }) => phrase`changed the key set ${app}`,
  'key_set.rotated': ({ app }) => phrase`made a new secret for the key set ${app}`,
  'key_set.secret_retired': ({ app }) => phrase`retired a secret of the key set ${app}`,
  'key_set.token_without_expiry': ({ app }) => {
    return phrase`used a token without an expiry date, signed for the key set ${app}; rotating the secret ends such tokens`
  },
  'key_set.deleted': ({ app }) => phrase`deleted the key set ${app}`,

  'member.added': ({ person }) => phrase`added ${person}`,
  'member.changed': ({ person }) => phrase`changed the role of ${person}`,
  'member.removed': ({ person }) => phrase`removed ${person}`,
  'workspace_member.added': ({ person, workspace }) => phrase`let ${person} into ${workspace}`,
  'workspace_member.removed': ({ person, workspace }) => phrase`took ${person} out of ${workspace}`,

  'activity.exported': () => ['downloaded the activity'],
  'organization.created': () => ['created the organization'],
  'organization.changed': () => ['changed the organization'],
  'organization.deleted': () => ['deleted the organization'],
  'workspace.created': ({ workspace }) => phrase`created the workspace ${workspace}`,
  'workspace.changed': ({ workspace }) => phrase`changed the workspace ${workspace}`,
  'workspace.deleted': ({ workspace }) => phrase`deleted the workspace ${workspace}`,

  'app.created': ({ app }) => phrase`registered ${app}`,
  'app.changed': ({ app }) => phrase`changed the registration of ${app}`,
  'app.disabled': ({ app }) => phrase`switched ${app} off`,
  'app.enabled': ({ app }) => phrase`switched ${app} on again`,
  'app.twin_made': ({ app }) => phrase`let a current app carry on for ${app}`,
  'app.twin_changed': ({ app }) => phrase`changed how a current app carries on for ${app}`,
  'app.twin_removed': ({ app }) => phrase`no longer lets a current app carry on for ${app}`,
  'app.deleted': ({ app }) => phrase`deleted the registration of ${app}`,
  'app_secret.created': ({ app }) => phrase`made a new secret for ${app}`,
  'app_secret.deleted': ({ app }) => phrase`deleted a secret of ${app}`,

  'webhook.created': ({ app }) => phrase`set up a webhook for ${app}`,
  'webhook.changed': ({ app }) => phrase`changed a webhook of ${app}`,
  'webhook.rotated': ({ app }) => phrase`made a new secret for a webhook of ${app}`,
  'webhook.tested': ({ app }) => phrase`tested a webhook of ${app}`,
  'webhook.disabled': ({ app }) => phrase`switched a webhook of ${app} off`,
  'webhook.enabled': ({ app }) => phrase`switched a webhook of ${app} on again`,
  'webhook.deleted': ({ app }) => phrase`deleted a webhook of ${app}`,
  'webhook.given_up': ({ app }) => phrase`gave up telling ${app} what had happened here`,

  'user.created': ({ person }) => phrase`made the account of ${person}`,
  'user.changed': ({ person }) => phrase`changed the account of ${person}`,
  'user.disabled': ({ person }) => phrase`switched the account of ${person} off`,
  'user.enabled': ({ person }) => phrase`switched the account of ${person} on again`,
  'user.password_changed': ({ person }) => phrase`changed the password of ${person}`,
  'user.deleted': ({ person }) => phrase`deleted the account of ${person}`,
  'session.signed_in': () => ['signed in'],
  'session.signed_out': ({ app }) => phrase`signed out, as ${app} had asked`,
  'session.ended': ({ person }) => phrase`ended a session of ${person}`,
  'session.sign_in_failed': ({ person }) => phrase`could not sign in as ${person}`,
  'passkey.added': ({ person }) => phrase`added a passkey to the account of ${person}`,
  'passkey.renamed': ({ person }) => phrase`renamed a passkey of ${person}`,
  'passkey.removed': ({ person }) => phrase`removed a passkey of ${person}`,
  'identity.linked': ({ person }) => phrase`linked a sign-in elsewhere to the account of ${person}`,
  'identity.email_conflict': ({ person }) => {
    return phrase`signed in elsewhere with the e-mail address of ${person}, and was not let in`
  },

  'operator_token.created': () => ['made an operator token'],
  'operator_token.deleted': () => ['deleted an operator token'],
  'operator_token.refused': () => ['sent a wrong operator token'],
  'resource_server.created': () => ['registered a data API'],
  'resource_server.deleted': () => ['deleted a data API'],
  'signing_key.rotated': () => ['rotated the signing keys'],
}

/** Why a request for a token was refused. */
export const reasons: Record<string, string> = {
  app_disabled: 'the app was switched off by the operator',
  authorization_answered_twice: 'the request was answered before',
  challenge_missing: 'the code was asked for without a PKCE challenge',
  code_expired_or_ended: 'the code was older than a minute, or its authorization had ended',
  code_reused: 'the code had been used before',
  device_flow_off: 'it may not ask from devices without a browser',
  family_ended: 'the authorization had ended',
  grant_ended: 'the authorization had ended',
  install_suspended: 'the app is suspended here',
  key_mismatch: 'it was bound to another key',
  malformed: 'the scope or the workspaces could not be read',
  moved: 'what it was allowed has become a grant of its current version, which has ended, too',
  no_legacy_app: 'it takes over from no legacy app',
  not_installed: 'the app is not installed here',
  openid_missing: 'it asked for a name or an e-mail address, but not for openid',
  openid_not_allowed: 'it asked who somebody is, and is not registered for that',
  openid_not_approved: 'it asked to know more of the person than was allowed',
  password_changed: 'the person has changed the password since',
  permission_not_approved: 'it asked for a permission that was not approved',
  proof_algorithm: 'the proof of its key was signed in a way that is not accepted',
  proof_key: 'the key that it wanted to prove is not accepted',
  proof_malformed: 'the proof of its key could not be read',
  proof_method: 'the proof of its key was for another request',
  proof_missing: 'it has not proven its key',
  proof_other_key: 'it named another key than it has proven',
  proof_replayed: 'the proof of its key had been used before',
  proof_signature: 'the proof of its key was not signed with that key',
  proof_token: 'the proof of its key was for another token',
  proof_url: 'the proof of its key was for another address',
  public_client: 'an app without a secret never acts for itself',
  reading_not_granted: 'its legacy version was not allowed to read, and each current token reads',
  redirect_uri_mismatch: 'the redirect URI was not the one that the code was made for',
  refresh_token_reused: 'the refresh token had been used before',
  token_unknown_or_foreign: 'the token is not known, or another app’s',
  token_unreadable: 'the token is damaged or made up',
  too_many_workspaces: 'it asked for more workspaces than fit into one token',
  uninstalled: 'the app was uninstalled',
  unknown_permission: 'it asked for a permission that there is not',
  user_disabled: 'the account of the person was switched off',
  user_left: 'the person has left the organization',
  verifier_mismatch: 'the PKCE verifier did not fit the code',
  verifier_missing: 'the PKCE verifier was missing',
  weaker_than_legacy: 'it has no secret, and its legacy version has one',
  workspace_not_approved: 'it asked for a workspace that was not approved',
}
