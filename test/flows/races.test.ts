import t from 'tap'
import { currentCode, exchangeCode, legacyCode, legacyToken, refresh } from '../support/flows.ts'
import { startLatchkey } from '../support/latchkey.ts'
import { testStores } from '../support/stores.ts'
import { createVisitor } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

const rounds = 20
const parallel = 50

for (const stores of await testStores()) {
  t.test(`many at once, two instances (${stores.name})`, async (t) => {
    const running = await startLatchkey(stores, { instances: 2 })
    t.teardown(async () => {
      await running.stop()
      await stores.drop()
    })
    const { confidential, legacy, ana } = await createWorld(running)
    const visitor = createVisitor(running.issuer)
    const url = (at: number) => running.urls[at % running.urls.length] as string
    const many = <Result>(work: (at: number) => Promise<Result>) =>
      Promise.all(Array.from({ length: parallel }, (_, at) => work(at)))

    t.test(
      'of concurrent uses of a code or refresh token one succeeds, and the family is revoked',
      async (t) => {
        for (let round = 0; round < rounds; round++) {
          const grant = await currentCode(running, confidential, ana, {}, visitor)
          const answers = await many((at) => exchangeCode(url(at), confidential, grant))
          const [won, ...more] = answers.filter((one) => one.status === 200)
          t.ok(won && more.length === 0, `code, round ${round}`)
          t.ok(answers.every((one) => one === won || one.body.error === 'invalid_grant'))
          t.equal((await refresh(url(0), confidential, won?.body.refresh_token)).status, 400)

          const fresh = await currentCode(running, confidential, ana, {}, visitor)
          const token = (await exchangeCode(url(1), confidential, fresh)).body.refresh_token
          const refreshed = await many((at) => refresh(url(at), confidential, token))
          t.equal(
            refreshed.filter((one) => one.status === 200).length,
            1,
            `refresh, round ${round}`,
          )
        }
      },
    )

    t.test('the legacy interface behaves the same', async (t) => {
      const { code } = await legacyCode(running, legacy, ana, {}, visitor)
      const fields = { grant_type: 'authorization_code', code }
      const answers = await many((at) => legacyToken(url(at), legacy, fields))
      t.equal(answers.filter((one) => one.status === 200).length, 1)
    })

    t.test('within a retry window every request gets the same successor', async (t) => {
      const path = `/apps/${confidential.client_id}`
      t.equal((await running.operator('PATCH', path, { retry_window_seconds: 30 })).status, 200)
      const grant = await currentCode(running, confidential, ana, {}, visitor)
      const first = (await exchangeCode(url(0), confidential, grant)).body.refresh_token
      const answers = await many((at) => refresh(url(at), confidential, first))
      t.ok(answers.every((one) => one.status === 200))
      t.equal(
        new Set(answers.map((one) => one.body.refresh_token)).size,
        1,
        'never a second branch',
      )
      const second = answers[0]?.body.refresh_token
      t.equal((await refresh(url(1), confidential, second)).status, 200)
      t.equal(
        (await refresh(url(1), confidential, first)).status,
        400,
        'older than the predecessor',
      )
    })
  })
}
