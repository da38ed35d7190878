/** English: the token inspector. */

import { formats } from '../formats.ts'
import { phraseOf } from '../message.ts'
import { tokenReasons } from './token-reasons.ts'

export const inspector = {
  title: 'Check access',
  heading: phraseOf('Check access in {organization}', 'organization'),
  lead: 'See what a token is, what it may do, and why it is refused.',

  form: {
    heading: 'What does this token mean?',
    label: 'Token',
    hint: 'An access token, a refresh token, a code or a secret of a key. It is not stored, not logged and not used up.',
    submit: 'Explain',
    empty: 'Paste a token first.',
  },

  verdict: {
    accepted: {
      access_token: 'It is accepted now.',
      self_signed: 'It is accepted now.',
      secret_key: 'It is accepted now.',
      refresh_token: 'It is valid: the app can exchange it for an access token once.',
      code: 'It is valid: the app can exchange it for tokens once.',
    },
    refused: 'It is not accepted.',
  },

  unknown: {
    heading: 'This is not a token of this organization',
    why: 'It belongs to another organization, was not copied completely, or ended so long ago that no record remains.',
    move: 'Copy it again completely, without quotation marks. If it came from another organization, an admin there can inspect it.',
  },

  signedOtherwise: {
    heading: 'This is not signed with a secret of the key',
    why: phraseOf(
      'It claims to come from {keySet}. Without a valid signature, nothing in it can be trusted.',
      'keySet',
    ),
    move: tokenReasons.signature_invalid.move,
  },

  facts: {
    kind: 'What',
    hint: 'Ends in',
    interface: 'Interface',
    app: 'App',
    keySet: 'Key',
    actors: 'Through',
    person: 'For',
    itself: 'Itself, not a person',
    organization: 'Organization',
    may: 'It may',
    might: 'It could',
    nothing: 'Nothing',
    issued: 'Issued',
    expires: 'Expires',
    unknown: 'not known',
    withoutEnd: 'no date of its own: it ends with its secret or its authorization',
    key: 'Bound to a key',
    keyNeeded: 'It is valid only with proofs of the key with this thumbprint:',
  },
  kinds: {
    user: 'Access token of an app, for a person',
    install: 'Access token of an app, for itself',
    refresh_token: 'Refresh token of an app, for a person',
    code: 'Authorization code of an app, for a person',
    self_signed: 'Token signed by a program of yours',
    secret_key: 'Secret of a key',
  },
  interfaces: { current: 'Current', legacy: 'Legacy' },
  reasons: tokenReasons,
  moment: formats.second,
  fromNow: formats.distance,

  simulation: {
    heading: 'Would an app be let in?',
    lead: 'No token is issued, and no person is asked.',
    app: 'App',
    chooseApp: 'Choose an app',
    person: 'For',
    itself: 'Itself, not a person',
    submit: 'Check',
    missing: 'Choose an app and a member of the organization.',
    none: 'No app was ever installed here.',

    result: phraseOf(
      '{person, select, none {What {app} would get for itself} other {What {app} would get for {person}}}',
      'app',
      'person',
    ),
    granted: 'Yes, it would be let in.',
    refused: 'No, it would not be let in.',
    asksAgain:
      'The app asks for more than the person has seen, so the person is asked again the next time.',
    permissions: 'Permissions',
    workspaces: 'Workspaces',
    noWorkspace: 'There are no workspaces.',
    permission: 'Permission',
    workspace: 'Workspace',
    because: 'Because',
    yes: 'yes',
    no: 'no',
    given: 'In the token',

    obstacles: {
      app_disabled: 'The operator of this service has switched the app off.',
      legacy_interface: 'Apps of the legacy interface never act for themselves.',
      public_client: 'An app that runs on people’s own devices never acts for itself.',
      user_disabled: 'The account of the person was switched off.',
      user_left: 'The person is not a member of the organization.',
      not_installed: 'The app is not installed here.',
      denied: 'An admin has denied the person this app.',
      not_in_audience: 'The app is not for this person here.',
      policy: 'The rules of the organization refuse the app.',
      install_suspended: 'An admin has suspended the app here.',
      consent_missing: 'The person has not allowed the app yet and would be asked.',
      malformed: 'The scope or the workspaces asked for cannot be read.',
      openid_missing: 'It asks for a name or an e-mail address without openid.',
      openid_not_allowed: 'It asks for the identity of the person, but is not registered for that.',
      openid_not_approved: 'It asks for more personal data than the person allowed.',
      unknown_permission: 'It asks for a permission that does not exist.',
      permission_not_approved: 'It asks for a permission that was not approved.',
      workspace_not_approved: 'It asks for a workspace that was not approved.',
    },
    causes: {
      granted: 'approved',
      not_asked_by_app: 'the app never asks for it',
      not_installed: 'the app is not installed here',
      not_approved_by_admin: 'no admin has approved it',
      consent_missing: 'the person was not asked yet',
      withheld_by_user: 'the person has not allowed it',
      left_out_by_request: 'the request leaves it out',
      not_a_member: 'the person is not in this workspace',
    },
  },
}
