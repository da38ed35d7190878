import type { Queryable } from './database.ts'

export const organizationExists = (on: Queryable, id: string) =>
  on.affects('select id from organizations where id = $1', [id])
