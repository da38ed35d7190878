/** What happens between the examples of docs/for-apps.md and docs/for-apps/. */
import { people } from '../../demo/cast.ts'
import { answerDevice } from '../support/device.ts'
import { eventually } from '../support/eventually.ts'
import { claimsOf } from '../support/flows.ts'
import type { Json } from '../support/latchkey.ts'
import { createVisitor, walk as walkThrough } from '../support/visitor.ts'
import type { DemoScene } from './demo-scene.ts'
import { bindsTokens } from './dpop-example.ts'
import { commandLine, type Part, type Parts, readsVariables, type Walk } from './follow.ts'
import type { Said } from './reader.ts'
import { checkWebhook } from './webhook-example.ts'

/** A URL that an example has printed, alone or among values to keep. */
const addressOf = ({ text, json }: Said) => (json?.address ?? text) as string

const codePage = 'docs/for-apps/authorization-code.md'
const isPending = (line: string) => line.includes('authorization_pending')

/** For the example that selects another app of the demo. */
const selects = (name: string, hasSecret = false): Part => ({
  languages: commandLine,
  setsVariables: true,
  after: ({ t, reader: { env } }) => {
    t.ok(env[`${name}_CLIENT_ID`])
    t.equal(env.CLIENT_ID, env[`${name}_CLIENT_ID`])
    t.equal(env.CLIENT_SECRET, hasSecret ? env[`${name}_CLIENT_SECRET`] : undefined)
  },
})

/** Pages with examples, in reading order. */
export const partsForApps = (scene: DemoScene): Record<string, Parts> => {
  const { issuer, ana } = scene
  const kim = { ...ana, email: people.kim.email }
  let browser = createVisitor(issuer)
  let tokens: Json = null

  /** Ana opens the URL and approves the app; the reader takes the code from the address bar. */
  const allow = async ({ t, reader: { env } }: Walk, address: string) => {
    browser = createVisitor(issuer)
    const answers = { ...ana, organizationId: env.ORGANIZATION_ID as string }
    const { left } = await walkThrough(browser, address, answers)
    t.ok(left?.href.startsWith(env.REDIRECT_URI as string), 'back at the app')
    t.equal(left?.searchParams.get('state'), env.STATE)
    const isCurrent = new URL(address).pathname === '/authorize'
    t.equal(left?.searchParams.get('iss'), isCurrent ? issuer : null)
    const shown = await fetch(left as URL)
    t.match(await shown.text(), `export CODE=${left?.searchParams.get('code')}`)
    env.CODE = left?.searchParams.get('code') ?? ''
  }

  const askAgain = async (walk: Walk) =>
    allow(walk, addressOf(await walk.repeat('1. Ask the user', codePage)))

  return {
    'docs/for-apps.md': {
      'Quick start': readsVariables,
      'Quick start 2': {
        languages: commandLine,
        after: (walk, said) => allow(walk, addressOf(said)),
      },
      'Quick start 3': { languages: commandLine },
      'Quick start 4': { languages: commandLine },
    },
    [codePage]: {
      'Set up the examples': readsVariables,
      'Set up the examples 2': {},
      '1. Ask the user': { after: (walk, said) => allow(walk, addressOf(said)) },
      '2. Exchange the code': {},
      '3. Refresh': {},
      '3. Refresh 2': {
        after: ({ t }, said) => t.equal(said.json?.scope, 'records:create'),
      },
      'Public apps': selects('PUBLIC'),
      'Public apps 2': {
        before: askAgain,
        after: ({ t }, said) => t.equal(claimsOf(said.json?.access_token).kind, 'user'),
      },
    },
    'docs/for-apps/client-credentials.md': {
      'The beginning': {
        after: ({ t }, said) => t.equal(claimsOf(said.json?.access_token).kind, 'install'),
      },
    },
    'docs/for-apps/install-link.md': {
      '1. Link to the installation': {
        languages: commandLine,
        setsVariables: true,
        after: async ({ t, reader: { env } }, { text }) => {
          const answers = { ...kim, organizationId: env.ORGANIZATION_ID as string }
          const { left } = await walkThrough(createVisitor(issuer), text, answers)
          t.equal(left?.searchParams.get('state'), env.STATE)
          env.INSTALL_CODE = left?.searchParams.get('install_code') ?? ''
          const shown = await (await fetch(left as URL)).text()
          t.match(shown, `export INSTALL_CODE=${env.INSTALL_CODE}`)
        },
      },
      '3. Exchange the code': {
        after: ({ t }, said) => t.equal(claimsOf(said.json?.access_token).kind, 'install'),
      },
    },
    'docs/for-apps/delegation.md': {
      'The beginning': {
        after: ({ t, reader: { env } }, said) =>
          t.match(claimsOf(said.json?.access_token), { act: { client_id: env.CLIENT_ID } }),
      },
    },
    'docs/for-apps/device.md': {
      'The beginning': selects('PUBLIC'),
      Start: {},
      Poll: {
        meanwhile: async ({ reader: { env } }) => {
          const before = scene.log.filter(isPending).length
          await eventually(() => scene.log.filter(isPending).length > before)
          await answerDevice(scene, ana, env.USER_CODE as string)
        },
        after: ({ t }, said) => t.equal(said.json?.scope, 'records:create'),
      },
    },
    'docs/for-apps/openid-connect.md': {
      'Ask the user': {
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
        after: async ({ t, reader: { env } }, said) => {
          const { left } = await browser.get(addressOf(said))
          t.equal(left?.href, `${env.SIGNED_OUT_URI}?state=${env.STATE}`)
        },
      },
    },
    'docs/for-apps/pushed-requests.md': {
      'The beginning': {
        after: async (walk) => {
          const { CLIENT_ID, REQUEST_URI } = walk.reader.env
          await allow(walk, `${issuer}/authorize?client_id=${CLIENT_ID}&request_uri=${REQUEST_URI}`)
          await walk.repeat('2. Exchange the code', codePage)
        },
      },
    },
    'docs/for-apps/dpop.md': {
      'The beginning': selects('PUBLIC'),
      'The beginning 2': bindsTokens(scene),
    },
    'docs/for-apps/revocation.md': {
      'The beginning': {
        before: async (walk) => {
          await askAgain(walk)
          await walk.repeat('2. Exchange the code', codePage)
        },
        after: async ({ t, repeat }, said) => {
          t.same(said.json, {})
          await t.rejects(repeat('3. Refresh', codePage), /invalid_grant/)
        },
      },
    },
    'docs/for-apps/legacy.md': {
      'The beginning': selects('LEGACY', true),
      'Code flow': { after: (walk, said) => allow(walk, addressOf(said)) },
      'Code flow 2': {},
      Refresh: {},
    },
    'docs/for-apps/migration.md': {
      'The beginning': selects('SUCCESSOR', true),
      'The beginning 2': {},
    },
    'docs/for-apps/key-sets.md': {
      'The beginning': {
        after: async ({ t, reader: { env } }, said) => {
          const response = await fetch(`${issuer}/api/oauth/introspect`, {
            method: 'POST',
            headers: { authorization: `Basic ${btoa(`${env.RS_ID}:${env.RS_SECRET}`)}` },
            body: new URLSearchParams({ token: said.text }),
          })
          const body = await response.json()
          t.match(body, { active: true, kind: 'self_signed', permissions: ['records:create'] })
        },
      },
    },
    'docs/for-apps/webhooks.md': {
      'Verify the signature': { languages: ['js', 'python'], instead: checkWebhook },
    },
  }
}
