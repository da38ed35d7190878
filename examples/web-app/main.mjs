// A web app with a server: it signs users in, keeps their tokens and calls the data API for them.
import { randomBytes } from 'node:crypto'
import cookie from '@fastify/cookie'
import Fastify from 'fastify'
import * as client from 'openid-client'
import { readTasks } from '../tasks.mjs'
import { failedPage, policy, signedOutPage, tasksPage } from './pages.mjs'

const { LATCHKEY_CLIENT_ID: id, LATCHKEY_CLIENT_SECRET: secret, DATA_API } = process.env
const issuer = new URL(process.env.LATCHKEY_ISSUER)
const home = new URL(process.env.PUBLIC_URL)
// Plain http is for a server on this machine.
const execute = issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []
const latchkey = await client.discovery(issuer, id, secret, undefined, { execute })

// The browser has only a session id. In production, use a store in which sessions expire.
const sessions = new Map()
const sessionOf = ({ cookies }) => sessions.get(cookies.web_app) ?? {}
const end = ({ cookies }) => sessions.delete(cookies.web_app)
const begin = (reply, session) => {
  const key = randomBytes(32).toString('base64url')
  sessions.set(key, session)
  const secure = home.protocol === 'https:'
  reply.setCookie('web_app', key, { path: '/', httpOnly: true, sameSite: 'lax', secure })
}

// One refresh at a time: a refresh token is valid once, and a second use revokes the whole grant.
const accessToken = async (session) => {
  if (session.tokens.expiresIn() < 60)
    session.refreshing ??= client
      .refreshTokenGrant(latchkey, session.tokens.refresh_token)
      .then((tokens) => Object.assign(session, { tokens }))
      .finally(() => Object.assign(session, { refreshing: null }))
  await session.refreshing
  return session.tokens.access_token
}

const server = Fastify()
await server.register(cookie)
server.addHook('onRequest', async (_, reply) => void reply.type('text/html').headers(policy))

server.get('/', async (request) => {
  const session = sessionOf(request)
  if (!session.tokens) return signedOutPage
  return tasksPage(session.name, await readTasks(DATA_API, await accessToken(session)))
})

server.get('/sign-in', async (_request, reply) => {
  const [pkceCodeVerifier, expectedState] = [client.randomPKCECodeVerifier(), client.randomState()]
  begin(reply, { checks: { pkceCodeVerifier, expectedState } })
  const url = client.buildAuthorizationUrl(latchkey, {
    redirect_uri: new URL('/callback', home).href,
    scope: 'openid profile',
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  return reply.redirect(url.href)
})

server.get('/callback', async (request, reply) => {
  const { checks } = sessionOf(request)
  end(request)
  if (!checks) return reply.redirect('/')
  // The library checks state and iss, and sends the verifier.
  const tokens = await client.authorizationCodeGrant(latchkey, new URL(request.url, home), checks)
  const { name } = await client.fetchUserInfo(latchkey, tokens.access_token, tokens.claims().sub)
  begin(reply, { tokens, name })
  return reply.redirect('/')
})

server.post('/sign-out', async (request, reply) => {
  const { tokens } = sessionOf(request)
  end(request)
  if (!tokens) return reply.redirect('/', 303)
  await client.tokenRevocation(latchkey, tokens.refresh_token)
  const wishes = { id_token_hint: tokens.id_token, post_logout_redirect_uri: home.href }
  return reply.redirect(client.buildEndSessionUrl(latchkey, wishes).href, 303)
})

server.setErrorHandler(async (/** @type {any} */ error, request, reply) => {
  // Disconnected, uninstalled or disabled: the tokens are invalid, and the user signs in again.
  if (error.status === 401 || error.error === 'invalid_grant') end(request)
  const why = error.error_description ?? error.message
  return reply.code(500).type('text/html').send(failedPage(why))
})

await server.listen({ host: home.hostname, port: Number(home.port) })
console.log(`Web app  ${home}`)
