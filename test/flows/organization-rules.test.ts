/** What an organization refuses gets nothing at any endpoint, and gets it again when it is allowed again. */
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Test } from 'tap'
import { createVerifier } from '../../packages/verify/src/verify.ts'
import { outcomeOf } from '../packages/verify/scene.ts'
import { delegate } from '../support/delegation.ts'
import { answerDevice, beginDevice, createDeviceApp, poll } from '../support/device.ts'
import { startDocumentServer } from '../support/document-server.ts'
import { eventually } from '../support/eventually.ts'
import {
  authorizeUrl,
  challengeOf,
  clientCredentials,
  currentCode,
  exchangeCode,
  newVerifier,
  refresh,
} from '../support/flows.ts'
import {
  assertAt,
  nameProvider,
  providerEnvironment,
  startIdentityProvider,
} from '../support/identity-provider.ts'
import type { Json } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { signedIn } from '../support/signed-in.ts'
import { createApp, install, type TestApp } from '../support/world.ts'

const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }
const kinds = ['device_flow', 'public_apps', 'ai_clients'] as const
type Kind = (typeof kinds)[number]

await onEachBackend(
  'the rules of an organization',
  async (t, { running, issuer, world }) => {
    const { acme, ana, kim } = world
    const { operator } = running
    const policyPath = `/organizations/${acme}/policy`
    const rule = async (part: Json) => {
      const { status, body } = await operator('PUT', policyPath, { connect: 'all', ...part })
      if (status !== 200) throw new Error(JSON.stringify(body))
    }
    const api = await registerResourceServer(running)
    const isActive = async (token: string) => (await introspectAt(issuer, api, token)).body.active
    const refused = async (token: string) =>
      (await operator('POST', '/tokens/inspect', { token })).body.refused
    const documents = await startDocumentServer(t)

    const installed = async (part: Json = {}) => {
      const app = await createApp(running, part)
      await install(running, acme, app)
      return app
    }
    const publicApp = (part: Json = {}) =>
      installed({ client_type: 'public', redirect_uris: ['https://app.example/cb'], ...part })

    let published = 0
    const aiClient = async (members: Json = {}): Promise<TestApp> => {
      const url = documents.publish(`/agent-${++published}`, members)
      await operator('PUT', `/client-hosts/${encodeURIComponent(documents.host)}`, {
        policy: 'review',
      })
      await operator('POST', '/apps/import', { url, permissions: ['records:create'] })
      const path = `/organizations/${acme}/installs/${encodeURIComponent(url)}`
      await operator('PUT', path, { permissions: ['records:create'], workspace_ids: null })
      return { client_id: url, client_secret: '', redirect_uri: 'https://agent.example/cb' }
    }
    const noSecret = { client_secret: undefined }
    /** An AI client that authenticates with a key. */
    const keyedAiClient = async () => {
      const { publicKey, privateKey } = await generateKeyPair('ES256')
      const keys = [{ ...(await exportJWK(publicKey)), kid: 'k1' }]
      const app = await aiClient({
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys },
      })
      const authenticated = async () => ({
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await new SignJWT({ jti: crypto.randomUUID() })
          .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
          .setIssuer(app.client_id)
          .setSubject(app.client_id)
          .setAudience(issuer)
          .setIssuedAt()
          .setExpirationTime('1m')
          .sign(privateKey),
      })
      return { app, authenticated }
    }
    /** `begin` gets a code, and returns a function that presents it. */
    const withoutDevice = async (make: () => Promise<TestApp>) => {
      const app = await make()
      const begin = async () => {
        const code = await currentCode(running, app, ana, { organization_id: acme })
        return () => exchangeCode(issuer, app, code)
      }
      return { app, begin, tokens: async () => (await (await begin())()).body }
    }
    const byDevice = async () => {
      const app = await createDeviceApp(running, world)
      const begin = async () => {
        const begun = (await beginDevice(issuer, app, { organization_id: acme })).body
        await answerDevice(running, ana, begun.user_code)
        return () => poll(issuer, app, begun.device_code)
      }
      return { app, begin, tokens: async () => (await (await begin())()).body }
    }
    const connecting: Record<Kind, () => ReturnType<typeof byDevice>> = {
      device_flow: byDevice,
      public_apps: () => withoutDevice(publicApp),
      ai_clients: () => withoutDevice(aiClient),
    }

    const verifierAt = async (t: Test) => {
      const verifier = createVerifier({
        ...{ issuer, audience: issuer, log: false, server: running.urls.at(-1) as string },
        resourceServer: await registerResourceServer(running),
      })
      t.teardown(() => verifier.close())
      await eventually(() => verifier.status().ready)
      return async (token: string) => outcomeOf(verifier.verify(token))
    }

    t.test('absent rules stay, the ends do not, and null is no rule', async (t) => {
      const usual = { self_install: 'never', device_flow: 'allow' }
      const read = async () => (await operator('GET', policyPath)).body
      t.match(await read(), { ...usual, public_apps: 'allow', ai_clients: 'allow' })
      await rule({ public_apps: 'ask', self_install: 'reviewed_read_only', default_idle_days: 3 })
      await rule({ ai_clients: 'refuse' })
      t.match(await read(), {
        ...{ self_install: 'reviewed_read_only', device_flow: 'allow' },
        ...{ public_apps: 'ask', ai_clients: 'refuse', default_idle_days: null },
      })
      for (const name of ['self_install', ...kinds])
        for (const wrong of [null, 'sometimes', true]) {
          const { status, body } = await operator('PUT', policyPath, {
            connect: 'all',
            [name]: wrong,
          })
          t.equal(status, 400)
          t.equal(body.errors[0].pointer, `/${name}`)
        }
      await rule({ self_install: 'never', public_apps: 'allow', ai_clients: 'allow' })
      const { items } = (await operator('GET', `/audit?type=organization.policy_changed`)).body
      t.same(items[0].detail.changed, ['self_install', 'public_apps', 'ai_clients'])
    })

    for (const kind of kinds)
      t.test(`${kind}: what is refused lives again`, async (t) => {
        const { app, begin, tokens } = await connecting[kind]()
        const others = await installed()
        const other = (
          await exchangeCode(
            issuer,
            others,
            await currentCode(running, others, ana, { organization_id: acme }),
          )
        ).body
        const says = await verifierAt(t)
        const { access_token: token, refresh_token: next } = await tokens()
        const redeem = await begin()
        const inside = await says(token)
        await rule({ [kind]: 'refuse' })
        t.notOk(await isActive(token))
        t.equal(await refused(token), 'policy')
        t.match(await refresh(issuer, app, next), invalidGrant)
        t.match(await redeem(), invalidGrant)
        await eventually(async () => (await says(token)).startsWith('token-invalid'))
        t.match(await says(token), 'token-invalid')
        t.ok(await isActive(other.access_token), 'others are not concerned')
        t.notMatch(await says(other.access_token), 'token-invalid')
        await rule({ [kind]: 'allow' })
        t.ok(await isActive(token))
        await eventually(async () => (await says(token)) === inside)
        t.equal((await redeem()).status, 200, 'the code was not consumed')
        t.equal((await refresh(issuer, app, next)).status, 200, 'nor was the refresh token')
      })

    t.test('a page says that the app is not allowed', async (t) => {
      const app = await publicApp()
      await rule({ public_apps: 'refuse' })
      const url = (more: Json = {}) =>
        authorizeUrl(issuer, app, {
          organization_id: acme,
          code_challenge: challengeOf(newVerifier()),
          ...more,
        })
      for (const person of [ana, kim]) {
        const page = await (await signedIn(issuer, person)).get(url())
        t.equal(page.status, 403)
        t.match(page.dom.querySelector('h1')?.text, 'not allowed here')
      }
      const silent = await (await signedIn(issuer, ana)).get(url({ prompt: 'none' }))
      t.equal(silent.left?.searchParams.get('error'), 'interaction_required')
      await rule({ public_apps: 'allow' })
      t.equal((await (await signedIn(issuer, ana)).get(url())).status, 200)
    })

    t.test('a device whose code a person enters is told nothing', async (t) => {
      const app = await createDeviceApp(running, world)
      await rule({ device_flow: 'refuse' })
      const begun = (await beginDevice(issuer, app, { organization_id: acme })).body
      const visitor = await signedIn(issuer, ana)
      const page = await visitor.submit(await visitor.get('/activate'), {
        user_code: begun.user_code,
      })
      t.equal(page.status, 403)
      t.match((await poll(issuer, app, begun.device_code)).body, { error: 'authorization_pending' })
      t.ok((await (await withoutDevice(async () => app)).tokens()).access_token, 'a browser may')
      await rule({ device_flow: 'allow' })
    })

    t.test('neither an assertion nor an exchange goes around it', async (t) => {
      const provider = await startIdentityProvider(issuer)
      t.teardown(provider.stop)
      await nameProvider(running, acme, provider)
      const { app: agent, authenticated } = await keyedAiClient()
      await operator('PATCH', `/apps/${encodeURIComponent(agent.client_id)}`, {
        identity_assertions: true,
      })
      const asserted = async () => {
        const assertion = await provider.assertion({ client_id: agent.client_id, sub: ana.id })
        return assertAt(issuer, agent, assertion, await authenticated())
      }
      const own = async () =>
        clientCredentials(issuer, agent, acme, { ...(await authenticated()), ...noSecret })
      const issued = [(await asserted()).body.access_token, (await own()).body.access_token]
      for (const token of issued) t.ok(await isActive(token))
      await rule({ ai_clients: 'refuse' })
      t.match(await asserted(), invalidGrant)
      t.match(await own(), invalidGrant)
      for (const token of issued) t.notOk(await isActive(token))
      await rule({ ai_clients: 'allow' })
      for (const token of issued) t.ok(await isActive(token))
      t.equal((await asserted()).status, 200)

      const actor = await installed({ name: 'Actor' })
      const subject = await publicApp({ may_act: [actor.client_id] })
      const { tokens } = await withoutDevice(async () => subject)
      const { access_token: token } = await tokens()
      const exchanged = (await delegate(issuer, actor, token)).body.access_token
      t.ok(await isActive(exchanged))
      const says = await verifierAt(t)
      const inside = await says(exchanged)
      await rule({ public_apps: 'refuse' })
      t.notOk(await isActive(exchanged))
      t.match(await delegate(issuer, actor, token), {
        status: 400,
        body: { error: 'invalid_request' },
      })
      await eventually(async () => (await says(exchanged)).startsWith('token-invalid'))
      await rule({ public_apps: 'allow' })
      t.ok(await isActive(exchanged))
      await eventually(async () => (await says(exchanged)) === inside)
      t.equal((await delegate(issuer, actor, token)).status, 200)
    })

    t.test('an app that becomes public falls under the rule', async (t) => {
      const app = await installed()
      const machine = (await clientCredentials(issuer, app, acme)).body.access_token
      const says = await verifierAt(t)
      await rule({ public_apps: 'refuse' })
      t.ok(await isActive(machine))
      await operator('PATCH', `/apps/${app.client_id}`, { client_type: 'public' })
      t.notOk(await isActive(machine))
      await eventually(async () => (await says(machine)).startsWith('token-invalid'))
      await rule({ public_apps: 'allow' })
    })

    t.test('an install that is made while it is refused works when it is allowed', async (t) => {
      await rule({ public_apps: 'refuse' })
      const app = await publicApp()
      await rule({ public_apps: 'allow' })
      const { tokens } = await withoutDevice(async () => app)
      const says = await verifierAt(t)
      const { access_token: token } = await tokens()
      t.ok(await isActive(token))
      t.notMatch(await says(token), 'token-invalid')
    })

    t.test('of changes at once, data APIs and the server know the same end', async (t) => {
      const says = await verifierAt(t)
      const { tokens } = await byDevice()
      const app = await publicApp()
      const known: string[] = [(await tokens()).access_token]
      for (let round = 0; round < 8; round++) {
        const [made] = await Promise.all([
          tokens().catch(() => ({ access_token: undefined })),
          rule({ device_flow: round % 2 ? 'allow' : 'refuse' }),
          rule({ public_apps: round % 3 ? 'allow' : 'refuse' }),
          operator('PATCH', `/organizations/${acme}/installs/${app.client_id}`, {
            suspended: round % 2 === 0,
          }),
        ])
        if (made.access_token) known.push(made.access_token)
        for (const token of known) {
          const active = await isActive(token)
          await eventually(async () => !(await says(token)).startsWith('token-invalid') === active)
          t.equal(!(await says(token)).startsWith('token-invalid'), active, `round ${round}`)
        }
      }
      await rule({ device_flow: 'allow', public_apps: 'allow' })
    })
  },
  { environment: providerEnvironment },
)
