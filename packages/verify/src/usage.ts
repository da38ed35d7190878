import type { Claims } from './claims.ts'
import type { Pace } from './pace.ts'
import type { AuthorizationServer, UsageReport } from './server.ts'
import type { Settings } from './settings.ts'

/** Counts one use of a permission. */
export type CountUse = (permission: string) => void

const every = 15_000 // ms
const day = 86_400_000
const mostOfReport = 2000
/** What exceeds the memory is not counted. */
const mostCounts = 20_000
const mostUnsent = 20

/** Counts the permissions that this data API granted, by app and organization, and reports them to the server. */
export const createUsage = (server: AuthorizationServer, { usage, now }: Settings, pace: Pace) => {
  let counts = new Map<string, { count: number }>()
  let since = now()
  let reportedOn = -1
  const unsent = new Set<UsageReport>()

  /** What the server did not answer is sent again with the next report, under the same key. */
  const send = async (isDue: boolean) => {
    if ((counts.size > 0 || isDue) && unsent.size < mostUnsent) {
      const all = [...counts.values()]
      const [from, to] = [Math.max(since, now() - day), now()].map((at) =>
        new Date(at).toISOString(),
      )
      counts = new Map()
      since = now()
      do {
        const part = all.splice(0, mostOfReport)
        unsent.add({ key: crypto.randomUUID(), from: `${from}`, to: `${to}`, counts: part })
      } while (all.length > 0)
    }
    for (const one of unsent) {
      if (!(await server.report(one))) return
      unsent.delete(one)
    }
  }

  return {
    /** @returns undefined: nothing is counted for this token */
    counterOf: ({ kind, clientId, organizationId }: Claims): CountUse | undefined => {
      if (!usage || (kind !== 'user' && kind !== 'install')) return undefined
      let current = counts
      const own = new Map<string, { count: number }>()
      return (permission) => {
        if (current !== counts) own.clear()
        current = counts
        let one = own.get(permission)
        if (!one) {
          const about = { client_id: clientId, organization_id: organizationId, permission }
          const key = Object.values(about).join(' ')
          one = counts.get(key) ?? { ...about, count: 0 }
          if (counts.size < mostCounts) counts.set(key, one)
          own.set(permission, one)
        }
        one.count++
      }
    },
    /** Reports until the pace is stopped; without any use once a day, because that is measured too. */
    run: async () => {
      while (usage && !pace.isStopped()) {
        await pace.pause(every)
        const today = Math.floor(now() / day)
        if (!pace.isStopped()) await send(reportedOn !== today)
        reportedOn = today
      }
    },
    close: () => send(false),
  }
}

export type Usage = ReturnType<typeof createUsage>
