import { randomBytes } from 'node:crypto'
import t from 'tap'
import { createKeyring } from '../../src/core/crypto/keyring.ts'
import { latchkey as command } from '../cli/latchkey-command.ts'
import { clientCredentials, currentCode, exchangeCode, refresh } from '../support/flows.ts'
import { masterKey, startLatchkey } from '../support/latchkey.ts'
import { introspectAt, registerResourceServer, selfSign } from '../support/resource-server.ts'
import { testStores } from '../support/stores.ts'
import { createWorld } from '../support/world.ts'

const [older, newer] = [masterKey, randomBytes(32).toString('base64')]
const idOf = (key: string) => createKeyring([Buffer.from(key, 'base64')]).keyIds[0]
const keys = (current: string, previous = '') => ({
  LATCHKEY_MASTER_KEY: current,
  LATCHKEY_PREVIOUS_MASTER_KEYS: previous,
})

for (const stores of await testStores()) {
  t.test(`the master key is changed and the old one retired (${stores.name})`, async (t) => {
    t.teardown(() => stores.drop())
    const first = await startLatchkey(stores)
    const { issuer } = first
    const start = (environment: NodeJS.ProcessEnv) =>
      startLatchkey(stores, { environment: { ...environment, ISSUER: issuer } })
    const environment = { DATABASE_URL: stores.databaseUrl }
    const status = async (ring: Record<string, string>) => {
      const { code, stdout, stderr } = await command(['keys', 'status', '--json'], {
        ...environment,
        ...ring,
      })
      t.equal(code, 0, stderr)
      return JSON.parse(stdout).items as { table: string; master_key_id: string | null }[]
    }

    const { ana, acme, confidential, second } = await createWorld(first)
    const data = await registerResourceServer(first)
    const keySet = async (api: string) =>
      (
        await first.operator('POST', `/organizations/${acme}/key-sets`, {
          name: api,
          interface: api,
          permissions: [],
        })
      ).body
    const [legacy, current] = [await keySet('legacy'), await keySet('current')]
    await first.operator('POST', '/webhooks', { url: 'https://hooks.example.com/x' })
    await first.operator('PUT', '/audit-streams/siem', {
      url: 'https://siem.example.com/x',
      format: 'ocsf',
      secret: `whsec_${Buffer.alloc(24).toString('base64')}`,
    })
    const made = await command(['operator-token', 'create', '--name', 'ci'], {
      ...environment,
      ...keys(older),
    })
    const operator = made.stdout.trim()
    const grant = await currentCode(first, confidential, ana)
    const tokens = (await exchangeCode(issuer, confidential, grant)).body
    const unused = (
      await exchangeCode(issuer, second, await currentCode(first, second, ana, {}, grant.visitor))
    ).body.refresh_token
    await first.stop()

    /** Every secret is shown once, and is valid. */
    const useAll = async (url: string) => {
      t.equal((await clientCredentials(url, confidential, acme)).status, 200, 'app')
      t.equal((await clientCredentials(url, second, acme)).status, 200, 'app')
      const signed = selfSign(current.secret, {
        iss: current.client_id,
        iat: Math.floor(Date.now() / 1000),
      })
      for (const token of [signed, legacy.secret, tokens.access_token])
        t.match(await introspectAt(url, data, token), { status: 200, body: { active: true } })
      const headers = { authorization: `Bearer ${operator}` }
      t.equal((await fetch(`${url}/api/admin/v1/apps`, { headers })).status, 200, 'operator')
    }

    t.same(
      new Set((await status(keys(older))).map((row) => row.master_key_id)),
      new Set([idOf(older)]),
      'all encrypted with the first key',
    )

    // A rolling deployment: each instance knows both keys, with another current one.
    const [one, other] = [await start(keys(older, newer)), await start(keys(newer, older))]
    await Promise.all([one, other, one, other].map(({ urls }) => useAll(urls[0] as string)))
    const next = await refresh(other.urls[0] as string, confidential, tokens.refresh_token)
    t.equal(next.status, 200)
    await other.stop()
    await one.stop()

    const after = await start(keys(newer, older))
    await useAll(after.urls[0] as string)
    await after.stop()
    const again = await command(['keys', 'reseal'], { ...environment, ...keys(newer, older) })
    t.equal(again.stdout.trim(), '0', 'done at startup')
    const known = (row: { table: string }) => row.table !== 'app_secrets'
    t.same(
      new Set((await status(keys(newer, older))).filter(known).map((row) => row.master_key_id)),
      new Set([idOf(newer)]),
    )
    const apps = (await status(keys(newer, older))).filter((row) => row.table === 'app_secrets')
    t.same(
      apps.map((row) => row.master_key_id).toSorted(),
      [idOf(newer), idOf(older)].toSorted(),
      'a secret that was not used meanwhile still needs the old key',
    )

    const alone = await start(keys(newer))
    t.teardown(() => alone.stop())
    const url = alone.urls[0] as string
    await useAll(url)
    t.equal((await refresh(url, confidential, next.body.refresh_token)).status, 200)
    t.match(await refresh(url, second, unused), { status: 400, body: { error: 'invalid_grant' } })
  })
}
