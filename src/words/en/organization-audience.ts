/** English: for whom an install is. */
import { message, phraseOf } from '../message.ts'

export const organizationAudience = {
  audience: {
    title: 'Who can use an app',
    heading: phraseOf('Who can use {app} in {organization}?', 'app', 'organization'),
    lead: 'For everyone else it stops at once. They read whom to ask. What the app does by itself goes on.',
    legend: 'For whom',
    everyone: 'Everyone',
    everyoneHint: message(
      '{members, plural, one {# person now, and those who come later} other {# people now, and those who come later}}',
      'members',
    ),
    chosen: 'Only these',
    workspaces: 'Members of these workspaces',
    groups: 'Members of these groups',
    groupTotal: message('{total, plural, one {# group} other {# groups}}', 'total'),
    groupTicked: message(
      '{count} of {total, plural, one {# group} other {# groups}}',
      'count',
      'total',
    ),
    groupFind: 'Find a group',
    people: 'People by name',
    peopleHint: 'To add others, save, then choose people by name.',
    byName: 'Choose people by name',
    size: message(
      '{inside, number} of {members, plural, one {# person} other {# people}}',
      'inside',
      'members',
    ),
    affected: message(
      '{people, plural, one {# person uses it now and would be outside.} other {# people use it now and would be outside.}} Save again to change it anyway.',
      'people',
    ),
    save: 'Save',
    change: 'Choose who can use it',
    list: 'Who that is today',

    names: {
      title: 'People by name',
      heading: phraseOf('Who can use {app} by name?', 'app'),
      lead: 'They can use it whatever workspaces and groups they are in.',
      legend: 'People',
      none: 'No member fits this search.',
    },

    members: {
      title: 'Who can use an app',
      empty: 'No member fits this search.',
      why: 'Can use it',
      reasons: {
        everyone: 'Yes, like everyone',
        workspace: 'Yes, in a workspace',
        group: 'Yes, in a group',
        user: 'Yes, by name',
        denied: 'Denied',
        not_in_audience: 'No',
      },
      decide: 'Change',
      deny: 'Deny',
      admit: 'Take back',
    },

    deny: {
      title: 'Deny an app',
      heading: phraseOf('Deny {person} the app {app}?', 'person', 'app'),
      atOnce: phraseOf('What {app} does for {person} stops at once and for good.', 'app', 'person'),
      stays: phraseOf(
        '{person} cannot allow it again until you take this back, also after the app is installed anew.',
        'person',
      ),
      others: 'Other people can go on using the app.',
      confirm: phraseOf('Deny {person} the app', 'person'),
    },
    admit: {
      title: 'Take a denial back',
      heading: phraseOf('No longer deny {person} the app {app}?', 'person', 'app'),
      again: phraseOf('{person} can allow it again, if it is for them.', 'person'),
      ended: 'What has ended stays so.',
      confirm: phraseOf('Let {person} use it again', 'person'),
    },
  },
}
