/** What was used, by id. */
export interface Used {
  grants: readonly string[]
  /** Of apps. */
  secrets: readonly string[]
  installs: readonly string[]
}

/** Collects what was used and tells Postgres in batches: nothing is written on the request path. */
export interface LastUsed {
  grant(id: string): void
  secret(id: string): void
  install(id: string): void
  close(): Promise<void>
}

const flushEvery = 10_000 // ms
const mostCollected = 50_000

export const createLastUsed = (
  store: { touch(used: Used): Promise<void> },
  onError: (error: unknown) => void,
): LastUsed => {
  const grants = new Set<string>()
  const secrets = new Set<string>()
  const installs = new Set<string>()

  const add = (set: Set<string>, id: string) => {
    if (set.size < mostCollected) set.add(id)
  }

  const flush = async () => {
    if (grants.size + secrets.size + installs.size === 0) return
    const used = { grants: [...grants], secrets: [...secrets], installs: [...installs] }
    for (const collected of [grants, secrets, installs]) collected.clear()
    // Lost when Postgres is away: "last used" is a help for people, not a rule.
    await store.touch(used).catch(onError)
  }

  const timer = setInterval(() => void flush(), flushEvery)
  timer.unref()

  return {
    grant: (id) => add(grants, id),
    secret: (id) => add(secrets, id),
    install: (id) => add(installs, id),
    close: () => {
      clearInterval(timer)
      return flush()
    },
  }
}
