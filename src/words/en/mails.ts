/** English: mails. */
import { phraseOf } from '../message.ts'

export const mails = {
  deletedApp: 'a deleted app',
  deletedOrganization: 'a deleted organization',
  deletedKeySet: 'a deleted key',

  facts: {
    time: 'Time',
    device: 'Device',
    unknownDevice: 'Unknown',
    address: 'IP address',
    ends: 'Ends',
    wants: 'It wants to',
    reason: 'Why',
    note: 'The operator wrote',
  },

  requested: {
    /** Without a name when the user was deleted. */
    subject: phraseOf(
      '{organization}: {person, select, none {a member} other {{person}}} asks for {app}',
      'app',
      'organization',
      'person',
    ),
    lead: phraseOf(
      '{person, select, none {A member of {organization} asks to use {app}.} other {{person} asks to use {app} in {organization}.}}',
      'app',
      'organization',
      'person',
    ),
    action: 'Decide',
  },
  waiting: {
    subject: phraseOf(
      '{organization}: {person, select, none {a member} other {{person}}} still waits for {app}',
      'app',
      'organization',
      'person',
    ),
    lead: phraseOf(
      '{person, select, none {A member of {organization}} other {{person}}} asked for {app} three days ago and has no answer yet.',
      'app',
      'organization',
      'person',
    ),
    action: 'Decide',
  },
  selfInstalled: {
    subject: phraseOf(
      '{organization}: {person, select, none {a member} other {{person}}} installed {app}',
      'app',
      'organization',
      'person',
    ),
    lead: phraseOf(
      '{person, select, none {A member of {organization}} other {{person}}} installed {app} for themselves, as the rules of {organization} allow. It only reads, in their name.',
      'app',
      'organization',
      'person',
    ),
    action: 'See the app',
  },
  changeApproved: {
    subject: phraseOf('The change of {app} was approved', 'app'),
    lead: phraseOf('The operator approved what you asked for. {app} has it now.', 'app'),
    action: 'See the app',
  },
  changeRefused: {
    subject: phraseOf('The change of {app} was refused', 'app'),
    lead: phraseOf('The operator refused what you asked for. {app} stays as it is.', 'app'),
    action: 'See the app',
  },
  approved: {
    subject: phraseOf(
      'Your request for {app} in {organization} was approved',
      'app',
      'organization',
    ),
    lead: phraseOf(
      'An admin of {organization} approved your request. You can use {app} now.',
      'app',
      'organization',
    ),
    action: 'Your connected apps',
  },
  refused: {
    subject: phraseOf(
      'Your request for {app} in {organization} was refused',
      'app',
      'organization',
    ),
    lead: phraseOf(
      'An admin of {organization} refused your request for {app}.',
      'app',
      'organization',
    ),
    action: 'Your connected apps',
  },
  unanswered: {
    subject: phraseOf(
      'No answer to your request for {app} in {organization}',
      'app',
      'organization',
    ),
    lead: phraseOf(
      'The admins of {organization} did not answer your request for {app} in time. You can ask again from the app.',
      'app',
      'organization',
    ),
    action: 'Your connected apps',
  },
  narrowed: {
    subject: phraseOf('{app} has less access in {organization}', 'app', 'organization'),
    lead: phraseOf(
      'An admin of {organization} has changed what {app} may do, where, or for whom. It has less access in your name now, or none.',
      'app',
      'organization',
    ),
    action: 'Your connected apps',
  },
  asksForMore: {
    subject: phraseOf('{app} asks for more in {organization}', 'app', 'organization'),
    lead: phraseOf(
      '{app} asks for permissions that it does not have in {organization}. It gets none of them until you decide.',
      'app',
      'organization',
    ),
    action: 'Decide',
  },
  unused: {
    subject: phraseOf('{app} has been unused for 90 days in {organization}', 'app', 'organization'),
    lead: phraseOf(
      'If {organization} does not need {app} any more, uninstall it.',
      'app',
      'organization',
    ),
    action: 'See the app',
  },
  secretEnds: {
    subject: phraseOf('A secret of {app} ends on {day}', 'app', 'day'),
    lead: phraseOf(
      'From {day} on, requests with this secret fail. Check that every server of {app} uses a newer one.',
      'app',
      'day',
    ),
    action: 'See the secrets',
  },
  keyEnds: {
    subject: phraseOf(
      '{organization}: a secret of {keySet} ends on {day}',
      'keySet',
      'organization',
      'day',
    ),
    lead: phraseOf(
      'From {day} on, requests with this secret fail. Check that every program with {keySet} uses a newer one.',
      'keySet',
      'day',
    ),
    action: 'See the keys',
  },
  webhookOff: {
    subject: phraseOf('A webhook of {app} is switched off', 'app'),
    lead: phraseOf(
      'Its endpoint is gone, or did not accept messages for days. It gets no more events of {app} until it is switched on again.',
      'app',
    ),
    action: 'See the app',
  },
  webhookFailed: {
    subject: phraseOf('Webhook messages of {app} were not delivered', 'app'),
    lead: phraseOf(
      'An endpoint of {app} did not accept them for days. They are not sent again.',
      'app',
    ),
    action: 'See the app',
  },
  refusals: {
    subject: phraseOf('Many more requests of {app} are refused', 'app'),
    lead: phraseOf(
      'Refused today: {count}. On a usual day, far fewer requests of {app} are refused.',
      'count',
      'app',
    ),
    action: 'See the app',
  },
  reuse: {
    subject: phraseOf('A token of {app} was used twice in {organization}', 'app', 'organization'),
    lead: phraseOf(
      'A copy of a token may be in wrong hands, so we ended this connection of {app}. Its user can connect the app again.',
      'app',
    ),
    action: 'See the activity',
  },
  connected: {
    subject: phraseOf('{app} can now act in your name', 'app'),
    lead: phraseOf(
      'You connected {app} in {organization}. If this was not you, disconnect it and change your password.',
      'app',
      'organization',
    ),
    action: 'Your connected apps',
  },
  disconnected: {
    subject: phraseOf('{app} can no longer act in your name', 'app'),
    lead: phraseOf('An admin of {organization} disconnected {app}.', 'app', 'organization'),
    action: 'Your connected apps',
  },
  passkey: {
    subject: 'A passkey was added to your account',
    lead: 'If this was not you, remove the passkey and change your password.',
    action: 'Your passkeys',
  },
  passwordSet: {
    subject: 'Your password is set',
    lead: 'You can sign in with it from now on. If this was not you, set another password at once.',
    action: 'Set another password',
  },
  passwordChanged: {
    subject: 'Your password was changed',
    lead: 'Your sessions and connected apps from before have ended. If this was not you, set a new password at once.',
    action: 'Set a new password',
  },
  newPlace: {
    subject: 'New sign-in to your account',
    lead: 'Your account was used on a new device or in a new network. If this was you, there is nothing to do. If not, end the session and change your password.',
    action: 'Your sessions',
  },
  forgotten: {
    subject: 'Set a new password',
    lead: phraseOf(
      'The link works once, until {time}. If you did not ask for it, ignore this mail: your password stays as it is.',
      'time',
    ),
    action: 'Set a new password',
  },
  invited: {
    /** Without a name when a program invited the user. */
    invites: phraseOf(
      '{person, select, none {You are invited to {place}} other {{person} invites you to {place}}}',
      'person',
      'place',
    ),
    lead: phraseOf(
      'You have an account at {brand} now. Set a password to sign in. The link works once, until {time}.',
      'brand',
      'time',
    ),
    action: 'Set a password',
  },

  digest: {
    subject: 'News about your apps',
    lead: 'These mails were due at the same time:',
    action: 'Home',
  },

  why: {
    security:
      'This mail is about the security of your account or organization. It cannot be switched off.',
    account: 'Has the link expired? The sign-in page or an administrator can send another one.',
    other: 'You get this mail because of your role in an organization or app.',
  },
  choose: 'Choose which mails you get',
  unsubscribe: 'Get no more mails like this',
}
