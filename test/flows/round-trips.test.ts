/**
 * The cost of a token request in the stores, counted on the wire: at most one SQL query, one Redis
 * script and one signature. Background work goes on (keys, last use, audit, sweeps), so each
 * request is repeated and the lowest count is taken.
 */
import { createRemoteJWKSet, jwtVerify } from 'jose'
import t from 'tap'
import { createHolder } from '../support/dpop.ts'
import {
  authorizeUrl,
  challengeOf,
  clientCredentials,
  currentCode,
  exchangeCode,
  legacyCode,
  legacyToken,
  newVerifier,
  refresh,
  type TokenResponse,
} from '../support/flows.ts'
import { startLatchkey } from '../support/latchkey.ts'
import { relayTo } from '../support/relay.ts'
import { postgresStatements, redisCommands } from '../support/statements.ts'
import { testStores } from '../support/stores.ts'
import { createVisitor } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

const tries = 4
const jws = /[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/g

for (const stores of await testStores()) {
  t.test(`round trips (${stores.name})`, async (t) => {
    let queries = 0
    const commands: string[] = []
    const postgres = await relayTo(
      stores.databaseUrl,
      postgresStatements(() => queries++),
    )
    const redis =
      stores.redisUrl &&
      (await relayTo(
        stores.redisUrl,
        redisCommands((one) => commands.push(one)),
      ))
    const running = await startLatchkey({
      ...stores,
      databaseUrl: postgres.url,
      redisUrl: redis ? redis.url : null,
    })
    t.teardown(async () => {
      await running.stop()
      await postgres.close()
      if (redis) await redis.close()
      await stores.drop()
    })
    const { issuer } = running
    const { confidential, publicApp, legacy, ana, acme } = await createWorld(running)
    const visitor = createVisitor(issuer)
    const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`))

    const signatures = async ({ body }: TokenResponse) => {
      const found = JSON.stringify(body).match(jws) ?? []
      for (const one of found) await jwtVerify(one, keys, { issuer })
      return found.length
    }

    /** The lowest count so far. */
    const tripsOf = async (request: () => Promise<() => Promise<unknown>>) => {
      const costs: { sql: number; redis: number }[] = []
      for (let i = 0; i < tries; i++) {
        const send = await request()
        const before = { queries, commands: commands.length }
        await send()
        costs.push({ sql: queries - before.queries, redis: commands.length - before.commands })
      }
      return {
        sql: Math.min(...costs.map((one) => one.sql)),
        redis: Math.min(...costs.map((one) => one.redis)),
      }
    }

    /** The lowest count of this request, and its last response. */
    const costOf = async (request: () => Promise<() => Promise<TokenResponse>>) => {
      let answer: TokenResponse | undefined
      const trips = await tripsOf(async () => {
        const send = await request()
        return async () => {
          answer = await send()
          if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
        }
      })
      return { ...trips, signatures: await signatures(answer as TokenResponse) }
    }

    const spends = stores.redisUrl
      ? { sql: 1, redis: 1, signatures: 1 }
      : { sql: 2, redis: 0, signatures: 1 }
    const currentTokens = async () =>
      exchangeCode(issuer, confidential, await currentCode(running, confidential, ana, {}, visitor))
    const legacyExchange = async () => {
      const { code } = await legacyCode(running, legacy, ana, {}, visitor)
      return () => legacyToken(issuer, legacy, { grant_type: 'authorization_code', code })
    }

    t.test('client_credentials costs one query', async (t) => {
      const cost = await costOf(async () => () => clientCredentials(issuer, confidential, acme))
      t.same(cost, { sql: 1, redis: 0, signatures: 1 })
    })

    t.test('an authorization with a remembered consent and a code exchange', async (t) => {
      const cost = await costOf(async () => {
        const grant = await currentCode(running, confidential, ana, {}, visitor)
        return () => exchangeCode(issuer, confidential, grant)
      })
      t.same(cost, spends)
      t.same(await costOf(legacyExchange), spends, 'legacy')
    })

    t.test('a refresh', async (t) => {
      let token = (await currentTokens()).body.refresh_token
      const cost = await costOf(async () => async () => {
        const answer = await refresh(issuer, confidential, token)
        token = answer.body.refresh_token
        return answer
      })
      t.same(cost, spends)
      let old = (await (await legacyExchange())()).body.refresh_token
      const legacyCost = await costOf(async () => async () => {
        const fields = { grant_type: 'refresh_token', refresh_token: old }
        const answer = await legacyToken(issuer, legacy, fields)
        old = answer.body.refresh_token
        return answer
      })
      t.same(legacyCost, spends, 'legacy')
    })

    t.test('a returning user: one query, the grant and its family', async (t) => {
      const query = { organization_id: acme }
      await currentCode(running, confidential, ana, query, visitor)
      const url = authorizeUrl(issuer, confidential, {
        code_challenge: challengeOf(newVerifier()),
        ...query,
      })
      const trips = await tripsOf(async () => async () => {
        const { left } = await visitor.get(url)
        if (!left?.searchParams.has('code')) throw new Error('there was a page')
      })
      t.same(trips, stores.redisUrl ? { sql: 2, redis: 1 } : { sql: 3, redis: 0 })
    })

    t.test('a DPoP proof costs one more command, which marks it as used', async (t) => {
      const holder = await createHolder()
      const proven = () => holder.posts(`${issuer}/api/oauth/token`)
      const used = stores.redisUrl ? { sql: 0, redis: 1 } : { sql: 1, redis: 0 }
      const bound = () => currentCode(running, publicApp, ana, {}, visitor)
      const cost = await costOf(async () => {
        const [grant, headers] = [await bound(), await proven()]
        return () => exchangeCode(issuer, publicApp, grant, {}, headers)
      })
      const binding = 1
      t.same(
        cost,
        {
          sql: spends.sql + used.sql + binding,
          redis: spends.redis + used.redis,
          signatures: 1,
        },
        'a code, which it binds',
      )
      const first = await exchangeCode(issuer, publicApp, await bound(), {}, await proven())
      let token = first.body.refresh_token
      const renewal = await costOf(async () => {
        const headers = await proven()
        return async () => {
          const answer = await refresh(issuer, publicApp, token, {}, headers)
          token = answer.body.refresh_token
          return answer
        }
      })
      t.same(
        renewal,
        { sql: spends.sql + used.sql, redis: spends.redis + used.redis, signatures: 1 },
        'a refresh',
      )
    })

    t.test('a forged token costs the token store nothing', async (t) => {
      const { refresh_token: good } = (await currentTokens()).body
      const before = commands.length
      const forged = `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`
      t.equal((await refresh(issuer, confidential, forged)).status, 400)
      t.same(commands.slice(before), [])
    })

    if (redis)
      t.same(
        [...new Set(commands)].filter(
          (one) => !/^(eval|evalsha|info|config|time|select|client|hello|ping)$/.test(one),
        ),
        [],
        'Redis runs scripts, and each uses one key',
      )
  })
}
