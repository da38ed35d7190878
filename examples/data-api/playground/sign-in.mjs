// Signs in as any other app does: with a code and PKCE at the current interface, with the implicit
// flow at the legacy one. Tokens are only in the memory of the page; a reload drops them.
import * as client from 'openid-client'

const redirectUri = new URL('/playground', location.href).href

const keep = (checks) => sessionStorage.setItem('checks', JSON.stringify(checks))

/** What this page has kept for its request; once. */
const kept = () => {
  const checks = JSON.parse(sessionStorage.getItem('checks'))
  sessionStorage.removeItem('checks')
  if (!checks) throw new Error('This page has not asked for it.')
  return checks
}

export const createCurrentSignIn = async ({ issuer, id }) => {
  // Plain http is for a server on this machine.
  const execute = issuer.startsWith('http:') ? [client.allowInsecureRequests] : []
  const server = await client.discovery(new URL(issuer), id, undefined, client.None(), { execute })
  return {
    start: async () => {
      const [pkceCodeVerifier, expectedState] = [
        client.randomPKCECodeVerifier(),
        client.randomState(),
      ]
      keep({ pkceCodeVerifier, expectedState })
      return client.buildAuthorizationUrl(server, {
        redirect_uri: redirectUri,
        state: expectedState,
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
      })
    },
    finish: (url) => client.authorizationCodeGrant(server, url, kept()),
    refresh: (tokens) => client.refreshTokenGrant(server, tokens.refresh_token),
    end: (tokens) => client.tokenRevocation(server, tokens.refresh_token ?? tokens.access_token),
  }
}

export const createLegacySignIn = async ({ issuer, id }) => ({
  start: async () => {
    const state = client.randomState()
    keep({ interface: 'legacy', state })
    const parameters = { response_type: 'token', client_id: id, redirect_uri: redirectUri, state }
    return new URL(`/oauth/authorize?${new URLSearchParams(parameters)}`, issuer)
  },
  finish: async (url) => {
    const { access_token, scope, state, error, error_description } = Object.fromEntries(
      new URLSearchParams(url.hash.slice(1) || url.search),
    )
    if (state !== kept().state) throw new Error('This page has not asked for it.')
    if (error) throw new Error(error_description ?? error)
    return { access_token, scope }
  },
  refresh: async () => {
    throw new Error('This token has expired. Sign in again.')
  },
  end: async ({ access_token: token }) => {
    const body = new URLSearchParams({ token, client_id: id })
    await fetch(new URL('/api/oauth/revoke', issuer), { method: 'POST', body })
  },
})

/** The response to the legacy request has no parameter that tells so. */
export const isLegacyResponse = () =>
  JSON.parse(sessionStorage.getItem('checks'))?.interface === 'legacy'
