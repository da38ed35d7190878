/** English: the organization in which the owner of an app tries it. */
import { phraseOf } from './message.ts'

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
    cancel: 'Cancel',
  },
  deletion: {
    title: 'Delete the sandbox',
    heading: phraseOf('Delete {sandbox}?', 'sandbox'),
    lead: 'All tokens, installs, key sets and workspaces in it end now. You can create a new sandbox then.',
    submit: 'Delete the sandbox',
    cancel: 'Cancel',
  },
  done: {
    created: 'The sandbox is ready.',
    exists: 'You have a sandbox already.',
    deleted: 'The sandbox is deleted.',
  },
}
