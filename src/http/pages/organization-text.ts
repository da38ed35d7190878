/** Every word of an organization's own pages in English. */
import { type Phrase, phrase } from './view-models.ts'

const moment = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

const people = (count: number) => {
  if (count === 0) return 'nobody at the moment'
  return count === 1 ? '1 person' : `${count} people`
}

const uses = (app: string, organization: string, count: number): Phrase => {
  if (count === 0) return phrase`Nobody uses ${app} in ${organization} at the moment`
  if (count === 1) return phrase`1 person uses ${app} in ${organization}`
  return [`${count} people use `, ...phrase`${app} in ${organization}`]
}

export const organizationText = {
  navigation: 'Pages of the organization',
  label: 'Organization',
  tabs: { apps: 'Apps', keys: 'Key sets', activity: 'Activity' },
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

  apps: {
    title: 'Apps',
    heading: (organization: string) => phrase`Apps in ${organization}`,
    lead: 'An app reaches nothing here beyond what you approve, and a person who uses it allows it too.',
    installed: 'Installed',
    find: 'Find an app by its name',
    findSubmit: 'Find',
    findAll: 'Show all',
    nothingFoundHeading: 'No installed app has this name',
    nothingFound: (name: string) => phrase`Nothing that is installed has “${name}” in its name.`,
    emptyHeading: 'No app is installed',
    empty:
      'When one of you opens an app that can work with this organization, you are asked here or on its way in.',
    home: 'Back to the start',
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
      return phrase`Until you resume it, ${app} gets no access here: its tokens are refused from this moment on. Nothing is lost, and nobody has to allow it anew afterwards.`
    },
    confirmSuspend: (app: string) => phrase`Suspend ${app}`,
    resumeWords: 'It gets no access here until you resume it.',
    resume: 'Resume',

    uninstall: 'Uninstall',
    consequence: (app: string, organization: string, count: number): Phrase => {
      return [
        ...uses(app, organization, count),
        '; its tokens stop working at once, and for good. To use it again, an admin has to install it and everybody has to allow it anew. What it has copied stays with it.',
      ]
    },
    confirmUninstall: (app: string) => phrase`Uninstall ${app}`,

    freshHeading: 'It now asks for more',
    freshWords: 'Until you decide, it goes on with what was approved.',
    widen: 'Approve these',
    keep: 'Not now',
    declined: (count: number) => {
      return count === 1
        ? '1 permission was not approved'
        : `${count} permissions were not approved`
    },
    declinedWords: 'The app may ask for these too. It works without them as far as it can.',
    widenTicked: 'Approve what is ticked',

    done: {
      approved: 'The app is installed. Everybody who asked for it can go on.',
      refused: 'The request is refused. Who asked can see it, and may ask again.',
      changed: 'The change is in force: the next token of the app has no more than this.',
      widened: 'The app may do more now. People are asked before it does so in their name.',
      kept: 'It stays as it was.',
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
    lead: 'It counts from the next token on; a token in use lasts an hour or two at most. Nobody has to allow the app anew when you take something away.',
    save: 'Save',
    back: 'Cancel',
  },

  savedMeanwhile: {
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

  keys: {
    title: 'Key sets',
    heading: (organization: string) => phrase`Key sets of ${organization}`,
    lead: 'With a key set your own programs reach the data of the organization, without a person who signs in.',
    create: {
      current: 'New key set',
      legacy: 'New key set for the legacy interface',
    },
    emptyHeading: 'There is no key set yet',
    empty: 'Make one for each program, so that you can end one without the others.',
    interfaces: { current: 'Current interface', legacy: 'Legacy interface' },
    ids: { current: 'Client ID', legacy: 'App ID' },
    by: 'Made by',
    created: 'Made',
    operator: 'The operator of this service',
    secrets: 'Secrets',
    noSecret: 'No secret is in force: nothing can use this key set until you rotate it.',
    secret: {
      hint: 'Ends in',
      created: 'Made',
      lastUsed: 'Last used',
      until: 'Works until',
      open: 'you end it',
      standings: {
        only: 'In force',
        newest: 'The newest; keep this one',
        in_use: 'Still used; not safe to retire',
        waiting: 'The newer one was not used yet; not safe to retire',
        replaced: 'Safe to retire: the newer one is in use',
      },
      unused: (days: number) => `Safe to retire: not used for ${days} days`,
      life: (created: string, used: string | null, until: string | null) => {
        const last = used === null ? 'never used' : `last used on ${used}`
        return `Made on ${created}, ${last}, ${until === null ? 'without an end' : `ends ${until}`}`
      },
      retire: 'Retire now',
      retireWords: 'Whatever still uses this secret stops working at once.',
      retireOnlyWords:
        'This is the only secret: everything that uses the key set stops working at once, until you rotate.',
      confirmRetire: 'Retire this secret',
    },

    edit: 'Edit',
    rotate: 'Rotate',
    rotateLegend: 'What happens to the secret in use',
    overlaps: {
      now: { words: 'It ends at once', hint: 'For when it got into the wrong hands.' },
      hour: { words: 'It works for 1 hour more', hint: 'For a program that you can change now.' },
      day: { words: 'It works for 1 day more', hint: '' },
      week: { words: 'It works for 7 days more', hint: '' },
      month: { words: 'It works for 30 days more', hint: 'For when others have to move over.' },
    },
    overlapFull:
      'Two secrets are in force. Retire one first when the other is to go on working beside a new one.',
    confirmRotate: 'Make a new secret',

    remove: 'Delete',
    consequence: (name: string) => {
      return phrase`Everything that uses ${name} stops working at once, and its tokens end with it. It cannot be brought back.`
    },
    confirmRemove: (name: string) => phrase`Delete ${name}`,

    done: {
      changed: 'The change is in force.',
      retired: 'The secret is retired. What was signed with it no longer works.',
      deleted: 'The key set is deleted. Its tokens have stopped working.',
    },
    tooMany: 'Two secrets are in force already. Retire one of them, or let them end at once.',
  },

  keyForm: {
    createTitle: 'New key set',
    changeTitle: 'Edit a key set',
    headings: {
      current: 'New key set',
      legacy: 'New key set for the legacy interface',
    },
    changeHeading: 'Edit the key set',
    lead: {
      current: 'For programs that sign their own tokens with a Client ID and a Client Secret.',
      legacy: 'For programs that send an App Secret with each request, as secretKey.',
    },
    changeLead: 'It counts for tokens in use too. The secrets stay as they are.',
    others: {
      current: 'For the legacy interface instead',
      legacy: 'For the current interface instead',
    },
    name: 'Name',
    nameHint: 'Which program it is for, such as “Nightly export”.',
    nameFault: 'Enter a name of up to 100 characters.',
    description: 'Description',
    optional: 'optional',
    descriptionFault: 'Enter a description of up to 1000 characters on one line.',
    may: 'The most that it may do',
    where: 'The most that it may reach',
    create: 'Create',
    save: 'Save',
    back: 'Cancel',
  },

  secret: {
    title: 'New secret',
    heading: (name: string) => phrase`The secret of ${name}`,
    once: 'Copy it now. It will not be shown again, not even to you.',
    lost: 'When it gets lost, rotate the key set.',
    labels: { current: 'Client Secret', legacy: 'App Secret' },
    copy: 'Copy',
    copied: 'Copied.',
    copyFailed: 'Copying did not work. Select the field and copy it yourself.',
    download: 'Download as a file',
    downloadHint:
      'The file holds the secret in plain text. Keep it where only the program can read it.',
    usage: {
      current:
        'Sign a JWT with it (HS256; the key is the secret as it stands here), with the Client ID as its issuer.',
      legacy: 'Send it as the variable secretKey, from servers only.',
    },
    ends: (hint: string, until: string) => `The secret that ends in ${hint} works until ${until}.`,
    done: 'I have stored it',
    goneHeading: 'This secret was shown already',
    gone: 'A secret is shown once, to the person who made it. If you did not store it, rotate the key set: that makes a new one.',
    back: 'To the key sets',
  },

  ownRequests: {
    waiting: 'Asked for, waiting for an admin',
    waitingLead: 'Nobody has answered these yet. Until then nothing is shared with the app.',
    refused: 'Asked for and refused',
    asked: (organization: string, on: string) => phrase`for ${organization}, asked on ${on}`,
    reason: 'You wrote',
    noReason: 'You gave no reason.',
    refusedOn: (on: string) => `Refused on ${on}. You may ask again from the app.`,
    withdraw: 'Withdraw',
    withdrawn: 'Your request is withdrawn. The admins no longer see it.',
    late: 'This request is no longer open: an admin has answered it, or you withdrew it before.',
  },
}
