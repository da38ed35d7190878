import t from 'tap'
import { StoreUnavailable } from '../../../src/core/language/errors.ts'
import { limitReasons } from '../../../src/core/limits/limit-settings.ts'
import { createLimits } from '../../../src/core/limits/limits.ts'
import type { CounterStore } from '../../../src/core/limits/records.ts'
import { onEachStores } from '../../support/open-stores.ts'

const settings = {
  clientFailures: 3,
  clientFailuresPerAddress: 9,
  tokenRequests: 3,
  signInFailures: 2,
  signInFailuresPerAddress: 4,
  signIns: 1000,
  signInsPerAddress: 1000,
  sessions: 1000,
  authorizations: 3,
  grants: 3,
  pagePosts: 3,
  passwordRequests: 3,
  userCodes: 3,
}
const from = (address: string) => ({ address, isForeignPage: false })
const limited = { name: 'OAuthError', code: 'slow_down', status: 429 }

await onEachStores(t, 'limits', async (t, { counters }) => {
  const reached: string[] = []
  const limits = createLimits(counters, settings, (reason) => reached.push(reason))

  t.test('failed client authentications are limited per address and client', async (t) => {
    for (let i = 0; i < settings.clientFailures; i++)
      await limits.clientFailed(from('1.1.1.1'), 'app1')
    const refusal = await limits
      .clientFailed(from('1.1.1.1'), 'app1')
      .catch((error: unknown) => error)
    t.match(refusal, { ...limited, reason: 'client_failures' })
    const { retryAfter } = refusal as { retryAfter: number }
    t.ok(retryAfter >= 1 && retryAfter <= 60, 'the refusal has Retry-After')
    await limits.clientFailed(from('1.1.1.1'), 'app2')
    await limits.clientFailed(from('2.2.2.2'), 'app1')
    t.pass('another client and another address are not limited')
  })

  t.test('failed client authentications are limited per address across clients', async (t) => {
    for (let i = 0; i < settings.clientFailuresPerAddress; i++)
      await limits.clientFailed(from('7.7.7.7'), `app${i}`)
    await t.rejects(limits.clientFailed(from('7.7.7.7'), 'another'), {
      ...limited,
      reason: 'client_failures_of_address',
    })
    await limits.clientFailed(from('7.7.7.8'), 'another')
  })

  t.test('SCM-06 changes of a provider are limited per organization', async (t) => {
    await limits.provisioned('org1', 59_999)
    await limits.provisioned('org1', 20_000)
    await t.rejects(limits.provisioned('org1', 1), { ...limited, reason: 'provisioning' })
    await limits.provisioned('org2', 20_000)
  })

  t.test('an IPv6 address counts as its /64', async (t) => {
    for (let i = 0; i < settings.clientFailures; i++)
      await limits.clientFailed(from(`2001:db8:1:2::${i}`), 'app1')
    await t.rejects(limits.clientFailed(from('2001:db8:1:2:ffff::'), 'app1'), limited)
    await limits.clientFailed(from('2001:db8:1:3::1'), 'app1')
    await limits.signInAttempt('2001:db8:1:2::1', 'kim@acme.test')
    await limits.signInAttempt('2001:db8:1:2::2', 'kim@acme.test')
    await t.rejects(limits.signInAttempt('2001:db8:1:2::3', 'kim@acme.test'), limited)
  })

  t.test(
    'token requests are limited per client, and for a public client per address',
    async (t) => {
      for (let i = 0; i < settings.tokenRequests; i++) {
        await limits.tokenRequested('app1', null)
        await limits.tokenRequested('spa', '1.1.1.1')
      }
      for (const address of [null, '1.1.1.1'])
        await t.rejects(limits.tokenRequested(address ? 'spa' : 'app1', address), {
          ...limited,
          reason: 'token_requests',
        })
      await limits.tokenRequested('app2', null)
      await limits.tokenRequested('spa', '1.1.1.2')
      const unlimited = createLimits(counters, { ...settings, tokenRequests: 0 })
      for (let i = 0; i < settings.tokenRequests * 2; i++)
        await unlimited.tokenRequested('app1', null)
    },
  )

  t.test(
    'pending authorization requests are limited per user, or per address without a user',
    async (t) => {
      const held = []
      for (let i = 0; i < settings.authorizations; i++) {
        held.push(await limits.authorizationBegun('1.1.1.1', null))
        await limits.authorizationBegun(`9.9.9.${i}`, 'usr1')
      }
      const begin = (address: string, user: string | null) =>
        limits.authorizationBegun(address, user)
      await t.rejects(begin('1.1.1.1', null), { ...limited, reason: 'authorizations_of_address' })
      await t.rejects(begin('1.1.1.1', 'usr1'), { ...limited, reason: 'authorizations_of_person' })
      await begin('1.1.1.1', 'usr2')
      await begin('1.1.1.2', null)
      await limits.authorizationAnswered(held[0] as string)
      await begin('1.1.1.1', null)
      await t.rejects(begin('1.1.1.1', null), limited)
    },
  )

  t.test('silent authorizations are limited per user and app', async (t) => {
    const authorize = () => limits.authorizedAgain('usr1', 'app1')
    for (let i = 0; i < settings.grants; i++) await authorize()
    await t.rejects(authorize(), { ...limited, reason: 'grants' })
    await limits.authorizedAgain('usr1', 'app2')
    await limits.authorizedAgain('usr2', 'app1')
  })

  t.test('form posts are limited per user', async (t) => {
    for (let i = 0; i < settings.pagePosts; i++) await limits.pagePosted('usr1')
    await t.rejects(limits.pagePosted('usr1'), { ...limited, reason: 'page_posts' })
    await limits.pagePosted('usr2')
  })

  t.test('uploaded logos are limited per person', async (t) => {
    for (let i = 0; i < 20; i++) await limits.logoUploaded('usr1')
    await t.rejects(limits.logoUploaded('usr1'), { ...limited, reason: 'logo_uploads' })
    await limits.logoUploaded('usr2')
  })

  t.test('requests for a new password are limited per address', async (t) => {
    for (let i = 0; i < settings.passwordRequests; i++) await limits.passwordRequested('7.7.7.1')
    await t.rejects(limits.passwordRequested('7.7.7.1'), {
      ...limited,
      reason: 'password_requests',
    })
    await limits.passwordRequested('7.7.7.2')
  })

  t.test('failed sign-ins are limited per account and address', async (t) => {
    const attempt = (address: string, email: string) => limits.signInAttempt(address, email)
    await attempt('3.3.3.3', 'kim@acme.test')
    await attempt('3.3.3.3', 'kim@acme.test')
    await t.rejects(attempt('3.3.3.3', 'kim@acme.test'), { ...limited, reason: 'sign_in_failures' })
    await attempt('4.4.4.4', 'kim@acme.test')
    t.pass('the account stays open for other addresses')
    await attempt('3.3.3.3', 'ana@acme.test')
    await attempt('3.3.3.3', 'zoe@acme.test')
    await t.rejects(attempt('3.3.3.3', 'bob@acme.test'), limited, 'the limit of an address')
  })

  t.test('a successful sign-in is not counted', async (t) => {
    for (let i = 0; i < 10; i++) {
      const refund = await limits.signInAttempt('5.5.5.5', 'kim@acme.test')
      await refund()
    }
    await limits.signInAttempt('5.5.5.5', 'kim@acme.test')
    t.pass()
  })

  t.test('concurrent failures do not exceed the limit', async (t) => {
    const attempts = await Promise.allSettled(
      Array.from({ length: 50 }, () => limits.signInAttempt('6.6.6.6', 'kim@acme.test')),
    )
    const through = attempts.filter((one) => one.status === 'fulfilled').length
    t.equal(through, settings.signInFailures)
  })

  t.test('wrong device codes are limited per user', async (t) => {
    for (let i = 0; i < 2 * settings.userCodes; i++) await (await limits.userCodeTried('usr1'))()
    for (let i = 0; i < settings.userCodes; i++) await limits.userCodeTried('usr1')
    const refusal = await limits.userCodeTried('usr1').catch((error: unknown) => error)
    t.match(refusal, { ...limited, reason: 'user_codes' })
    await limits.userCodeTried('usr2')
    t.pass('another user is not limited')
  })

  t.test('unauthenticated device requests are limited per address', async (t) => {
    for (let i = 0; i < settings.authorizations; i++) await limits.deviceBegun('5.5.5.5', null)
    const refusal = await limits.deviceBegun('5.5.5.5', null).catch((error: unknown) => error)
    t.match(refusal, { ...limited, reason: 'devices_of_address' })
    await limits.deviceBegun('5.5.5.5', 'app1')
    await limits.deviceBegun('6.6.6.6', null)
    t.pass('authenticated clients and other addresses are not limited')
  })

  t.test('fetches of unknown documents are limited per address and per host', async (t) => {
    const request = (address: string, host: string) =>
      limits.documentRequested(address, host).catch((error: unknown) => error)
    for (let i = 0; i < 20; i++) t.equal(await request('7.7.0.1', `h${i}.test`), undefined)
    t.match(await request('7.7.0.1', 'other.test'), { ...limited, reason: 'documents_of_address' })
    for (let i = 0; i < 100; i++) t.equal(await request(`7.8.${i}.1`, 'one.test'), undefined)
    t.match(await request('7.9.0.1', 'one.test'), { ...limited, reason: 'documents_of_host' })
    t.equal(await request('7.9.0.1', 'two.test'), undefined, 'another host is not limited')
  })

  t.test('pushed requests are limited per address and public app', async (t) => {
    const push = (address: string, app: string) => limits.requestPushed(address, app)
    for (let i = 0; i < settings.authorizations; i++) await push('5.5.5.5', 'app1')
    const refusal = await push('5.5.5.5', 'app1').catch((error: unknown) => error)
    t.match(refusal, { ...limited, reason: 'pushed_requests_of_address' })
    await push('5.5.5.5', 'app2')
    await push('6.6.6.6', 'app1')
    t.pass('another app and another address are not limited')
  })

  t.test('successful sign-ins are limited per account and address, and per address', async (t) => {
    const few = { ...settings, signIns: 3, signInsPerAddress: 5 }
    const own = createLimits(counters, few, (reason) => reached.push(reason))
    const succeed = async (address: string, email: string) =>
      (await own.signInAttempt(address, email))()
    for (let i = 0; i < 3; i++) await succeed('203.0.113.3', 'ana@acme.test')
    for (let i = 0; i < 4; i++)
      await t.rejects(succeed('203.0.113.3', 'ana@acme.test'), { ...limited, reason: 'sign_ins' })
    await succeed('203.0.113.4', 'ana@acme.test')
    for (const name of ['kim', 'pat']) await succeed('203.0.113.3', `${name}@acme.test`)
    const reason = 'sign_ins_of_address'
    await t.rejects(succeed('203.0.113.3', 'lee@acme.test'), { ...limited, reason })
    await t.rejects(
      own.signInBegun('203.0.113.3'),
      { ...limited, reason },
      'passkeys and the provider too',
    )
  })

  t.test('wrong operator tokens are limited per address', async (t) => {
    for (let i = 0; i < settings.clientFailures; i++) await limits.operatorFailed('4.4.4.1')
    const failed = limits.operatorFailed('4.4.4.1', 'guess')
    await t.rejects(failed, { ...limited, reason: 'operator_failures' })
    const repeat = (address: string, mark: string) => () =>
      limits.refuseRepeatedOperator(address, () => mark)
    t.throws(repeat('4.4.4.1', 'guess'), limited, 'the same token again')
    t.doesNotThrow(repeat('4.4.4.1', 'another'), 'another token is checked')
    t.doesNotThrow(repeat('4.4.4.2', 'guess'), 'the same token from another address too')
    await limits.operatorFailed('4.4.4.2')
  })

  t.test('downloads are limited to one per user and three per organization', async (t) => {
    const refused = { ...limited, reason: 'exports' }
    const release = await limits.exportBegun('usr1', 'org1')
    await t.rejects(limits.exportBegun('usr1', 'org2'), refused)
    for (const user of ['usr2', 'usr3']) await limits.exportBegun(user, 'org1')
    await t.rejects(limits.exportBegun('usr4', 'org1'), refused)
    await (await limits.exportBegun('usr4', 'org2'))()
    await release()
    await (await limits.exportBegun('usr1', 'org1'))()
  })

  t.test('requests from foreign pages are counted separately', async (t) => {
    const page = { address: '8.8.8.1', isForeignPage: true }
    for (let i = 0; i < settings.clientFailures; i++) await limits.clientFailed(page, 'app1')
    await t.rejects(limits.clientFailed(page, 'app1'), limited)
    await limits.clientFailed(from('8.8.8.1'), 'app1')
  })

  t.test('a caller over its limit costs the store no further command', async (t) => {
    let hits = 0
    const counting: CounterStore = {
      hit: (...of) => {
        hits++
        return counters.hit(...of)
      },
    }
    const own = createLimits(counting, settings)
    const fail = () => own.clientFailed(from('8.8.8.2'), 'app1', 'mark').catch(() => 'refused')
    for (let i = 0; i <= settings.clientFailures; i++) await fail()
    const before = hits
    for (let i = 0; i < 50; i++) t.equal(await fail(), 'refused')
    t.equal(hits, before)
  })

  t.test('while the store is unavailable each instance counts by itself', async (t) => {
    const away: CounterStore = { hit: () => Promise.reject(new StoreUnavailable('redis')) }
    const own = createLimits(away, settings)
    for (let i = 0; i < settings.clientFailures; i++)
      await own.clientFailed(from('8.8.8.3'), 'app1')
    await t.rejects(own.clientFailed(from('8.8.8.3'), 'app1'), limited)
    await own.clientFailed(from('8.8.8.4'), 'app1')
    for (let i = 0; i < settings.clientFailures; i++) await own.operatorFailed('8.8.8.3')
    await t.rejects(own.operatorFailed('8.8.8.3'), limited)
  })

  t.test('each reached limit is logged', async (t) => {
    t.same([...new Set(reached)].sort(), [...limitReasons])
  })
})
