/** English: texts of every page, and texts that many pages share. */
import { formats } from '../formats.ts'
import { isRightToLeft } from '../locale.ts'
import { message, perLanguage, phraseOf } from '../message.ts'

export const layout = {
  language: perLanguage((tag, code) => ({
    code,
    tag,
    direction: isRightToLeft(code) ? 'rtl' : 'ltr',
  })),
  day: formats.day,
  formats,

  titles: {
    signIn: 'Sign in',
    chooseOrganization: 'Choose an organization',
    install: 'Install an app',
    installed: 'Already installed',
    askAdmin: 'Ask an admin',
    notForYou: 'Not for you',
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
    toButtons: 'To the buttons',
    skip: 'Skip to the content',
    timesIn: message('Times on this page: {zone}.', 'zone'),
    showUtc: 'Show UTC',
    showOwnTimes: 'Show local time',
    toTabs: 'To the menu',
    groups: { daily: 'Daily work', setup: 'Set up', check: 'Check' },
    navigation: 'Your account',
    connectedApps: 'Connected apps',
    signIn: 'Sign in',
    signOut: 'Sign out',
    language: 'Language',
    changeLanguage: 'Change language',
    support: 'Help',
    privacy: 'Privacy',
    terms: 'Terms',
  },

  app: {
    reviewed: 'Reviewed',
    unclaimed: 'On your device',
    doubt:
      'We cannot verify that this app sent the request. Continue only if you have just started it.',
    site: 'Website',
    about: 'About this app',
    by: phraseOf('by {publisher}', 'publisher'),
    publisher: phraseOf('Published by {name}', 'name'),
    kinds: {
      inside: phraseOf('Runs in a frame inside {platform}', 'platform'),
      outside: phraseOf('Runs outside {platform}', 'platform'),
      hybrid: phraseOf('Runs both inside and outside {platform}', 'platform'),
    },
    location: 'Address:',
    thisComputer: message('{host} (this computer)', 'host'),
  },

  account: {
    signedInAs: phraseOf('Signed in as {email}', 'email'),
    notYou: 'Not you?',
    notYouHint: 'Sign out and use another account',
    organization: phraseOf('Organization: {name}', 'name'),
    switch: 'Switch organization',
  },

  problem: 'There is a problem',
  problemTitle: message('Error: {title}', 'title'),

  lists: {
    pages: 'Pages of the list',
    next: 'Next page',
    start: 'First page',
    all: 'All',
    sort: 'Sort by',
    orders: {
      name: 'Name',
      '-name': 'Name, last first',
      created_at: 'Date, oldest first',
      '-created_at': 'Date, newest first',
    },
    endHeading: 'The list ends here',
    end: 'The entries of this page no longer exist.',
  },

  decision: {
    returns: phraseOf('You return to {host}.', 'host'),
    returnsHere: phraseOf('You return to the app on this device ({name}).', 'name'),
    back: phraseOf('Return to {app}', 'app'),
    noEnd: 'No end date',
    forEveryone: phraseOf('For everyone in {organization}', 'organization'),
    forMe: 'For you only, until you choose others',
    undoMember: 'Disconnect any time under Connected apps',
    undoAdmin: 'Remove any time under Apps',
    undoAsked: 'You can withdraw the request any time',
    /** Days: without use; 0 when only the day counts. */
    ends: message(
      '{days, plural, =0 {Ends on {day}} one {Ends on {day}, or after # day without use} other {Ends on {day}, or after # days without use}}',
      'days',
      'day',
    ),
    endsUnused: message(
      '{days, plural, one {Ends after # day without use} other {Ends after # days without use}}',
      'days',
    ),
  },
}
