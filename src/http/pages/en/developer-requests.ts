/** English: refused requests and usage of an app, for its owners. */
import { message, phraseOf } from './message.ts'

export const developerRequests = {
  link: 'Refused requests and usage',
  title: 'Requests of the app',
  heading: phraseOf('Requests of {app}', 'app'),
  requestId: 'Request id',
  requestIdHint: 'It is in the header x-request-id of the answer.',
  find: 'Find',
  all: 'Show the latest',
  refusals: 'Latest refused requests',
  found: 'This request',
  none: 'No token request of the app was refused.',
  notFound:
    'This app has no refused token request with this id. Refusals appear after a few seconds.',
  id: 'Request',
  guide: 'All reasons and what helps',
  usage: 'Last 30 days',
  issued: 'Tokens issued',
  refused: 'Refused requests, by reason',
  unused: 'The app got no token in the last 30 days.',
  otherReason: message('reason {code}', 'code'),
  because: message('Refused: {reason}', 'reason'),
  counted: message('{reason}: {count, number}', 'reason', 'count'),
  back: 'Back to the app',
}
