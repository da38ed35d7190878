/** English: whether a secret of a key set is in use or safe to retire. */

const count = (days: number) => (days === 1 ? '1 day' : `${days} days`)

export const secretStandings = {
  only: 'Active',
  newest: 'The newest; keep this one',
  inUse: (when: string) => `Still used, last on ${when}; not safe to retire`,
  resting: (when: string) =>
    `Last used on ${when}, before the newer one was created; safe to retire once every program that used it has run again`,
  waiting: 'The newer one was not used yet; not safe to retire',
  replaced: (when: string | null) => {
    const last = when === null ? 'was never used' : `was last used on ${when}`
    return `Safe to retire: the newer one is in use, and this one ${last}`
  },
  unused: (days: number, everUsed: boolean) =>
    everUsed
      ? `Safe to retire: not used for ${count(days)}`
      : `Safe to retire: never used since it was created ${count(days)} ago`,
  endless: (on: string) =>
    `Tokens without an expiry date were seen, last on ${on}. Rotate the secret to end them.`,
}
