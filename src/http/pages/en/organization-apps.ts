/** English: the apps of an organization and the requests of its members. */
import { type Phrase, phrase } from './phrase.ts'

const people = (count: number) => {
  if (count === 0) return 'none at the moment'
  return count === 1 ? '1 person' : `${count} people`
}

const uses = (app: string, organization: string, count: number): Phrase => {
  if (count === 0) return phrase`No one uses ${app} in ${organization} at the moment`
  if (count === 1) return phrase`1 person uses ${app} in ${organization}`
  return [`${count} people use `, ...phrase`${app} in ${organization}`]
}

export const organizationApps = {
  apps: {
    title: 'Apps',
    heading: (organization: string) => phrase`Apps in ${organization}`,
    lead: 'An app can do here only what you approve. Each person who uses it must allow it too.',
    installed: 'Installed',
    find: 'Find an app by its name',
    findSubmit: 'Find',
    findAll: 'Show all',
    nothingFoundHeading: 'No installed app has this name',
    nothingFound: (name: string) => phrase`No installed app has “${name}” in its name.`,
    emptyHeading: 'No app is installed',
    empty:
      'When a member opens an app that can work with this organization, an admin can approve it here or in the app.',
    home: 'Home',
    by: 'Approved by',
    operator: 'The operator of this service',
    since: 'Since',
    lastUsed: 'Last used',
    people: 'People',
    peopleWho: people,
    suspended: 'Suspended',
    disabled: 'Switched off by the operator',
    change: 'Change permissions',
    changeWithWorkspaces: 'Change permissions and workspaces',

    suspend: 'Suspend',
    suspendWords: (app: string) => {
      return phrase`Until you resume it, ${app} gets no access here: its tokens are refused at once. No approval is lost, and no one has to allow it again afterwards.`
    },
    confirmSuspend: (app: string) => phrase`Suspend ${app}`,
    resumeWords: 'It gets no access here until you resume it.',
    resume: 'Resume',

    uninstall: 'Uninstall',
    consequence: (app: string, organization: string, count: number): Phrase => {
      return [
        ...uses(app, organization, count),
        '; its tokens stop working at once, and for good. To use it again, an admin has to install it and everyone has to allow it again. It keeps data that it has copied.',
      ]
    },
    confirmUninstall: (app: string) => phrase`Uninstall ${app}`,

    freshHeading: 'It now asks for more',
    freshWords: 'Until you decide, it keeps what was approved.',
    widen: 'Approve these',
    keep: 'Not now',
    declined: (count: number) => {
      return count === 1
        ? '1 permission was not approved'
        : `${count} permissions were not approved`
    },
    declinedWords: 'The app may ask for these too. It works without them as far as possible.',
    widenTicked: 'Approve the ticked permissions',

    done: {
      approved: 'The app is installed. Everyone who asked for it can continue.',
      refused: 'The request is refused. The person who asked can see this and may ask again.',
      changed: 'The change is in force. It applies from the next token of the app on.',
      widened: 'The app may do more now. Each person is asked before it does so in their name.',
      kept: 'Nothing was changed.',
      suspended: 'The app is suspended. It gets no access until you resume it.',
      resumed: 'The app works again.',
      uninstalled: 'The app is uninstalled. Its tokens have stopped working.',
    },
  },

  requests: {
    heading: 'Requests',
    lead: 'Members asked for these apps. Nothing is shared before you answer.',
    askedBy: 'Asked for by',
    on: (date: string) => `on ${date}`,
    noReason: 'No reason was given.',
    more: (count: number) => {
      return count === 1
        ? '1 more app is asked for. It appears here when you have answered one of these.'
        : `${count} more apps are asked for. They appear here as you answer these.`
    },
    approve: 'Approve and install',
    refuse: 'Refuse',
  },

  app: {
    title: 'Change an app',
    heading: (app: string, organization: string) => phrase`What ${app} may do in ${organization}`,
    lead: 'Changes apply from the next token on. A token in use lasts two hours at most. No one has to allow the app again when you remove something.',
    save: 'Save',
    back: 'Cancel',
  },

  ownRequests: {
    waiting: 'Asked for, waiting for an admin',
    waitingLead: 'No admin has answered these yet. Until then nothing is shared with the app.',
    refused: 'Asked for and refused',
    asked: (organization: string, on: string) => phrase`for ${organization}, asked on ${on}`,
    reason: 'You wrote',
    noReason: 'You gave no reason.',
    refusedOn: (on: string) => `Refused on ${on}. You may ask again from the app.`,
    withdraw: 'Withdraw',
    withdrawn: 'Your request is withdrawn. The admins no longer see it.',
    late: 'This request is no longer open: an admin has answered it, or you withdrew it.',
  },
}
