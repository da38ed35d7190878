/** English: the key sets of an organization. */
import { phrase } from './phrase.ts'
import { secretStandings } from './secrets.ts'

export const organizationKeys = {
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
      standings: secretStandings,
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
    tooMany:
      'Two secrets are in force already. Retire one of them, or let them end at once. If you did not see the new secret, retire it.',
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
}
