/** English: texts of every page, and texts that many pages share. */
import { phrase } from './phrase.ts'

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

export const layout = {
  language: { code: 'en', direction: 'ltr' },
  day: (date: Date) => day.format(date),

  titles: {
    signIn: 'Sign in',
    chooseOrganization: 'Choose an organization',
    install: 'Install an app',
    askAdmin: 'Ask an admin',
    requestSent: 'Request sent',
    consent: 'Allow access',
    signOut: 'Sign out',
    signedOut: 'Signed out',
    home: 'Home',
    accountApps: 'Connected apps',
    sessions: 'Sessions',
    passkeys: 'Passkeys',
    password: 'Password',
    confirm: 'Use a passkey',
    refused: 'Sign-in failed',
    device: 'Connect a device',
  },

  layout: {
    skip: 'Skip to the content',
    navigation: 'Your account',
    connectedApps: 'Connected apps',
    signIn: 'Sign in',
    signOut: 'Sign out',
    reference: 'Reference',
  },

  app: {
    reviewed: 'Reviewed',
    unclaimed: 'On your device',
    doubt:
      'We cannot verify that this app sent the request. Continue only if you have just started it.',
    site: 'Website',
    publisher: (name: string) => phrase`Published by ${name}`,
    kinds: {
      inside: (platform: string) => phrase`Runs in a frame inside ${platform}`,
      outside: (platform: string) => phrase`Runs outside ${platform}`,
      hybrid: (platform: string) => phrase`Runs both inside and outside ${platform}`,
    },
    location: 'Location:',
    thisComputer: (host: string) => `${host} (this computer)`,
  },

  account: {
    label: 'Account',
    notYou: 'Not you?',
    notYouHint: 'Sign out and use another account',
    organization: 'Organization',
    switch: 'Switch',
    switchHint: 'Choose another organization',
  },

  problem: 'There is a problem',
  problemTitle: (title: string) => `Error: ${title}`,

  lists: {
    pages: 'Pages of the list',
    next: 'Next page',
    start: 'First page',
    endHeading: 'The list ends here',
    end: 'The entries of this page no longer exist.',
  },

  decision: {
    returns: (host: string) => phrase`You return to ${host}.`,
    returnsHere: (name: string) => phrase`You return to the app on this device (${name}).`,
    back: (app: string) => phrase`Return to ${app}`,
    undo: (place: string) => phrase`Undo any time under ${place}.`,
    undoMember: 'Connected apps',
    undoAdmin: 'Apps of the organization',
  },
}
