/** English: the organization in which the owner of an app tries it. */
import { message, phraseOf } from '../message.ts'

export const developerSandbox = {
  heading: 'Sandbox',
  lead: 'An organization of your own, to try your apps in. You are its admin.',
  open: 'Open the sandbox',
  create: 'Create a sandbox',
  remove: 'Delete the sandbox',
  /** Names of what is created. */
  names: { organization: 'Sandbox', workspaces: ['First workspace', 'Second workspace'] },
  creation: {
    title: 'Create a sandbox',
    heading: 'Create a sandbox?',
    lead: 'You get an organization with two workspaces, and you are its admin. There you install your apps, also before the operator has reviewed them. The operator sees that it is a sandbox.',
    submit: 'Create the sandbox',
  },
  deletion: {
    title: 'Delete the sandbox',
    heading: phraseOf('Delete {sandbox}?', 'sandbox'),
    lead: 'All tokens, installs, keys and workspaces in it end now. You can create a new sandbox then.',
    submit: 'Delete the sandbox',
  },
  people: {
    link: 'Test people',
    title: 'Test people',
    lead: message(
      'With them you try how a member asks for your app, agrees to it and disconnects it. They are members of your sandbox only, and get no mails. Up to {count, number}.',
      'count',
    ),
    none: 'There are none yet.',
    name: 'Name',
    add: 'Add a test person',
    remove: 'Remove',
    nameFault: 'Enter a name of 1 to 100 characters without control characters.',
    full: message(
      'The sandbox has {count, number} test people, and cannot have more. Remove one first.',
      'count',
    ),
    removed: 'The test person is removed.',
    back: 'Apps you maintain',
    removal: {
      heading: phraseOf('Remove {person}?', 'person'),
      lead: 'The account is deleted. All access that it gave to apps ends now.',
      submit: 'Remove the test person',
    },
    password: {
      title: 'New test person',
      heading: phraseOf('How {person} signs in', 'person'),
      lost: 'If you lose it, remove the test person and add another one.',
      email: 'E-mail',
      label: 'Password',
      usage:
        'Sign in with it in a private window, so that you stay signed in here. No mail reaches this address.',
    },
  },
  done: {
    created: 'The sandbox is ready.',
    exists: 'You have a sandbox already.',
    deleted: 'The sandbox is deleted.',
  },
}
