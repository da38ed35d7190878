import { longestUri } from '../clients/app-rules.ts'
import type { Fault } from '../language/faults.ts'
import { type AddressRules, webhookUrlFault } from './addresses.ts'
import { appEventTypes, webhookEventTypes } from './events.ts'

/** What keeps messages from being sent there. */
export const urlFaults = (url: string, rules: AddressRules): Fault[] => {
  const detail =
    url.length > longestUri
      ? `is longer than ${longestUri} characters`
      : webhookUrlFault(url, rules)
  return detail ? [{ pointer: '/url', detail }] : []
}

/** Types that there are not, or of which apps are not told. @param clientId null: the operator's */
export const eventsFaults = (
  events: readonly string[] | null,
  clientId: string | null,
): Fault[] => {
  const known = clientId === null ? webhookEventTypes : appEventTypes
  const detail =
    clientId === null ? 'is not a type of event' : 'is not a type of event that apps are told of'
  return (events ?? []).flatMap((type, at) =>
    known.includes(type) ? [] : [{ pointer: `/events/${at}`, detail }],
  )
}
