import type { Field } from './exchange.ts'
import { newestToken, refreshRequest, withoutTokens } from './refreshing.ts'
import { type GoStep, type ReturnStep, type Scene, type SendStep, succeeded } from './step.ts'
import { prepare } from './visit.ts'

const askAgain = { label: 'Go, and ask even if already allowed', extra: { force_prompt: 'true' } }

export const authorize: GoStep = {
  kind: 'go',
  id: 'authorize',
  short: 'Ask a person',
  title: 'Ask a person, the legacy way',
  lead: 'Apps of the legacy interface have endpoints, permissions and credentials of their own. Sheet Sync has a secret, so it works without a challenge.',
  departure: (scene) => ({
    endpoint: `${scene.issuer}/oauth/authorize`,
    query: [
      { name: 'response_type', value: 'code', note: 'the answer is a code' },
      { name: 'client_id', value: scene.seeded.apps.sheetSync.clientId, note: 'the App ID' },
      {
        name: 'state',
        value: prepare(scene.visit, 'legacy-authorize').state,
        note: 'random; it must come back unchanged',
      },
    ],
    variants: [
      askAgain,
      {
        label: 'Go, with Acme chosen beforehand',
        extra: { organization_id: scene.seeded.acmeId },
      },
    ],
  }),
  tries: () => [
    { text: 'The redirect URI is missing on purpose: the first registered one is taken.' },
  ],
}

export const exchange: ReturnStep = {
  kind: 'return',
  id: 'exchange',
  short: 'Trade the code for tokens',
  title: 'The code becomes tokens',
  lead: 'The app traded the code at the legacy endpoint, with its secret.',
  lesson: (exchanges) =>
    succeeded(exchanges)
      ? [
          'The access token lives two hours and goes into the GraphQL variable accessToken, in place of secretKey.',
          'When the data API answers token-invalid, it is time to refresh.',
        ]
      : ['The server refused the code. Go back a step and ask again.'],
}

const nothingToRefresh = withoutTokens('This family of tokens has ended.', '/legacy/authorize')

const refreshWith = (scene: Scene, label: string, more: Field[] = []) => {
  const url = `${scene.issuer}/api/oauth/access_token`
  const request = { label, url, token: newestToken(scene) }
  return refreshRequest(request, scene.seeded.apps.sheetSync, more)
}

const again = ['The refresh token was refused. A person has to be asked again.']

export const refresh: SendStep = {
  kind: 'send',
  id: 'refresh',
  short: 'Refresh',
  title: 'Get the next pair of tokens',
  lead: 'The same rules as on the current interface: a refresh token is good once, and its replay ends the family.',
  button: 'Refresh',
  blocked: nothingToRefresh,
  plan: (scene) => [refreshWith(scene, 'Refresh')],
  lesson: (exchanges) =>
    succeeded(exchanges) ? ['Both tokens are new, and the old refresh token is spent.'] : again,
}

export const fewerPermissions: SendStep = {
  kind: 'send',
  id: 'fewer-permissions',
  short: 'Refresh with a scope',
  title: 'A token that can only read',
  lead: 'scope narrows the access token that comes back; the refresh token keeps everything.',
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
    succeeded(exchanges) ? ['The next refresh without a scope gives everything again.'] : again,
}

export const implicit: GoStep = {
  kind: 'go',
  id: 'implicit',
  short: 'A token in the fragment',
  title: 'The implicit flow',
  lead: 'Sheet View has no server, hence no secret and no exchange: the token itself comes back, behind the # of the address, which browsers never send to a server. New apps should not do this; old ones still can.',
  departure: (scene) => ({
    endpoint: `${scene.issuer}/oauth/authorize`,
    query: [
      { name: 'response_type', value: 'token', note: 'the token at once' },
      { name: 'client_id', value: scene.seeded.apps.sheetView.clientId, note: 'the App ID' },
      {
        name: 'redirect_uri',
        value: scene.seeded.apps.sheetView.redirectUri,
        note: 'where to come back',
      },
      {
        name: 'state',
        value: prepare(scene.visit, 'implicit').state,
        note: 'random; it must come back unchanged',
      },
    ],
    variants: [askAgain],
  }),
  tries: () => [
    {
      text: 'Compare with a browser app of the current interface, which gets a code and proves itself.',
      link: { label: 'Pocket Tables', href: '/pocket-tables' },
    },
  ],
}
