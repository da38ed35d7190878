import type { Field } from './exchange.ts'
import { credentials, type Scene, type SendStep, succeeded } from './step.ts'

const requestFor = (scene: Scene, label: string, more: Field[] = []) => ({
  label,
  url: `${scene.issuer}/api/oauth/token`,
  form: [
    { name: 'grant_type', value: 'client_credentials', note: 'the app itself, without a user' },
    { name: 'organization_id', value: scene.seeded.acmeId, note: 'where: Acme' },
    ...more,
    ...credentials(scene.seeded.apps.reportBuilder),
  ],
})

export const installToken: SendStep = {
  kind: 'send',
  id: 'install-token',
  short: 'Act for itself',
  title: 'An app acts for itself',
  lead: 'An admin of Acme installed Report Builder. That is enough for a token of the app itself, for example for nightly jobs without a user.',
  button: 'Get two install tokens',
  plan: (scene) => [
    requestFor(scene, '1. Everything that Acme approved'),
    requestFor(scene, '2. Narrower', [
      { name: 'scope', value: 'records:create', note: 'one permission' },
    ]),
  ],
  lesson: (exchanges) =>
    succeeded(exchanges)
      ? [
          'It reaches every workspace that Acme approved, including those without Ana as a member, but nothing that is private to a user.',
          'There is no refresh token: when the token expires, the app requests another one.',
        ]
      : [
          'Refused: the app is no longer installed in Acme. The server gives the same answer for an unknown organization.',
        ],
  tries: (scene) => [
    {
      text: 'As Kim, uninstall Report Builder from Acme, then send this again.',
      link: { label: 'Latchkey', href: scene.issuer },
    },
    { text: 'Starting the demo again installs it again.' },
  ],
}
