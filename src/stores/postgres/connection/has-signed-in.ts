/** Has the user a row in the table? `exists` may read all rows of the table into a hash; this reads one by its index. */
export const hasRow = (table: string, u: string) =>
  `(select true from ${table} where user_id = ${u}.id limit 1) is not null`

/**
 * Has the user ever signed in? An older account that a provider made, and that has no way to sign in, has not.
 * @param u the users table, or its alias
 */
export const hasSignedIn = (u: string) =>
  `(${u}.has_signed_in and (${u}.password_hash is not null or ${u}.provisioned_by is null)
   or ${hasRow('sessions', u)} or ${hasRow('passkeys', u)} or ${hasRow('user_identities', u)})`
