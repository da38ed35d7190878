export interface Person {
  id: string
  email: string
  name: string
  /** Moves with the password. */
  credentialsEpoch: number
  /** Moves when the person is disabled. */
  sessionsEpoch: number
}
