import { fetchedUrlFaults } from '../clients/workloads.ts'
import { type Fault, faultAt } from '../language/faults.ts'
import type { AddressRules } from '../outbound/addresses.ts'
import { appEventTypes, webhookEventTypes } from './events.ts'

/** @returns why no webhook may use this URL; empty when it may */
export const urlFaults = (url: string, rules: AddressRules): Fault[] =>
  fetchedUrlFaults('/url', url, rules, 'webhook_url')

/** Rejects unknown types, and types that apps do not receive. @param clientId null: a webhook of the operator */
export const eventsFaults = (
  events: readonly string[] | null,
  clientId: string | null,
): Fault[] => {
  const known = clientId === null ? webhookEventTypes : appEventTypes
  const detail =
    clientId === null ? 'is not a type of event' : 'is not a type of event that apps receive'
  return (events ?? []).flatMap((type, at) =>
    known.includes(type) ? [] : [faultAt(`/events/${at}`, 'event_type', detail)],
  )
}
