export interface Person {
  id: string
  email: string
  name: string
  /** Increases when the password changes; sessions and grants from before are invalid. */
  credentialsEpoch: number
  /** Increases when the user is disabled; sessions from before are invalid. */
  sessionsEpoch: number
}

export interface PeopleStore {
  /** @param email normalised */
  findForSignIn(
    email: string,
  ): Promise<(Person & { passwordHash: string | null; disabled: boolean }) | null>
  /** Replaces the hash of another server, unless the password was changed meanwhile. */
  renewPassword(userId: string, from: string, to: string): Promise<void>
  /** null when unknown or disabled */
  findActive(userId: string): Promise<Person | null>
}
