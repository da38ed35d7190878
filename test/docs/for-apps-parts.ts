/** What happens between the examples of docs/for-apps.md and docs/for-apps/. */
import { answerDevice, createDeviceApp } from '../support/device.ts'
import { eventually } from '../support/eventually.ts'
import { claimsOf, currentCode, exchangeCode, refresh } from '../support/flows.ts'
import type { Json, Running } from '../support/latchkey.ts'
import { createSuccessor } from '../support/migration.ts'
import { openidApp } from '../support/openid.ts'
import { createKeySet, introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { createVisitor, walk as walkThrough } from '../support/visitor.ts'
import type { TestApp, World } from '../support/world.ts'
import { bindsTokens } from './dpop-example.ts'
import { commandLine, fillIn, type Parts, type Walk } from './follow.ts'
import type { Said } from './reader.ts'
import { checkWebhook } from './webhook-example.ts'

const signedOutAt = 'https://app.example/signed-out'

/** A URL that an example has printed, alone or among values to keep. */
const addressOf = ({ text, json }: Said) => (json?.address ?? text) as string

const codePage = 'docs/for-apps/authorization-code.md'

/** Pages with examples, in reading order. */
export const partsForApps = async (
  running: Running,
  world: World,
): Promise<Record<string, Parts>> => {
  const { issuer } = running
  const { ana, acme } = world
  const device = await createDeviceApp(running, world)
  const wiki = await openidApp(running, world, { post_logout_redirect_uris: [signedOutAt] })
  const twin = await createSuccessor(running, world, world.legacy)
  let browser = createVisitor(issuer)
  let tokens: Json = null

  /** The following examples use this app. */
  const become = ({ reader: { env } }: Walk, app: TestApp) => {
    env.CLIENT_ID = app.client_id
    env.REDIRECT_URI = app.redirect_uri
    if (app.client_secret) env.CLIENT_SECRET = app.client_secret
    else delete env.CLIENT_SECRET
  }

  /** Ana opens the URL and approves the app; the reader takes the code from the address bar. */
  const allow = async ({ t, reader: { env } }: Walk, address: string) => {
    browser = createVisitor(issuer)
    const { left } = await walkThrough(browser, address, ana)
    t.ok(left?.href.startsWith(env.REDIRECT_URI as string), 'back at the app')
    t.equal(left?.searchParams.get('state'), env.STATE)
    const isCurrent = new URL(address).pathname === '/authorize'
    t.equal(left?.searchParams.get('iss'), isCurrent ? issuer : null)
    env.CODE = left?.searchParams.get('code') ?? ''
  }

  const newCode = async (walk: Walk, app: TestApp) => {
    become(walk, app)
    const { code, verifier } = await currentCode(running, app, ana)
    Object.assign(walk.reader.env, { CODE: code, VERIFIER: verifier })
    return { code, verifier }
  }

  return {
    'docs/for-apps.md': {
      'Quick start': fillIn,
      'Quick start 2': {
        languages: commandLine,
        after: (walk, said) => allow(walk, addressOf(said)),
      },
      'Quick start 3': { languages: commandLine },
      'Quick start 4': { languages: commandLine },
    },
    [codePage]: {
      'Set up the examples': fillIn,
      'Set up the examples 2': { languages: ['js', 'python'] },
      '1. Ask the user': {
        before: (walk) => become(walk, world.confidential),
        after: (walk, said) => allow(walk, addressOf(said)),
      },
      '2. Exchange the code': {},
      '3. Refresh': {},
      '3. Refresh 2': {
        after: ({ t }, said) => t.equal(said.json?.scope, 'records:create'),
      },
      'Public apps': {
        before: async (walk) => void (await newCode(walk, world.publicApp)),
        after: ({ t }, said) => t.equal(claimsOf(said.json?.access_token).kind, 'user'),
      },
    },
    'docs/for-apps/client-credentials.md': {
      'The beginning': {
        before: (walk) => become(walk, world.confidential),
        after: ({ t }, said) => t.equal(claimsOf(said.json?.access_token).kind, 'install'),
      },
    },
    'docs/for-apps/device.md': {
      Start: {
        before: (walk) => become(walk, device),
      },
      Poll: {
        meanwhile: async ({ reader: { env } }) => {
          await eventually(() => running.log.some((line) => line.includes('authorization_pending')))
          await answerDevice(running, ana, env.USER_CODE as string)
        },
        after: ({ t }, said) => t.equal(said.json?.scope, 'records:create'),
      },
    },
    'docs/for-apps/openid-connect.md': {
      'Ask the user': {
        before: (walk) => become(walk, wiki),
        after: async (walk, said) => {
          await allow(walk, addressOf(said))
          tokens = (await walk.repeat('2. Exchange the code', codePage)).json
        },
      },
      'Ask the user 2': { answer: () => tokens },
      'ID token': {
        answer: ({ t, reader: { env } }) => {
          const claims = claimsOf(env.ID_TOKEN as string)
          t.equal(claims.nonce, env.NONCE)
          return { acr: 'only with a passkey', ...claims }
        },
      },
      Userinfo: {},
      'Sign out': {
        before: ({ reader: { env } }) => {
          env.SIGNED_OUT_URI = signedOutAt
        },
        after: async ({ t, reader: { env } }, said) => {
          const { left } = await browser.get(addressOf(said))
          t.equal(left?.href, `${signedOutAt}?state=${env.STATE}`)
        },
      },
    },
    'docs/for-apps/pushed-requests.md': {
      'The beginning': {
        before: (walk) => become(walk, world.confidential),
        after: async (walk) => {
          const { CLIENT_ID, REQUEST_URI } = walk.reader.env
          await allow(walk, `${issuer}/authorize?client_id=${CLIENT_ID}&request_uri=${REQUEST_URI}`)
          await walk.repeat('2. Exchange the code', codePage)
        },
      },
    },
    'docs/for-apps/dpop.md': {
      'The beginning': bindsTokens(running, world),
    },
    'docs/for-apps/revocation.md': {
      'The beginning': {
        before: async (walk) => {
          const code = await newCode(walk, world.confidential)
          tokens = (await exchangeCode(issuer, world.confidential, code)).body
          walk.reader.env.REFRESH_TOKEN = tokens.refresh_token
        },
        after: async ({ t }, said) => {
          t.same(said.json, {})
          const { body } = await refresh(issuer, world.confidential, tokens.refresh_token)
          t.equal(body.error, 'invalid_grant')
        },
      },
    },
    'docs/for-apps/legacy.md': {
      'Code flow': {
        before: (walk) => become(walk, world.legacy),
        after: (walk, said) => allow(walk, addressOf(said)),
      },
      'Code flow 2': {},
      Refresh: {},
    },
    'docs/for-apps/migration.md': {
      'The beginning': {
        before: async (walk) => {
          walk.reader.env.LEGACY_REFRESH_TOKEN = walk.reader.env.REFRESH_TOKEN as string
          become(walk, twin)
        },
      },
    },
    'docs/for-apps/key-sets.md': {
      'The beginning': {
        before: async ({ reader: { env } }) => {
          const keySet = await createKeySet(running, acme)
          env.KEY_SET_ID = keySet.client_id
          env.KEY_SET_SECRET = keySet.secret
        },
        after: async ({ t }, said) => {
          const server = await registerResourceServer(running)
          const { body } = await introspectAt(issuer, server, said.text)
          t.match(body, { active: true, kind: 'self_signed', permissions: ['records:create'] })
        },
      },
    },
    'docs/for-apps/webhooks.md': {
      'Verify the signature': { languages: ['js', 'python'], instead: checkWebhook },
    },
  }
}
