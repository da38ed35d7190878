/** English: what the pages of an organization have in common. */
import type { Phrase } from './phrase.ts'

const moment = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

export const organization = {
  navigation: 'Pages of the organization',
  label: 'Organization',
  tabs: { apps: 'Apps', keys: 'Key sets', activity: 'Activity', inspect: 'Inspect' },
  moment: (date: Date) => `${moment.format(date)} UTC`,
  outdated: 'Somebody has changed this in the meantime. Here is how it stands now.',

  facts: {
    may: 'It may',
    where: 'In',
    everywhere: 'All workspaces, also future ones',
    nowhere: 'No workspace',
    never: 'never',
  },

  permissions: {
    may: 'What it may do',
    hint: 'Untick what the organization does not want to allow.',
    keyHint: 'Tick as little as the work needs. You can change it at any time.',
  },

  editConflict: {
    you: 'You',
    heading: (who: Phrase | null, at: string | null): Phrase => {
      if (who === null || at === null)
        return ['Somebody has changed this while you were looking. Nothing of yours is saved yet.']
      return [
        ...who,
        ` changed this on ${at}, while you were looking. Nothing of yours is saved yet.`,
      ]
    },
    now: 'Saved now',
    yours:
      'The form has what you chose. Save again to put it in place of what is saved, or cancel to leave that as it is.',
    name: 'Name',
    description: 'Description',
    none: 'none',
  },
}
