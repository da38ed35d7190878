/** English: where a secret of a key set stands beside the others. */

const count = (days: number) => (days === 1 ? '1 day' : `${days} days`)

export const secretStandings = {
  only: 'In force',
  newest: 'The newest; keep this one',
  inUse: (when: string) => `Still used, last on ${when}; not safe to retire`,
  resting: (when: string) =>
    `Last used on ${when}, before the newer one was made; safe to retire once all that used it has run again`,
  waiting: 'The newer one was not used yet; not safe to retire',
  replaced: (when: string | null) => {
    const last = when === null ? 'was never used' : `was last used on ${when}`
    return `Safe to retire: the newer one is in use, and this one ${last}`
  },
  unused: (days: number, everUsed: boolean) =>
    everUsed
      ? `Safe to retire: not used for ${count(days)}`
      : `Safe to retire: never used since it was made ${count(days)} ago`,
  endless: (on: string) =>
    `Tokens without an expiry date were seen, last on ${on}. Rotate the secret to end them.`,
}
