import fc from 'fast-check'
import { onEachBackend } from '../support/on-each-backend.ts'
import { effort, isNight, seed } from '../support/property.ts'
import { registerResourceServer } from '../support/resource-server.ts'
import { signedIn } from '../support/signed-in.ts'
import { checkAll, checkSome } from './check.ts'
import { beginDay, type Day, endDay, type Person } from './day.ts'
import { drive } from './drive.ts'
import { days, type Step } from './steps.ts'

const sequences = isNight ? 15 * effort : 3
const longest = 80
// The search for a smaller failure must end before the test's timeout.
const timeLimit = 200_000

/** @throws Error that names the step at which the servers and the model differ */
const takeStep = async (day: Day, step: Step, at: number) => {
  try {
    await drive(day, step)
    await checkSome(day, at)
  } catch (cause) {
    throw new Error(`step ${at + 1}, ${JSON.stringify(step)}: ${cause}`, { cause })
  }
}

await onEachBackend(
  'the servers behave like the model for any sequence of steps',
  async (t, { running, issuer, world }) => {
    const server = await registerResourceServer(running)
    const people: Person[] = []
    for (const answers of [world.ana, world.kim])
      people.push({ id: answers.id, answers, visitor: await signedIn(issuer, answers) })
    let steps = 0

    const live = async (planned: Step[]) => {
      const day = await beginDay(running, server, people)
      try {
        for (const [at, step] of planned.entries()) {
          await takeStep(day, step, at)
          steps += 1
        }
        await checkAll(day)
      } finally {
        await endDay(day)
      }
    }

    await fc.assert(fc.asyncProperty(days(longest), live), {
      seed,
      numRuns: sequences,
      interruptAfterTimeLimit: timeLimit * effort,
    })
    t.pass(`${steps} steps`)
    t.notOk(
      running.log.some((line) => JSON.parse(line).level >= 50),
      'no server has an internal error',
    )
  },
  { instances: 2 },
)
