import t from 'tap'
import { currentCode, exchangeCode, refresh } from '../support/flows.ts'
import { startLatchkey } from '../support/latchkey.ts'
import { testStores } from '../support/stores.ts'
import { createVisitor, pageKind, walk } from '../support/visitor.ts'
import { createWorld, password } from '../support/world.ts'

const path = '/account/password'
const next = 'a brand new and longer one'

for (const stores of await testStores()) {
  t.test(`one's own password (${stores.name})`, async (t) => {
    const running = await startLatchkey(stores)
    t.teardown(async () => {
      await running.stop()
      await stores.drop()
    })
    const { issuer } = running
    const { ana, kim, confidential } = await createWorld(running)

    t.test('changing it ends every session except this one', async (t) => {
      const grant = await currentCode(running, confidential, ana)
      const tokens = await exchangeCode(issuer, confidential, grant)
      const elsewhere = grant.visitor
      const here = createVisitor(issuer)
      const page = await walk(here, `${issuer}/login?return_to=${path}`, ana)
      t.equal(page.url.pathname, path)
      const before = new Map(here.cookies)

      const wrong = await here.submit(page, { current_password: 'no', new_password: next })
      t.equal(wrong.status, 403)
      t.match(wrong.text, 'not right')
      const short = await here.submit(wrong, { current_password: password, new_password: 'short' })
      t.equal(short.status, 400)
      t.match(short.text, '8 to 1000')
      t.equal((await elsewhere.get('/account/apps')).url.pathname, '/account/apps', 'nothing ended')

      const changed = await here.submit(short, { current_password: password, new_password: next })
      t.equal(changed.status, 200)
      t.match(changed.text, 'The password is changed')
      t.equal((await here.get('/account/apps')).url.pathname, '/account/apps', 'still signed in')
      t.equal((await elsewhere.get('/account/apps')).url.pathname, '/login')
      const old = createVisitor(issuer)
      for (const [name, value] of before) old.cookies.set(name, value)
      t.equal(
        (await old.get('/account/apps')).url.pathname,
        '/login',
        'with a new anti-forgery token',
      )
      const refreshed = await refresh(issuer, confidential, tokens.body.refresh_token)
      t.match(refreshed, { status: 400, body: { error: 'invalid_grant' } })

      t.equal((await walk(createVisitor(issuer), `${issuer}/login`, ana)).status, 401)
      const again = { ...ana, password: next }
      t.equal((await walk(createVisitor(issuer), `${issuer}/login`, again)).status, 200)
      const { body } = await running.operator('GET', '/audit?type=user.password_changed')
      t.match(body.items, [{ user_id: ana.id, actor: { kind: 'user', id: ana.id } }])
      t.notMatch(running.log.join(''), next)
    })

    t.test('guesses of the current password are limited like sign-ins', async (t) => {
      const visitor = createVisitor(issuer)
      let page = await walk(visitor, `${issuer}/login?return_to=${path}`, kim)
      for (let guesses = 0; guesses < 10; guesses++) {
        page = await visitor.submit(page, { current_password: `${guesses}`, new_password: next })
        t.equal(page.status, 403)
      }
      page = await visitor.submit(page, { current_password: password, new_password: next })
      t.equal(page.status, 429)
      t.ok(Number(page.headers.get('retry-after')) > 0)
    })

    t.test('a signed-out user is asked to sign in', async (t) => {
      t.equal(pageKind(await createVisitor(issuer).get(path)), 'sign-in')
    })
  })
}
