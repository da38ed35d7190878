/** English: the key sets of an organization. */

import { message, phraseOf } from './message.ts'
import { secretStandings } from './secrets.ts'

export const organizationKeys = {
  keys: {
    title: 'Key sets',
    heading: phraseOf('Key sets of {organization}', 'organization'),
    lead: 'With a key set, your own programs can use the data of the organization without a person who signs in.',
    create: {
      current: 'New key set',
      legacy: 'New key set for the legacy interface',
    },
    emptyHeading: 'There is no key set yet',
    empty: 'Create one for each program, so that you can delete one without affecting the others.',
    interfaces: { current: 'Current interface', legacy: 'Legacy interface' },
    ids: { current: 'Client ID', legacy: 'App ID' },
    by: 'Created by',
    workloads: 'Trusted workloads (need no secret)',
    created: 'Created',
    operator: 'The operator of this service',
    secrets: 'Secrets',
    noSecret: 'No secret is active, so no program can use this key set until you rotate it.',
    noSecretNeeded: 'No secret is active. Only the trusted workloads get tokens of this key set.',
    secret: {
      hint: 'Ends in',
      created: 'Created',
      lastUsed: 'Last used',
      until: 'Works until',
      open: 'you retire it',
      standings: secretStandings,
      life: message(
        'Created on {created}, {used, select, none {never used} other {last used on {used}}}, {until, select, none {no expiry date} other {expires {until}}}',
        'created',
        'used',
        'until',
      ),
      retire: 'Retire now',
      retireWords: 'Programs that still use this secret stop working at once.',
      retireOnlyWords:
        'This is the only secret. Programs that use the key set stop working at once, until you rotate.',
      confirmRetire: 'Retire this secret',
    },

    edit: 'Edit',
    rotate: 'Rotate',
    rotateLegend: 'How long the secret in use works',
    overlaps: {
      now: { words: 'It ends at once', hint: 'Choose this when the secret has leaked.' },
      hour: { words: 'It works for 1 hour more', hint: 'For a program that you can change now.' },
      day: { words: 'It works for 1 day more', hint: '' },
      week: { words: 'It works for 7 days more', hint: '' },
      month: {
        words: 'It works for 30 days more',
        hint: 'For programs that other people have to change.',
      },
    },
    overlapFull:
      'Two secrets are active. Retire one first to keep the other one beside a new secret.',
    confirmRotate: 'Create a new secret',

    remove: 'Delete',
    consequence: phraseOf(
      'Programs that use {name} stop working at once, and its tokens become invalid. This cannot be undone.',
      'name',
    ),
    confirmRemove: phraseOf('Delete {name}', 'name'),

    done: {
      changed: 'The change is in force.',
      retired: 'The secret is retired. Tokens signed with it no longer work.',
      deleted: 'The key set is deleted. Its tokens have stopped working.',
    },
    tooMany:
      'Two secrets are already active. Retire one of them, or let them end at once. If you did not see the new secret, retire it.',
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
    changeLead: 'Changes apply to tokens in use too. The secrets stay the same.',
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
    may: 'Maximum permissions',
    where: 'Maximum workspaces',
    create: 'Create',
    save: 'Save',
    back: 'Cancel',
  },

  secret: {
    title: 'New secret',
    heading: phraseOf('The secret of {name}', 'name'),
    once: 'Copy it now. It will not be shown again, not even to you.',
    lost: 'If you lose it, rotate the key set.',
    labels: { current: 'Client Secret', legacy: 'App Secret' },
    copy: 'Copy',
    copied: 'Copied.',
    copyFailed: 'Copying did not work. Select the field and copy it yourself.',
    download: 'Download as a file',
    downloadHint:
      'The file holds the secret in plain text. Keep it where only the program can read it.',
    usage: {
      current:
        'Sign a JWT with it (HS256; the key is the secret exactly as shown), with the Client ID as its issuer.',
      legacy: 'Send it as the variable secretKey, from servers only.',
    },
    ends: message('The secret that ends in {hint} works until {until}.', 'hint', 'until'),
    done: 'I have stored it',
    goneHeading: 'This secret was already shown',
    gone: 'A secret is shown once, to the person who created it. If you did not store it, rotate the key set to create a new one.',
    back: 'Key sets',
  },
}
