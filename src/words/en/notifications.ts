/** English: which mails a user gets. */
import { phraseOf } from '../message.ts'

export const notifications = {
  title: 'Notifications',
  heading: 'Which mails you get',
  lead: phraseOf('We send them to {email}.', 'email'),
  legend: 'Send me a mail',
  categories: {
    requests: {
      label: 'Requests for apps',
      hint: 'A member asks for an app or installs one, or an admin or the operator answers you.',
    },
    apps: {
      label: 'Installed apps',
      hint: 'An app asks for more, or was not used for 90 days.',
    },
    secrets: {
      label: 'Secrets that end',
      hint: 'A secret of your app or of a key ends soon.',
    },
    operation: {
      label: 'Failures of your apps',
      hint: 'A webhook fails, or far more requests than usual are refused.',
    },
  },
  always: 'Mails about the security of your account or organization are always sent.',
  submit: 'Save',
  saved: 'Your choice is saved.',

  unsubscribe: {
    title: 'Fewer mails',
    heading: 'Get no more mails like this?',
    about: 'You get no more mails about:',
    submit: 'Stop these mails',
    doneTitle: 'Mails stopped',
    doneHeading: 'You get no more mails like this',
    doneHint: 'You can switch them on again.',
    choose: 'Choose which mails you get',
    invalidTitle: 'Link not valid',
    invalidHeading: 'This link is not valid',
    invalid: 'Sign in to choose which mails you get.',
  },
}
