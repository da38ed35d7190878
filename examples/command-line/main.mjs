// A command-line program: the user signs in in a browser, on this machine or (--device) on another
// one.
import { spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import * as client from 'openid-client'
import { readTasks } from '../tasks.mjs'

const { LATCHKEY_ISSUER, LATCHKEY_CLIENT_ID, DATA_API } = process.env
const { values } = parseArgs({ options: { device: { type: 'boolean' } } })

const issuer = new URL(LATCHKEY_ISSUER)
// Plain http is for a server on this machine.
const execute = issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []
const authentication = client.None()
const latchkey = await client.discovery(issuer, LATCHKEY_CLIENT_ID, {}, authentication, { execute })

/** Messages for the user go to stderr, so that the rows on stdout can be piped. */
const tell = (line) => console.error(line)

const openBrowser = (url) => {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open'
  spawn(opener, [url], { stdio: 'ignore', detached: true })
    .on('error', () => tell('(No browser could be opened.)'))
    .unref()
}

/** RFC 8252 §7.3: the browser returns to a free port of this machine. */
const throughBrowser = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const redirectUri = `http://127.0.0.1:${port}/callback`
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const { href } = client.buildAuthorizationUrl(latchkey, {
    redirect_uri: redirectUri,
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  tell(`Sign in at\n  ${href}`)
  openBrowser(href)
  for await (const [request, response] of on(server, 'request')) {
    const url = new URL(request.url, redirectUri)
    // A response without the right state is not for this request.
    const isOurs = url.pathname === '/callback' && url.searchParams.get('state') === expectedState
    response.writeHead(isOurs ? 200 : 404, { connection: 'close' })
    response.end(isOurs ? 'Go back to the terminal; this page can be closed.' : 'Not here.')
    if (!isOurs) continue
    server.close()
    return client.authorizationCodeGrant(latchkey, url, { pkceCodeVerifier, expectedState })
  }
}

/**
 * RFC 8628: the user enters a code in a browser elsewhere, while this program polls for the tokens.
 */
const throughDevice = async () => {
  const device = await client.initiateDeviceAuthorization(latchkey, {})
  tell(`Enter ${device.user_code} at\n  ${device.verification_uri}`)
  return client.pollDeviceAuthorizationGrant(latchkey, device)
}

try {
  const tokens = values.device ? await throughDevice() : await throughBrowser()
  for (const row of await readTasks(DATA_API, tokens.access_token)) console.log(row.join('\t'))
  // The program stores no token. To stay signed in, store the newest refresh token.
  await client.tokenRevocation(latchkey, tokens.refresh_token)
} catch (error) {
  tell(error.error_description ?? error.message)
  process.exitCode = 1
}
