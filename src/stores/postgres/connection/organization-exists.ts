import type { Queryable } from './database.ts'

export const organizationExists = async (on: Queryable, id: string) => {
  const { count } = await on.query('select id from organizations where id = $1', [id])
  return count > 0
}
