/** Runs every example of docs/for-data-apis.md unchanged. */
import t from 'tap'
import { currentCode, exchangeCode } from '../support/flows.ts'
import { unlessMissing } from '../support/installed.ts'
import type { Scene } from '../support/on-each-backend.ts'
import { registerResourceServer } from '../support/resource-server.ts'
import { install } from '../support/world.ts'
import { canRunCommands, createOperator } from './command-line.ts'
import { commandLine, everyLanguage, followPage, type Parts } from './follow.ts'
import { isEquipped } from './reader.ts'
import { startScene } from './scene.ts'

const partsFor = ({ running, issuer, world }: Scene): Parts => {
  const { confidential: app, acme, ana } = world
  return {
    'The beginning': {
      languages: commandLine,
      after: ({ t }, said) => {
        t.match(said.text, /client id +\S+/)
        t.match(said.text, /secret +lk\w+/)
      },
    },
    'In another language / Revocation feed': {
      before: async ({ reader: { env } }) => {
        const { clientId, clientSecret } = await registerResourceServer(running)
        Object.assign(env, { RS_ID: clientId, RS_SECRET: clientSecret })
        const code = await currentCode(running, app, ana)
        env.TOKEN = (await exchangeCode(issuer, app, code)).body.access_token
        await install(running, acme, app, { permissions: ['records:create'] })
      },
      after: async ({ t, repeat }, said) => {
        t.equal(said.json?.reset, true)
        await install(running, acme, app)
        const next = await repeat('In another language / Revocation feed')
        t.match(next.json, { reset: false, changes: [{ type: 'install' }] })
      },
    },
    'In another language / Introspection (RFC 7662)': {
      after: async ({ t, reader, repeat }, said) => {
        t.match(said.json, { active: true, client_id: app.client_id, sub: ana.id })
        reader.env.TOKEN = 'unknown'
        const unknown = await repeat('In another language / Introspection (RFC 7662)')
        t.same(unknown.json, { active: false })
      },
    },
  }
}

for (const language of everyLanguage) {
  const isThere = isEquipped[language]() && (language !== 'sh' || canRunCommands())
  const skip = unlessMissing(isThere, `what the examples in ${language} need`)
  t.test(`the examples in ${language} do what the page says`, skip, async (t) => {
    const scene = await startScene(t)
    const reader = await createOperator(t, scene)
    await followPage(t, 'docs/for-data-apis.md', partsFor(scene), language, reader)
  })
}
