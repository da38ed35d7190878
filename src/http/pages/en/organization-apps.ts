/** English: the apps of an organization and the requests of its members. */
import { message, phraseOf } from './message.ts'

export const organizationApps = {
  apps: {
    title: 'Apps',
    heading: phraseOf('Apps in {organization}', 'organization'),
    lead: 'An app can do here only what you approve. Each person who uses it must allow it too.',
    installed: 'Installed',
    find: 'Find an app by its name',
    findSubmit: 'Find',
    findAll: 'Show all',
    nothingFoundHeading: 'No installed app has this name',
    nothingFound: phraseOf('No installed app has “{name}” in its name.', 'name'),
    emptyHeading: 'No app is installed',
    empty:
      'When a member opens an app that can work with this organization, an admin can approve it here or in the app.',
    home: 'Home',
    by: 'Approved by',
    operator: 'The operator of this service',
    since: 'Since',
    lastUsed: 'Last used',
    people: 'People',
    peopleWho: message(
      '{count, plural, =0 {none at the moment} one {1 person} other {# people}}',
      'count',
    ),
    suspended: 'Suspended',
    disabled: 'Switched off by the operator',
    change: 'Change permissions',
    changeWithWorkspaces: 'Change permissions and workspaces',

    suspend: 'Suspend',
    suspendWords: phraseOf(
      'Until you resume it, {app} gets no access here: its tokens are refused at once. No approval is lost, and no one has to allow it again afterwards.',
      'app',
    ),
    confirmSuspend: phraseOf('Suspend {app}', 'app'),
    resumeWords: 'It gets no access here until you resume it.',
    resume: 'Resume',

    uninstall: 'Uninstall',
    consequence: phraseOf(
      '{count, plural, =0 {No one uses {app} in {organization} at the moment} one {1 person uses {app} in {organization}} other {# people use {app} in {organization}}}; its tokens stop working at once, and for good. To use it again, an admin has to install it and everyone has to allow it again. It keeps data that it has copied.',
      'app',
      'organization',
      'count',
    ),
    confirmUninstall: phraseOf('Uninstall {app}', 'app'),

    freshHeading: 'It now asks for more',
    freshWords: 'Until you decide, it keeps what was approved.',
    widen: 'Approve these',
    keep: 'Not now',
    declined: message(
      '{count, plural, one {1 permission was not approved} other {# permissions were not approved}}',
      'count',
    ),
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
    on: message('on {date}', 'date'),
    noReason: 'No reason was given.',
    more: message(
      '{count, plural, one {1 more app is asked for. It appears here when you have answered one of these.} other {# more apps are asked for. They appear here as you answer these.}}',
      'count',
    ),
    approve: 'Approve and install',
    refuse: 'Refuse',
  },

  app: {
    title: 'Change an app',
    heading: phraseOf('What {app} may do in {organization}', 'app', 'organization'),
    lead: 'Changes apply from the next token on. A token in use lasts two hours at most. No one has to allow the app again when you remove something.',
    save: 'Save',
    back: 'Cancel',
  },

  ownRequests: {
    waiting: 'Asked for, waiting for an admin',
    waitingLead: 'No admin has answered these yet. Until then nothing is shared with the app.',
    refused: 'Asked for and refused',
    asked: phraseOf('for {organization}, asked on {on}', 'organization', 'on'),
    reason: 'You wrote',
    noReason: 'You gave no reason.',
    refusedOn: message('Refused on {on}. You may ask again from the app.', 'on'),
    withdraw: 'Withdraw',
    withdrawn: 'Your request is withdrawn. The admins no longer see it.',
    late: 'This request is no longer open: an admin has answered it, or you withdrew it.',
  },
}
