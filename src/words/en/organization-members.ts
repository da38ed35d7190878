/** English: the members of an organization, as its admins see them. */
import { message, phraseOf } from '../message.ts'

export const organizationMembers = {
  members: {
    title: 'Members',
    heading: phraseOf('Members of {organization}', 'organization'),
    lead: 'The platform decides who belongs here and who is an admin. Ask its operator to change this.',
    find: 'Name or e-mail address',
    role: 'Role',
    roles: { all: 'All', admin: 'Admin', member: 'Member' },
    findSubmit: 'Show',
    findAll: 'Show all',
    name: 'Name',
    workspaces: 'Workspaces',
    noWorkspace: 'None',
    more: message('and {count, number} more', 'count'),
    lastSignIn: 'Last sign-in',
    unknown: 'Not known',
    disabled: 'Account switched off',
    you: 'You',
    nothingFound: 'No member fits this search.',
    apps: 'Apps',
    noApp: 'None',
    back: 'All members',
    appsOf: phraseOf('Apps that act for {person}', 'person'),
    noApps: phraseOf('No app acts for {person} at the moment.', 'person'),
    empty: 'No one belongs to this organization.',
  },

  memberAccess: {
    title: 'End all access',
    link: 'End all access',
    heading: phraseOf('End all access for {person} in {organization}?', 'person', 'organization'),
    apps: phraseOf(
      '{count, plural, =0 {No app acts for {person} at the moment.} one {# app can no longer act for {person}.} other {# apps can no longer act for {person}.}}',
      'count',
      'person',
    ),
    tokens: 'Their tokens stop working at once, and for good. The apps stay installed for others.',
    again: phraseOf('{person} stays a member, and can allow the apps again.', 'person'),
    confirm: 'End all access',
  },
}
