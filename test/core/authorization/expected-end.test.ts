import t from 'tap'
import { endOfConsent, endOfNewInstall } from '../../../src/core/authorization/expected-end.ts'

const now = Date.parse('2026-11-26T12:00:00Z')
const inDays = (days: number) => new Date(now + days * 86_400_000)
const usualEnd = { expiresDays: 90, idleDays: 30 }
const noEnd = { expiresDays: null, idleDays: null }
const month = 30 * 86_400

t.test('a new install gets the end of the organization', async (t) => {
  const none = { hostDays: null, installExpiresAt: null, consentEnd: null }
  t.same(endOfNewInstall({ ...none, usualEnd }, now), { expiresAt: inDays(90), idleSeconds: month })
  t.same(endOfNewInstall({ ...none, usualEnd: noEnd }, now), { expiresAt: null, idleSeconds: null })
})

t.test('a new install gets the nearer end of the organization and the host', async (t) => {
  const none = { installExpiresAt: null, consentEnd: null }
  for (const [days, usual, end] of [
    [7, usualEnd, 7],
    [365, usualEnd, 90],
    [7, noEnd, 7],
  ] as const)
    t.match(endOfNewInstall({ ...none, hostDays: days, usualEnd: usual }, now), {
      expiresAt: inDays(end),
      idleSeconds: usual === noEnd ? null : month,
    })
})

t.test('a consent ends with the install, or before it', async (t) => {
  const own = { expiresAt: inDays(7), idleSeconds: 60 }
  const cases = [
    ['new', { usualEnd, installExpiresAt: null, consentEnd: null }, false, inDays(90), month],
    [
      'install first',
      { usualEnd, installExpiresAt: inDays(5), consentEnd: null },
      false,
      inDays(5),
      month,
    ],
    [
      'install later',
      { usualEnd, installExpiresAt: inDays(99), consentEnd: null },
      false,
      inDays(90),
      month,
    ],
    [
      'only the install',
      { usualEnd: noEnd, installExpiresAt: inDays(5), consentEnd: null },
      false,
      inDays(5),
      null,
    ],
    ['renewed', { usualEnd, installExpiresAt: null, consentEnd: own }, true, inDays(7), 60],
    [
      'renewed without an end',
      { usualEnd, installExpiresAt: null, consentEnd: { expiresAt: null, idleSeconds: null } },
      true,
      null,
      null,
    ],
    [
      'of an earlier install',
      { usualEnd, installExpiresAt: null, consentEnd: own },
      false,
      inDays(90),
      month,
    ],
    ['none', { usualEnd: noEnd, installExpiresAt: null, consentEnd: null }, false, null, null],
  ] as const
  for (const [name, ends, isRenewed, expiresAt, idleSeconds] of cases)
    t.same(endOfConsent(ends, isRenewed, now), { expiresAt, idleSeconds }, name)
})
