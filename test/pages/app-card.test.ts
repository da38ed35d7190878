import t from 'tap'
import type { App } from '../../src/core/clients/app.ts'
import { defaultSettings } from '../../src/core/clients/app-settings.ts'
import { cardOf, requestingAppCard } from '../../src/pages/rendering/app-card.ts'

const app = (part: Partial<App> = {}): App => ({
  ...defaultSettings,
  clientId: 'app0000000000000000',
  name: 'Report Builder',
  interface: 'current',
  clientType: 'public',
  redirectUris: ['com.example.app:/cb'],
  permissions: [],
  deviceFlow: true,
  identityAssertions: false,
  reviewed: true,
  logoDigest: null,
  admitted: false,
  familiesEpoch: 0,
  ...part,
})

t.test('the monogram is the first visible character', async (t) => {
  for (const [name, monogram] of [
    ['report', 'R'],
    ['\u{1f1e9}\u{1f1ea} Reise', '\u{1f1e9}\u{1f1ea}'],
    ['e\u0301toile', 'E\u0301'],
    ['\u{1f469}\u200d\u{1f4bb} Code', '\u{1f469}\u200d\u{1f4bb}'],
    [' 7 days', '7'],
  ] as const)
    t.equal(cardOf(app({ name }), 'https://app.example/cb').monogram, monogram)
})

t.test('"reviewed" is shown only for reviewed apps that cannot be impersonated', async (t) => {
  const card = (part: Partial<App>, redirectUri: string | null) => {
    const { isReviewed, isUnclaimed } = cardOf(app(part), redirectUri)
    return { isReviewed, isUnclaimed }
  }
  const web = 'https://app.example/cb'
  const confidential = { clientType: 'confidential', reviewed: false } as const
  t.same(card({ reviewed: false }, web), { isReviewed: false, isUnclaimed: false })
  t.same(card(confidential, web), { isReviewed: false, isUnclaimed: false })
  t.same(card({}, web), { isReviewed: true, isUnclaimed: false })
  t.same(card({}, 'com.example.app:/cb'), { isReviewed: false, isUnclaimed: true })
  t.same(card({}, 'http://localhost:3000/cb'), { isReviewed: false, isUnclaimed: true })
  t.same(
    card({}, null),
    { isReviewed: false, isUnclaimed: false },
    'a device that any program can claim to be',
  )
  t.same(card({ ...confidential, reviewed: true }, null), {
    isReviewed: true,
    isUnclaimed: false,
  })
})

t.test('a public app on a device is never shown as reviewed', async (t) => {
  const reviewed = (one: App, redirectUri: string) =>
    requestingAppCard(one, { redirectUri, device: null }).isReviewed
  t.equal(reviewed(app(), 'com.example.app:/cb'), false)
  t.equal(reviewed(app(), 'http://127.0.0.1:4000/cb'), false)
  t.equal(reviewed(app(), 'https://app.example/cb'), true)
  t.equal(reviewed(app({ clientType: 'confidential' }), 'http://127.0.0.1/cb'), true)
})

t.test('a link names its host unless that certainly belongs to the app', async (t) => {
  const policyUri = 'https://app.example/privacy'
  const hostOn = (part: Partial<App>) =>
    cardOf(app({ policyUri, ...part }), null).legal.policy?.host
  t.equal(hostOn({ redirectUris: ['https://app.example/cb'] }), null)
  t.equal(hostOn({ redirectUris: ['https://app.example:444/cb'] }), 'app.example')
  t.equal(hostOn({ redirectUris: ['com.example.app:/cb'] }), 'app.example')
  t.equal(hostOn({ clientId: 'https://app.example/m' }), null)
  const copied = { clientId: 'https://evil.example/m', redirectUris: ['https://app.example/cb'] }
  t.equal(hostOn(copied), 'app.example', 'a document may name any redirect URI')
  t.same(cardOf(app(), null).legal, { policy: null, terms: null })
})
