import { foundIn, foundNearby } from '../connection/search-sources.ts'

/** Rows that have the id of a user, in a list: found and sorted as the users are. */
export const byUser = {
  key: 'user_id',
  orders: { name: '(select lower(u.name) from users u where u.id = user_id)' },
  search: foundIn('user', 'user_id'),
}

/** Rows joined with their users `u`, by name. */
export const withUser = {
  ...{ columns: 'u.id', key: 'u.id', created: 'u.created_at', order: 'name' },
  orders: { name: 'lower(u.name)', email: 'lower(u.email)' },
  search: foundNearby('user', 'u.id', 'u.name', 'u.email'),
}
