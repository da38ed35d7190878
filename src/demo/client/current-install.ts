import type { Field } from './exchange.ts'
import { credentials, type Scene, type SendStep, succeeded } from './step.ts'

const requestFor = (scene: Scene, label: string, more: Field[] = []) => ({
  label,
  url: `${scene.issuer}/api/oauth/token`,
  form: [
    { name: 'grant_type', value: 'client_credentials', note: 'the app itself, without a person' },
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
  lead: 'An admin of Acme installed Report Builder. That is enough for a token of its own: for nightly jobs, where no person is at hand.',
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
          'It reaches every workspace that Acme approved, also those in which Ana is not a member, but nothing that is private to a person.',
          'There is no refresh token: when the token runs out, the app asks again.',
        ]
      : [
          'Refused: the app is not installed in Acme any more. The server says the same when there is no such organization.',
        ],
  tries: (scene) => [
    {
      text: 'As Kim, uninstall Report Builder from Acme, then send this again.',
      link: { label: 'Latchkey', href: scene.issuer },
    },
    { text: 'Starting the demo again installs it again.' },
  ],
}
