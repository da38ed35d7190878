/** English: why a token is not accepted, and whose move it is; by its stable sub-reason. */

const anew = 'The person has to allow the app anew, from the app.'
const clock = 'Set the clock of the program that signs.'
const inSeconds = 'Write it as whole seconds since 1970, not as text and not in milliseconds.'

export const tokenReasons = {
  app_disabled: {
    why: 'The operator of this service has switched the app off.',
    move: 'Ask the operator. Once it is on again, people have to allow the app anew.',
  },
  code_expired_or_ended: {
    why: 'The code was not used within a minute, or its authorization has ended.',
    move: 'Start again from the app.',
  },
  code_reused: {
    why: 'The code was used before; a code works once.',
    move: 'The app has to keep the tokens that it got for it. If it never got any, disconnect it and start again.',
  },
  disconnected: {
    why: 'The person has disconnected the app under Connected apps.',
    move: 'If that was a mistake: the person can allow the app anew, from the app.',
  },
  expired: {
    why: 'Its time is over.',
    move: 'An app gets the next one with its refresh token; a program with a key set signs a new one.',
  },
  expiry_malformed: { why: 'Its end (exp) cannot be read.', move: inSeconds },
  family_ended: { why: 'The authorization that it belongs to has ended.', move: anew },
  grant_ended: { why: 'The authorization that it belongs to has ended.', move: anew },
  grant_unknown: { why: 'The authorization that it came from is no longer there.', move: anew },
  id_token: {
    why: 'It is an ID token: it tells an app who has signed in, and opens nothing.',
    move: 'Send the access token that came with it.',
  },
  install_suspended: {
    why: 'An admin has suspended the app here.',
    move: 'Resume it under Apps: the token is accepted again at once.',
  },
  install_unknown: {
    why: 'The installation that it came from is no longer there.',
    move: 'Install the app again, from the app.',
  },
  issued_at_malformed: {
    why: 'It does not say when it was issued (iat), or not in a way that can be read.',
    move: inSeconds,
  },
  issued_in_the_future: { why: 'It says that it is issued in the future (iat).', move: clock },
  issuer_malformed: {
    why: 'It does not say who issued it (iss).',
    move: 'Put the Client ID of the key set there.',
  },
  key_set_unknown: {
    why: 'There is no key set of the name that it gives (iss).',
    move: 'Put the Client ID of a key set for the current interface there, exactly as it is shown.',
  },
  moved: {
    why: 'The app has exchanged it for an authorization of its current version.',
    move: 'The app has to use what it got for it. Sending this one again ends the whole authorization.',
  },
  not_yet_valid: {
    why: 'It says that it is not valid yet (nbf).',
    move: `Wait, or leave nbf out. ${clock}`,
  },
  other_audience: {
    why: 'It is meant for another API (aud).',
    move: 'Use it there. In a token of your own, leave aud out.',
  },
  other_issuer: {
    why: 'It was issued under another address of this service.',
    move: 'Let the app get a new one here.',
  },
  password_changed: {
    why: 'The person has changed the password, which ends what was allowed before.',
    move: anew,
  },
  permissions_malformed: {
    why: 'Its permissions are not a list of names.',
    move: 'Write them as a list, or leave them out to read only.',
  },
  refresh_token_reused: {
    why: 'The refresh token was used before; each works once.',
    move: 'The app has to use the one that it got for it. Sending this one again ends the whole authorization.',
  },
  reuse_detected: {
    why: 'A code or refresh token of this authorization came a second time, as a stolen one would, so all of it was ended.',
    move: 'Find out whether the app sends a refresh token twice, or has lost one to somebody. Then the person allows it anew.',
  },
  revoked: { why: 'The app has given back what it was allowed.', move: anew },
  secret_of_current_key_set: {
    why: 'This is the Client Secret itself. It signs tokens and is never sent.',
    move: 'Sign a JWT with it and send that. If the secret went to anybody, rotate the key set.',
  },
  secret_retired: {
    why: 'The secret behind it was retired.',
    move: 'Let the program use the secret that is in force; rotate the key set if that one is lost.',
  },
  secret_unknown: {
    why: 'No key set has this secret.',
    move: 'It was retired long ago, belongs elsewhere, or was not copied as a whole.',
  },
  signature_invalid: {
    why: 'The signature does not fit: it was changed, or signed with something else.',
    move: 'Sign with HS256 and the secret as the text that it is, not decoded, and not with one that was retired long ago.',
  },
  superseded: {
    why: 'The app has got many newer authorizations of this person since; the oldest end.',
    move: 'The app has to keep and refresh the tokens that it has, instead of asking again each time.',
  },
  token_revoked: {
    why: 'The app has given back this one token.',
    move: 'The app can get another one.',
  },
  uninstalled: {
    why: 'The app was uninstalled here.',
    move: 'To use it again, an admin installs it and everybody allows it anew.',
  },
  unreadable: {
    why: 'It is no token that this service could have made.',
    move: 'Copy it again as a whole, without quotation marks.',
  },
  user_disabled: {
    why: 'The account of the person was switched off.',
    move: 'Only the operator can switch it on again.',
  },
  user_left: {
    why: 'The person is no longer a member of the organization.',
    move: 'Add the person again; then they have to allow the app anew.',
  },
  workspace_ids_malformed: {
    why: 'Its workspaces (workspace_ids) are not a list of ids.',
    move: 'Write them as a list, or leave them out for all.',
  },
}
