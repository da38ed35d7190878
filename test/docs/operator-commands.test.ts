/** Runs the commands of docs/operating.md and docs/errors.md unchanged. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { eventually } from '../support/eventually.ts'
import { clientCredentials, currentCode, exchangeCode } from '../support/flows.ts'
import { unlessMissing } from '../support/installed.ts'
import { legacyTokens } from '../support/migration.ts'
import type { Scene } from '../support/on-each-backend.ts'
import { canRunCommands, createOperator } from './command-line.ts'
import { commandLine, followPage, type Part, type Parts } from './follow.ts'
import { startScene } from './scene.ts'

const skip = unlessMissing(canRunCommands(), 'bash, curl, openssl or npx')
const languages = commandLine
const restoring = 'needs pg_dump and stopped servers: test/flows/restore.test.ts does it'

const follow = async (t: Test, page: string, partsOf: (scene: Scene) => Parts) => {
  const scene = await startScene(t)
  const reader = await createOperator(t, scene)
  await followPage(t, page, partsOf(scene), 'sh', reader)
}

const operating = ({ running, issuer, world }: Scene): Parts => {
  const { acme, ana, confidential, legacy } = world
  const signIn: Part = {
    before: ({ reader: { env } }) => {
      Object.assign(env, { CLIENT_ID: confidential.client_id, USER_ID: ana.id })
    },
    after: async ({ t }) => {
      const { body } = await running.operator('GET', `/apps/${confidential.client_id}`)
      t.match(body, { openid: true, post_logout_redirect_uris: [/^https:/] })
    },
  }
  return {
    Health: { languages, after: ({ t }, said) => t.match(said.json, { status: 'ok', down: [] }) },
    Logs: {
      languages,
      before: async ({ reader: { env } }) => {
        const wrong = { ...confidential, client_secret: 'wrong' }
        const { headers } = await clientCredentials(issuer, wrong, acme)
        const id = headers.get('x-request-id') ?? ''
        const find = () => running.operator('GET', `/audit?request_id=${id}`)
        // Refusals are audited in batches.
        await eventually(async () => (await find()).body.items.length > 0)
        env.REQUEST_ID = id
      },
      after: ({ t }, said) => t.match(said.text, 'token.refused'),
    },
    'TLS to the stores': 'settings with a host and a certificate of one’s own',
    'Keys and secrets': {
      languages,
      after: ({ t }, said) => t.match(said.text, /\bretired\b/),
    },
    'Keys and secrets 2': { languages, after: ({ t }, said) => t.match(said.text, /^[\w-]{43}$/m) },
    'Keys and secrets 3': {
      languages,
      after: ({ t }, said) => t.match(said.text, /deploy +apps:read apps:write +all/),
    },
    'Apps that sign people in': { languages, ...signIn },
    'Lifetimes of access tokens': {
      languages,
      before: ({ reader: { env } }) => {
        env.CLIENT_ID = confidential.client_id
      },
      after: async ({ t, reader: { env } }, said) => {
        t.match(said.text, /^access tokens valid +600 s$/m)
        await running.operator('PATCH', `/apps/${env.CLIENT_ID}`, { access_token_seconds: null })
      },
    },
    'Permissions of the platform': {
      languages,
      after: async ({ t }, said) => {
        t.match(said.text, /invoices:approve +Approve invoices +write +data_loss/)
        const { status } = await running.operator('GET', '/permissions/current/invoices:approve')
        t.equal(status, 404, 'removed again')
      },
    },
    'Where apps run': {
      languages,
      before: ({ reader: { env } }) => {
        env.CLIENT_ID = confidential.client_id
      },
      after: ({ t }, said) => t.match(said.text, /^kind +outside$/m),
    },
    'Moving off the legacy interface': {
      languages,
      before: async ({ reader: { env } }) => {
        await legacyTokens(running, legacy, world)
        const use = () => running.operator('GET', `/apps/${legacy.client_id}/usage`)
        // The use of a grant is recorded a little later.
        await eventually(async () => (await use()).body.items[0].people === 1)
        Object.assign(env, { CLIENT_ID: legacy.client_id, ORGANIZATION_ID: acme })
      },
      after: ({ t }, said) => t.match(said.text, ana.id),
    },
    Webhooks: {
      languages,
      before: ({ reader: { env } }) => {
        env.CLIENT_ID = confidential.client_id
      },
      after: ({ t, reader: { env } }, said) => {
        t.equal(said.text.match(/secret +whsec_/g)?.length, 2)
        env.WEBHOOK_ID = /whk\w+/.exec(said.text)?.[0] ?? ''
      },
    },
    'Webhooks 2': { languages, after: ({ t }, said) => t.match(said.text, 'webhook.test') },
    Backups: restoring,
    'Backups / Restore': restoring,
  }
}

const errors = ({ running, issuer, world }: Scene): Parts => ({
  'The beginning': {
    languages,
    before: async ({ reader: { env, directory } }) => {
      const { confidential: app, acme, ana } = world
      const code = await currentCode(running, app, ana)
      const { body } = await exchangeCode(issuer, app, code)
      await writeFile(join(directory, 'token.txt'), `${body.access_token}\n`)
      Object.assign(env, { CLIENT_ID: app.client_id, ORGANIZATION_ID: acme, USER_ID: ana.id })
    },
    after: ({ t }, said) => {
      t.match(said.text, /^valid +yes$/m)
      t.match(said.text, /^token +yes, for 3600 s$/m)
    },
  },
})

t.test('the operator’s commands work as documented', skip, (t) =>
  follow(t, 'docs/operating.md', operating),
)
t.test('the commands that find a reason work as documented', skip, (t) =>
  follow(t, 'docs/errors.md', errors),
)
