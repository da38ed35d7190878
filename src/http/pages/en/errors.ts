/** English: what went wrong, and whose move it is. */
import { minutesOf } from './minutes.ts'

export const errors = {
  error: {
    reference: 'Reference',
    forDevelopers: 'For the developer of the app',
    code: 'Error',
    description: 'Description',
    explained: 'What each error means',
    home: 'To the start',
    signIn: 'Sign in',
    tryAgain: 'Try again',
    loadAgain: 'Load the page again',
    request: {
      heading: 'This app sent a request that does not work',
      message: 'The link from the app is incomplete or wrong, so nothing was shared.',
      move: 'Only the developer of the app can correct it. Give them the reference below.',
    },
    unknownApp: {
      heading: 'This app is not known here',
      message: 'No app is registered under the id that was sent, so nothing was shared.',
      move: 'Go back to the app and tell its developer, with the reference below.',
    },
    redirectUri: {
      heading: 'This app wants to send you to a place it did not register',
      message: 'We stopped here to protect your account. Nothing was shared.',
      move: 'The developer of the app has to register the address or correct the link.',
    },
    otherOrganization: 'Choose another organization',
    suspended: {
      heading: 'This app is suspended here',
      message: 'An admin of the organization has put the app on hold, so it gets no access now.',
      move: 'Ask an admin of the organization.',
    },
    outOfReach: {
      heading: 'You cannot give this app what it asks for',
      message:
        'It asks for a workspace in which you do not work, or which is not approved for it. Nothing was shared, and the code is still good.',
      move: 'Somebody who works there can enter the code. Or use another account.',
    },
    expired: {
      heading: 'This took too long',
      message: 'The request of the app has expired or was already answered.',
      move: 'Go back to the app and start again from there.',
    },
    answered: {
      heading: 'You have answered this already',
      message: 'Your first answer counts. Nothing was changed.',
      move: 'If it has not brought you back to the app, go on from here.',
      goOn: 'Go on',
    },
    form: {
      heading: 'This form could not be accepted',
      message:
        'Your sign-in has ended or changed since the page was loaded, or the form was sent from another site. Nothing was changed.',
      move: 'Load the page again and repeat the step.',
    },
    notFound: {
      heading: 'There is nothing here',
      message: 'The page does not exist, or it is not yours to see.',
      move: 'Check the address, or use another account.',
    },
    wrongMethod: {
      heading: 'This page cannot be used that way',
      message: 'The page exists, but it does not take this kind of request. Nothing was changed.',
      move: 'Open the page from its link or its form.',
    },
    noDocument: {
      heading: 'There is no such page',
      message: 'The documentation has no page at this address.',
      move: 'It may have another name by now: the first page leads to all others.',
      start: 'To the documentation',
    },
    tooMany: (minutes: number) => ({
      heading: 'That was too often',
      message:
        'You have sent more in a short time than we take from one person. Nothing was changed.',
      move: `Wait ${minutesOf(minutes)}, then try again.`,
    }),
    tooManyHere: (minutes: number) => ({
      heading: 'Too many requests from your network',
      message: 'Apps asked for access more often from your network than anybody has answered.',
      move: `Sign in first and start again from the app: then only your own requests count. Or wait ${minutesOf(minutes)}.`,
    }),
    unavailable: {
      heading: 'We cannot answer at the moment',
      message: 'A part of this service is out of reach. Nothing was changed.',
      move: 'It is ours to repair. Try again in a minute.',
    },
    server: {
      heading: 'Something went wrong on our side',
      message: 'The step was not completed.',
      move: 'Try again. If it happens twice, send us the reference below.',
    },
  },
}
