/** English: texts that the pages of an organization share. */
import { formats } from '../formats.ts'
import { message, phraseOf } from '../message.ts'

export const organization = {
  navigation: 'Pages of the organization',
  label: 'Organization',
  tabs: {
    apps: 'Apps',
    members: 'Members',
    keys: 'Keys for programs',
    activity: 'Activity',
    review: 'Review',
    policy: 'Rules',
    inspect: 'Check access',
  },
  toDecide: message('{count, number} to decide', 'count'),
  moment: formats.moment,
  outdated: 'Another person has changed this. This is the current state.',

  facts: {
    may: 'It may',
    where: 'In',
    everywhere: 'All workspaces, including future ones',
    nowhere: 'No workspace',
    never: 'not used yet',
    ends: 'Ends',
    idle: message(
      '{days, plural, one {after # day without use} other {after # days without use}}',
      'days',
    ),
    orIdle: message(
      '{days, plural, one {or after # day without use} other {or after # days without use}}',
      'days',
    ),
  },

  stopped: {
    title: 'What the data APIs know',
    all: message(
      '{count, plural, =0 {No data API reads changes} one {The data API has it ({seconds, number} s)} other {All # data APIs have it ({seconds, number} s)}}',
      'count',
      'seconds',
    ),
    some: message('{reached, number} of {count, number} data APIs have it', 'reached', 'count'),
    lead: 'A data API that has it refuses the tokens that were ended. This page renews itself while one is missing.',
    dataApi: 'Data API',
    has: message('Has it, after {seconds, number} s', 'seconds'),
    silent: message('Has not answered for {seconds, number} s', 'seconds'),
    asks: 'Asks each time',
    none: 'No data API has read changes yet. Tokens that were ended are refused when a data API asks.',
  },

  permissions: {
    may: 'What it may do',
    hint: 'Untick what the organization does not want to allow.',
    keyHint: 'Tick as little as the work needs. You can change it at any time.',
  },

  editConflict: {
    you: 'You',
    heading: phraseOf(
      '{who, select, none {Another person changed this while you were editing. Your changes are not saved yet.} other {{who} changed this on {at}, while you were editing. Your changes are not saved yet.}}',
      'who',
      'at',
    ),
    now: 'Saved now',
    yours:
      'The form contains your changes. Save again to replace the saved state, or cancel to keep it.',
    name: 'Name',
    description: 'Description',
    none: 'none',
  },
}
