/** English: the rules of an organization for its apps, and the review of what it has approved. */
import { formats } from '../formats.ts'
import { message, phraseOf } from '../message.ts'

export const organizationPolicy = {
  policy: {
    title: 'Rules for apps',
    heading: phraseOf('Rules for apps in {organization}', 'organization'),
    lead: 'The rules apply to new apps and new connections. Access that exists stays as it is.',
    connect: 'Which apps may members connect?',
    rules: {
      all: 'Installed apps, and they may ask for others',
      installed: 'Installed apps only',
      ask: 'Each app only after an admin has approved the person',
    },
    hints: {
      all: 'An admin answers each request for an app that is not installed.',
      installed: 'Members cannot ask for other apps. Admins can still install them.',
      ask: 'This includes installed apps. The person asks when connecting, and an admin answers under Apps.',
    },
    endsHint: 'Leave a field empty for access without an end.',
    expires: 'Access ends after so many days',
    idle: 'Access ends when unused for so many days',
    daysFault: message('Enter a whole number of days from 1 to {most, number}.', 'most'),
    save: 'Save',
    saved: 'The rules are saved. They apply from now on.',
  },

  review: {
    title: 'Review',
    heading: phraseOf('Access to review in {organization}', 'organization'),
    lead: 'Access that is not used yet, or that no one seems to need, and access that ends soon.',
    download: 'Download all as CSV',
    apps: 'Apps',
    connections: 'Connections of people',
    app: 'App',
    person: 'Person',
    finding: 'Why it is here',
    lastUsed: 'Last used',
    ends: 'Ends',
    since: 'Since',
    action: 'What you can do',
    open: 'Open the app',
    never: 'not used yet',
    noEnd: 'no end',
    findings: {
      unused: 'Not used for 90 days',
      never_used: 'Not used yet',
      expiring: 'Ends within 30 days',
      surplus: 'No one uses all it may do',
    },
    surplus: message('No person has allowed: {permissions}', 'permissions'),
    permissions: formats.list.semicolon,
    surplusHint:
      'This service does not see which permissions an app uses. It compares what an admin has approved with what people have allowed.',
    nothingHeading: 'Nothing to review',
    nothing: 'No app or connection is unused, and none ends soon.',
    csv: {
      kind: 'kind',
      app: 'app',
      clientId: 'client id',
      person: 'person',
      email: 'e-mail address',
      findings: 'findings',
      permissions: 'permissions that no person has allowed',
      since: 'since',
      lastUsed: 'last used',
      expires: 'expires',
      idleDays: 'ends after days without use',
    },
  },
}
