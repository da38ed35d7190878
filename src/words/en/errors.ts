/** English: error pages. Each says what happened and who can do something about it. */
import { message } from '../message.ts'

export const errors = {
  error: {
    reference: 'Reference',
    forDevelopers: 'For the developer of the app',
    code: 'Error',
    description: 'Description',
    explained: 'What each error means',
    home: 'Home',
    signIn: 'Sign in',
    tryAgain: 'Try again',
    loadAgain: 'Load the page again',
    request: {
      heading: 'This app sent an invalid request',
      message: 'The link from the app is incomplete or wrong, so nothing was shared.',
      move: 'Only the developer of the app can correct it. Give them the reference below.',
    },
    listOrder: {
      heading: 'This list cannot be sorted like that',
      message: 'The address names an order that the list does not have.',
      move: 'Open the list, and choose one of its headings.',
    },
    unknownApp: {
      heading: 'This app is unknown here',
      message: 'The app id in the request is not registered, so nothing was shared.',
      move: 'Go back to the app and tell its developer, with the reference below.',
    },
    unreviewedApp: {
      heading: 'This app has not been reviewed here',
      message: 'The app is not registered with this service, so nothing was shared.',
      move: 'Ask an admin of your organization or the operator of this service to allow the app. Give them the reference below.',
    },
    waitingApp: {
      heading: 'This app waits for a review',
      message: 'The operator of this service must review the app first. Nothing was shared.',
      move: 'Try again later. If it is urgent, ask the operator of this service, with the reference below.',
    },
    unreadableApp: {
      heading: 'We could not read the description of this app',
      message:
        'What the app publishes about itself is missing or breaks a rule, so nothing was shared.',
      move: 'Try again later. If it happens again, tell the developer of the app, with the reference below.',
    },
    redirectUri: {
      heading: 'This app wants to send you to an unregistered address',
      message: 'We stopped here to protect your account. Nothing was shared.',
      move: 'The developer of the app has to register the address or correct the link.',
    },
    redirectUriOnDevice: {
      heading: 'This program returns to an unregistered address',
      message:
        'A program on this computer asks for access, but its address is not registered. Nothing was shared.',
      move: 'Ask the operator to register it for this app: http://localhost or http://127.0.0.1, as the program writes it, with the same path. An app without a secret may then use any port.',
    },
    installLink: {
      heading: 'This installation link is incomplete',
      message: 'Nothing was installed or shared.',
      move: 'Go back to the app and start again. If it happens twice, send its developer the reference below.',
    },
    installLinkPermissions: {
      heading: 'This installation link asks for unknown permissions',
      message: 'The app is not registered for a permission in the link. Nothing was installed.',
      move: 'Tell the developer of the app, with the reference below.',
    },
    otherOrganization: 'Choose another organization',
    suspended: {
      heading: 'This app is suspended here',
      message: 'An admin of the organization has suspended the app, so it gets no access now.',
      move: 'Ask an admin of the organization.',
    },
    refusedByRules: {
      heading: 'This app is not allowed here',
      message:
        'The rules of the organization do not allow apps of this kind, or this way to connect them.',
      move: 'An admin of the organization can change the rules.',
    },
    appsClosed: {
      heading: 'This app is not installed',
      message: 'Members of this organization can connect installed apps only.',
      move: 'An admin of the organization can install the app.',
    },
    outOfReach: {
      heading: 'You cannot give this app what it asks for',
      message:
        'It asks for a workspace of which you are not a member or which is not approved for it, or for an API that is not there for this organization. Nothing was shared, and the code is still valid.',
      move: 'A person with access to it can enter the code. Or use another account.',
    },
    expired: {
      heading: 'This took too long',
      message: 'The request of the app has expired or was already answered.',
      move: 'Go back to the app and start again from there.',
    },
    answered: {
      heading: 'You have already answered this',
      message: 'Your first answer counts. Nothing was changed.',
      move: 'If you were not returned to the app, continue here.',
      goOn: 'Continue',
    },
    form: {
      heading: 'You were signed out',
      message: 'Your sign-in has ended or changed since the page was loaded. Nothing was changed.',
      move: 'Sign in and try again.',
    },
    notFound: {
      heading: 'Page not found',
      message: 'The page does not exist, or you may not see it.',
      move: 'Check the address, or use another account.',
    },
    wrongMethod: {
      heading: 'This page does not accept the request',
      message: 'The page exists, but it does not accept this kind of request. Nothing was changed.',
      move: 'Open the page from its link or its form.',
    },
    noDocument: {
      heading: 'Page not found',
      message: 'The documentation has no page at this address.',
      move: 'It may have a new name. The first page links to all others.',
      start: 'Documentation',
    },
    tooMany: {
      heading: 'Too many attempts',
      message: 'You sent too many requests in a short time. Nothing was changed.',
      move: message('Try again in {minutes, plural, one {a minute} other {# minutes}}.', 'minutes'),
    },
    tooManyHere: {
      heading: 'Too many requests from your network',
      message: 'Too many requests for access from your network wait for an answer.',
      move: message(
        'Sign in first and start again from the app, so that only your own requests count. Or wait {minutes, plural, one {a minute} other {# minutes}}.',
        'minutes',
      ),
    },
    unavailable: {
      heading: 'We cannot answer at the moment',
      message: 'A part of this service is unavailable. Nothing was changed.',
      move: 'We have to repair this. Try again in a minute.',
    },
    server: {
      heading: 'Something went wrong on our side',
      message: 'The step was not completed.',
      move: 'Try again. If it happens twice, send us the reference below.',
    },
  },
}
