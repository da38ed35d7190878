/** English: the steps between the request of an app and the return to it. */
import { message, phraseOf } from '../message.ts'

export const steps = {
  chooseOrganization: {
    heading: phraseOf('Where do you want to use {app}?', 'app'),
    legend: 'Your organizations',
    unavailable: 'The app named an organization that you cannot use. Choose one of yours.',
    roles: { admin: 'You are an admin', member: 'You are a member' },
    installed: 'app installed',
    notInstalled: 'app not installed yet',
    submit: 'Continue',
    deny: 'Deny',
    chooseOne: 'Choose an organization.',
    noneHeading: 'You do not belong to an organization yet',
    none: phraseOf('{app} works with the data of an organization.', 'app'),
    noneMove: 'Ask an admin to add this account, or sign in with the account that they know.',
    signInAsOther: 'Use another account',
  },

  install: {
    heading: phraseOf('Install {app} in {organization}?', 'app', 'organization'),
    lead: 'Members can allow less, never more.',
    who: 'Who can use it',
    everyone: phraseOf('Everyone in {organization}', 'organization'),
    me: 'Only me for now',
    meHint: 'You choose others later, under Apps.',
    identity: message(
      '{name, select, true {{email, select, true {It also asks each person, when they allow it, to share who they are, with their name and their e-mail address.} other {It also asks each person, when they allow it, to share who they are, with their name.}}} other {{email, select, true {It also asks each person, when they allow it, to share who they are, with their e-mail address.} other {It also asks each person, when they allow it, to share who they are.}}}}',
      'name',
      'email',
    ),
    approve: 'Install',
    deny: 'Cancel',
  },

  selfInstall: {
    title: 'Install for yourself',
    heading: phraseOf('Install {app} for yourself?', 'app'),
    only: phraseOf('For you only, not for others in {organization}', 'organization'),
    lead: message(
      'On the next page you choose what it may read. The admins of {organization} see that you use it, and can remove it.',
      'organization',
    ),
    approve: 'Install for me',
  },

  installLink: {
    stays: 'Then you see the apps of the organization.',
    back: 'Back to the directory',
  },

  installed: {
    heading: phraseOf('{app} is already installed in {organization}', 'app', 'organization'),
    since: phraseOf('Installed on {on}. Nothing changes.', 'on'),
    lead: phraseOf('Continue to set up {app} for this organization.', 'app'),
    submit: 'Continue',
    deny: 'Cancel',
    member: 'Only an admin can set it up. Ask an admin to open the link.',
  },

  askAdmin: {
    heading: phraseOf('Ask an admin to install {app} in {organization}?', 'app', 'organization'),
    who: phraseOf(
      '{admins, select, none {Only an admin of the organization can install it.} other {Only an admin can install it: {admins}.}}',
      'admins',
    ),
    /** The app is installed; an admin approves each person. */
    connectHeading: phraseOf(
      'Ask an admin to let you use {app} in {organization}?',
      'app',
      'organization',
    ),
    connectWho: 'In this organization, an admin approves each person before they use an app.',
    expired: phraseOf('No admin had answered your request by {on}. You may ask again.', 'on'),
    /** The end of a long list of admins. */
    anotherAdmin: 'another admin',
    refused: phraseOf('Your request was refused on {on}. You may ask again.', 'on'),
    withdrawn: phraseOf('You withdrew your request on {on}. You may ask again.', 'on'),
    reason: 'What do you need it for?',
    optional: 'optional',
    reasonHint: 'The admins see this with your name and your e-mail address.',
    request: 'Ask an admin',
    again: 'Ask again',
  },

  /** The install is for other people. */
  notForYou: {
    heading: phraseOf('{app} is not for you in {organization}', 'app', 'organization'),
    audience: 'An admin has chosen whom it is for, and you are not among them.',
    denied: 'An admin has decided that you may not use it here.',
    /** Whom to ask; {admins} is a list of names. */
    who: phraseOf(
      '{admins, select, none {An admin of the organization can change that.} other {An admin can change that: {admins}.}}',
      'admins',
    ),
    admin: 'You are an admin of the organization: you can change whom the app is for.',
    change: 'Change whom it is for',
  },

  /** The app requires what the operator does not allow. */
  cut: {
    install: phraseOf('{app} cannot be installed in {organization}', 'app', 'organization'),
    consent: phraseOf('{app} cannot be used in {organization}', 'app', 'organization'),
    /** {permissions} is a list of sentences about what the app may do. */
    why: phraseOf(
      'The app does not work without this, and the operator of this server does not allow it: {permissions}.',
      'permissions',
    ),
    move: 'Nothing was shared with the app. The operator of this server can change what is allowed.',
  },

  requestSent: {
    heading: 'Your request is with the admins',
    lead: phraseOf('You asked to have {app} installed in {organization}.', 'app', 'organization'),
    /** Without mail: the admins find the request on their page. */
    seen: phraseOf(
      '{admins, select, none {An admin finds it under the apps of the organization.} other {{admins} will find it under the apps of the organization.}}',
      'admins',
    ),
    /** With mail. */
    told: phraseOf(
      '{admins, select, none {We told the admins.} other {We told {admins}.}} You get an e-mail when they decide.',
      'admins',
    ),
    connectLead: phraseOf('You asked to use {app} in {organization}.', 'app', 'organization'),
    link: 'Link for an admin',
    linkHint: 'Send it to an admin of the organization. It opens the request.',
    tryAgain: 'Check again',
    asked: phraseOf(
      'You asked on {on}. If you no longer need the app, withdraw the request.',
      'on',
    ),
    withdraw: 'Withdraw the request',
  },

  consent: {
    heading: phraseOf(
      'Allow {app} to use {organization} with your account?',
      'app',
      'organization',
    ),
    /** The data APIs by their names; null: the platform's own. */
    apis: phraseOf('It asks for access to {apis}.', 'apis'),
    ownApi: 'the API of this platform',
    withheld: phraseOf(
      'It also asks for this, which the admins of {organization} have not approved: {permissions}. An admin can approve it under Apps. Then start again in the app.',
      'organization',
      'permissions',
    ),
    approve: 'Allow',
    deny: 'Deny',
  },

  backToApp: {
    heading: 'Back to the app',
    lead: 'Your answer is ready. The app gets it as soon as you continue.',
    submit: 'Continue',
    close: 'Your answer is ready. You can close this window.',
  },
}
