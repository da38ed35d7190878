/** English: sign-in and sign-out. */
import { message, phraseOf } from '../message.ts'

export const signIn = {
  signIn: {
    heading: 'Sign in',
    continueTo: phraseOf('to continue to {app}', 'app'),
    email: 'E-mail address',
    password: 'Password',
    showPassword: 'Show characters',
    submit: 'Sign in',
    help: 'No account, or unable to sign in? The administrator of your organization can help.',
    wrong: 'Sign-in failed. Check your e-mail address and password.',
    incomplete: 'Enter your e-mail address and your password.',
    again: 'Please sign in once more, so that we know it is you.',
    or: 'or',
    provider: 'Sign in with your company account',
    passkey: 'Use a passkey',
    passkeyFailed: 'The passkey did not work. Try again, or use another way.',
    passkeyCancelled: 'No passkey was used. You can try again.',
    providerOnly: 'Signing in with a password is switched off. Use the button.',
    providerAway: 'The sign-in service does not respond. Try again in a minute.',
    providerDenied: 'You cancelled at the sign-in service, or it refused the sign-in.',
    providerNotFresh:
      'You have to sign in again, but the sign-in service did not ask you to. Sign out there first, then try again.',
    providerRefused: 'The sign-in service sent an invalid answer. Start again.',
    providerUnknown:
      'This sign-in took too long, was already used, or began in another browser. Start again.',
    tooMany: message(
      'Too many attempts. Try again in {minutes, plural, one {a minute} other {# minutes}}.',
      'minutes',
    ),
  },

  refusals: {
    disabled: {
      heading: 'Your account is switched off here',
      message: 'The sign-in service knows you, but this account may not sign in.',
      move: 'Only an administrator can switch it on again. Give them the reference below.',
    },
    email_missing: {
      heading: 'Your e-mail address is missing',
      message: 'The sign-in service did not send it, and an account needs one.',
      move: 'An administrator has to allow the sign-in service to send it.',
    },
    email_unusable: {
      heading: 'Your e-mail address cannot be used here',
      message:
        'It has letters before the @ that not every mail server takes. Only ASCII letters can stand there.',
      move: 'An administrator can give you another address in the sign-in service.',
    },
    email_unverified: {
      heading: 'Your e-mail address is not verified yet',
      message: 'The sign-in service has not checked that the address is yours.',
      move: 'Verify it there, then sign in here again.',
    },
    email_taken: {
      heading: 'Your e-mail address belongs to another account here',
      message: 'We join accounts only when both are sure to be yours, so nothing was changed.',
      move: 'An administrator can resolve this. Give them the reference below.',
    },
  },

  confirm: {
    heading: 'Use a passkey to continue',
    lead: 'You need more than a password for this page.',
    use: 'Use a passkey',
    noneHeading: 'Add a passkey to continue',
    none: 'You do not have a passkey yet. It takes a moment: your device asks for your fingerprint, face or PIN.',
    add: 'Add a passkey',
    elsewhere:
      'The passkey is on another device, or lost? An administrator of this server can help.',
    deny: 'Do not install',
    home: 'Home',
  },

  signOut: {
    heading: 'Sign out?',
    lead: 'Apps that you connected keep working. You can disconnect them under Connected apps.',
    submit: 'Sign out',
    stay: 'Stay signed in',
  },

  endSession: {
    heading: 'Sign out?',
    lead: phraseOf('{app} asks to sign you out of {brand} as well.', 'app', 'brand'),
    anonymous: phraseOf('Another site asks to sign you out of {brand}.', 'brand'),
    who: phraseOf('You are signed in as {name}, {email}.', 'name', 'email'),
    submit: 'Sign out',
    stay: 'Stay signed in',
  },

  signedOut: {
    heading: 'You are signed out',
    lead: 'On a shared computer, close the browser window as well.',
    signIn: 'Sign in again',
    provider:
      'You may still be signed in at the sign-in service. The next person at this browser could sign in again without a password.',
    signOutThere: 'Sign out there too',
  },
}
