/** Collects what was used and tells Postgres in batches: nothing is written on the request path. */
export interface LastUsed {
  grant(id: string): void
  secret(id: string): void
  close(): Promise<void>
}

const flushEvery = 10_000 // ms
const mostCollected = 50_000

export const createLastUsed = (
  store: { touch(grantIds: readonly string[], secretIds: readonly string[]): Promise<void> },
  onError: (error: unknown) => void,
): LastUsed => {
  const grants = new Set<string>()
  const secrets = new Set<string>()

  const add = (set: Set<string>, id: string) => {
    if (set.size < mostCollected) set.add(id)
  }

  const flush = async () => {
    const used = [[...grants], [...secrets]] as const
    if (used[0].length + used[1].length === 0) return
    grants.clear()
    secrets.clear()
    // Lost when Postgres is away: "last used" is a help for people, not a rule.
    await store.touch(...used).catch(onError)
  }

  const timer = setInterval(() => void flush(), flushEvery)
  timer.unref()

  return {
    grant: (id) => add(grants, id),
    secret: (id) => add(secrets, id),
    close: () => {
      clearInterval(timer)
      return flush()
    },
  }
}
