import type { Field } from './exchange.ts'
import { newestToken, refreshRequest, withoutTokens } from './refreshing.ts'
import { type GoStep, type ReturnStep, type Scene, type SendStep, succeeded } from './step.ts'
import { prepare } from './visit.ts'

const askAgain = { label: 'Go, and ask even if already allowed', extra: { force_prompt: 'true' } }

export const authorize: GoStep = {
  kind: 'go',
  id: 'authorize',
  short: 'Ask a user',
  title: 'Ask a user on the legacy interface',
  lead: 'Apps of the legacy interface have separate endpoints, permissions and credentials. Sheet Sync has a secret, so it needs no challenge.',
  departure: (scene) => ({
    endpoint: `${scene.issuer}/oauth/authorize`,
    query: [
      { name: 'response_type', value: 'code', note: 'the answer is a code' },
      { name: 'client_id', value: scene.seeded.apps.sheetSync.clientId, note: 'the App ID' },
      {
        name: 'state',
        value: prepare(scene.visit, 'legacy-authorize').state,
        note: 'random; must be returned unchanged',
      },
    ],
    variants: [
      askAgain,
      {
        label: 'Go, with Acme preselected',
        extra: { organization_id: scene.seeded.acmeId },
      },
    ],
  }),
  tries: () => [
    { text: 'The redirect URI is left out on purpose: the first registered one is used.' },
  ],
}

export const exchange: ReturnStep = {
  kind: 'return',
  id: 'exchange',
  short: 'Exchange the code for tokens',
  title: 'The code becomes tokens',
  lead: 'The app exchanged the code at the legacy endpoint, with its secret.',
  lesson: (exchanges) =>
    succeeded(exchanges)
      ? [
          'The access token is valid for two hours and goes into the GraphQL variable accessToken, instead of secretKey.',
          'When the data API answers token-invalid, the app must refresh.',
        ]
      : ['The server refused the code. Go back one step and ask again.'],
}

const nothingToRefresh = withoutTokens('This token family was revoked.', '/legacy/authorize')

const refreshWith = (scene: Scene, label: string, more: Field[] = []) => {
  const url = `${scene.issuer}/api/oauth/access_token`
  const request = { label, url, token: newestToken(scene) }
  return refreshRequest(request, scene.seeded.apps.sheetSync, more)
}

const again = ['The refresh token was refused. The user has to be asked again.']

export const refresh: SendStep = {
  kind: 'send',
  id: 'refresh',
  short: 'Refresh',
  title: 'Get the next pair of tokens',
  lead: 'The same rules as on the current interface: a refresh token is valid once, and its replay revokes the family.',
  button: 'Refresh',
  blocked: nothingToRefresh,
  plan: (scene) => [refreshWith(scene, 'Refresh')],
  lesson: (exchanges) =>
    succeeded(exchanges) ? ['Both tokens are new, and the old refresh token is consumed.'] : again,
}

export const fewerPermissions: SendStep = {
  kind: 'send',
  id: 'fewer-permissions',
  short: 'Refresh with a scope',
  title: 'A token that can only read',
  lead: 'scope narrows the new access token. The refresh token keeps everything.',
  button: 'Refresh with a scope',
  blocked: nothingToRefresh,
  plan: (scene) => [
    refreshWith(scene, 'Refresh, with less', [
      {
        name: 'scope',
        value: scene.track.granted?.permissions[0] ?? 'readData',
        note: 'only this permission',
      },
    ]),
  ],
  lesson: (exchanges) =>
    succeeded(exchanges) ? ['The next refresh without a scope returns everything again.'] : again,
}

export const implicit: GoStep = {
  kind: 'go',
  id: 'implicit',
  short: 'A token in the fragment',
  title: 'The implicit flow',
  lead: 'Sheet View has no server, so it has no secret and no exchange. The token itself is returned after the # of the address, which browsers never send to a server. New apps should not do this. Old ones still can.',
  departure: (scene) => ({
    endpoint: `${scene.issuer}/oauth/authorize`,
    query: [
      { name: 'response_type', value: 'token', note: 'the token at once' },
      { name: 'client_id', value: scene.seeded.apps.sheetView.clientId, note: 'the App ID' },
      {
        name: 'redirect_uri',
        value: scene.seeded.apps.sheetView.redirectUri,
        note: 'where to return to',
      },
      {
        name: 'state',
        value: prepare(scene.visit, 'implicit').state,
        note: 'random; must be returned unchanged',
      },
    ],
    variants: [askAgain],
  }),
  tries: () => [
    {
      text: 'Compare it with a browser app of the current interface, which gets a code and uses PKCE.',
      link: { label: 'Pocket Tables', href: '/pocket-tables' },
    },
  ],
}
