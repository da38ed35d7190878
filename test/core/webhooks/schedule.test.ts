import t from 'tap'
import {
  type Attempt,
  type MessageState,
  stateAfter,
  usualSchedule,
} from '../../../src/core/webhooks/schedule.ts'

const schedule = { first: 10, factor: 2, longest: 100, giveUpAfter: 1000 }
const answered = (status: number, retryAfter: number | null = null): Attempt => ({
  kind: 'answered',
  status,
  retryAfter,
})
const failed: Attempt = { kind: 'failed', fault: 'timeout' }
const day = 24 * 3600

t.test('the next step of a delivery', async (t) => {
  const cases: [
    attempt: Attempt,
    attempts: number,
    age: number,
    random: number,
    fate: MessageState,
  ][] = [
    [answered(200), 1, 0, 0, 'delivered'],
    [answered(204), 1, 0, 0, 'delivered'],
    [answered(299), 1, 10_000, 0, 'delivered'],
    [answered(410), 1, 0, 0, 'gone'],
    [answered(500), 1, 0, 1, { retryIn: 10 }],
    [answered(500), 1, 0, 0, { retryIn: 5 }],
    [answered(500), 2, 0, 1, { retryIn: 20 }],
    [answered(500), 3, 0, 0.5, { retryIn: 30 }],
    [answered(500), 5, 0, 1, { retryIn: 100 }],
    [answered(500), 500, 0, 1, { retryIn: 100 }],
    [failed, 1, 0, 1, { retryIn: 10 }],
    // Redirects are not followed, and the receiver may fix a client error.
    ...[301, 302, 303, 307, 308, 400, 401, 403, 404, 199, 600].map(
      (status): [Attempt, number, number, number, MessageState] => [
        answered(status),
        1,
        0,
        1,
        { retryIn: 10 },
      ],
    ),
    // Retry-After with 429 and 503: never sooner than the own schedule, and bounded.
    [answered(429, 60), 1, 0, 1, { retryIn: 60 }],
    [answered(503, 60), 1, 0, 1, { retryIn: 60 }],
    [answered(503, 2), 1, 0, 1, { retryIn: 10 }],
    [answered(503, null), 1, 0, 1, { retryIn: 10 }],
    [answered(500, 60), 1, 0, 1, { retryIn: 10 }],
    // The end of the retries.
    [answered(500), 1, 990, 1, { retryIn: 10 }],
    [answered(500), 1, 991, 1, 'given_up'],
    [failed, 500, 900, 1, { retryIn: 100 }],
    [failed, 500, 901, 1, 'given_up'],
    [answered(503, 999_999), 1, 0, 1, 'given_up'],
  ]
  for (const [attempt, attempts, age, random, state] of cases)
    t.same(stateAfter(attempt, { attempts, age }, schedule, random), state, JSON.stringify(attempt))
})

t.test('Retry-After is limited to one day', async (t) => {
  t.same(stateAfter(answered(429, 365 * day), { attempts: 1, age: 0 }, usualSchedule, 1), {
    retryIn: day,
  })
})

t.test(
  'the default schedule has about fifteen attempts, the last one on the third day',
  async (t) => {
    for (const random of [0, 0.5, 1]) {
      let age = 0
      let attempts = 1
      for (; attempts < 100; attempts++) {
        const state = stateAfter(failed, { attempts, age }, usualSchedule, random)
        if (state === 'given_up') break
        age += (state as { retryIn: number }).retryIn
      }
      t.ok(attempts >= 13 && attempts <= 30, `${attempts} attempts`)
      t.ok(age > 2.5 * day && age <= 3 * day, `${age} s`)
    }
  },
)
