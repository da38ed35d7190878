/** Two instances with another order of master keys, as during a master key rotation. */
import { randomBytes, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import tap from 'tap'
import { beginDevice, createDeviceApp, enterCode } from '../support/device.ts'
import { createHolder } from '../support/dpop.ts'
import { currentCode, exchangeCode, post, refresh } from '../support/flows.ts'
import { masterKey, startLatchkey } from '../support/latchkey.ts'
import { signedIn } from '../support/signed-in.ts'
import { testStores } from '../support/stores.ts'
import { createApp, createWorld, install } from '../support/world.ts'

const [older, newer] = [masterKey, randomBytes(32).toString('base64')]

for (const stores of await testStores()) {
  void tap.test(`master keys in another order (${stores.name})`, async (t) => {
    const start = (current: string, previous: string, more: NodeJS.ProcessEnv = {}) =>
      startLatchkey(stores, {
        environment: {
          ...more,
          LATCHKEY_MASTER_KEY: current,
          LATCHKEY_PREVIOUS_MASTER_KEYS: previous,
        },
      })
    const one = await start(older, newer)
    const two = await start(newer, older, { ISSUER: one.issuer })
    t.teardown(async () => {
      await Promise.all([one.stop(), two.stop()])
      await stores.drop()
    })
    const [here, there] = [one.issuer, two.urls[0] as string]
    const world = await createWorld(one)
    const { acme, ana, publicApp } = world

    t.test('KEY-09 a client assertion is accepted once', async (t) => {
      const { privateKey, publicKey } = await generateKeyPair('ES256')
      const jwk = { ...(await exportJWK(publicKey)), alg: 'ES256' }
      const app = await createApp(one, { name: 'Keyed', jwks: { keys: [jwk] } })
      await install(one, acme, app)
      const ask = (url: string, client_assertion: string) =>
        post(`${url}/api/oauth/token`, {
          grant_type: 'client_credentials',
          organization_id: acme,
          client_assertion,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        })
      for (const [first, second] of [
        [here, there],
        [there, here],
      ] as const) {
        const assertion = await new SignJWT({ jti: randomUUID() })
          .setProtectedHeader({ alg: 'ES256' })
          .setIssuer(app.client_id)
          .setSubject(app.client_id)
          .setAudience(here)
          .setExpirationTime('1m')
          .sign(privateKey)
        t.equal((await ask(first, assertion)).status, 200)
        t.match(await ask(second, assertion), { status: 401, body: { error: 'invalid_client' } })
      }
    })

    t.test('KEY-09 a DPoP proof is accepted once', async (t) => {
      const holder = await createHolder()
      const proof = () => holder.posts(`${here}/api/oauth/token`)
      const grant = await currentCode(one, publicApp, ana)
      const first = await exchangeCode(here, publicApp, grant, {}, await proof())
      t.equal(first.status, 200)
      const headers = await proof()
      const next = await refresh(there, publicApp, first.body.refresh_token, {}, headers)
      t.equal(next.status, 200)
      const again = await refresh(here, publicApp, next.body.refresh_token, {}, headers)
      t.match(again, { status: 400, body: { error: 'invalid_dpop_proof' } })
    })

    t.test(
      'KEY-09 finds the user code of a device flow that began at the other instance',
      async (t) => {
        const app = await createDeviceApp(one, world)
        const visitor = await signedIn(here, ana)
        const { body } = await beginDevice(there, app)
        const page = await enterCode(visitor, body.user_code)
        t.match(page.text, body.user_code)
        const done = await visitor.submit(page, { decision: 'approve' })
        t.match(done.text, 'The device is connected')
      },
    )
  })
}
