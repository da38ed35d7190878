import t from 'tap'
import { createLimits } from '../../src/services/limits.ts'
import { onEachStores } from '../support/open-stores.ts'

const settings = { clientFailures: 3, signInFailures: 2, signInFailuresPerAddress: 4 }
const limited = { name: 'OAuthError', code: 'slow_down', status: 429 }

await onEachStores(t, 'limits', async (t, { counters }) => {
  const limits = createLimits(counters, settings)

  t.test('failed client authentications: so many per address and client', async (t) => {
    for (let i = 0; i < settings.clientFailures; i++) await limits.clientFailed('1.1.1.1', 'app1')
    const refusal = await limits.clientFailed('1.1.1.1', 'app1').catch((error: unknown) => error)
    t.match(refusal, { ...limited, reason: 'client_failures' })
    const { retryAfter } = refusal as { retryAfter: number }
    t.ok(retryAfter >= 1 && retryAfter <= 60, 'and says when to come again')
    await limits.clientFailed('1.1.1.1', 'app2')
    await limits.clientFailed('2.2.2.2', 'app1')
    t.pass('another client and another address are not concerned')
  })

  t.test('failed sign-ins: so many per account and address', async (t) => {
    const attempt = (address: string, email: string) => limits.signInAttempt(address, email)
    await attempt('3.3.3.3', 'kim@acme.test')
    await attempt('3.3.3.3', 'kim@acme.test')
    await t.rejects(attempt('3.3.3.3', 'kim@acme.test'), { ...limited, reason: 'sign_in_failures' })
    await attempt('4.4.4.4', 'kim@acme.test')
    t.pass('from elsewhere the account stays open')
    await attempt('3.3.3.3', 'ana@acme.test')
    await attempt('3.3.3.3', 'zoe@acme.test')
    await t.rejects(attempt('3.3.3.3', 'bob@acme.test'), limited, 'so many per address')
  })

  t.test('a sign-in that succeeds counts for nothing', async (t) => {
    for (let i = 0; i < 10; i++) {
      const giveBack = await limits.signInAttempt('5.5.5.5', 'kim@acme.test')
      await giveBack()
    }
    await limits.signInAttempt('5.5.5.5', 'kim@acme.test')
    t.pass()
  })

  t.test('many at once: no more than so many get through', async (t) => {
    const attempts = await Promise.allSettled(
      Array.from({ length: 50 }, () => limits.signInAttempt('6.6.6.6', 'kim@acme.test')),
    )
    const through = attempts.filter((one) => one.status === 'fulfilled').length
    t.equal(through, settings.signInFailures)
  })
})
