import t from 'tap'
import { type SecretStanding, type SecretUse, standingOf } from '../../src/domain/secret-life.ts'

const now = Date.UTC(2030, 0, 31)
const day = 24 * 3600 * 1000
const secret = (age: number, rest: number | null): SecretUse => ({
  createdAt: new Date(now - age * day),
  lastUsedAt: rest === null ? null : new Date(now - rest * day),
})

const cases: [string, SecretUse, SecretUse[], SecretStanding][] = [
  ['alone', secret(400, 100), [], { kind: 'only' }],
  ['the newest', secret(1, null), [secret(9, 0)], { kind: 'newest' }],
  ['the older one, used today', secret(9, 0.5), [secret(1, 0)], { kind: 'in_use' }],
  ['the older one, while the newer rests', secret(9, 3), [secret(1, null)], { kind: 'waiting' }],
  ['neither was used yet', secret(9, null), [secret(1, null)], { kind: 'waiting' }],
  ['the newer one is in use', secret(9, 1), [secret(2, 0)], { kind: 'replaced' }],
  ['the older one was never used', secret(9, null), [secret(2, 0)], { kind: 'replaced' }],
  ['used long ago', secret(90, 31), [secret(2, null)], { kind: 'unused', days: 31 }],
  ['never used for long', secret(45, null), [secret(2, null)], { kind: 'unused', days: 45 }],
]

for (const [when, one, others, standing] of cases) {
  t.test(`a secret: ${when}`, async (t) => {
    t.same(standingOf(one, [one, ...others], now), standing)
  })
}
