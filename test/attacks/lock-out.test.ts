/** Rate limits seen from both sides: the attacker is limited while the victim is not. */
import type { Test } from 'tap'
import {
  authorizeUrl,
  challengeOf,
  clientCredentials,
  credentials,
  currentCode,
  exchangeCode,
  legacyAuthorizeUrl,
  newVerifier,
  post,
  refresh,
} from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { filled, signedIn, signIn } from '../support/signed-in.ts'
import { createVisitor, pageKind, type Visitor } from '../support/visitor.ts'
import { createApp, type TestApp } from '../support/world.ts'

const environment = {
  TRUSTED_PROXIES: '127.0.0.1',
  LIMIT_CLIENT_FAILURES: '5',
  LIMIT_CLIENT_FAILURES_PER_ADDRESS: '12',
  LIMIT_SIGN_IN_FAILURES: '2',
  LIMIT_AUTHORIZATIONS: '6',
  LIMIT_PAGE_POSTS: '8',
}

/** The header that the proxy sets. */
const from = (address: string) => ({ 'x-forwarded-for': address })
/** Many machines of one attacker. */
const botnet = Array.from({ length: 24 }, (_, at) => `198.51.100.${at + 1}`)
const home = '192.0.2.7'

/** The page for a limited user, and the headers for a program. */
const expectStop = (t: Test, page: { status: number; headers: Headers; text: string }) => {
  t.equal(page.status, 429)
  t.match(page.headers.get('retry-after'), /^[1-9]\d*$/)
  t.match(page.headers.get('content-type'), 'text/html')
  t.equal(page.headers.get('cache-control'), 'no-store')
  t.match(page.text, /<h1>(Too many attempts|Too many requests from your network)<\/h1>/)
  t.match(page.text, /([Ww]ait|Try again in) (a minute|\d+ minutes)/)
  t.match(page.text, page.headers.get('x-request-id') as string)
}

await onEachBackend(
  'a client under attack',
  async (t, { running, issuer, world }) => {
    const { confidential, second, publicApp, acme, ana } = world
    const at = (index: number) => running.urls[index % running.urls.length] as string
    const guess = (index: number, address: string, app: TestApp, secret = 'x') =>
      post(
        `${at(index)}/api/oauth/token`,
        {
          grant_type: 'client_credentials',
          organization_id: acme,
          client_id: app.client_id,
          client_secret: secret,
        },
        from(address),
      )

    t.test(
      'wrong secrets from many addresses do not lock the client out, even on those addresses',
      async (t) => {
        const grant = await currentCode(running, confidential, ana)
        let token = (await exchangeCode(issuer, confidential, grant)).body.refresh_token
        const seen = new Map<number, number>()
        for (let round = 0; round < 8; round++) {
          const guesses = botnet.map((address, index) => guess(index, address, confidential))
          const victim = [
            await clientCredentials(issuer, confidential, acme),
            await guess(round, botnet[round] as string, confidential, confidential.client_secret),
            await refresh(at(round), confidential, token, {}, from(botnet[0] as string)),
          ]
          t.same(
            victim.map(({ status }) => status),
            [200, 200, 200],
            `round ${round}`,
          )
          token = victim[2]?.body.refresh_token
          for (const { status } of await Promise.all(guesses))
            seen.set(status, (seen.get(status) ?? 0) + 1)
        }
        t.same([...seen.keys()].sort(), [401, 429], 'the attacker is limited')
        t.equal(seen.get(401), botnet.length * 5, 'each address after five failures')
      },
    )

    t.test('one address that guesses for many clients is limited', async (t) => {
      const made = Array.from({ length: 16 }, (_, index) => ({
        ...second,
        client_id: `app${index}`,
      }))
      const statuses: number[] = []
      for (const [index, app] of made.entries())
        statuses.push((await guess(index, '203.0.113.5', app)).status)
      t.same(statuses, [...Array(12).fill(401), ...Array(4).fill(429)])
      t.equal((await guess(0, '203.0.113.5', second, second.client_secret)).status, 200)
      t.equal(
        (await guess(0, '203.0.113.6', second)).status,
        401,
        'other addresses are not limited',
      )
    })

    t.test('addresses of one IPv6 network count as one', async (t) => {
      const statuses: number[] = []
      for (let index = 0; index < 8; index++)
        statuses.push((await guess(index, `2001:db8:7:7:${index}::1`, second)).status)
      t.same(statuses, [...Array(5).fill(401), ...Array(3).fill(429)])
      t.equal((await guess(0, '2001:db8:7:8::1', second)).status, 401)
    })

    t.test('wrong secrets for a public app do not lock its users out', async (t) => {
      for (const address of botnet) {
        const fields = {
          ...credentials(publicApp),
          client_secret: 'x',
          grant_type: 'refresh_token',
        }
        for (let index = 0; index < 6; index++)
          await post(`${at(index)}/api/oauth/token`, fields, from(address))
      }
      const grant = await currentCode(running, publicApp, ana)
      const answer = await exchangeCode(issuer, publicApp, grant, {}, from(botnet[0] as string))
      t.equal(answer.status, 200)
    })
  },
  { instances: 2, environment },
)

await onEachBackend(
  'a user under attack',
  async (t, { running, issuer, world }) => {
    const { ana, kim } = world
    const at = (index: number) => running.urls[index % running.urls.length] as string

    t.test('wrong passwords from many addresses do not lock the user out', async (t) => {
      const visitor = await signedIn(issuer, ana)
      const statuses = new Set<number>()
      for (let round = 0; round < 6; round++) {
        for (const [index, address] of botnet.slice(0, 8).entries()) {
          const wrong = { email: ana.email, password: `wrong ${round}` }
          const { status } = await signIn(createVisitor(at(index)), wrong, from(address))
          statuses.add(status)
        }
        const fresh = createVisitor(at(round))
        const page = await signIn(fresh, ana, from(home))
        t.ok(fresh.cookies.has('latchkey_session'), `signs in (${page.status})`)
        const apps = await visitor.fetch(`${issuer}/account/apps`, {
          headers: from('198.51.100.1'),
        })
        t.equal(apps.status, 200, 'stays signed in, even on those addresses')
      }
      t.same([...statuses].sort(), [401, 429])
    })

    t.test('one address that tries many accounts is limited', async (t) => {
      for (let index = 0; index < 22; index++) {
        const wrong = { email: `p${index}@acme.test`, password: 'wrong' }
        await signIn(createVisitor(at(index)), wrong, from('203.0.113.9'))
      }
      const page = await signIn(createVisitor(issuer), kim, from('203.0.113.9'))
      t.equal(page.status, 429)
      t.equal(pageKind(page), 'sign-in')
      t.match(page.text, /Too many attempts\. Try again in/)
      const elsewhere = createVisitor(issuer)
      await signIn(elsewhere, kim, from(home))
      t.ok(elsewhere.cookies.has('latchkey_session'))
    })
  },
  { instances: 2, environment },
)

await onEachBackend(
  'pages under attack',
  async (t, { running, issuer, world }) => {
    const { confidential, legacy, ana, kim } = world
    const urls = () => [
      authorizeUrl(issuer, confidential, { code_challenge: challengeOf(newVerifier()) }),
      legacyAuthorizeUrl(issuer, legacy),
    ]
    const url = (index = 0) => urls()[index % 2] as string
    /**
     * One authorization request from that address, as a browser sends it, without following
     * redirects.
     */
    const ask = async (address: string, index = 0, visitor: Visitor = createVisitor(issuer)) => {
      const response = await visitor.fetch(url(index), { headers: from(address) })
      const { status, headers } = response
      return { status, headers, text: await response.text() }
    }

    t.test('unanswered authorization requests of one address are limited', async (t) => {
      const attacker = '203.0.113.20'
      for (let index = 0; index < 6; index++) t.equal((await ask(attacker, index)).status, 303)
      for (let index = 0; index < 4; index++) {
        const page = await ask(attacker, index)
        expectStop(t, page)
        t.match(page.text, 'href="/login"', 'the page has a link')
        t.equal(page.headers.get('location'), null, 'the app receives no error')
      }
      t.equal((await ask(home)).status, 303, 'another address')
      const visitor = await signedIn(issuer, ana)
      for (let index = 0; index < 2; index++)
        t.equal(
          (await ask(attacker, index, visitor)).status,
          303,
          'a signed-in user on that address',
        )
    })

    t.test('requests that another site embeds are refused and not counted', async (t) => {
      const attacked = '203.0.113.22'
      for (const destination of ['image', 'empty', 'script', 'iframe', 'object', 'embed']) {
        for (const name of [url(), legacyAuthorizeUrl(issuer, legacy)]) {
          const headers = { ...from(attacked), 'sec-fetch-dest': destination }
          const answer = await fetch(name, { redirect: 'manual', headers })
          t.equal(answer.status, 403, destination)
          t.same(answer.headers.getSetCookie(), [], 'no browser cookie is set')
        }
      }
      const framed = await fetch(`${url()}&prompt=none`, {
        redirect: 'manual',
        headers: { ...from(attacked), 'sec-fetch-dest': 'iframe' },
      })
      t.match(framed.headers.get('location'), 'error=login_required', 'prompt=none may be framed')
      for (let index = 0; index < 6; index++) t.equal((await ask(attacked, index)).status, 303)
    })

    t.test('a request with prompt=none is answered and not counted', async (t) => {
      for (let index = 0; index < 10; index++) {
        const silent = await fetch(`${url()}&prompt=none`, {
          redirect: 'manual',
          headers: from('203.0.113.21'),
        })
        t.match(silent.headers.get('location'), 'error=login_required')
      }
      t.equal((await ask('203.0.113.21')).status, 303)
    })

    t.test('answered requests are not counted', async (t) => {
      const visitor = await signedIn(issuer, kim)
      const { acme: organizationId } = world
      for (let index = 0; index < 5; index++) {
        // A new app each time, so that each request needs an answer.
        const app = await createApp(running, { name: `App ${index}` })
        const page = await visitor.get(
          authorizeUrl(issuer, app, {
            code_challenge: challengeOf(newVerifier()),
            organization_id: organizationId,
          }),
        )
        const left = await visitor.submit(page, { decision: 'deny' })
        t.match(left.left?.search, 'error=access_denied')
      }
      for (let index = 0; index < 6; index++)
        t.equal((await ask(home, index, visitor)).status, 303, 'six may still be pending')
      expectStop(t, await ask('192.0.2.99', 0, visitor))
      t.equal(
        (await ask(home, 0, await signedIn(issuer, ana))).status,
        303,
        'only this user is limited',
      )
    })

    t.test('form posts of one user are limited', async (t) => {
      const visitor = await signedIn(issuer, ana)
      const send = async (who: Visitor, headers: Record<string, string> = {}) => {
        const page = await who.get('/account/password')
        const body = filled(page, { decision: 'none' })
        const answer = await who.fetch(`${issuer}/account/apps`, { method: 'POST', body, headers })
        return { status: answer.status, headers: answer.headers, text: await answer.text() }
      }
      // Refused cross-site posts do not count.
      for (let index = 0; index < 20; index++)
        t.equal((await send(visitor, { origin: 'https://evil.example' })).status, 403)
      for (let index = 0; index < 8; index++) t.equal((await send(visitor)).status, 303)
      for (let index = 0; index < 2; index++) {
        const stopped = await send(visitor)
        expectStop(t, stopped)
        t.match(stopped.text, 'href="/account/apps"', 'a link back to the form')
      }
      t.equal((await visitor.get('/account/apps')).status, 200, 'reading is not limited')
      t.equal((await send(await signedIn(issuer, kim))).status, 303, 'other users are not limited')
      const again = await signedIn(issuer, ana)
      t.equal((await send(again)).status, 429, 'another session of the same user')
      const out = await visitor.submit(await visitor.get('/logout'), {})
      t.equal(out.url.pathname, '/signed-out', 'signing out is always possible')
    })
  },
  { environment },
)

await onEachBackend(
  'limit on token requests',
  async (t, { running, issuer, world }) => {
    const { confidential, second, publicApp, acme, ana } = world
    t.test('each client has its own limit, and a limited request consumes nothing', async (t) => {
      const grant = await currentCode(running, confidential, ana)
      for (let index = 0; index < 4; index++)
        t.equal((await clientCredentials(issuer, confidential, acme)).status, 200)
      const stopped = await exchangeCode(issuer, confidential, grant)
      t.match(stopped, { status: 429, body: { error: 'slow_down' } })
      t.match(stopped.headers.get('retry-after'), /^[1-9]\d?$/)
      t.equal((await clientCredentials(issuer, second, acme)).status, 200)
    })
    t.test('a public app is limited for each address separately', async (t) => {
      const grant = await currentCode(running, publicApp, ana)
      for (let index = 0; index < 8; index++)
        await refresh(issuer, publicApp, 'x', {}, from('203.0.113.30'))
      const limited = await exchangeCode(issuer, publicApp, grant, {}, from('203.0.113.30'))
      t.equal(limited.status, 429)
      t.equal((await exchangeCode(issuer, publicApp, grant, {}, from(home))).status, 200)
    })
    t.test('failed authentications do not consume the client’s limit', async (t) => {
      const third = await createApp(running, { name: 'Third' })
      for (let index = 0; index < 8; index++)
        await clientCredentials(issuer, third, acme, { client_secret: 'x' })
      t.equal((await clientCredentials(issuer, third, acme)).status, 400, 'it is not installed')
    })
  },
  { environment: { TRUSTED_PROXIES: '127.0.0.1', LIMIT_TOKEN_REQUESTS: '4' } },
)
