/** English: why a page refused something and what helps, as an operator or admin finds it by the request id. */

const makerWritesLink = 'The maker of the app corrects the link, as the guide for apps says.'
const platformAccount =
  'An administrator corrects the account in the sign-in service of the platform.'

const pages = {
  request: {
    why: 'the app sent a request that is incomplete or breaks a rule',
    help: makerWritesLink,
  },
  listOrder: {
    why: 'the address names an order that the list does not have',
    help: 'The person opens the list, and chooses one of its headings.',
  },
  unknownApp: {
    why: 'no app is registered under the Client ID, or the app is switched off',
    help: 'The maker of the app compares the Client ID with the registered one. The operator registers the app, or switches it on again.',
  },
  unreviewedApp: {
    why: 'the app comes from a website that is not allowed here',
    help: 'The operator imports the app, or lets its website in under Apps from the web.',
  },
  waitingApp: {
    why: 'the operator has not reviewed the app yet',
    help: 'The operator reviews it in the console. Then the person starts again from the app.',
  },
  unreadableApp: {
    why: 'what the app publishes about itself could not be fetched or breaks a rule',
    help: 'The maker of the app corrects the document at its Client ID. The activity of the server names the rule.',
  },
  redirectUri: {
    why: 'the address to which the app wanted the person back is not registered',
    help: 'The maker of the app sends the redirect URI exactly as it is registered, or registers the one that the app sends.',
  },
  installLink: {
    why: 'the link to install the app is incomplete',
    help: makerWritesLink,
  },
  installLinkPermissions: {
    why: 'the link to install the app names a permission that the app does not have',
    help: 'The maker of the app corrects the link, or asks the operator for the permission.',
  },
  expired: {
    why: 'the person took longer than an hour, had answered before, or used another browser',
    help: 'The person starts again from the app.',
  },
  form: {
    why: 'the person was signed out, or had changed the account, after the page was opened',
    help: 'The person signs in and tries again.',
  },
  tooMany: {
    why: 'there were too many requests in a short time',
    help: 'The person waits for some minutes. If it happens often, the operator raises the limit.',
  },
  tooManyHere: {
    why: 'too many requests from the network of the person wait for an answer',
    help: 'The person signs in first, then only their own requests count. The operator can raise the limit.',
  },
  unavailable: {
    why: 'a store of this server did not answer',
    help: 'The operator looks at the health of the server. The person tries again.',
  },
  server: {
    why: 'this server made a mistake',
    help: 'The operator finds the cause in the log of the server under this id.',
  },
  notFound: {
    why: 'the page does not exist for this person: what it shows is gone, or the person may not see it',
    help: 'The person opens the page from its link. An admin or the operator gives them the right to see it.',
  },
  suspended: {
    why: 'an admin has suspended the app in the organization',
    help: 'An admin resumes the app under Apps.',
  },
  refusedByRules: {
    why: 'the rules of the organization do not allow this kind of app, or this way to connect it',
    help: 'An admin can change that under Rules.',
  },
  appsClosed: {
    why: 'the app is not installed, and members of the organization may not ask for apps',
    help: 'An admin installs the app, or lets members ask under Rules.',
  },
  outOfReach: {
    why: 'the app asked for a workspace or a data API that this person cannot give it',
    help: 'A person with access to it enters the code, or an admin approves the workspace for the app.',
  },
  notForYou: {
    why: 'the app is installed for other people, or an admin has denied it to this person',
    help: 'An admin changes on the page of the app whom it is for.',
  },
  cut: {
    why: 'the app cannot do without a permission that the operator does not allow it',
    help: 'The operator allows it under Apps from the web, or the maker of the app makes it optional.',
  },
  disabled: {
    why: 'the account of the person is switched off here',
    help: 'The operator switches the account on again.',
  },
  email_missing: {
    why: 'the sign-in service sent no e-mail address',
    help: 'An administrator of the sign-in service allows it to send the address.',
  },
  email_unusable: {
    why: 'the e-mail address has letters that not every mail server takes',
    help: platformAccount,
  },
  email_unverified: {
    why: 'the sign-in service has not checked the e-mail address',
    help: 'The person verifies the address in the sign-in service, and signs in again.',
  },
  email_taken: {
    why: 'another account here has the e-mail address',
    help: 'The operator gives the other account its own address, or deletes it.',
  },
}

export type RefusedPageName = keyof typeof pages

export const refusedPages = {
  pages,
  asked: 'A page of this server',
  /** By the pattern of its path. */
  places: {
    '/authorize': 'The page on which a person allows the app',
    '/oauth/authorize': 'The page on which a person allows the app',
    '/interaction/:id': 'The page on which a person allows the app',
    '/install': 'A link to install the app',
    '/activate': 'The page for the code of a device',
    '/login/callback': 'The sign-in with the platform',
  },
  answered: 'A page that says so, with this id. The app got nothing.',
}
