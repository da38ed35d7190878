import { createPublicKey, sign, verify } from 'node:crypto'
import t from 'tap'
import { createKeyring } from '../../../src/core/crypto/keyring.ts'
import { createSigningKeys, type SigningKeys } from '../../../src/core/tokens/signing-keys.ts'
import { masterKey } from '../../support/latchkey.ts'
import { onEachStores } from '../../support/open-stores.ts'
import { sql } from '../../support/traces.ts'

const keyring = createKeyring([Buffer.from(masterKey, 'base64')])
const publishedAhead = 120 // s
const longestLifetime = 7200 // s
const origin = { actor: { kind: 'operator', id: null }, address: null, requestId: null } as const
const kids = (keys: SigningKeys) => keys.jwks().keys.map((key) => key.kid)
const text = Buffer.from('signed')
const isVerifiedBy = (signer: SigningKeys, verifier: SigningKeys) => {
  const { kid, privateKey } = signer.active()
  const jwk = verifier.jwks().keys.find((key) => key.kid === kid)
  return (
    jwk !== undefined &&
    verify(
      'sha256',
      text,
      createPublicKey({ key: jwk, format: 'jwk' }),
      sign('sha256', text, privateKey),
    )
  )
}

await onEachStores(t, 'signing keys', async (t, stores, setup) => {
  const start = () =>
    createSigningKeys({ store: stores.signingKeys, keyring, publishedAhead, longestLifetime })
  const statuses = async () =>
    (
      await sql<{ status: string }>(setup, 'select status from signing_keys order by created_at')
    ).map((row) => row.status)
  const all = await Promise.all(Array.from({ length: 5 }, start))
  const [here, there] = all as [SigningKeys, SigningKeys]

  t.test('concurrent first starts create one set: one active and one next key', async (t) => {
    t.same((await statuses()).toSorted(), ['active', 'next'])
    t.equal(new Set(all.map((one) => one.active().kid)).size, 1)
    for (const one of all) t.same(kids(one), kids(here))
    t.equal(kids(here).length, 2, 'the next key is published in advance')
  })

  t.test('private keys are never published or stored in clear text', async (t) => {
    for (const key of here.jwks().keys) {
      t.same(Object.keys(key).toSorted(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
      t.match(key, { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' })
    }
    const [row] = await sql<{ sealed_private_key: Buffer }>(
      setup,
      `select sealed_private_key from signing_keys where status = 'active'`,
    )
    const der = here.active().privateKey.export({ type: 'pkcs8', format: 'der' })
    t.notOk(row?.sealed_private_key.includes(der.subarray(-32)))
    t.notMatch(JSON.stringify(await here.list()), /sealed|"d"/)
  })

  t.test('after a rotation the next key signs, on other instances after a refresh', async (t) => {
    const before = here.active().kid
    const next = kids(here).find((kid) => kid !== before)
    t.equal((await here.rotate(origin)).kid, next)
    t.equal(here.active().kid, next)
    t.ok(isVerifiedBy(here, there), 'instances without the refresh can already verify it')
    t.equal(there.active().kid, before)
    t.ok(isVerifiedBy(there, here), 'the retired key is still published')
    await there.refresh()
    t.equal(there.active().kid, next)
    t.same(kids(there), kids(here))
    t.same((await statuses()).toSorted(), ['active', 'next', 'retired'])
    const [event] = await sql(
      setup,
      `select * from audit_events where type = 'signing_key.rotated'`,
    )
    t.match(event, { actor_kind: 'operator' })
  })

  t.test('a key signs only when every verifier can have read it', async (t) => {
    const before = here.active().kid
    const next = kids(here).at(-1)
    const { kid, activatedAt } = await here.rotate(origin)
    t.equal(kid, next, 'the next key becomes active')
    t.equal(here.active().kid, before, 'the previous key still signs')
    const [row] = await sql<{ made: Date }>(
      setup,
      `select created_at as made from signing_keys where kid = '${kid}'`,
    )
    t.equal(activatedAt.getTime(), (row?.made.getTime() ?? 0) + publishedAhead * 1000)
    await sql(
      setup,
      `update signing_keys set created_at = created_at - interval '3 minutes',
         activated_at = activated_at - interval '3 minutes',
         retired_at = retired_at - interval '3 minutes'`,
    )
    await Promise.all(all.map((one) => one.refresh()))
    for (const one of all) t.equal(one.active().kid, next, 'at its time it signs everywhere')
    const { kid: later } = await here.rotate(origin)
    t.equal(here.active().kid, later, 'a key that was published long ago signs at once')
    await there.refresh()
  })

  t.test('concurrent rotations leave one active and one next key', async (t) => {
    await Promise.all(all.map((one) => one.rotate(origin)))
    await Promise.all(all.map((one) => one.refresh()))
    const found = await statuses()
    t.equal(found.filter((one) => one === 'active').length, 1)
    t.equal(found.filter((one) => one === 'next').length, 1)
    for (const one of all) t.ok(isVerifiedBy(one, here))
  })

  t.test('a retired key stays until its last token has expired', async (t) => {
    await sql(
      setup,
      `update signing_keys set retired_at = now() - interval '3 hours 59 minutes'
        where status = 'retired'`,
    )
    const kept = (await statuses()).length
    await here.rotate(origin)
    t.equal((await statuses()).length, kept + 1)
    await sql(
      setup,
      `update signing_keys set retired_at = now() - interval '4 hours 1 minute'
        where status = 'retired'`,
    )
    const [retired] = await sql<{ kid: string }>(
      setup,
      `select kid from signing_keys where status = 'retired'`,
    )
    t.ok(here.publicKey(retired!.kid))
    await here.refresh()
    t.notOk(here.publicKey(retired!.kid), 'then it is removed')
    t.same(kids(here).length, 2)
    t.notMatch(await here.list(), [{ status: 'retired' }])
    await here.rotate(origin)
    t.same((await statuses()).toSorted(), ['active', 'next', 'retired'])
  })

  t.test('compromised keys are withdrawn at once', async (t) => {
    const before = kids(here)
    const answers = await Promise.all(all.slice(0, 2).map((one) => one.replace(origin)))
    await Promise.all(all.map((one) => one.refresh()))
    t.same((await statuses()).toSorted(), ['active', 'next'])
    for (const kid of before) t.notOk(kids(here).includes(kid))
    for (const one of all) t.same(kids(one), kids(here))
    for (const one of all) t.ok(isVerifiedBy(one, here))
    const signing = answers.filter(({ kid }) => kid === here.active().kid)
    t.equal(signing.length, 1, 'the later of two withdrawals wins')
    const [event] = await sql(
      setup,
      `select * from audit_events where detail ->> 'withdrawn' = 'true'`,
    )
    t.match(event, { type: 'signing_key.rotated', actor_kind: 'operator' })
    const next = kids(here).find((kid) => kid !== here.active().kid)
    await here.rotate(origin)
    t.equal(here.active().kid, next, 'the next key has been published as long as the first')
  })

  t.test('concurrent first uses of RS256 make one set of keys', async (t) => {
    for (const one of all) t.notOk(one.jwks().keys.some(({ alg }) => alg === 'RS256'))
    const uses = await Promise.all(
      Array.from({ length: 50 }, async (_, at) =>
        (all[at % all.length] as SigningKeys).activeFor('RS256'),
      ),
    )
    t.equal(new Set(uses.map(({ kid }) => kid)).size, 1)
    const rows = await sql<{ status: string }>(setup, 'select status from rsa_signing_keys')
    t.same(rows.map(({ status }) => status).toSorted(), ['active', 'next'])
    t.equal(here.active().alg, 'ES256', 'access tokens keep their key')
    for (const one of all) t.equal((await one.activeFor('RS256')).kid, uses[0]?.kid)
  })

  t.test('concurrent rotations and a withdrawal keep one RS256 set', async (t) => {
    const before = (await here.activeFor('RS256')).kid
    await Promise.all([here.rotate(origin), there.rotate(origin)])
    await Promise.all([here.replace(origin), there.rotate(origin)])
    await Promise.all(all.map((one) => one.refresh()))
    const found = await sql<{ status: string }>(setup, 'select status from rsa_signing_keys')
    for (const status of ['active', 'next'])
      t.equal(found.filter((one) => one.status === status).length, 1, status)
    const now = await Promise.all(all.map(async (one) => (await one.activeFor('RS256')).kid))
    t.equal(new Set(now).size, 1)
    t.notOk(kids(here).includes(before), 'withdrawn')
  })

  t.test('opens keys sealed with an older master key, never with an unknown one', async (t) => {
    const other = Buffer.alloc(32, 'another master key')
    const ring = createKeyring([other, Buffer.from(masterKey, 'base64')])
    const later = await createSigningKeys({
      store: stores.signingKeys,
      keyring: ring,
      publishedAhead,
      longestLifetime,
    })
    t.ok(isVerifiedBy(later, here))
    const unknown = createKeyring([other])
    await t.rejects(
      createSigningKeys({
        store: stores.signingKeys,
        keyring: unknown,
        publishedAhead,
        longestLifetime,
      }),
    )
  })
})
