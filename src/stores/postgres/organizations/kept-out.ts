import { computed } from '../connection/columns.ts'

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
