// Conditions of what counts at present: installs, consents, and people whom an app may serve.
import { computed } from '../connection/columns.ts'

/** Is the install live: neither ended nor expired? The sweeper ends it a moment after it has expired. */
export const isLiveInstall = (alias: string) =>
  `${alias}.ended_at is null and coalesce(${alias}.expires_at > now(), true)`

/** Condition of a join with consents `c`: an expired consent is none, also before it is deleted. */
export const liveConsent = 'coalesce(c.expires_at > now(), true)'

/**
 * Why a person may not use the app of an install, as in `KeptOut`; null: they may, or there is no install.
 * @param install its alias
 * @param person an expression; null: the app acts for itself
 */
export const keptOutReason = (install: string, person: string) => `case
    when exists (select from denied_people where user_id = ${person}
      and client_id = ${install}.client_id and organization_id = ${install}.organization_id) then 'denied'
    when ${install}.audience is not null and ${person} is not null and inside_by(${install}.audience, ${person}) is null
      then 'not_in_audience'
    end`

export const keptOut = (install: string, person: string) => computed(keptOutReason(install, person))
