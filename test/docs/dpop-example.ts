import { once } from 'node:events'
import { symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as client from 'openid-client'
import { claimsOf, refresh } from '../support/flows.ts'
import { createVisitor, walk as walkThrough } from '../support/visitor.ts'
import type { DemoScene } from './demo-scene.ts'
import type { Part } from './follow.ts'

const packages = join(import.meta.dirname, '../../node_modules')
const [leaving, back] = ['client.None())', '// back at the redirect URI']
const insecure = 'client.None(), { execute: [client.allowInsecureRequests] })'

interface Around {
  issuer: string
  clientId: string
  redirectUri: string
  dataApi: string
  body: string
  headers: Headers
  comeBack(page: URL): Promise<URL>
}

interface Outcome {
  DPoP: client.DPoPHandle
  tokens: client.TokenEndpointResponse
  next: client.TokenEndpointResponse & { refresh_token: string }
  answer: Response
}

/** The example as a function of its surroundings in an app. */
const program = (text: string) => {
  const [imports = '', ...steps] = text
    .replace(leaving, insecure)
    .replace(back, 'const callbackUrl = await comeBack(page)')
    .split('\n')
  return `${imports}
export const run = async ({ issuer, clientId, redirectUri, dataApi, body, headers, comeBack }) => {
${steps.join('\n')}
return { DPoP, tokens, next, answer }
}`
}

/** A public app binds its tokens to a key, and sends proofs to a data API. */
export const bindsTokens = ({ issuer, ana }: DemoScene): Part => ({
  languages: ['js'],
  instead: async ({ t, reader: { directory, env } }, text) => {
    const publicApp = {
      client_id: env.PUBLIC_CLIENT_ID ?? '',
      client_secret: '',
      redirect_uri: env.REDIRECT_URI ?? '',
    }
    const answers = { ...ana, organizationId: env.ORGANIZATION_ID ?? '' }
    t.ok(text.includes(leaving) && text.includes(back), 'has the places where the test hooks in')
    const shown: IncomingHttpHeaders[] = []
    const server = createServer((request, response) => {
      shown.push(request.headers)
      response.end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    t.teardown(() => server.close())

    const file = join(directory, 'bound.mjs')
    await symlink(packages, join(directory, 'node_modules'), 'dir')
    await writeFile(file, program(text))
    const { run } = (await import(pathToFileURL(file).href)) as {
      run(around: Around): Promise<Outcome>
    }
    const { DPoP, tokens, next, answer } = await run({
      issuer,
      clientId: publicApp.client_id,
      redirectUri: publicApp.redirect_uri,
      dataApi: `http://127.0.0.1:${(server.address() as AddressInfo).port}/records`,
      body: '{}',
      headers: new Headers({ 'content-type': 'application/json' }),
      comeBack: async (page) =>
        (await walkThrough(createVisitor(issuer), page.href, answers)).left as URL,
    })
    const jkt = await DPoP.calculateThumbprint()
    t.equal(tokens.token_type, 'dpop')
    t.match(claimsOf(tokens.access_token), { cnf: { jkt } })
    t.match(claimsOf(next.access_token), { cnf: { jkt } })
    t.equal(answer.status, 200)
    t.match(shown, [
      { authorization: `DPoP ${next.access_token}`, dpop: /^[\w-]+\.[\w-]+\.[\w-]+$/ },
    ])
    const { body } = await refresh(issuer, publicApp, next.refresh_token)
    t.equal(body.error, 'invalid_dpop_proof', 'the refresh token is bound too')
  },
})
