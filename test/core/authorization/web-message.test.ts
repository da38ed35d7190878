import t from 'tap'
import {
  frameAncestor,
  isPlatformOrigin,
  registeredTarget,
  webMessageTarget,
} from '../../../src/core/authorization/web-message.ts'

const page = 'https://app.example:8443/cb?x=1'
const platforms = ['https://platform.example', 'http://127.0.0.1:4000']

t.test('a response is posted to the origin of the redirect URI', async (t) => {
  t.same(webMessageTarget(page, undefined, platforms), {
    origin: 'https://app.example:8443',
    platform: null,
  })
  t.same(webMessageTarget(page, 'https://platform.example', platforms), {
    origin: 'https://app.example:8443',
    platform: 'https://platform.example',
  })
})

t.test('a response without a valid recipient is not posted', async (t) => {
  const cases: [string, string, string | undefined][] = [
    ['no web origin', 'com.example.app:/cb', undefined],
    ['no web origin, whatever the platform', 'com.example.app:/cb', 'https://platform.example'],
    ['an unknown platform', page, 'https://evil.example'],
    ['a platform under another name', page, 'https://platform.example/'],
    ['another port of it', page, 'https://platform.example:8443'],
    ['another scheme', page, 'http://platform.example'],
    ['an opaque origin', page, 'null'],
    ['a wildcard', page, '*'],
  ]
  for (const [what, redirectUri, platform] of cases)
    t.equal(webMessageTarget(redirectUri, platform, platforms), null, what)
})

t.test('the port of a loopback address is part of its origin', async (t) => {
  const registered = ['http://127.0.0.1/cb']
  const requested = 'http://127.0.0.1:5555/cb'
  t.throws(() => registeredTarget(registered, requested, undefined, platforms), {
    code: 'invalid_request',
    reason: 'web_message_recipient',
  })
  t.match(registeredTarget([requested], requested, undefined, platforms), {
    origin: 'http://127.0.0.1:5555',
  })
})

t.test('only the requesting page may frame the response', async (t) => {
  t.equal(frameAncestor({ origin: 'https://a.example', platform: null }), 'https://a.example')
  t.equal(
    frameAncestor({ origin: 'https://a.example', platform: 'https://p.example' }),
    'https://p.example',
  )
})

t.test('an origin is written as browsers write it', async (t) => {
  for (const good of [
    'https://platform.example',
    'https://platform.example:8443',
    'http://127.0.0.1:4000',
    'http://localhost:4000',
  ])
    t.ok(isPlatformOrigin(good), good)
  for (const bad of [
    '',
    '*',
    'null',
    'platform.example',
    'https://platform.example/',
    'https://platform.example:443',
    'https://Platform.example',
    'https://platform.example/path',
    'https://user@platform.example',
    'http://platform.example',
    'https://*.platform.example',
    'http://[::1]:4000',
    'data:text/html,x',
    "https://platform.example; script-src 'unsafe-inline'",
    'https://platform.example;sandbox',
    'https://platform.example,b.example',
    "https://'none'.example",
  ])
    t.notOk(isPlatformOrigin(bad), bad)
})
