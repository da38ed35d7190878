/**
 * Has the user ever signed in? An older account that a provider made, and that has no way to sign in, has not.
 * @param u the users table, or its alias
 */
export const hasSignedIn = (u: string) =>
  `(${u}.has_signed_in and (${u}.password_hash is not null or ${u}.provisioned_by is null)
   or exists (select from sessions where user_id = ${u}.id)
   or exists (select from passkeys where user_id = ${u}.id)
   or exists (select from user_identities where user_id = ${u}.id))`
