/** English: coming in, and going out. */

import { minutesOf } from './minutes.ts'
import { phrase } from './phrase.ts'

export const signIn = {
  signIn: {
    heading: 'Sign in',
    continueTo: (app: string) => phrase`to continue to ${app}`,
    email: 'E-mail address',
    password: 'Password',
    submit: 'Sign in',
    help: 'No account, or no way in? The administrator of your organization can help.',
    wrong: 'E-mail address and password do not match an account.',
    incomplete: 'Enter your e-mail address and your password.',
    again: 'Please sign in once more, so that we know it is you.',
    or: 'or',
    provider: 'Sign in with your company account',
    passkey: 'Use a passkey',
    passkeyFailed: 'The passkey did not work. Try again, or use another way.',
    passkeyCancelled: 'No passkey was used. You can try again.',
    providerOnly: 'Signing in with a password is switched off. Use the button.',
    providerAway: 'The sign-in service does not answer at the moment. Try again in a minute.',
    providerDenied: 'You stopped at the sign-in service, or it did not let you through.',
    providerNotFresh:
      'The sign-in service did not ask you to sign in again, which is needed here. Sign out there first, then try again.',
    providerRefused: 'The sign-in service sent an answer that cannot be used. Start again.',
    providerUnknown:
      'This sign-in took too long, was used already, or began in another browser. Start again.',
    tooMany: (minutes: number) => `Too many attempts. Wait ${minutesOf(minutes)}, then try again.`,
  },

  refusals: {
    disabled: {
      heading: 'Your account is switched off here',
      message: 'The sign-in service knows you, but this account may not come in.',
      move: 'Only an administrator can switch it on again. Give them the reference below.',
    },
    email_missing: {
      heading: 'We did not learn your e-mail address',
      message: 'The sign-in service let you through without saying it, and an account needs one.',
      move: 'An administrator has to allow the sign-in service to pass it on.',
    },
    email_unverified: {
      heading: 'Your e-mail address is not verified yet',
      message: 'The sign-in service has not checked that the address is yours.',
      move: 'Verify it there, then sign in here again.',
    },
    email_taken: {
      heading: 'Your e-mail address belongs to another account here',
      message: 'We do not join accounts that we cannot be sure of, so nothing was changed.',
      move: 'An administrator can sort it out. Give them the reference below.',
    },
  },

  confirm: {
    heading: 'Use a passkey to go on',
    lead: 'Who administers an organization shows more than a password here.',
    use: 'Use a passkey',
    noneHeading: 'Add a passkey to go on',
    none: 'You do not have a passkey yet. It takes a moment: your device asks for your fingerprint, face or PIN.',
    add: 'Add a passkey',
    elsewhere:
      'The passkey is on another device, or lost? An administrator of this server can help.',
    deny: 'Do not install',
    home: 'To the start',
  },

  signOut: {
    heading: 'Sign out?',
    lead: 'Apps that you connected keep working. You can disconnect them under Connected apps.',
    submit: 'Sign out',
    stay: 'Stay signed in',
  },

  endSession: {
    heading: 'Sign out?',
    lead: (app: string, brand: string) => phrase`${app} asks to sign you out of ${brand} as well.`,
    anonymous: (brand: string) => phrase`Another site asks to sign you out of ${brand}.`,
    who: (name: string, email: string) => phrase`You are signed in as ${name}, ${email}.`,
    submit: 'Sign out',
    stay: 'Stay signed in',
  },

  signedOut: {
    heading: 'You are signed out',
    lead: 'On a shared computer, close the browser window as well.',
    signIn: 'Sign in again',
    provider:
      'You may still be signed in at the sign-in service: whoever uses this browser next could come in again without a password.',
    signOutThere: 'Sign out there too',
  },
}
