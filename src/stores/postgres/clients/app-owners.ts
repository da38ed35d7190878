import type { Fault } from '../../../core/language/faults.ts'
import { refuse } from '../../../core/language/service-errors.ts'
import type { Queryable } from '../connection/database.ts'

const faultOf = (isDisabled: boolean | undefined, isNew: boolean) => {
  if (isDisabled === undefined) return 'is not a user'
  return isDisabled && isNew ? 'is a disabled user' : null
}

/**
 * Replaces the owners of a locked app. An owner who was disabled later can stay.
 * @throws Invalid for an owner who is no user, and for a new one who is disabled
 */
export const writeOwners = async (
  tx: Queryable,
  clientId: string,
  before: readonly string[],
  after: readonly string[],
): Promise<void> => {
  if (after.join(' ') === before.join(' ')) return
  // The users are locked first: a delete of a user locks the user, then the rows of app_owners.
  const { rows } = await tx.query<{ id: string; disabled: boolean }>(
    `select id, disabled_at is not null as disabled from users
      where id = any($1::text[]) order by id for key share`,
    [after],
  )
  const users = new Map(rows.map(({ id, disabled }) => [id, disabled]))
  refuse(
    after.flatMap((id, index): Fault[] => {
      const detail = faultOf(users.get(id), !before.includes(id))
      return detail ? [{ pointer: `/owners/${index}`, detail }] : []
    }),
  )
  await tx.query('delete from app_owners where client_id = $1', [clientId])
  await tx.query(
    `insert into app_owners (client_id, user_id, position)
     select $1, id, position from unnest($2::text[]) with ordinality as given (id, position)`,
    [clientId, after],
  )
}
