// The operator's rule for each host of metadata documents.
import { auditEvent, type Cause } from '../audit/audit.ts'
import { type Change, type EventsFrom, eventsOfChange, removal } from '../audit/changes.ts'
import { appFaults } from '../clients/app-setting-rules.ts'
import { type AppSettings, defaultSettings } from '../clients/app-settings.ts'
import type { AppChange, AppStore, Apps, RegisteredApp } from '../clients/apps.ts'
import type { LivePermissionCatalogue } from '../clients/permission-catalogue.ts'
import { permissionFaults, permissionLengthFaults } from '../clients/permission-rules.ts'
import type { TokenLifetimes } from '../clients/token-lifetime.ts'
import { type Fault, faultAt, faultIf } from '../language/faults.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { inOrder } from '../language/permissions.ts'
import { anyVersion, type Precondition, type Put } from '../language/precondition.ts'
import { found, refuse } from '../language/service-errors.ts'
import { hostFault, isUnder, pathPrefixFault } from './client-url.ts'

/**
 * `review`: an unknown document of the host is read when a user comes with it, and waits for the operator. `refuse`: no
 * document of the host is read or imported. `admit`: an unknown document becomes an app when a user comes with it. Unknown
 * documents of other hosts are refused unread, and can be imported.
 */
export const hostPolicies = ['review', 'refuse', 'admit'] as const
export type HostPolicy = (typeof hostPolicies)[number]

export const mostAdmitted = 1000
export const admittedByDefault = 100

/** What apps from documents of a host get when they come in. */
export interface AppPresets {
  /** Names that the app does not have are ignored. null: it can do without each permission. */
  optionalPermissions: string[] | null
  accessTokenSeconds: number | null
  retryWindowSeconds: number | null
  /** Days after which new installs of the apps of the host end; null: those of the organization. */
  expiresDays: number | null
}

export interface HostRule {
  policy: HostPolicy
  /** Of the paths that `admit` is for; others wait for the operator. null: all. */
  pathPrefix: string | null
  /** Apps from documents of the host, beyond which documents wait for the operator. */
  limit: number
  /** The most that admitted apps may have: permissions of the current interface. Only `admit` needs it. */
  ceiling: string[] | null
  defaults: AppPresets
}

export interface ClientHost extends HostRule {
  /** With its port if that is not 443. */
  host: string
  createdAt: Date
  updatedAt: Date
}

export interface ClientHostStore {
  /**
   * Locks the row if there is one, and calls `decide`, which may throw. Without events nothing is written. Where the rule
   * admits, `narrow` changes each admitted app of the host that has more than the ceiling, and documents that may have asked
   * for what is new in the ceiling are due.
   * @throws Invalid for permissions that the catalogue lacks
   */
  put(
    host: string,
    rule: HostRule,
    decide: EventsFrom<ClientHost | null>,
    narrow: (app: RegisteredApp, before: ClientHost | null) => Change<AppChange>,
  ): Promise<Put<ClientHost>>
  byHost(host: string): Promise<ClientHost | null>
  list(page: PageRequest): Promise<Page<ClientHost>>
  /** Locks the row and calls `admit`, which may throw. */
  remove(host: string, admit: EventsFrom<ClientHost>): Promise<boolean>
  /**
   * Inserts apps if `admits` the rule, which is locked, and the number of apps that the host has.
   * @throws Conflict host_refused
   */
  insertApp(
    host: string,
    admits: (rule: ClientHost | null, apps: number) => boolean,
  ): AppStore['insert']
}

/** Does the rule admit a document? @param apps that the host has already */
export const admits = <Rule extends HostRule>(
  rule: Rule | null,
  clientUrl: string,
  apps: number,
): rule is Rule & { ceiling: string[] } =>
  rule?.policy === 'admit' &&
  rule.ceiling !== null &&
  (rule.pathPrefix === null || isUnder(rule.pathPrefix, clientUrl)) &&
  apps < rule.limit

const at = (place: string, faults: readonly Fault[]): Fault[] =>
  faults.map((fault) => ({ ...fault, pointer: `${place}${fault.pointer}` }))

const presetFaults = (presets: AppPresets, lifetimes: TokenLifetimes) => {
  const app: AppSettings = {
    ...defaultSettings,
    name: 'app',
    interface: 'current',
    clientType: 'public',
    redirectUris: ['https://host/'],
    permissions: [],
    accessTokenSeconds: presets.accessTokenSeconds,
    retryWindowSeconds: presets.retryWindowSeconds ?? 0,
  }
  return at('/defaults', appFaults(app, lifetimes))
}

const eventsOf = (before: ClientHost | null, host: string, rule: HostRule, cause: Cause) => {
  const { policy, ceiling } = rule
  const detail = { host, policy, ...(ceiling && { permissions: ceiling }) }
  return eventsOfChange<Partial<HostRule>>(cause, 'client_host.changed', before ?? {}, rule, {
    detail,
  })
}

export const createClientHosts = (deps: {
  store: ClientHostStore
  apps: Pick<Apps, 'changeBy'>
  catalogue: LivePermissionCatalogue
  lifetimes: TokenLifetimes
}) => {
  const { store, apps, catalogue, lifetimes } = deps

  const faultsOf = (host: string, { policy, pathPrefix, ceiling, defaults }: HostRule) => {
    const wrongHost = hostFault(host)
    const wrongPrefix = pathPrefix === null ? null : pathPrefixFault(pathPrefix)
    return [
      ...(wrongHost ? [faultAt('/host', 'host', wrongHost)] : []),
      ...(wrongPrefix ? [faultAt('/path_prefix', 'path_prefix', wrongPrefix)] : []),
      ...faultIf(policy === 'admit' && !ceiling, '/ceiling', 'required', 'is required to admit'),
      ...at('/ceiling', [
        ...permissionFaults(catalogue, 'current', ceiling ?? []),
        ...permissionLengthFaults(ceiling ?? []),
      ]),
      ...presetFaults(defaults, lifetimes),
    ]
  }

  return {
    /** Replaces the rule. A lowered ceiling narrows the apps that the host has admitted. @throws Invalid, PreconditionFailed */
    put: async (
      host: string,
      { ceiling, ...sent }: HostRule,
      cause: Cause,
      precondition: Precondition<ClientHost> = anyVersion,
    ): Promise<Put<ClientHost>> => {
      const rule = { ...sent, ceiling: ceiling && inOrder('current', ceiling) }
      await catalogue.refresh()
      refuse(faultsOf(host, rule))
      const decide = (current: ClientHost | null) => {
        precondition(current)
        return eventsOf(current, host, rule, cause)
      }
      // What the operator has given an app beyond the earlier ceiling stays.
      const isLost = (one: string, before: string[] | null) =>
        !rule.ceiling?.includes(one) && (before === null || before.includes(one))
      return store.put(host, rule, decide, (app, before) => {
        const earlier = before?.policy === 'admit' ? before.ceiling : null
        const permissions = app.permissions.filter((one) => !isLost(one, earlier))
        return apps.changeBy(app, { permissions }, cause)
      })
    },

    /** @throws NotFound */
    read: async (host: string): Promise<ClientHost> =>
      found(hostFault(host) ? null : await store.byHost(host), 'client host'),

    /** Oldest first. */
    list: (page: PageRequest): Promise<Page<ClientHost>> => store.list(page),

    /** @throws NotFound, PreconditionFailed */
    remove: removal(
      'client host',
      async (host: string, admit: EventsFrom<ClientHost>) =>
        hostFault(host) === null && store.remove(host, admit),
      (cause, _, host) => auditEvent(cause, 'client_host.removed', { detail: { host } }),
    ),
  }
}

export type ClientHosts = ReturnType<typeof createClientHosts>
