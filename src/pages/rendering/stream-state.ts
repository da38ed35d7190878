import type { AuditStream } from '../../core/audit-streams/audit-streams.ts'
import type { Text } from '../../words/text.ts'
import { marked, type Shown } from './forms/blocks.ts'

/** Whether a receiver of the audit trail has everything, and why not. */
export const streamState = (
  { activity: { streams } }: Text,
  { behind, lastError }: Pick<AuditStream, 'behind' | 'lastError'>,
): Shown => {
  if (lastError === 'events_expired') return marked(streams.expired)
  if (lastError !== null) return marked(streams.failing(behind, lastError))
  return behind === 0 ? streams.complete : streams.behind(behind)
}
