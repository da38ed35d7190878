import { type EventRule, type EventType, eventRules } from '../language/event-types.ts'

/** An event of the audit trail, as far as webhooks may report it. */
export interface ReportableEvent {
  type: string
  organizationId?: string | null
  clientId?: string | null
  userId?: string | null
  detail?: Record<string, unknown>
}

/** The content of a webhook message. */
export interface WebhookEvent {
  type: string
  /** Members by their wire names: ids, and the details that the event's rule allows. */
  data: Record<string, unknown>
  /** Sent to the app concerned too; else to operators only. */
  forApps: boolean
}

const rules: Record<EventType, EventRule | null> = eventRules

/** Sent by an operator to test one endpoint; only that webhook receives it. */
export const testEvent = 'webhook.test'

const delivered = Object.entries(rules).flatMap(([type, rule]) =>
  rule ? [{ type: rule.type ?? type, forApps: rule.forApps ?? false }] : [],
)

/** Every public type, in the order of the rules. */
export const webhookEventTypes: readonly string[] = delivered.map(({ type }) => type)

/** Types that apps receive. */
export const appEventTypes: readonly string[] = delivered
  .filter(({ forApps }) => forApps)
  .map(({ type }) => type)

const picked = (detail: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(
    names.filter((name) => detail[name] !== undefined).map((name) => [name, detail[name]]),
  )

/** The public event; null for an event that stays in the audit trail. It never contains an address or an actor. */
export const webhookEventOf = (happening: ReportableEvent): WebhookEvent | null => {
  const rule = Object.hasOwn(rules, happening.type) ? rules[happening.type as EventType] : null
  if (!rule) return null
  const { organizationId, clientId, userId, detail = {} } = happening
  return {
    type: rule.type ?? happening.type,
    data: {
      ...(organizationId && { organization_id: organizationId }),
      ...(clientId && { client_id: clientId }),
      ...(userId && { user_id: userId }),
      ...picked(detail, rule.detail ?? []),
    },
    forApps: rule.forApps ?? false,
  }
}
