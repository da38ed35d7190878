/** English: the key sets of an organization. */

import { message, phraseOf } from '../message.ts'
import { secretStandings } from './secrets.ts'

export const organizationKeys = {
  keys: {
    title: 'Keys for your own programs',
    heading: phraseOf('Keys for programs of {organization}', 'organization'),
    lead: 'With a key, your own programs can use the data of the organization without a person who signs in.',
    create: 'New key',
    emptyHeading: 'There is no key yet',
    empty: 'Create one for each program, so that you can delete one without affecting the others.',
    interfaces: { current: 'Current interface', legacy: 'Legacy interface' },
    ids: { current: 'Client ID', legacy: 'App ID' },
    by: 'Created by',
    workloads: 'Programs without a secret',
    created: 'Created',
    operator: 'The operator of this service',
    secrets: 'Secrets',
    noSecret: 'No secret is active, so no program can use this key until you make a new one.',
    noSecretNeeded:
      'No secret is active. Only the programs without a secret get tokens of this key.',
    secret: {
      hint: 'Ends in',
      created: 'Created',
      lastUsed: 'Last used',
      until: 'Ends',
      open: 'No end date',
      standing: 'State',
      standings: secretStandings,
      action: 'Action',
      retire: 'End',
    },

    edit: 'Edit',
    rotate: 'New secret',
    remove: 'Delete',

    done: {
      changed: 'The change is in force.',
      retired: 'The secret has ended. Tokens signed with it no longer work.',
      deleted: 'The key is deleted. Its tokens have stopped working.',
    },
    tooMany:
      'Two secrets are already active. End one of them first, or let them end at once. If you did not see the new secret, end it.',
  },

  keyRotate: {
    title: 'New secret',
    heading: phraseOf('New secret for {name}', 'name'),
    legend: 'How long does the secret in use work?',
    overlaps: {
      hour: { words: '1 hour more', hint: 'For a program that you can change now.' },
      day: { words: '1 day more', hint: '' },
      week: { words: '7 days more', hint: '' },
      month: { words: '30 days more', hint: 'For programs that other people have to change.' },
      now: {
        words: 'It ends at once',
        hint: 'Choose this when the secret has leaked. Programs that use it stop.',
      },
    },
    full: 'Two secrets are active. To keep one beside a new secret, end the other one first.',
    none: 'No secret is active now.',
    confirm: 'Create a new secret',
  },

  keyStop: {
    remove: {
      title: 'Delete a key',
      heading: phraseOf('Delete {name}?', 'name'),
      atOnce: 'Programs that use it stop working at once. All of its tokens become invalid.',
      forGood: 'This cannot be undone. A new key has another id and another secret.',
      confirm: phraseOf('Delete {name}', 'name'),
    },
    retire: {
      title: 'End a secret',
      heading: phraseOf('End the secret {hint} of {name}?', 'hint', 'name'),
      atOnce: 'Programs that still use this secret stop working at once.',
      only: 'It is the only secret. Programs that use the key stop working at once, until you make a new secret.',
      confirm: 'End this secret',
    },
    untrust: {
      title: 'Stop trusting a program',
      heading: phraseOf('Stop trusting {workload}?', 'workload'),
      atOnce: 'It gets no token of this key any more. The tokens that it has stop working at once.',
      confirm: 'Stop trusting it',
    },
  },

  keyWorkloads: {
    title: 'Programs without a secret',
    heading: phraseOf('Programs of {name} without a secret', 'name'),
    lead: 'A job or service that has a token of its own platform, such as a CI job, gets access by this key without a secret.',
    none: 'No program is trusted yet.',
    issuer: 'Issuer',
    issuerHint: 'The exact claim iss of its tokens: an https address.',
    subject: 'Subject',
    subjectHint: 'The exact claim sub of its tokens.',
    claims: 'Further claims',
    claimsHint:
      'One on each line, such as repository=acme/nightly. Each value must be exactly this.',
    jwksUri: 'Address of the public keys',
    jwksUriHint: 'Only for an issuer that publishes no metadata.',
    add: 'Trust a program',
    trust: 'Trust it',
    remove: 'Stop trusting',
    action: 'Action',
    full: message('A key trusts at most {count, number} programs.', 'count'),
    back: 'Keys for your own programs',
    done: {
      trusted: 'The program is trusted now.',
      untrusted: 'The program is no longer trusted. Its tokens have stopped working.',
    },
  },

  keyForm: {
    kinds: 'Which interface does the program use?',
    kind: {
      current: {
        name: 'Current interface',
        hint: 'The program signs its own tokens, or gets them without a secret. Choose this for new programs.',
      },
      legacy: {
        name: 'Legacy interface',
        hint: 'The program sends the secret with each request. For programs that exist already.',
      },
    },
    chosen: 'Chosen',
    createTitle: 'New key',
    changeTitle: 'Edit a key',
    headings: {
      current: 'New key',
      legacy: 'New key for the legacy interface',
    },
    changeHeading: 'Edit the key',
    lead: {
      current: 'For programs that sign their own tokens with a Client ID and a Client Secret.',
      legacy: 'For programs that send an App Secret with each request, as secretKey.',
    },
    changeLead: 'Changes apply to tokens in use too. The secrets stay the same.',
    name: 'Name',
    nameHint: 'Which program it is for, such as “Nightly export”.',
    nameFault: 'Enter a name of up to 100 characters.',
    description: 'Description',
    descriptionFault: 'Enter a description of up to 1000 characters on one line.',
    may: 'What it may do',
    where: 'Where',
    create: 'Create',
    save: 'Save',
  },

  secret: {
    title: 'New secret',
    heading: phraseOf('The secret of {name}', 'name'),
    once: 'Copy it now. It will not be shown again, not even to you.',
    lost: 'If you lose it, make a new one.',
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
    gone: 'A secret is shown once, to the person who created it. If you did not store it, make a new one.',
    back: 'Keys for your own programs',
  },
}
