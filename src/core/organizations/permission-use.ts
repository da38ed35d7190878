import { knownOf, type ResourceLimits, serves } from '../clients/resource-limits.ts'
import { type Day, dayOf } from '../language/period.ts'
import type { PermissionCatalogue } from '../language/permission-catalogue.ts'
import { found } from '../language/service-errors.ts'
import type { InstallKey } from './install.ts'

/** What a data API reports: how often it granted which permission to which app. */
export interface PermissionReport {
  clientId: string
  day: Day
  /** The same key counts once within a day; null: always counted. */
  key: string | null
  counts: readonly (InstallKey & { permission: string; count: number })[]
}

/** The granted permissions without a use, by days; null: not measured, which is never "not used". */
export type UnusedPermissions = Record<30 | 90, string[] | null>

export interface PermissionUseReport {
  permissions: { permission: string; count: number; lastUsedOn: Day | null }[]
  /** Every data API that serves the organization and called this server has reported, and there is one. */
  measured: boolean
}

export interface PermissionUseStore {
  /** Adds a report in one statement. Skips apps that the organization never installed. */
  add(report: PermissionReport): Promise<void>
  /** Records that the data API called this server. @param introspects it asked about a token */
  seen(clientId: string, day: Day, introspects: boolean): Promise<void>
  /** Within the last `days` days. @returns null when there is no live install */
  ofInstall(install: InstallKey, days: number): Promise<PermissionUseReport | null>
  /** @param organizationId null: the permissions of the app that no organization uses @returns null: no app or install */
  unused(clientId: string, organizationId: string | null): Promise<UnusedPermissions | null>
}

/** Which permissions the data APIs granted to apps, as they report it. */
export const createPermissionUse = (deps: {
  store: PermissionUseStore
  catalogue: Pick<PermissionCatalogue, 'find'>
  /** Milliseconds since 1970. */
  now: () => number
}) => {
  const { store, catalogue, now } = deps
  let today = { day: '', seen: new Set<string>() }

  const isKnown = (name: string) =>
    catalogue.find('current', name) ?? catalogue.find('legacy', name)

  return {
    /** Drops what is unknown or outside the limits of the data API. */
    report: (reader: ResourceLimits, report: PermissionReport) =>
      store.add({
        ...report,
        counts: report.counts.filter(
          ({ organizationId, permission, count }) =>
            count > 0 &&
            serves(reader, organizationId) &&
            (permission === 'read' || knownOf(reader, [permission]).some(isKnown)),
        ),
      }),

    /** A data API has polled or introspected: one write of each for each day and process. It never rejects. */
    seen: async (clientId: string, introspects = false): Promise<void> => {
      const day = dayOf(now())
      if (day !== today.day) today = { day, seen: new Set() }
      const { seen } = today
      const call = `${clientId} ${introspects}`
      if (seen.has(call)) return
      seen.add(call)
      await store.seen(clientId, day, introspects).catch(() => seen.delete(call))
    },

    /** @param days includes today @throws NotFound */
    ofInstall: async (install: InstallKey, days: number) => ({
      days,
      ...found(await store.ofInstall(install, days), 'install'),
    }),

    unused: async (clientId: string, organizationId: string | null) =>
      found(await store.unused(clientId, organizationId), 'app'),
  }
}

export type PermissionUse = ReturnType<typeof createPermissionUse>
