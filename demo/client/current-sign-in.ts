import {
  challengeOf,
  credentials,
  type GoStep,
  type ReturnStep,
  type Scene,
  type SendStep,
  succeeded,
} from './step.ts'
import { prepare } from './visit.ts'

const askAgain = { label: 'Go, and ask even if already allowed', extra: { prompt: 'consent' } }

const authorizationOf = (scene: Scene, step: string) => {
  const { clientId, redirectUri } = scene.seeded.apps.reportBuilder
  const { state, verifier } = prepare(scene.visit, step)
  return [
    { name: 'response_type', value: 'code', note: 'the answer is a code, not yet a token' },
    { name: 'client_id', value: clientId, note: 'the app' },
    {
      name: 'redirect_uri',
      value: redirectUri,
      note: 'where to return to; registered, byte for byte',
    },
    { name: 'state', value: state, note: 'random; must be returned unchanged' },
    {
      name: 'code_challenge',
      value: challengeOf(verifier),
      note: 'the hash of a secret that the app keeps until the exchange',
    },
    { name: 'code_challenge_method', value: 'S256', note: 'SHA-256; nothing weaker is accepted' },
  ]
}

export const authorize: GoStep = {
  kind: 'go',
  id: 'authorize',
  short: 'Ask a user',
  title: 'Ask a user for access',
  lead: 'Report Builder sends the browser to Latchkey. There the user signs in, sees which app requests what, and decides. The app never sees the password.',
  departure: (scene) => ({
    endpoint: `${scene.issuer}/authorize`,
    query: authorizationOf(scene, 'authorize'),
    variants: [askAgain],
  }),
  tries: () => [
    {
      text: 'Sign in as Ana and untick a permission or a workspace: the token will not contain it.',
    },
    {
      text: 'Sign in as Kim and choose Globex, where the app is not installed: as an admin she can.',
    },
    { text: 'Sign in as Lee, who is a member of Globex only: Lee can ask an admin.' },
    { text: 'Deny: the app gets an error instead of a code, and nothing else.' },
  ],
}

export const exchange: ReturnStep = {
  kind: 'return',
  id: 'exchange',
  short: 'Exchange the code for tokens',
  title: 'The code becomes tokens',
  lead: 'The browser returned with a code. It is valid for 60 seconds, for this app, once. The app exchanged it at once, from server to server, with the verifier of the challenge: a thief of the code does not have the verifier.',
  lesson: (exchanges) =>
    succeeded(exchanges)
      ? [
          'The access token goes with every request to the data API, for an hour. The refresh token stays with the app.',
          'The token reaches the workspaces that the admin approved for the app and of which the user is a member.',
        ]
      : ['The server refused the code. Go back one step and ask again.'],
  tries: (scene) => [
    {
      text: 'See this connection as the user sees it, and disconnect it there. Then come back and refresh.',
      link: { label: 'Connected apps', href: `${scene.issuer}/account/apps` },
    },
    {
      text: 'Do it again: this time the pages are skipped, because the answer was stored.',
      link: { label: 'Ask a user', href: '/current/authorize' },
    },
  ],
}

export const push: SendStep = {
  kind: 'send',
  id: 'push',
  short: 'Push the request first',
  title: 'Push the authorization request',
  lead: 'Instead of putting everything into the address of the browser, the app sends the request to the server first and gets a reference. Nothing in between can read or change it (PAR, RFC 9126).',
  button: 'Push the request',
  plan: (scene) => [
    {
      label: 'Authorization request, pushed',
      url: `${scene.issuer}/api/oauth/par`,
      form: [
        ...authorizationOf(scene, 'push'),
        ...credentials(scene.seeded.apps.reportBuilder),
      ].filter(({ name }, at, all) => all.findIndex((one) => one.name === name) === at),
    },
  ],
  lesson: ([pushed]) =>
    pushed?.status === 201
      ? [
          'The server checked the request before any user saw it and keeps it for a minute. The browser carries only the address below.',
        ]
      : ['The server refused the request before any user saw it.'],
  departure: (scene, [pushed]) =>
    pushed?.status === 201
      ? {
          endpoint: `${scene.issuer}/authorize`,
          query: [
            {
              name: 'client_id',
              value: scene.seeded.apps.reportBuilder.clientId,
              note: 'which app asks',
            },
            {
              name: 'request_uri',
              value: String(pushed.json.request_uri),
              note: 'refers to the pushed request; valid once',
            },
          ],
          variants: [],
        }
      : null,
}
