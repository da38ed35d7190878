// One definition of use for the review, admins, operators and users: an app is used when it gets a token, by a grant of a
// user, by an assertion, or for itself. The last use of grants that are gone stays at the consent and the install.

const latest = (table: string, where: string) =>
  `(select max(last_used_at) from ${table} where ${where})`

/** Last use of the install `i`, by anybody or for itself; null: not used yet. */
export const lastUseOfInstall = `greatest(i.last_used_at, ${latest('grants', 'install_id = i.id')},
  ${latest('consents', 'install_id = i.id')})`

/**
 * Last use of an install for a user, whose consent is `c` if there is one; null: not used yet.
 * @param install, user their ids, in SQL
 */
export const lastUseFor = (install: string, user: string) => {
  const ofBoth = `user_id = ${user} and install_id = ${install}`
  return `greatest(c.last_used_at, ${latest('grants', ofBoth)}, ${latest('asserted_connections', ofBoth)})`
}
