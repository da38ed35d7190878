import { randomBytes, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { Test } from 'tap'
import type { Advance, FamilyStore } from '../../src/core/grants/families.ts'
import { effort, seed } from '../support/property.ts'
import type { Backend } from './backends.ts'

const life = 60 // s
const parallel = 20

const newNonce = () => randomBytes(9).toString('base64url')

/** A family whose live generation is this one. */
const familyAt = async (families: FamilyStore, generation: number) => {
  const id = randomUUID()
  await families.create(id, generation, life)
  return id
}

/**
 * Required behaviour of every backend after requests that were answered 503 although their command
 * may have run.
 */
export const unsettledContract = async (t: Test, backend: Backend) => {
  const stores = await backend.open()
  t.teardown(stores.close)
  const { families } = stores

  for (const generation of [0, 1, 5]) {
    t.test(`the next request replaces an unsettled one, once (${generation})`, async (t) => {
      const id = await familyAt(families, generation)
      const lost = newNonce()
      await families.advance(id, generation, lost, 0)
      const next = { outcome: 'advanced', generation: generation + 1 } as const
      t.match(await families.advance(id, generation, newNonce(), 0, [newNonce(), lost]), next)
      t.match(
        await families.advance(id, generation, newNonce(), 0, [newNonce(), lost]),
        { outcome: 'replayed' },
        'the same token again revokes the family',
      )
      t.equal(await families.live(id), null)
    })
  }

  t.test('of concurrent replacements one succeeds, and the family is revoked', async (t) => {
    const id = await familyAt(families, 3)
    const lost = newNonce()
    await families.advance(id, 3, lost, 0)
    const answers = await Promise.all(
      Array.from({ length: parallel }, () => families.advance(id, 3, newNonce(), 0, [lost])),
    )
    t.equal(answers.filter(({ outcome }) => outcome === 'advanced').length, 1)
    t.equal(await families.live(id), null)
  })

  t.test('an unsettled request that never ran blocks nothing', async (t) => {
    const id = await familyAt(families, 3)
    const lost = newNonce()
    t.match(await families.advance(id, 3, newNonce(), 0, [lost]), { outcome: 'advanced' })
    t.match(await families.advance(id, 3, newNonce(), 0, [lost]), { outcome: 'replayed' })
  })

  t.test('its command may arrive late and changes nothing then', async (t) => {
    for (const hasRun of [false, true]) {
      const id = await familyAt(families, 3)
      const [first, second] = [newNonce(), newNonce()]
      if (hasRun) await families.advance(id, 3, first, 0)
      t.match(await families.advance(id, 3, newNonce(), 0, [first, second]), { generation: 4 })
      t.match(await families.advance(id, 4, newNonce(), 0, [newNonce()]), { generation: 5 })
      for (const nonce of [first, second])
        await t.rejects(families.advance(id, 3, nonce, 0), { name: 'StoreUnavailable' })
      t.equal(await families.live(id), 5)
      t.match(await families.advance(id, 3, newNonce(), 0), { outcome: 'replayed' }, 'no other')
    }
  })

  t.test('only the direct predecessor is accepted, for its own requests only', async (t) => {
    const id = await familyAt(families, 3)
    const [lost, later] = [newNonce(), newNonce()]
    await families.advance(id, 3, lost, 0)
    await families.advance(id, 4, later, 0)
    t.match(await families.advance(id, 3, newNonce(), 0, [lost, later]), { outcome: 'replayed' })
    t.equal(await families.live(id), null)
    const other = await familyAt(families, 3)
    await families.advance(other, 3, newNonce(), 0)
    t.match(await families.advance(other, 3, newNonce(), 0, [lost]), { outcome: 'replayed' })
  })

  t.test('a probe does not revoke after an unsettled request', async (t) => {
    const id = await familyAt(families, 3)
    const lost = newNonce()
    await families.advance(id, 3, lost, 0)
    t.match(await families.probe(id, 3, 0, [lost]), { outcome: 'live' })
    t.equal(await families.live(id), 4)
    t.equal(await families.live(id, { generation: 3, nonces: [lost] }), 3, 'it reads as live')
    t.equal(await families.live(id, { generation: 2, nonces: [lost] }), 4)
    t.match(await families.advance(id, 3, newNonce(), 0, [lost]), { generation: 4 })
    t.equal(await families.live(id, { generation: 3, nonces: [lost] }), 4, 'until it is repeated')
    t.match(await families.probe(id, 3, 0, [lost]), { outcome: 'replayed' })
  })

  t.test('a replay whose reply is lost is a replay when repeated', async (t) => {
    const id = await familyAt(families, 3)
    const lost = newNonce()
    t.match(await families.advance(id, 2, lost, 0), { outcome: 'replayed' })
    t.match(await families.advance(id, 2, lost, 0), { outcome: 'replayed' })
    t.match(await families.advance(id, 2, newNonce(), 0), { outcome: 'absent' })
    t.match(await families.advance(id, 2, newNonce(), 0, [lost]), { outcome: 'replayed' })
    t.equal(await families.live(id), null)
  })

  // An honest client with every possible outcome of its requests. At the end a thief shows a used
  // token.
  const fates = ['answered', 'reply lost', 'not sent', 'arrives late', 'sent twice'] as const
  t.test(
    'an honest client loses nothing and gets nothing twice, whatever reply is lost',
    async (t) => {
      const walk = fc.array(fc.constantFrom(...fates), { minLength: 1, maxLength: 25 })
      const property = fc.asyncProperty(walk, fc.boolean(), async (steps, isStolen) => {
        const id = await familyAt(families, 1)
        let held = 1
        let unsettled: string[] = []
        const late: (() => Promise<Advance | undefined>)[] = []
        for (const fate of [...steps, 'answered' as const]) {
          const nonce = newNonce()
          const [presented, earlier] = [held, unsettled]
          const command = () => families.advance(id, presented, nonce, 0, earlier)
          if (fate === 'arrives late') late.push(() => command().catch(() => undefined))
          if (fate === 'reply lost' || fate === 'sent twice') await command()
          if (fate === 'sent twice') late.push(() => command().catch(() => undefined))
          if (fate !== 'answered') {
            unsettled = [...unsettled, nonce]
            continue
          }
          const answer = await command()
          if (answer.outcome !== 'advanced' || answer.generation !== held + 1) return false
          held = answer.generation
          unsettled = []
          // Half of the delayed commands arrive now, the others after later requests.
          for (const arrive of late.splice(0, Math.ceil(late.length / 2))) await arrive()
          if ((await families.live(id)) !== held) return false
        }
        if (!isStolen) return true
        const thief = await families.advance(id, held - 1, newNonce(), 0)
        return thief.outcome === 'replayed' && (await families.live(id)) === null
      })
      await fc.assert(property, { numRuns: 60 * effort, seed })
      t.pass()
    },
  )
}
