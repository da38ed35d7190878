import { eventually } from '../support/eventually.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signIn } from '../support/signed-in.ts'
import { createVisitor, pageKind } from '../support/visitor.ts'

const sessionName = 'latchkey_session'

const limits = {
  LIMIT_SIGN_IN_FAILURES: '2',
  TRUSTED_PROXIES: '127.0.0.1',
}

await onEachBackend(
  'sign-in limits',
  async (t, { running, world }) => {
    const { ana, kim } = world
    const at = (index: number) => running.urls[index % running.urls.length] as string
    const attempt = async (email: string, word: string, address: string, instance = 0) => {
      const visitor = createVisitor(at(instance))
      const page = await signIn(visitor, { email, password: word }, { 'x-forwarded-for': address })
      return { page, visitor, status: page.status }
    }

    t.test('UI-13 guesses for one account from one address are limited', async (t) => {
      for (let index = 0; index < 2; index++) {
        const email = index % 2 ? ana.email.toUpperCase() : ` ${ana.email} `
        t.equal((await attempt(email, 'wrong', '192.0.2.1', index)).status, 401)
      }
      for (const word of ['wrong', ana.password]) {
        for (const address of ['192.0.2.1', '203.0.113.9, 192.0.2.1']) {
          const { page, visitor } = await attempt(ana.email, word, address, 1)
          t.equal(page.status, 429, 'also with the correct password')
          t.match(page.headers.get('retry-after'), /^[1-9]\d*$/)
          t.notOk(visitor.cookies.has(sessionName))
          t.equal(pageKind(page), 'sign-in', 'the form is still shown')
        }
      }
      const elsewhere = await attempt(ana.email, ana.password, '198.51.100.7')
      t.ok(elsewhere.visitor.cookies.has(sessionName), 'other addresses are not locked out')
      const neighbour = await attempt(kim.email, kim.password, '192.0.2.1')
      t.ok(neighbour.visitor.cookies.has(sessionName), 'nor another account on this address')
    })

    t.test('UI-13 guesses for many accounts from one address are limited', async (t) => {
      const statuses: number[] = []
      for (let index = 0; index < 24; index++)
        statuses.push((await attempt(`p${index}@acme.test`, 'wrong', '192.0.2.50', index)).status)
      t.equal(statuses.filter((one) => one === 401).length, 20)
      t.ok(statuses.slice(20).every((one) => one === 429))
      const right = await attempt(kim.email, kim.password, '192.0.2.50')
      t.equal(right.status, 429)
      const other = await attempt(kim.email, kim.password, '192.0.2.51')
      t.ok(other.visitor.cookies.has(sessionName))
    })

    t.test('UI-13 HTTP-02 a port after the address is no other address', async (t) => {
      for (let index = 0; index < 2; index++) {
        const from = `203.0.113.51:${20_000 + index}`
        t.equal((await attempt(kim.email, 'wrong', from, index)).status, 401)
      }
      for (const from of ['203.0.113.51:9', '203.0.113.51', '[::ffff:203.0.113.51]:1'])
        t.equal((await attempt(kim.email, kim.password, from)).status, 429, from)
      let addresses: string[] = []
      await eventually(async () => {
        const { body } = await running.operator(
          'GET',
          '/audit?type=session.sign_in_failed&limit=200',
        )
        addresses = body.items
          .map((one: { address: string }) => one.address)
          .filter((one: string) => one.includes('203.0.113.51'))
        return addresses.length >= 2
      })
      t.strictSame(addresses, Array(2).fill('203.0.113.51'))
    })

    t.test('UI-13 concurrent guesses get no extra tries', async (t) => {
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) => attempt(kim.email, 'wrong', '192.0.2.60', index)),
      )
      const tried = answers.filter((one) => one.status === 401).length
      t.ok(tried <= 2, `${tried} passwords were checked`)
      t.ok(answers.every((one) => [401, 429, 503].includes(one.status)))
    })

    t.test('UI-13 successful sign-ins are not counted', async (t) => {
      for (let index = 0; index < 8; index++) {
        const { visitor } = await attempt(ana.email, ana.password, '192.0.2.70', index)
        t.ok(visitor.cookies.has(sessionName))
      }
    })
  },
  { instances: 2, environment: limits },
)
