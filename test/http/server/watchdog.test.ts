import t from 'tap'
import { createWatchdog } from '../../../src/http/server/watchdog.ts'

type Step = [at: number, event: 'progress' | 'refused' | 'nothing']

t.test('a server is stuck after refusals without any progress', async (t) => {
  const rows: [what: string, steps: Step[], stuck: boolean][] = [
    ['nothing happens', [[50_000, 'nothing']], false],
    ['a first refusal', [[0, 'refused']], false],
    [
      'refusals for too short a time',
      [
        [0, 'refused'],
        [19_999, 'refused'],
      ],
      false,
    ],
    [
      'refusals all the time',
      [
        [0, 'refused'],
        [10_000, 'refused'],
        [20_000, 'refused'],
      ],
      true,
    ],
    [
      'no further request, because the load balancer sends none',
      [
        [0, 'refused'],
        [60_000, 'nothing'],
      ],
      true,
    ],
    [
      'an overload: one request in between was answered',
      [
        [0, 'refused'],
        [19_000, 'progress'],
        [20_000, 'refused'],
        [38_000, 'refused'],
      ],
      false,
    ],
    [
      'progress after it was stuck',
      [
        [0, 'refused'],
        [30_000, 'refused'],
        [31_000, 'progress'],
      ],
      false,
    ],
    [
      'stuck after progress',
      [
        [0, 'progress'],
        [1, 'refused'],
        [20_001, 'refused'],
      ],
      true,
    ],
  ]
  for (const [what, steps, stuck] of rows) {
    const watchdog = createWatchdog(20_000)
    for (const [at, event] of steps) {
      if (event === 'progress') watchdog.progressed()
      if (event === 'refused') watchdog.refused(at)
    }
    t.equal(watchdog.isStuck(steps.at(-1)?.[0] ?? 0), stuck, what)
  }
})
