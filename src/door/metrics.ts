import { collectDefaultMetrics, Registry } from 'prom-client'
import { declareIn } from '../http/operations/declare.ts'
import type { CheckOutcome } from './check.ts'

/** @param isReady whether the door knows keys and revocations */
export const createDoorMetrics = (isReady: () => boolean) => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const { counter, durations, state } = declareIn(registry)
  const checks = counter('latchkey_door_checks_total', 'Checks by outcome and reason', [
    'outcome',
    'reason',
  ])
  const times = durations('latchkey_door_check_duration_seconds', 'Time to answer a check', [
    'outcome',
  ])
  const failures = counter(
    'latchkey_door_server_errors_total',
    'Requests to the authorization server that failed, by reason',
    ['reason'],
  )
  state('max')('latchkey_door_ready', '1 when keys and revocations are known', [], (one) =>
    one.set(isReady() ? 1 : 0),
  )
  const allowed = checks.labels('allowed', '')
  const allowedTimes = times.labels('allowed')
  return {
    registry,
    /** @param reason '' for an allowed check */
    checked: (outcome: CheckOutcome, reason: string, seconds: number) => {
      // The labels of nearly every check need not be looked up.
      if (outcome === 'allowed') {
        allowed.inc()
        allowedTimes.observe(seconds)
        return
      }
      checks.inc({ outcome, reason })
      times.observe({ outcome }, seconds)
    },
    /** A request of the door to the server failed. */
    serverFailed: (reason: string) => failures.inc({ reason }),
  }
}

export type DoorMetrics = ReturnType<typeof createDoorMetrics>
