import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Sizes, seed } from './seed.ts'
import { type BenchStores, startStores } from './stores.ts'

/** Filled stores, and the environment of servers that use them. */
export interface Seeded {
  stores: BenchStores
  env: NodeJS.ProcessEnv
}

export const envOf = ({ databaseUrl, redisUrl }: BenchStores, masterKey: Buffer) => ({
  BENCH_DATABASE_URL: databaseUrl,
  BENCH_REDIS_URL: redisUrl,
  BENCH_MASTER_KEY: masterKey.toString('base64'),
})

/**
 * Starts empty stores, fills them and passes them to `work`.
 * @param settings further settings of Postgres
 */
export const withSeededStores = async <Result>(
  sizes: Sizes,
  work: (seeded: Seeded) => Promise<Result>,
  settings: Record<string, string> = {},
): Promise<Result> => {
  const stores = await startStores(settings)
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-bench-sample-'))
  try {
    const masterKey = randomBytes(32)
    const file = join(directory, 'sample.json')
    await writeFile(file, JSON.stringify(await seed(stores, masterKey, sizes)))
    return await work({
      stores,
      env: { ...envOf(stores, masterKey), BENCH_SAMPLE: file },
    })
  } finally {
    await rm(directory, { recursive: true, force: true })
    await stores.stop()
  }
}
