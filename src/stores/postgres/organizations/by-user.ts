import { foundIn, foundNearby } from '../connection/search-sources.ts'

/** Rows `m` of a table with the ids of users `u`: found and sorted as these are. */
export const byUser = (table: string) => ({
  table: `${table} m join users u on u.id = m.user_id`,
  ...{ key: 'm.user_id', created: 'm.created_at' },
  orders: { name: 'lower(u.name)' },
  search: foundIn('user', 'm.user_id'),
})

/** Rows joined with their users `u`, by name. */
export const withUser = {
  ...{ columns: 'u.id', key: 'u.id', created: 'u.created_at', order: 'name' },
  orders: { name: 'lower(u.name)', email: 'lower(u.email)' },
  search: foundNearby('user', 'u.id', 'u.name', 'u.email'),
}
