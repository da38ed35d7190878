import type { Cause } from '../audit/audit.ts'
import { type Change, eventsOfChange, type Patch, patched } from '../audit/changes.ts'
import { mostDays } from '../language/access-end.ts'
import { snakeCase, snakeKeys } from '../language/case.ts'
import { type Fault, faultIf } from '../language/faults.ts'
import { anyVersion, type Precondition } from '../language/precondition.ts'
import { found, refuse } from '../language/service-errors.ts'

/**
 * Which apps members may connect. `all`: installed ones, and they may ask an admin for others. `installed`: installed
 * ones only. `ask`: each member needs an admin's approval for each app, also for an installed one.
 */
export const connectRules = ['all', 'installed', 'ask'] as const

/** `reviewed_read_only`: members may install for themselves what the operator has reviewed and what only reads. */
export const selfInstallRules = ['never', 'reviewed_read_only'] as const

/**
 * `ask`: only what was installed before, or what an admin installs or approves. `refuse`: nothing gets access, also what
 * was connected before, until it is allowed again.
 */
export const kindRules = ['allow', 'ask', 'refuse'] as const
export type KindRule = (typeof kindRules)[number]

/** Which apps need no decision by an admin, or get none. */
const usualRules = {
  selfInstall: 'never' as (typeof selfInstallRules)[number],
  /** Connections that were made with the code of a device, whatever the app. */
  deviceFlow: 'allow' as KindRule,
  publicApps: 'allow' as KindRule,
  /** Apps whose client id is the address of a document. */
  aiClients: 'allow' as KindRule,
}

export type AppRules = typeof usualRules

/** The specification's rules, which hold where an organization has stored no policy. */
const usualPolicy = {
  connect: 'all' as (typeof connectRules)[number],
  ...usualRules,
  /** Days after which new installs and consents expire; null: they do not. */
  defaultExpiresDays: null as number | null,
  /** Days without use after which they end; null: they may stay unused. */
  defaultIdleDays: null as number | null,
}

export type PolicySettings = typeof usualPolicy

export type OrganizationPolicy = PolicySettings & { organizationId: string }

/** A policy that replaces the present one. Absent rules for apps stay. */
export type WantedPolicy = Omit<PolicySettings, keyof AppRules> & Patch<AppRules>

/** What the policy of an organization says about an app, and about one of the members. */
export interface PolicyStanding {
  /** The strictest rule for the app. */
  rule: KindRule
  /** The same for a connection by the device flow. */
  deviceRule: KindRule
  /** The member may install it for themselves, if it only reads. */
  maySelfInstall: boolean
}

/** The rule for the app. @param byDevice for a connection by the device flow */
export const ruleFor = (
  { rule = 'allow', deviceRule = 'allow' }: Partial<PolicyStanding>,
  byDevice: boolean,
): KindRule => (byDevice ? deviceRule : rule)

export interface OrganizationPolicyStore {
  /** @returns null when it has none; undefined when the organization does not exist */
  find(organizationId: string): Promise<PolicySettings | null | undefined>
  /**
   * Locks the organization, calls `decide` with its stored policy and writes.
   * @returns null when the organization does not exist
   */
  put(
    organizationId: string,
    decide: (current: PolicySettings | null) => Change<PolicySettings>,
  ): Promise<PolicySettings | null>
}

const settingsFaults = (settings: WantedPolicy): Fault[] =>
  (['defaultExpiresDays', 'defaultIdleDays'] as const).flatMap((field) => {
    const days = settings[field]
    const isWrong = days !== null && !(Number.isInteger(days) && days >= 1 && days <= mostDays)
    const detail = `is not a whole number of days between 1 and ${mostDays}`
    return faultIf(isWrong, `/${snakeCase<string>(field)}`, 'out_of_range', detail)
  })

/** The policy of each organization about the apps of its members. Only what it refuses concerns existing connections. */
export const createOrganizationPolicies = ({ store }: { store: OrganizationPolicyStore }) => ({
  /** The specification's rules where none is stored. @throws NotFound */
  read: async (organizationId: string): Promise<OrganizationPolicy> => {
    const stored = await store.find(organizationId)
    const settings = stored === undefined ? null : (stored ?? usualPolicy)
    return { organizationId, ...found(settings, 'organization') }
  },

  /** Replaces the policy, except for absent rules for apps. @throws Invalid, NotFound, PreconditionFailed */
  put: async (
    organizationId: string,
    wanted: WantedPolicy,
    cause: Cause,
    precondition: Precondition<OrganizationPolicy> = anyVersion,
  ): Promise<OrganizationPolicy> => {
    refuse(settingsFaults(wanted))
    const put = await store.put(organizationId, (current) => {
      const before = current ?? usualPolicy
      precondition({ organizationId, ...before })
      const values = patched(before, wanted)
      const detail = { ...snakeKeys(values), previous: snakeKeys(before) }
      const about = { organizationId, detail }
      const type = 'organization.policy_changed'
      return { values, events: eventsOfChange(cause, type, before, values, about) }
    })
    return { organizationId, ...found(put, 'organization') }
  },
})

export type OrganizationPolicies = ReturnType<typeof createOrganizationPolicies>
