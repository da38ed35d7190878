/** Uploaded logos: one at a time for each person, kept while an app or a waiting change needs them. */
import sharp from 'sharp'
import t from 'tap'
import type { Stores } from '../../../src/app/stores.ts'
import { createLimits } from '../../../src/core/limits/limits.ts'
import { createEncodeLogo, type EncodeLogo } from '../../../src/core/logos/logo-image.ts'
import { createLogoUploads } from '../../../src/core/logos/logo-uploads.ts'
import { generousLimits } from '../../support/generous-limits.ts'
import { onEachStores } from '../../support/open-stores.ts'

await onEachStores(t, 'uploaded logos', async (t, stores: Stores) => {
  const { database } = stores
  const limits = createLimits(stores.counters, generousLimits)
  const newUploads = (loadEncoder: () => Promise<EncodeLogo | null>) =>
    createLogoUploads({ store: stores.logos, limits, loadEncoder })
  const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#369' } })
    .png()
    .toBuffer()

  t.test('an image has a digest, by which it is served', async (t) => {
    const upload = await newUploads(createEncodeLogo()).add('usr1', png)
    if (!('digest' in upload)) throw new Error(upload.fault)
    const stored = await stores.logos.image(upload.digest)
    t.match(await sharp(stored as Buffer).metadata(), { format: 'png', width: 128, height: 128 })
    t.equal(await stores.logos.renew(upload.digest), true)
    t.equal(await stores.logos.renew('0'.repeat(64)), false)
  })

  t.test('one person has one place, and few wait', async (t) => {
    let finish: (image: Buffer) => void = () => undefined
    const done = new Promise<Buffer>((resolve) => {
      finish = resolve
    })
    const uploads = newUploads(async () => () => done)
    const people = Array.from({ length: 8 }, (_, at) => `slow${at}`)
    const all = people.map((by) => uploads.add(by, png))
    t.same(await uploads.add('slow0', png), { fault: 'busy' })
    t.same(await uploads.add('other', png), { fault: 'busy' })
    finish(png)
    t.equal((await Promise.all(all)).filter((one) => 'digest' in one).length, 8)
    t.match(await uploads.add('slow0', png), { digest: String })
  })

  t.test('attempts are counted before the work, also failed ones', async (t) => {
    const uploads = newUploads(async () => null)
    for (let at = 0; at < 20; at++)
      t.same(await uploads.add('eager', png), { fault: 'unsupported' })
    await t.rejects(uploads.add('eager', png), { code: 'slow_down' })
    t.same(await uploads.add('calm', png), { fault: 'unsupported' })
  })

  t.test('an image stays while an app or a waiting change names it', async (t) => {
    const keep = async (digest: string) => {
      await stores.logos.keep(digest, png)
      await database.query(
        `update logos set released_at = now() - interval '2 hours' where digest = $1`,
        [digest],
      )
    }
    for (const digest of ['unused', 'shown', 'waiting', 'refused']) await keep(digest)
    await database.query(
      `insert into apps (client_id, name, interface, client_type, redirect_uris, permissions, uploaded_logo)
       values ('app1', 'A', 'current', 'public', '{}', '{}', 'shown'), ('app2', 'B', 'current', 'public', '{}', '{}', null)`,
    )
    await database.query(
      `insert into app_changes (id, client_id, before, after, requested_by, decided_at, decision) values
         ('c1', 'app1', '{}', '{"uploadedLogo":"waiting"}', 'usr1', null, null),
         ('c2', 'app2', '{}', '{"uploadedLogo":"refused"}', 'usr1', now(), 'refuse')`,
    )
    await stores.removeExpired()
    const kept = async (...digests: string[]) =>
      Promise.all(digests.map(async (one) => (await stores.logos.image(one)) !== null))
    t.same(await kept('unused', 'shown', 'waiting', 'refused'), [false, true, true, false])
    t.match(await stores.logos.stateOf('app1'), { digest: 'shown', fault: null })

    await database.query(
      `update apps set uploaded_logo = null, logo_uri = 'https://a.test/l.png' where client_id = 'app1'`,
    )
    t.match(await stores.logos.stateOf('app1'), { digest: null })
    const { rows } = await database.query<{ due: boolean; released: boolean }>(
      `select logo_due_at is not null as due,
         (select released_at is not null from logos where digest = 'shown') as released
         from apps where client_id = 'app1'`,
    )
    t.same(rows, [{ due: true, released: true }])
  })
})
