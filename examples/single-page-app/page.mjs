// The app itself: it runs in the browser, without a server of its own for secrets or tokens.
import * as client from 'openid-client'
import { readTasks } from '../tasks.mjs'

const { issuer, id, dataApi } = await (await fetch('/settings.json')).json()
// Plain http is for a server on this machine.
const execute = issuer.startsWith('http:') ? [client.allowInsecureRequests] : []
const latchkey = await client.discovery(new URL(issuer), id, undefined, client.None(), { execute })

// Only in the memory of this page: a reload drops them.
const memory = { tokens: null, refreshing: null }

// One refresh at a time: a refresh token is valid once, and a second use revokes the whole grant.
const accessToken = async () => {
  if (memory.tokens.expiresIn() < 60)
    memory.refreshing ??= client
      .refreshTokenGrant(latchkey, memory.tokens.refresh_token)
      .then((tokens) => Object.assign(memory, { tokens }))
      .finally(() => Object.assign(memory, { refreshing: null }))
  await memory.refreshing
  return memory.tokens.access_token
}

const signIn = async () => {
  const [pkceCodeVerifier, expectedState] = [client.randomPKCECodeVerifier(), client.randomState()]
  sessionStorage.setItem('checks', JSON.stringify({ pkceCodeVerifier, expectedState }))
  const url = client.buildAuthorizationUrl(latchkey, {
    redirect_uri: new URL('/', location.href).href,
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  location.assign(url)
}

/** The response from Latchkey: the library checks state and iss, and sends the verifier. */
const comeBack = async () => {
  const [checks, url] = [sessionStorage.getItem('checks'), new URL(location.href)]
  sessionStorage.removeItem('checks')
  history.replaceState(null, '', '/')
  if (!checks) throw new Error('This page has not asked.')
  memory.tokens = await client.authorizationCodeGrant(latchkey, url, JSON.parse(checks))
}

const [status, table] = [document.querySelector('p'), document.querySelector('table')]
const [signInButton, showButton] = document.querySelectorAll('button')
const attempt = (work) =>
  work().catch((error) => status.replaceChildren(error.error_description ?? error.message))

const show = async () => {
  const rows = await readTasks(dataApi, await accessToken())
  for (const one of [status, table]) one.replaceChildren()
  for (const cells of rows) {
    const row = table.insertRow()
    for (const cell of cells) row.insertCell().textContent = cell
  }
  showButton.hidden = false
}

signInButton.onclick = () => attempt(signIn)
showButton.onclick = () => attempt(show)
if (location.search) attempt(() => comeBack().then(show))
