// Nightly, and when test/flows/client-libraries changes: it needs libraries of other languages.
// Libraries of other languages from Debian packages. languages/ has an app for each; the test acts
// as operator and user. The store makes no difference to a library, so one kind of store is enough.
import { generateKeyPairSync } from 'node:crypto'
import t, { type Test } from 'tap'
import { startScene } from '../../docs/scene.ts'
import { answerDevice, createDeviceApp } from '../../support/device.ts'
import { claimsOf } from '../../support/flows.ts'
import type { Json } from '../../support/latchkey.ts'
import { aliasEnvironment, createMovedApps, oldTokenPath } from '../../support/moved-apps.ts'
import type { Scene } from '../../support/on-each-backend.ts'
import { openidApp } from '../../support/openid.ts'
import { registerResourceServer } from '../../support/resource-server.ts'
import { createApp, currentPermissions, install, legacyPermissions } from '../../support/world.ts'
import { type Library, libraries } from './languages/libraries.ts'
import { converse } from './languages/program.ts'
import { callbackOf } from './person.ts'

/** Runs the program of a library through a flow, with these client credentials. */
type Run = (
  flow: string,
  app: { client_id: string; client_secret?: string; redirect_uri: string },
  environment?: NodeJS.ProcessEnv,
) => Promise<Json>

type Flow = (t: Test, run: Run, scene: Scene) => Promise<void>

/** The common result: some libraries split the scope into a list or lower-case the token type. */
const isGood = (
  t: Test,
  { world }: Scene,
  token: Json,
  seconds: number,
  permissions = currentPermissions,
) => {
  t.match(token, { token_type: /^bearer$/i, organization_id: world.acme })
  t.equal([token.scope].flat().join(' '), permissions.join(' '))
  t.ok(token.expires_in > 0 && token.expires_in <= seconds)
  const { iat, exp } = claimsOf(token.access_token)
  t.equal(exp - iat, seconds)
}

/** A code and a refresh. The library understands the refusal of a replayed refresh token. */
const isRotated = (t: Test, scene: Scene, told: Json, ...expected: [number, string[]?]) => {
  for (const token of [told.first, told.next]) isGood(t, scene, token, ...expected)
  t.not(told.next.refresh_token, told.first.refresh_token)
  t.equal(told.refusal, 'invalid_grant')
}

const legacyBy =
  (method: string): Flow =>
  async (t, run, scene) => {
    const told = await run('legacy', scene.world.legacy, { METHOD: method })
    isRotated(t, scene, told, 7200, legacyPermissions)
  }

const flows: Record<string, Flow> = {
  code: async (t, run, scene) =>
    isRotated(t, scene, await run('code', scene.world.confidential), 3600),

  'code of a public app': async (t, run, scene) => {
    const { client_secret: _, ...app } = scene.world.publicApp
    isRotated(t, scene, await run('code', app), 3600)
  },

  private_key_jwt: async (t, run, scene) => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const jwk = { ...publicKey.export({ format: 'jwk' }), alg: 'RS256' }
    const app = await createApp(scene.running, { name: 'Signer', jwks: { keys: [jwk] } })
    await install(scene.running, scene.world.acme, app)
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    isRotated(t, scene, await run('signed', { ...app, client_secret: pem }), 3600)
  },

  'the app itself': async (t, run, scene) => {
    const { confidential, acme } = scene.world
    const token = await run('itself', confidential, { ORGANIZATION_ID: acme })
    isGood(t, scene, token, 3600)
    t.equal(claimsOf(token.access_token).kind, 'install')
    t.notOk(token.refresh_token)
  },

  revocation: async (t, run, { running, world }) => {
    const { clientId, clientSecret } = await registerResourceServer(running)
    const told = await run('revocation', world.confidential, {
      RESOURCE_SERVER_ID: clientId,
      RESOURCE_SERVER_SECRET: clientSecret,
    })
    t.match(told.before, { active: true, sub: world.ana.id })
    t.same(told.after, { active: false })
  },

  'OpenID Connect': async (t, run, scene) => {
    const { ana } = scene.world
    const told = await run('openid', await openidApp(scene.running, scene.world))
    t.match(told.claims, { sub: ana.id })
    t.match(told.userinfo, { sub: ana.id, email: ana.email })
  },

  device: async (t, run, scene) => {
    const app = await createDeviceApp(scene.running, scene.world)
    isGood(t, scene, await run('device', app), 3600)
  },

  'legacy, in the header': legacyBy('client_secret_basic'),
  'legacy, in the body': legacyBy('client_secret_post'),

  'after a move from another server': async (t, run, scene) => {
    for (const { app, refresh_token, ...expected } of await createMovedApps(
      scene.issuer,
      scene.world,
    )) {
      const told = await run('moved', app, {
        TOKEN_ENDPOINT: `${scene.issuer}${oldTokenPath}`,
        REFRESH_TOKEN: refresh_token,
      })
      isGood(t, scene, told.next, expected.seconds, expected.permissions)
      t.match(told.next.refresh_token, /^lkrt_/)
      t.equal(told.refusal, 'invalid_grant')
    }
  },

  implicit: async (t, run, scene) => {
    const { acme, legacyPublic } = scene.world
    const token = await run('implicit', legacyPublic)
    isGood(t, scene, { organization_id: acme, ...token }, 7200, legacyPermissions)
    t.notOk(token.refresh_token)
  },
}

const runnerOf =
  (t: Test, { command, environment }: Library, { issuer, running, world }: Scene): Run =>
  (flow, { client_id, client_secret, redirect_uri }, more) =>
    converse(
      t,
      [...command, flow],
      {
        ISSUER: issuer,
        CLIENT_ID: client_id,
        REDIRECT_URI: redirect_uri,
        ...(client_secret && { CLIENT_SECRET: client_secret }),
        ...environment,
        ...more,
      },
      {
        visit: async (address) => (await callbackOf(address, world.ana)).href,
        enter: async (userCode) => (await answerDevice(running, world.ana, userCode)).status,
      },
    )

const scene = await startScene(t, aliasEnvironment)
for (const library of libraries) {
  t.test(library.name, library.missing, async (t) => {
    for (const name of library.flows) {
      const flow = flows[name] as Flow
      await t.test(name, (t) => flow(t, runnerOf(t, library, scene), scene))
    }
  })
}
