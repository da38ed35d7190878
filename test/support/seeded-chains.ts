import { createKeyring } from '../../src/core/crypto/keyring.ts'
import { decodeGrantToken, encodeGrantToken } from '../../src/core/grants/token-format.ts'
import { type Chain, newChains } from './chains.ts'
import { masterKey, type Running } from './latchkey.ts'
import { openTestStores } from './open-stores.ts'
import type { StoreSetup } from './stores.ts'
import { sql } from './traces.ts'
import type { Answers } from './visitor.ts'
import type { TestApp } from './world.ts'

const keyring = createKeyring([Buffer.from(masterKey, 'base64')])
const atOnce = 200

/** Copies of a grant, as rows. */
const copyGrant = async (stores: Pick<StoreSetup, 'databaseUrl'>, id: string, count: number) => {
  const rows = await sql<{ id: string }>(
    stores,
    `insert into grants
     select (jsonb_populate_record(g, jsonb_build_object('id', gen_random_uuid()))).*
       from grants g, generate_series(1, $2::integer) where g.id = $1
     returning id`,
    [id, count],
  )
  return rows.map((row) => row.id)
}

/** The family of a refresh token. */
export const familyOf = (token: string): string => {
  const decoded = decodeGrantToken(keyring, 'refresh_token', token)
  if (!decoded) throw new Error('not a refresh token of these tests')
  return decoded.familyId
}

/**
 * Creates thousands of families at once: the first is authorized normally, the others are copied
 * from it in the stores, each with its first refresh token.
 */
export const seededChains = async (
  stores: Pick<StoreSetup, 'databaseUrl' | 'redisUrl'>,
  running: Pick<Running, 'issuer'>,
  app: TestApp,
  person: Answers,
  count: number,
): Promise<Chain[]> => {
  const [model] = (await newChains(running, app, person, 1)) as [Chain]
  const ids = await copyGrant(stores, familyOf(model.tokens[0] as string), count)
  const opened = await openTestStores(stores)
  try {
    for (let at = 0; at < ids.length; at += atOnce) {
      const some = ids.slice(at, at + atOnce)
      await Promise.all(some.map((id) => opened.families.create(id, 1, 3600)))
    }
  } finally {
    await opened.close()
  }
  return ids.map((familyId) => ({
    tokens: [encodeGrantToken(keyring, { familyId, generation: 1 })],
    unsure: false,
    ended: false,
  }))
}
