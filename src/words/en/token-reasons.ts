/** English: why a token is not accepted and who can do something about it, by stable sub-reason. */
import type { TokenReason } from '../../core/language/sub-reasons.ts'

const allowAgain = 'The person has to allow the app again, from the app.'
const clock = 'Correct the clock of the program that signs.'
const inSeconds = 'Write it as whole seconds since 1970, not as text and not in milliseconds.'

export const tokenReasons: Record<TokenReason, { why: string; move: string }> = {
  actor_disabled: {
    why: 'The operator of this service has switched off an app that acts through this one, or has ended its tokens.',
    move: 'Ask the operator. Once the app is switched on, it gets a new token by itself.',
  },
  actor_suspended: {
    why: 'An admin has suspended an app that acts through this one.',
    move: 'Resume it under Apps. The token is then accepted again at once.',
  },
  actor_uninstalled: {
    why: 'An app that acts through this one was uninstalled.',
    move: 'Install it again. It then gets a new token by itself.',
  },
  app_disabled: {
    why: 'The operator of this service has switched the app off, or has ended its tokens.',
    move: 'Ask the operator. Once the app is switched on, people have to allow it again.',
  },
  code_expired_or_ended: {
    why: 'The code was not used within a minute, or its authorization has ended.',
    move: 'Start again from the app.',
  },
  code_reused: {
    why: 'The code was used before. A code works once.',
    move: 'The app has to keep the tokens that it got for the code. If it got none, disconnect it and start again.',
  },
  disconnected: {
    why: 'The person has disconnected the app, or an admin has ended its access for this person.',
    move: 'If that was a mistake, the person can allow the app again, from the app.',
  },
  expired: {
    why: 'It has expired.',
    move: 'An app gets a new one with its refresh token. A program with a key signs a new one.',
  },
  denied: {
    why: 'An admin has denied the person this app.',
    move: 'An admin can admit the person again on the page of the app. Then they have to allow the app again.',
  },
  expiry_malformed: { why: 'Its expiry time (exp) cannot be read.', move: inSeconds },
  family_ended: { why: 'The authorization that it belongs to has ended.', move: allowAgain },
  grant_ended: { why: 'The authorization that it belongs to has ended.', move: allowAgain },
  grant_unknown: { why: 'The authorization that it came from no longer exists.', move: allowAgain },
  id_token: {
    why: 'It is an ID token: it tells an app who has signed in, but gives no access.',
    move: 'Send the access token that came with it.',
  },
  install_suspended: {
    why: 'An admin has suspended the app here.',
    move: 'Resume it under Apps. The token is then accepted again at once.',
  },
  install_unknown: {
    why: 'The installation that it came from no longer exists.',
    move: 'Install the app again, from the app.',
  },
  issued_at_malformed: {
    why: 'Its time of issue (iat) is missing or cannot be read.',
    move: inSeconds,
  },
  issued_in_the_future: { why: 'Its time of issue (iat) is in the future.', move: clock },
  issuer_malformed: {
    why: 'Its issuer (iss) is missing or cannot be read.',
    move: 'Set iss to the Client ID of the key.',
  },
  key_set_unknown: {
    why: 'No key has the Client ID in iss.',
    move: 'Set iss to the Client ID of a key for the current interface, exactly as shown.',
  },
  moved: {
    why: 'The app has exchanged it for an authorization of its current version.',
    move: 'The app has to use the token that it got in exchange. Sending this one again ends the whole authorization.',
  },
  not_in_audience: {
    why: 'The app is not for this person here: they are in none of the workspaces and groups that it is for.',
    move: 'An admin can change on the page of the app whom it is for. The token is then accepted again at once.',
  },
  policy: {
    why: 'The rules of the organization refuse the app, or apps that were connected with the code of a device.',
    move: 'An admin can change that under Rules. The token is then accepted again at once.',
  },
  not_yet_valid: {
    why: 'It is not valid yet (nbf).',
    move: `Wait, or leave nbf out. ${clock}`,
  },
  other_audience: {
    why: 'It is for another API (aud).',
    move: 'Use it there. In a token of your own, leave aud out.',
  },
  other_issuer: {
    why: 'It was issued under another address of this service.',
    move: 'Let the app get a new one here.',
  },
  password_changed: {
    why: 'The person has changed the password, which ends earlier authorizations.',
    move: allowAgain,
  },
  permissions_malformed: {
    why: 'Its permissions are not a list of names.',
    move: 'Write them as a list, or leave them out to read only.',
  },
  refresh_token_reused: {
    why: 'The refresh token was used before. Each works once.',
    move: 'The app has to use the newer one that it got. Sending this one again ends the whole authorization.',
  },
  reuse_detected: {
    why: 'A code or refresh token of this authorization was used twice. It may be stolen, so the whole authorization was ended.',
    move: 'Find out whether the app sends a refresh token twice or whether one was stolen. Then the person allows the app again.',
  },
  revoked: { why: 'The app has revoked its authorization.', move: allowAgain },
  secret_of_current_key_set: {
    why: 'This is the Client Secret itself. It signs tokens and is never sent.',
    move: 'Sign a JWT with it and send the JWT. If the secret was sent to anyone, make a new one.',
  },
  secret_retired: {
    why: 'The secret behind it has ended.',
    move: 'Let the program use the active secret. Make a new one if that one is lost.',
  },
  secret_unknown: {
    why: 'No key has this secret.',
    move: 'It ended long ago, belongs to another organization, or was not copied completely.',
  },
  signature_invalid: {
    why: 'The signature is wrong: the token was changed, or signed with another secret.',
    move: 'Sign with HS256 and the text of the secret, not decoded. Do not use a secret that ended long ago.',
  },
  superseded: {
    why: 'The app has many newer authorizations of this person. The oldest ones end.',
    move: 'The app has to keep and refresh its tokens instead of asking again each time.',
  },
  token_revoked: {
    why: 'The app has revoked this token.',
    move: 'The app can get another one.',
  },
  uninstalled: {
    why: 'The app was uninstalled here.',
    move: 'To use it again, an admin has to install it and everyone has to allow it again.',
  },
  unreadable: {
    why: 'This service cannot have issued it.',
    move: 'Copy it again completely, without quotation marks.',
  },
  user_disabled: {
    why: 'The account of the person was switched off.',
    move: 'Only the operator can switch it on again.',
  },
  user_left: {
    why: 'The person is no longer a member of the organization.',
    move: 'Add the person again. Then they have to allow the app again.',
  },
  workspace_ids_malformed: {
    why: 'Its workspaces (workspace_ids) are not a list of ids.',
    move: 'Write them as a list, or leave them out for all.',
  },
}
