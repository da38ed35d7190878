// Part of the wiring (app.ts): events of grants → metrics, audit trail and last use.
import type { Grant } from '../../core/grants/grant.ts'
import { superseded } from '../../core/grants/grant-bound.ts'
import type { GrantEvents } from '../../core/grants/store.ts'
import type { Metrics } from '../../http/operations/metrics.ts'
import type { Records } from './records.ts'

const system = { actor: { kind: 'system', id: null }, address: null, requestId: null } as const

const about = ({ organizationId, clientId, userId }: Grant) => ({
  ...system,
  organizationId,
  clientId,
  userId,
})

export const createGrantEvents = (metrics: Metrics, { audit, lastUsed }: Records): GrantEvents => ({
  used: (grant) => lastUsed.grant(grant.id),
  installUsed: lastUsed.install,
  ended: (grant, reason) => {
    metrics.familyEnded(reason)
    if (reason !== superseded) return
    audit.record({ ...about(grant), type: 'grant.ended', detail: { grant_id: grant.id, reason } })
  },
  takenOver: (grant, source) =>
    audit.record({
      ...about(grant),
      type: 'grant.taken_over',
      detail: { grant_id: grant.id, source },
    }),
  reuseDetected: (grant, generation) => {
    metrics.familyEnded('reuse_detected')
    audit.record({
      ...about(grant),
      type: 'grant.reuse_detected',
      detail: { grant_id: grant.id, generation },
    })
  },
})
