// An app without a server: PKCE and plain fetch. Tokens stay in the memory of this page. Only state and verifier are in
// the session storage while the browser is away.
import { addRow, claimsOf } from './wire.js'

const page = document.querySelector('#pocket')
const { issuer, clientId, redirectUri } = page.dataset
const tokenUrl = `${issuer}/api/oauth/token`
const waiting = 'pocket-tables'

let tokens = null
let spent = null

const find = (selector) => document.querySelector(selector)
const base64url = (bytes) =>
  btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)))
const challengeOf = async (verifier) =>
  base64url(
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))),
  )

const tell = (words) => {
  find('#news').textContent = words
  find('#news').hidden = false
}

const shorten = (_, value) =>
  typeof value === 'string' && value.length > 144
    ? `${value.slice(0, 36)} … ${value.length} characters … ${value.slice(-8)}`
    : value

const show = (label, form, response, answer) => {
  const section = find('#exchange').content.cloneNode(true)
  section.querySelector('h2').textContent = label
  section.querySelector('.line').textContent = `POST ${tokenUrl}`
  for (const [name, value] of form) addRow(section.querySelector('dl'), name, value)
  const badge = section.querySelector('.badge')
  badge.textContent = `${response.status} ${response.statusText}`
  badge.classList.add(response.ok ? 'good' : 'warn')
  section.querySelector('.pair pre').textContent = JSON.stringify(answer, shorten, 2)
  const details = section.querySelector('details')
  if (answer.access_token)
    details.querySelector('pre').textContent = JSON.stringify(
      claimsOf(answer.access_token),
      null,
      2,
    )
  else details.remove()
  find('#log').prepend(section)
}

const ask = async (label, fields) => {
  const form = new URLSearchParams({ ...fields, client_id: clientId })
  const response = await fetch(tokenUrl, { method: 'POST', body: form })
  const answer = await response.json()
  show(label, form, response, answer)
  if (response.ok) tokens = answer
  find('#refresh').hidden = tokens === null
  find('#replay').hidden = spent === null
  return response.ok
}

const signIn = async () => {
  const [state, verifier] = [random(), random()]
  sessionStorage.setItem(waiting, JSON.stringify({ state, verifier }))
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
  })
  location.assign(`${issuer}/authorize?${query}`)
}

const refresh = async () => {
  const used = tokens.refresh_token
  const good = await ask('Refresh', { grant_type: 'refresh_token', refresh_token: used })
  if (good) spent = used
  find('#replay').hidden = spent === null
  tell(
    good
      ? 'A new pair. The old refresh token is consumed.'
      : 'Refused: the token family was revoked. Sign in again.',
  )
}

const replay = async () => {
  await ask('An old refresh token', { grant_type: 'refresh_token', refresh_token: spent })
  tell('Refused, and the whole family is revoked. Refresh now: the newest token is refused too.')
}

/** Handles the redirect: checks the parameters, removes them from the address bar and exchanges the code. */
const arrive = async (parameters) => {
  const kept = JSON.parse(sessionStorage.getItem(waiting) ?? '{}')
  sessionStorage.removeItem(waiting)
  history.replaceState(null, '', location.pathname)
  if (parameters.get('state') !== kept.state)
    return tell('The state is not the one that was sent, so the app stops here.')
  if (parameters.get('iss') !== issuer)
    return tell('The answer names a different server from the one that was asked.')
  if (parameters.has('error')) return tell(`The answer is an error: ${parameters.get('error')}.`)
  const good = await ask('Code for tokens', {
    grant_type: 'authorization_code',
    code: parameters.get('code'),
    redirect_uri: redirectUri,
    code_verifier: kept.verifier,
  })
  return tell(good ? 'Signed in. Now refresh.' : 'The server refused the code.')
}

find('#sign-in').addEventListener('click', signIn)
find('#refresh').addEventListener('click', refresh)
find('#replay').addEventListener('click', replay)
find('#actions').hidden = false

const parameters = new URLSearchParams(location.search)
if (parameters.has('code') || parameters.has('error')) await arrive(parameters)
