import { createWriteBehind } from './write-behind.ts'

/** Used objects, by id. `secrets`: of apps; `endless`: secrets of key sets that have signed a token without an expiry. */
export type UsedIds = Record<
  'grants' | 'secrets' | 'installs' | 'keySetSecrets' | 'endless',
  readonly string[]
>

const flushEvery = 1000 // ms; Postgres updates a row at most once a minute
const mostCollected = 50_000

/** Collects uses and writes them to Postgres in batches, never during a request. */
export const createLastUsed = (
  store: { touch(used: UsedIds): Promise<void> },
  onError: (error: unknown) => void,
) => {
  const collected = {
    grants: new Set<string>(),
    secrets: new Set<string>(),
    installs: new Set<string>(),
    keySetSecrets: new Set<string>(),
    endless: new Set<string>(),
  }
  const sets = Object.values(collected)

  const add = (set: Set<string>, id: string) => {
    if (set.size < mostCollected) set.add(id)
  }

  // Dropped when Postgres is away: "last used" informs people and decides nothing.
  const drop = (_used: unknown, cause: unknown) => onError(cause)
  const writeBehind = createWriteBehind<UsedIds>({
    flushEvery,
    take: () => {
      if (sets.every((set) => set.size === 0)) return []
      const ids = Object.entries(collected).map(([name, set]) => [name, [...set]])
      const used: UsedIds = Object.fromEntries(ids)
      for (const set of sets) set.clear()
      return [used]
    },
    write: (used) => store.touch(used),
    keep: drop,
    drop,
  })

  return {
    grant: (id: string) => add(collected.grants, id),
    secret: (id: string) => add(collected.secrets, id),
    install: (id: string) => add(collected.installs, id),
    /** @param endless it has signed a token without `exp` */
    keySetSecret: (id: string, endless: boolean) => {
      add(collected.keySetSecrets, id)
      if (endless) add(collected.endless, id)
    },
    close: writeBehind.close,
  }
}

export type LastUsed = ReturnType<typeof createLastUsed>
