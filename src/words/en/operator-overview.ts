/** English: the first page of the operator's console, and the headers of an organization and a person. */
import { message } from '../message.ts'

export const operatorOverview = {
  overview: {
    heading: 'What needs you',
    waiting: 'What waits',
    what: 'What',
    howMany: 'How many',
    orMore: message('{count, number} or more', 'count'),
    nothingWaits: 'Nothing waits for you.',
    requestsIn: message('Apps that members of {organization} ask their admins for', 'organization'),
    reviews: 'New apps, and apps that ask for more',
    reviewsHint: 'They come from the web, by a document with their name, address and permissions.',
    noReviews: 'Nothing waits for your approval.',
    notReviewed: 'Apps that are not reviewed yet',
    notReviewedHint:
      'People can use these apps. Mark an app once you have checked its name and links; people see “Reviewed”.',
    allReviewed: 'All of the latest apps are reviewed.',
    hosts: 'Apps from the web',
    hostsHint: 'Who may bring an app that you have not reviewed.',
    noHosts: 'No host is listed, so apps from the web are refused.',
    import: 'Import an app by its URL',
    newHost: 'Add a host',
    policies: {
      review: 'Unknown apps wait for your approval',
      admit: 'Unknown apps come in by themselves',
      refuse: 'Its apps are refused',
    },
    steps: {
      heading: 'First steps',
      lead: 'From an empty server to the first token. Each step ticks itself.',
      done: 'Done',
      app: 'Register an app',
      organization: 'Create an organization',
      person: 'Add a person to it',
      install: 'Install the app',
      token: 'Get the first token, with the secret of the app',
    },
    figures: {
      heading: 'The last seven days',
      labels: {
        issued: 'Tokens',
        refused: 'Refused requests',
        signedIn: 'Sign-ins',
        connected: 'New connections',
      },
      bar: message('{day}: {count, number}', 'day', 'count'),
    },
    ending: {
      heading: 'What ends soon',
      kinds: {
        app: 'Secret of an app',
        key_set: 'Secret of a key for programs',
        operator_token: 'Operator token',
        install: 'Installed app',
      },
    },
    failing: {
      heading: 'What fails',
      retries: 'The last attempt failed',
      mails: 'Mails that are not sent',
      silent: 'Does not read revocations any more',
    },
    moved: {
      heading: 'Moved in',
      labels: {
        all: 'Authorizations that came from an earlier server',
        used: 'Used here since',
        left: 'Not used yet',
      },
    },
  },

  organization: {
    parts: 'Parts of the organization',
    counts: message(
      '{members, plural, one {# member} other {# members}} · {workspaces, plural, one {# workspace} other {# workspaces}} · {apps, plural, one {# app} other {# apps}} · {keySets, plural, one {# key} other {# keys}}',
      'members',
      'workspaces',
      'apps',
      'keySets',
    ),
    resumeThem: message(
      '{count, plural, one {# app is suspended. Resume it} other {# apps are suspended. Resume them}}',
      'count',
    ),
    tabs: {
      installs: 'Apps',
      members: 'Members',
      workspaces: 'Workspaces',
      'key-sets': 'Keys',
      settings: 'Settings',
      'sign-in': 'Sign-in',
      delete: 'Delete',
    },
  },
}
