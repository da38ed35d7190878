/** English: what a person has just done, with its object, and what can be done next. */
import { phraseOf, sentenceOf } from '../message.ts'
import type { Phrase } from '../phrase.ts'

export interface DoneNames {
  app: string | Phrase | null
  organization: string | null
  person: string | null
  /** Of a form of the console; null: it names none. */
  object: string | null
  /** Workspaces; null: all. */
  where: Phrase | null
}

const sentence = sentenceOf<DoneNames>()

export const done = {
  undo: 'Undo',
  open: 'Open it',
  stop: 'Do all data APIs know it?',
  undone: 'Undone. It is as it was before.',
  undone_partly: 'Undone, except where something has changed since.',
  too_late: 'This can no longer be undone: a minute has passed, or something has changed since.',
  already: {
    heading: 'You have already done this',
    move: 'Your first answer counts. Nothing was done a second time.',
    goOn: 'See what it is now',
  },
  answered: {
    allowed: phraseOf(
      'You have allowed {app}{organization, select, none {} other { in {organization}}}.',
      'app',
      'organization',
    ),
    refused: phraseOf('You have not allowed {app}.', 'app'),
    installed: phraseOf('You have installed {app} in {organization}.', 'app', 'organization'),
  },

  apps: {
    admitted: sentence(
      'The request for {app} is approved. Everyone who asked can use it in {organization} now.',
    ),
    approved: sentence(
      '{app} is installed in {where, select, none {{organization}} other {{where}}}. Everyone who asked for it can continue.',
    ),
    refused: sentence(
      'The request for {app} is refused. The person who asked can read this, and may ask again.',
    ),
    approved_several: sentence('Approved: {app}. Everyone who asked can continue.'),
    refused_several: sentence('Refused: {app}. Who asked can read this, and may ask again.'),
    adopted: sentence('{app} is installed for everyone. Who used it before can go on.'),
    changed: sentence('{app} is changed. The change is in force, for tokens that are in use too.'),
    widened: sentence(
      '{app} may do more now. Each person is asked before it does so in their name.',
    ),
    kept: sentence('{app} keeps what it had. Nothing was changed.'),
    suspended: sentence('{app} is suspended. It gets no access until you resume it.'),
    resumed: sentence('{app} works again.'),
    uninstalled: sentence('{app} is uninstalled. Its tokens have stopped working.'),
    audience: sentence(
      'Who can use {app} is saved. It is in force, for tokens that are in use too.',
    ),
    denied: sentence('{person} can no longer use {app}. What it did for them has stopped.'),
    readmitted: sentence('{person} is no longer denied {app}.'),
    ended: sentence('{app} can no longer act for {person}. Its tokens have stopped working.'),
    suspended_all: sentence(
      'All apps in {organization} are suspended. They get no access until you resume them.',
    ),
    resumed_all: sentence('The apps that were suspended together work again in {organization}.'),
  },

  account: {
    disconnected: sentence('{app} can no longer act for you in {organization}.'),
    disconnected_undo: sentence(
      '{app} can no longer act for you in {organization}. Its access has ended for good. Undo lets it connect again without asking you.',
    ),
    withdrawn: sentence('Your request for {app} is withdrawn. The admins no longer see it.'),
  },

  console: {
    saved: sentence('{object, select, none {Saved.} other {{object} is saved.}}'),
    created: sentence('{object, select, none {Created.} other {{object} is created.}}'),
    deleted: sentence('{object, select, none {Deleted.} other {{object} is deleted.}}'),
    removed: sentence('{object} is removed.'),
    several: sentence('The members of {object} are changed.'),
    approved: sentence(
      '{object, select, none {Approved.} other {{object} is approved.}} People can use the app now.',
    ),
    refused: sentence('{object, select, none {Refused.} other {{object} is refused.}}'),
    disabled: sentence('{object} is switched off.'),
    enabled: sentence('{object} works again.'),
    suspended: sentence('{object} is suspended.'),
    resumed: sentence('{object} works again.'),
    suspended_all: sentence('All apps of {object} are suspended.'),
    resumed_all: sentence('The apps of {object} that were suspended together work again.'),
    uninstalled: sentence('{object} is uninstalled. Its tokens have stopped working.'),
    endedAll: sentence('No app has access for {object} any more, and all sign-ins have ended.'),
    ended: sentence('All sessions of {object} have ended.'),
    rotated: sentence('A new key signs now.'),
    sent: sentence('A test message to {object} is on its way.'),
  },
}
