import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import type { FamilyStore } from '../../src/core/grants/families.ts'
import { StoreUnavailable } from '../../src/core/language/errors.ts'
import { createStoreClock } from '../../src/stores/store-clock.ts'
import type { Backend, OpenOptions } from './backends.ts'

const life = 60 // s
const short = 2 // s; long enough to observe the remaining time on a busy machine
const afterShort = 2300 // ms
const rounds = 20
const parallel = 50

const newNonce = () => randomBytes(9).toString('base64url')
const spend = (families: FamilyStore, id: string, generation: number, window = 0) =>
  families.advance(id, generation, newNonce(), window)

/** A family whose live generation is this one. */
const familyAt = async (families: FamilyStore, generation: number) => {
  const id = randomUUID()
  await families.create(id, 0, life)
  for (let at = 0; at < generation; at++) await spend(families, id, at)
  return id
}

/** Required behaviour of every backend of grant families. */
export const familyContract = async (t: Test, backend: Backend) => {
  const open = async (t: Test, options?: OpenOptions) => {
    const stores = await backend.open(options)
    t.teardown(stores.close)
    return stores.families
  }
  const families = await open(t)
  const elsewhere = await open(t)
  const isGone = async (t: Test, id: string, live: number) => {
    t.equal(await families.live(id), null, 'the family is revoked')
    t.match(await spend(families, id, live), { outcome: 'absent' })
  }

  t.test('a family is created once', async (t) => {
    const id = randomUUID()
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, at) => (at % 2 ? families : elsewhere).create(id, 0, life)),
    )
    t.equal(made.filter(Boolean).length, 1)
    t.match(await spend(families, id, 0), { outcome: 'advanced', generation: 1 })
    t.equal(
      await families.create(id, 0, life),
      false,
      'it cannot be created again under its tokens',
    )
    t.match(await spend(families, id, 1), { outcome: 'advanced', generation: 2 })
  })

  t.test('of concurrent uses one advances, and the family is revoked', async (t) => {
    for (let round = 0; round < rounds; round++) {
      const live = round % 2
      const id = await familyAt(families, live)
      const answers = await Promise.all(
        Array.from({ length: parallel }, (_, at) => spend(at % 2 ? families : elsewhere, id, live)),
      )
      const outcomes = answers.map((one) => one.outcome)
      t.equal(outcomes.filter((one) => one === 'advanced').length, 1, `round ${round}`)
      t.ok(outcomes.includes('replayed'))
      await isGone(t, id, live + 1)
    }
  })

  t.test('a repeated request gets the same result', async (t) => {
    const id = await familyAt(families, 0)
    const nonce = newNonce()
    const answers = await Promise.all(
      Array.from({ length: parallel }, () => families.advance(id, 0, nonce, 0)),
    )
    t.ok(answers.every((one) => one.outcome === 'advanced' && one.generation === 1))
    t.match(await spend(families, id, 1), { outcome: 'advanced', generation: 2 })
    t.match(
      await families.advance(id, 0, nonce, 0),
      { outcome: 'replayed' },
      'but not after its successor was used',
    )
  })

  t.test('a used generation revokes the family, however old it is', async (t) => {
    for (const generation of [0, 1, 2, 3]) {
      const id = await familyAt(families, 4)
      t.match(await spend(families, id, generation), { outcome: 'replayed' }, `${generation} of 4`)
      await isGone(t, id, 4)
    }
  })

  t.test('a generation that was never reached revokes the family', async (t) => {
    const id = await familyAt(families, 2)
    t.match(await spend(families, id, 3), { outcome: 'replayed' })
    await isGone(t, id, 2)
  })

  t.test('within the retry window the direct predecessor gets the same successor', async (t) => {
    const id = await familyAt(families, 2)
    const answers = await Promise.all(
      Array.from({ length: parallel }, () => spend(families, id, 1, life)),
    )
    t.ok(answers.every((one) => one.outcome === 'repeated' && one.generation === 2))
    t.match(await spend(families, id, 2, life), { outcome: 'advanced', generation: 3 })
    t.match(await spend(families, id, 1, life), { outcome: 'replayed' }, 'only the direct one')
    await isGone(t, id, 3)
  })

  t.test('the retry window never opens for a code, and closes', async (t) => {
    const code = await familyAt(families, 1)
    t.match(await spend(families, code, 0, life), { outcome: 'replayed' }, 'a code')
    await isGone(t, code, 1)
    const late = await familyAt(families, 2)
    await sleep(afterShort)
    t.match(await spend(families, late, 1, short), { outcome: 'replayed' }, 'too late')
    await isGone(t, late, 2)
  })

  t.test('a probe consumes nothing and still recognizes a replay', async (t) => {
    const id = await familyAt(families, 2)
    for (let i = 0; i < 3; i++) t.match(await families.probe(id, 2, 0), { outcome: 'live' })
    t.match(await families.probe(id, 1, life), { outcome: 'live' }, 'a retry within its window')
    t.match(await spend(families, id, 2), { outcome: 'advanced', generation: 3 })
    t.match(await families.probe(id, 1, 0), { outcome: 'replayed' })
    await isGone(t, id, 3)
    t.match(await families.probe(id, 3, 0), { outcome: 'absent' })
  })

  t.test('an unredeemed code expires', async (t) => {
    const id = randomUUID()
    await families.create(id, 0, short)
    t.equal(await families.live(id), 0)
    await sleep(afterShort)
    t.match(await families.probe(id, 0, 0), { outcome: 'absent' })
    await isGone(t, id, 0)
  })

  t.test('an expired family can be opened again, once; a live one cannot', async (t) => {
    const id = randomUUID()
    await families.create(id, 1, short)
    t.equal(await families.create(id, 0, life), false, 'it is live')
    await sleep(afterShort)
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, at) => (at % 2 ? families : elsewhere).create(id, 0, life)),
    )
    t.equal(made.filter(Boolean).length, 1)
    t.equal(await families.live(id), 0)
    t.match(await spend(families, id, 0), { outcome: 'advanced', generation: 1 })
    await sleep(afterShort)
    t.equal(await families.create(id, 0, life), false, 'after redemption it does not expire')
    t.match(await spend(families, id, 1), { outcome: 'advanced', generation: 2 })
  })

  t.test('a redeemed family does not expire', async (t) => {
    const id = randomUUID()
    await families.create(id, 0, short)
    await spend(families, id, 0)
    await sleep(afterShort)
    t.equal(await families.live(id), 1)
    t.match(await spend(families, id, 1), { outcome: 'advanced', generation: 2 })
  })

  t.test('a revoked or unknown family is absent', async (t) => {
    const id = await familyAt(families, 1)
    await families.end(id)
    await isGone(t, id, 1)
    await families.end(id)
    const unknown = randomUUID()
    await families.end(unknown)
    await isGone(t, unknown, 0)
  })

  t.test('a command that arrives after its deadline has no effect', async (t) => {
    const past = { ...createStoreClock(), deadline: () => Date.now() - 1000 }
    const tooLate = await open(t, { timeout: 200, clock: past })
    const id = await familyAt(families, 1)
    await t.rejects(spend(tooLate, id, 1), StoreUnavailable, 'it consumes nothing')
    await t.rejects(spend(tooLate, id, 0), StoreUnavailable, 'it revokes nothing')
    await t.rejects(tooLate.probe(id, 0, 0), StoreUnavailable)
    t.match(await spend(families, id, 1), { outcome: 'advanced', generation: 2 })
  })

  for (const minutes of [-10, 10]) {
    t.test(`an instance whose clock is wrong by ${minutes} min works at once`, async (t) => {
      const clock = createStoreClock()
      clock.observe(Date.now() + minutes * 60_000)
      const off = await open(t, { clock })
      const id = await familyAt(families, 1)
      t.match(await spend(off, id, 1), { outcome: 'advanced', generation: 2 })
      t.match(await spend(off, id, 1, life), { outcome: 'repeated', generation: 2 })
      t.ok(Math.abs(clock.deadline(0) - Date.now()) < 60_000, 'it knows the store’s time')
    })
  }
}
