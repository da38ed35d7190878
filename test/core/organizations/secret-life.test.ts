import t from 'tap'
import {
  type SecretStanding,
  type SecretUse,
  secretStanding,
} from '../../../src/core/organizations/secret-life.ts'

const now = Date.UTC(2030, 0, 31)
const day = 24 * 3600 * 1000
const ago = (days: number) => new Date(now - days * day)
const secret = (age: number, rest: number | null): SecretUse => ({
  createdAt: ago(age),
  lastUsedAt: rest === null ? null : ago(rest),
})
const inUse = (rest: number): SecretStanding => ({ kind: 'in_use', lastUsedAt: ago(rest) })
const replaced = (rest: number | null): SecretStanding => ({
  kind: 'replaced',
  lastUsedAt: rest === null ? null : ago(rest),
})
const unused = (days: number, everUsed: boolean): SecretStanding => {
  return { kind: 'unused', days, everUsed }
}

const cases: [string, SecretUse, SecretUse[], SecretStanding][] = [
  ['alone', secret(400, 100), [], { kind: 'only' }],
  ['the newest', secret(1, null), [secret(9, 0)], { kind: 'newest' }],
  ['the older one, used today', secret(9, 0.5), [secret(1, 0)], inUse(0.5)],
  ['used today, the newer one never', secret(9, 0.5), [secret(0.2, null)], inUse(0.5)],
  [
    'used today, but not since the newer secret, which is in use',
    secret(9, 0.5),
    [secret(0.2, 0.1)],
    { kind: 'resting', lastUsedAt: ago(0.5) },
  ],
  ['the older one, while the newer rests', secret(9, 3), [secret(1, null)], { kind: 'waiting' }],
  ['neither was used yet', secret(9, null), [secret(1, null)], { kind: 'waiting' }],
  ['the newer one is in use', secret(9, 1), [secret(2, 0)], replaced(1)],
  ['the older one was never used', secret(9, null), [secret(2, 0)], replaced(null)],
  ['used long ago', secret(90, 31), [secret(2, null)], unused(31, true)],
  ['never used for long', secret(45, null), [secret(2, null)], unused(45, false)],
]

for (const [when, one, others, standing] of cases) {
  t.test(`whether a secret can be retired: ${when}`, async (t) => {
    t.same(secretStanding(one, [one, ...others], now), standing)
  })
}
