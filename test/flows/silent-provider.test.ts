/** The platform's OpenID provider accepts requests and never answers: few wait for it, and others are served. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { eventually } from '../support/eventually.ts'
import { clientCredentials } from '../support/flows.ts'
import { startLatchkey } from '../support/latchkey.ts'
import { providerClient } from '../support/openid-provider.ts'
import { testStores } from '../support/stores.ts'
import { createVisitor, pageKind } from '../support/visitor.ts'
import { createWorld, password } from '../support/world.ts'

const mostWaiting = 64

for (const stores of await testStores()) {
  t.test(`a silent provider (${stores.name})`, async (t) => {
    let waiting = 0
    const provider = createServer(() => {
      waiting += 1
    })
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
    const stop = () => {
      provider.closeAllConnections()
      provider.close()
    }
    const running = await startLatchkey(stores, {
      environment: {
        OIDC_ISSUER: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
        OIDC_CLIENT_ID: providerClient.id,
        OIDC_CLIENT_SECRET: providerClient.secret,
      },
    })
    t.teardown(async () => {
      stop()
      await running.stop()
      await stores.drop()
    })
    const { issuer } = running
    const { ana, acme, confidential } = await createWorld(running)

    t.test(
      'others are served, and those who wait get an error page with Retry-After',
      async (t) => {
        const refused: Response[] = []
        const requested = [...Array(mostWaiting + 20).keys()].map(async () => {
          const answer = await fetch(`${issuer}/login/oidc`, { redirect: 'manual' })
          if (answer.status === 503) refused.push(answer)
          return answer
        })
        await eventually(() => refused.length >= 20)
        t.equal(waiting, 1, 'all wait for one request to the provider')
        for (const answer of refused.slice(0, 20)) {
          t.ok(Number(answer.headers.get('retry-after')) > 0)
          t.match(await answer.text(), 'does not respond')
        }
        t.equal((await clientCredentials(issuer, confidential, acme)).status, 200, 'an app')
        const visitor = createVisitor(issuer)
        const page = await visitor.get('/login')
        t.equal(pageKind(page), 'sign-in')
        const by = await visitor.submit(page, { email: ana.email, password })
        t.equal(by.status, 200, 'a user with a password')
        stop()
        const answers = await Promise.all(requested)
        t.ok(answers.every(({ status }) => status === 503))
        t.ok(answers.every(({ headers }) => Number(headers.get('retry-after')) > 0))
      },
    )
  })
}
