/** English: the rules of an organization for its apps, and the review of what it has approved. */
import { formats } from '../formats.ts'
import { message, phraseOf } from '../message.ts'

export const organizationPolicy = {
  policy: {
    title: 'Rules for apps',
    heading: phraseOf('Rules for apps in {organization}', 'organization'),
    lead: 'The rules apply to new apps and new connections. Access that exists stays as it is, except for what you refuse.',
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
    selfInstall: {
      label: 'May members install apps by themselves?',
      rules: {
        never: 'No. An admin decides about each app',
        reviewed_read_only: 'Yes, reviewed apps that only read',
      },
      hints: {
        never: 'Members can still ask an admin, if the rule above allows it.',
        reviewed_read_only:
          'Each member installs it for themselves only. The app must be marked as reviewed, and it must not change anything or read sensitive data. Members who need an approval for each app cannot do this.',
      },
    },
    kinds: {
      device_flow: {
        label: 'Devices and command lines',
        hint: 'Access that a person gives by typing a code from a television, a device or a command line.',
      },
      public_apps: {
        label: 'Apps without a secret',
        hint: 'Apps that run on a phone, on a computer or in the browser. They cannot prove who they are as well as an app on a server.',
      },
      ai_clients: {
        label: 'Apps from the web, such as AI assistants',
        hint: 'Apps that introduce themselves with a page on the web. Most AI assistants do so.',
      },
      rules: { allow: 'Allow', ask: 'Ask an admin', refuse: 'Refuse' },
      hints: {
        allow: 'The other rules decide.',
        ask: 'Members ask an admin, who decides for everyone. What is installed already keeps working.',
        refuse:
          'They get no access, and neither does what is connected already. It works again when you allow it again.',
      },
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
    noEnd: 'No end date',
    findings: {
      unused: 'Not used for 90 days',
      never_used: 'Not used yet',
      expiring: 'Ends within 30 days',
      surplus: 'No one has allowed all it may do',
      idle: 'Does not use all it may do',
    },
    surplus: message('No person has allowed: {permissions}', 'permissions'),
    permissions: formats.list.semicolon,
    use: {
      idle: message('Not used for {days, number} days: {permissions}', 'days', 'permissions'),
      used: message('Each permission was used in the last {days, number} days.', 'days'),
      unmeasured:
        'Use of permissions is not measured, because not every data API reports it. So nothing is known to be unused.',
      narrow: 'Remove what was not used for 30 days',
    },
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
      idle30: 'permissions not used for 30 days',
      idle90: 'permissions not used for 90 days',
      since: 'since',
      lastUsed: 'last used',
      expires: 'expires',
      idleDays: 'ends after days without use',
    },
  },
}
