/** English: a forgotten password, and the links of mails that set one. */
import { phraseOf } from '../message.ts'

export const passwordLinks = {
  forgotten: {
    link: 'Forgot your password?',
    title: 'Forgot your password?',
    heading: 'Forgot your password?',
    lead: 'We send a link for a new one to the address of your account.',
    submit: 'Send the link',
    incomplete: 'Enter your e-mail address.',
    sentTitle: 'Check your mail',
    sentHeading: 'Check your mail',
    sent: phraseOf(
      'If an account with a password has the address {email}, a link is on its way.',
      'email',
    ),
    sentHint: 'It works once, within 30 minutes. No mail? Look in the spam folder.',
    back: 'Sign in',
  },

  newPassword: {
    title: 'New password',
    heading: 'Choose a new password',
    consequence: 'You are signed out everywhere, and every app is disconnected.',
    invitedTitle: 'Choose a password',
    invitedHeading: phraseOf('Welcome, {name}', 'name'),
    account: phraseOf('For {email}', 'email'),
    password: 'New password',
    invitedPassword: 'Your password',
    submit: 'Save the password',
    doneTitle: 'Password saved',
    doneHeading: 'Your password is saved',
    done: 'Sign in with it.',
    signIn: 'Sign in',
    goneTitle: 'Link expired',
    goneHeading: 'This link no longer works',
    gone: 'It was used, it is too old, or your password has changed since.',
    again: 'Get another link',
  },
}
