// Nightly, and when docs/ or src/cli changes: it runs each command of the documentation.
/** Runs the commands of the pages for operators unchanged. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { eventually } from '../support/eventually.ts'
import { clientCredentials, currentCode, exchangeCode } from '../support/flows.ts'
import { legacyTokens } from '../support/migration.ts'
import type { TestApp } from '../support/world.ts'
import { addCommand, unlessShellMissing } from './command-line.ts'
import { type DemoScene, startDemoScene } from './demo-scene.ts'
import { commandLine, followPage, type Parts } from './follow.ts'
import { type Reader, type Shell, shells } from './reader.ts'

const languages = commandLine
const restoring = 'needs pg_dump and stopped servers: test/flows/restore.test.ts does it'

const scene = await startDemoScene(t)

const follow = async (
  t: Test,
  page: string,
  partsOf: (scene: DemoScene) => Parts,
  shell: Shell,
) => {
  const reader = await scene.reader(t, shell)
  await addCommand(reader)
  await followPage(t, page, partsOf(scene), 'sh', reader)
}

/** The app of the samples, or its legacy one. */
const appOf = ({ env }: Reader, prefix = ''): TestApp => ({
  client_id: env[`${prefix}CLIENT_ID`] ?? '',
  client_secret: env[`${prefix}CLIENT_SECRET`] ?? '',
  redirect_uri: env.REDIRECT_URI ?? '',
})

const operating = (): Parts => ({
  Health: { languages, after: ({ t }, said) => t.match(said.json, { status: 'ok', down: [] }) },
})

const deploying = (): Parts => ({
  'TLS to the stores': 'settings with a host and a certificate of one’s own',
  Backups: restoring,
  'Backups / Restore': restoring,
})

const observing = ({ issuer, operator }: DemoScene): Parts => ({
  Logs: {
    languages,
    before: async ({ reader }) => {
      const { env } = reader
      const wrong = { ...appOf(reader), client_secret: 'wrong' }
      const { headers } = await clientCredentials(issuer, wrong, env.ORGANIZATION_ID as string)
      const id = headers.get('x-request-id') ?? ''
      const find = () => operator('GET', `/audit?request_id=${id}`)
      // Refusals are audited in batches.
      await eventually(async () => (await find()).body.items.length > 0)
      env.REQUEST_ID = id
    },
    after: ({ t }, said) => t.match(said.text, 'token.refused'),
  },
})

const keysAndSecrets = (): Parts => ({
  'Keys and secrets': {
    languages,
    after: ({ t }, said) => t.match(said.text, /\bretired\b/),
  },
  'Keys and secrets 2': { languages, after: ({ t }, said) => t.match(said.text, /^[\w-]{43}$/m) },
  'Keys and secrets 3': {
    languages,
    after: ({ t }, said) => t.match(said.text, /deploy +apps:read apps:write +all/),
  },
  "The operator's console": {
    languages,
    after: ({ t }, said) => t.match(said.text, /olga@platform\.example +Olga Orlova +\* +no/),
  },
})

const administering = (running: DemoScene): Parts => {
  const { ana } = running
  return {
    'Find something': {
      languages,
      after: ({ t }, said) => t.match(said.text, /Acme/),
    },
    'Find something 2': {
      languages,
      after: ({ t }, said) => t.match(said.text, /Acme/),
    },
    'Apps that sign people in': {
      languages,
      after: async ({ t, reader: { env } }) => {
        const { body } = await running.operator('GET', `/apps/${env.CLIENT_ID}`)
        t.match(body, { openid: true, post_logout_redirect_uris: [/^https:/] })
      },
    },
    'Lifetimes of access tokens': {
      languages,
      after: async ({ t, reader: { env } }, said) => {
        t.match(said.text, /^access tokens valid +600 s$/m)
        await running.operator('PATCH', `/apps/${env.CLIENT_ID}`, { access_token_seconds: null })
      },
    },
    'Identity providers of organizations': {
      languages,
      after: ({ t }, said) => {
        t.match(said.text, /^identity assertions +yes$/m)
        t.match(said.text, /^issuer +https:..idp.example.com$/m)
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
      after: ({ t }, said) => t.match(said.text, /^kind +outside$/m),
    },
    'Apps that admins find and install': {
      languages,
      after: async ({ t, reader: { env } }, said) => {
        t.match(said.text, /^listed +yes$/m)
        t.match(said.text, /^setup URI +https:..wiki.example.com.setup$/m)
        const none = { listed: false, setup_uri: null }
        await running.operator('PATCH', `/apps/${env.CLIENT_ID}`, none)
      },
    },
    'What an app requires': {
      languages,
      before: async ({ reader: { directory } }) => {
        const reasons = { 'records:create': 'It files each letter as a record.' }
        await writeFile(join(directory, 'reasons.json'), JSON.stringify(reasons))
      },
      after: async ({ t, reader: { env } }, said) => {
        t.match(said.text, /^can do without +records:update$/m)
        const none = { optional_permissions: null, permission_reasons: {} }
        await running.operator('PATCH', `/apps/${env.CLIENT_ID}`, none)
      },
    },
    'For whom an install is': {
      languages,
      after: ({ t, reader: { env } }, said) => {
        t.match(
          said.text,
          new RegExp(`^for +workspace=${env.WORKSPACE_ID} user=${env.USER_ID}$`, 'm'),
        )
        t.match(said.text, /^for +everyone$/m)
      },
    },
    'Owners of an app': {
      languages,
      after: ({ t, reader: { env } }, said) =>
        t.match(said.text, new RegExp(`^owners +${env.USER_ID}$`, 'm')),
    },
    'Owners of an app 2': {
      languages,
      after: ({ t }, said) => t.match(said.text, /^none$/m),
    },
    'Apps that act for others': {
      languages,
      before: ({ reader: { env } }) => {
        env.AGENT_CLIENT_ID = env.SUCCESSOR_CLIENT_ID ?? ''
      },
      after: ({ t, reader: { env } }, said) =>
        t.match(said.text, new RegExp(`^apps that may act +${env.AGENT_CLIENT_ID}$`, 'm')),
    },
    'Apps with a metadata document': {
      languages,
      after: async ({ t }, said) => {
        t.match(said.text, /agents\.example\.com +review/)
        const { status } = await running.operator('GET', '/client-hosts/agents.example.com')
        t.equal(status, 404, 'removed again')
      },
    },
    'Moving off the legacy interface': {
      languages,
      before: async ({ reader }) => {
        const { USER_ID: id = '', ORGANIZATION_ID: acme = '' } = reader.env
        const legacy = appOf(reader, 'LEGACY_')
        await legacyTokens(running, legacy, { acme, ana: { ...ana, id } })
        const use = () => running.operator('GET', `/apps/${legacy.client_id}/usage`)
        // The use of a grant is recorded a little later.
        await eventually(async () => (await use()).body.items[0]?.people === 1)
      },
      after: ({ t, reader: { env } }, said) => t.match(said.text, env.USER_ID),
    },
    Webhooks: {
      languages,
      after: ({ t, reader: { env } }, said) => {
        t.equal(said.text.match(/secret +whsec_/g)?.length, 2)
        env.WEBHOOK_ID = /whk\w+/.exec(said.text)?.[0] ?? ''
      },
    },
    'Webhooks 2': { languages, after: ({ t }, said) => t.match(said.text, 'webhook.test') },
    'Push the audit trail': {
      languages,
      after: ({ t }, said) => t.match(said.text, /^format +ocsf$/m),
    },
    Mails: 'settings with a server and an address of one’s own',
  }
}

const errors = ({ issuer, ana }: DemoScene): Parts => ({
  'The beginning': {
    languages,
    before: async ({ reader }) => {
      const app = appOf(reader)
      const answers = { ...ana, organizationId: reader.env.ORGANIZATION_ID ?? '' }
      const code = await currentCode({ issuer }, app, answers)
      reader.env.TOKEN = (await exchangeCode(issuer, app, code)).body.access_token
    },
    after: ({ t }, said) => {
      t.match(said.text, /^valid +yes$/m)
      t.match(said.text, /^token +yes, for 3600 s$/m)
    },
  },
})

const pages: [title: string, page: string, partsOf: (scene: DemoScene) => Parts][] = [
  ['the operator’s commands work as documented', 'docs/operating.md', operating],
  ['deploying is described without commands that a test could run', 'docs/deploying.md', deploying],
  ['the commands that show the log work as documented', 'docs/observing.md', observing],
  [
    'the commands for keys and operators work as documented',
    'docs/keys-and-secrets.md',
    keysAndSecrets,
  ],
  [
    'the commands for apps and organizations work as documented',
    'docs/administering.md',
    administering,
  ],
  ['the commands that find a reason work as documented', 'docs/errors.md', errors],
]
for (const shell of shells)
  for (const [title, page, partsOf] of pages)
    t.test(`${title} (${shell})`, unlessShellMissing(shell), (t) => follow(t, page, partsOf, shell))
