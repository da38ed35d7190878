import t from 'tap'
import type { ClientType } from '../../../src/core/clients/client-type.ts'
import {
  isUnclaimed,
  matchRedirectUri,
  originOf,
  redirectUriFault,
  withFragment,
  withQuery,
} from '../../../src/core/clients/redirect-uri.ts'

const https = 'must use https'
const scheme = 'has a scheme that is not a reverse domain name, such as com.example.app'
const characters = 'has characters that a URI cannot have'
const relative = 'is not an absolute URI'
const user = 'has user information'
const fragment = 'has a fragment'
const wildcard = 'has a wildcard'
const answered = 'has a parameter of an answer in its query, such as code, state or error'
const host = 'has no valid host'

t.test('which redirect URIs can be registered', async (t) => {
  const both: [string, string | null][] = [
    ['https://app.example/cb', null],
    ['https://app.example', null],
    ['https://app.example/', null],
    ['https://app.example:8443/cb?tenant=1&x=%20', null],
    ['https://app.example/cb?decode=1&states', null],
    ...['code=1', 'state', 'error=', 'x=1&st%61te=2', 'iss=x', 'error_description'].map(
      (query): [string, string] => [`https://app.example/cb?${query}`, answered],
    ),
    ['HTTPS://App.Example/cb', null],
    ['https://[2001:db8::1]/cb', null],
    ['https://xn--bcher-kva.example/cb', null],
    ['https://app.example/a;b=c/@me', null],
    ['http://127.0.0.1/cb', null],
    ['http://127.0.0.1:3000/cb', null],
    ['http://[::1]:3000/cb', null],
    ['http://localhost:3000/cb', null],
    ['http://app.example/cb', https],
    ['http://localhost.app.example/cb', https],
    ['http://127.0.0.1.app.example/cb', https],
    ['http://0.0.0.0/cb', https],
    ['http://10.0.0.1/cb', https],
    ['', characters],
    ['/cb', relative],
    ['app.example/cb', relative],
    ['//app.example/cb', relative],
    ['https://', relative],
    ['https:///cb', host],
    ['https:app.example/cb', host],
    ['https:/app.example/cb', host],
    ['http:127.0.0.1/cb', host],
    ['https://?x', relative],
    ['https://app.example:99999/cb', relative],
    ['https://app.example/cb#', fragment],
    ['https://app.example/cb#top', fragment],
    ['https://*.app.example/cb', wildcard],
    ['https://app.example/*', wildcard],
    ['https://user@app.example/cb', user],
    ['https://user:pass@app.example/cb', user],
    ['https://@app.example/cb', user],
    ['https://app.example@evil.example/cb', user],
    ['https://app.example/c b', characters],
    ['https://app.example/cb\n', characters],
    ['https://app.example/\0', characters],
    ['https://app.example\\@evil.example/', characters],
    ['https://app.example/é', characters],
    ['https://аpp.example/cb', characters],
    ['https://app.example/"onload="', characters],
    ['https://app.example/<script>', characters],
    ['https://app.example/{id}', characters],
    [' https://app.example/cb', characters],
    [`https://app.example/${'a'.repeat(1980)}`, null],
    [`https://app.example/${'a'.repeat(1981)}`, 'is longer than 2000 characters'],
  ]
  // RFC 8252 §7.1: the receiver of these is not verified, so a client with a secret cannot use
  // them.
  const privateUse: [string, string | null][] = [
    ['com.example.app:/cb', null],
    ['com.example.app://cb', null],
    ['com.example.app:/cb?x=1', null],
    ['com.example.my-app2:/cb', null],
    ['de.example:/cb', null],
    ['COM.Example.App:/cb', null],
    ...[
      'pocket-tables://cb',
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'data:text/html,hi',
      'vbscript:x',
      'blob:https://app.example/1',
      'file:///etc/passwd',
      'about:blank',
      'intent://scan/cb',
      'INTENT:cb',
      'search-ms:query=x',
      'search:query=x',
      'tel:+1234',
      'sms:+1234',
      'facetime:x',
      'ms-settings:privacy',
      'ms-msdt:/id',
      'ms-word:ofe|u|https://a.example/x.docx'.replaceAll('|', '%7C'),
      'microsoft-edge:https://a.example/',
      'microsoft.windows.camera:cb',
      'x-apple.systempreferences:com.apple.preference.security',
      'shell:startup',
      'vscode:cb',
      'chrome:cb',
      'content:cb',
      'android-app:cb',
      'urn:ietf:wg:oauth:2.0:oob',
      'com..example:/cb',
      '.com.example:/cb',
      'com.example.:/cb',
      'com.-example:/cb',
      'com.example-:/cb',
      'com+example.app:/cb',
      'c.example:/cb',
      'co2.example:/cb',
    ].map((uri): [string, string | null] => [uri, uri.startsWith('.') ? relative : scheme]),
    ['ftp://app.example/cb', scheme],
    ['ws://app.example/cb', scheme],
    ['wss://app.example/cb', scheme],
    ['mailto:someone@app.example', scheme],
    ['view-source:https://app.example/', scheme],
    ['filesystem:https://app.example/', scheme],
  ]
  for (const [uri, fault] of both) {
    for (const type of ['confidential', 'public'] as ClientType[])
      t.equal(redirectUriFault(uri, type), fault, `${type}: ${JSON.stringify(uri.slice(0, 60))}`)
  }
  for (const [uri, fault] of privateUse) {
    t.equal(redirectUriFault(uri, 'public'), fault, `public: ${uri}`)
    t.ok(redirectUriFault(uri, 'confidential'), `confidential: ${uri}`)
  }
})

t.test('never redirects to URIs that only earlier rules allowed', async (t) => {
  for (const uri of ['intent://scan/cb', 'tel:+1234', 'pocket-tables://cb', 'javascript:alert(1)'])
    t.equal(matchRedirectUri([uri], uri, 'public'), null, uri)
})

t.test('a request names a registered URI, byte for byte (RFC 9700 §2.1)', async (t) => {
  const registered = [
    'https://app.example/cb',
    'https://app.example/other?x=1',
    'http://127.0.0.1:3000/cb',
    'http://[::1]/cb?x=1',
    'http://localhost:3000/cb',
    'com.example.app:/cb',
  ]
  // [requested, public, confidential]
  const cases: [string, boolean, boolean][] = [
    ...registered.map((uri): [string, boolean, boolean] => [uri, true, true]),
    ['https://app.example/cb/', false, false],
    ['https://app.example/cb?', false, false],
    ['https://app.example/cb?x=1', false, false],
    ['https://app.example/cb#', false, false],
    ['https://app.example:443/cb', false, false],
    ['https://APP.example/cb', false, false],
    ['https://app.example/c%62', false, false],
    ['https://app.example/./cb', false, false],
    ['https://app.example/other', false, false],
    ['https://app.example/other?x=2', false, false],
    ['http://app.example/cb', false, false],
    ['com.example.app:/cb2', false, false],
    // RFC 8252 §7.3: only the port of a loopback address may differ.
    ['http://127.0.0.1:51004/cb', true, false],
    ['http://127.0.0.1/cb', true, false],
    ['http://[::1]:51004/cb?x=1', true, false],
    ['http://127.0.0.1:51004/cb2', false, false],
    ['http://127.0.0.1:51004/cb?x=1', false, false],
    ['http://127.0.0.1:51004/cb#', false, false],
    ['http://127.0.0.1:/cb', false, false],
    ['http://127.0.0.1:99999/cb', false, false],
    ['http://127.0.0.1:51004@evil.example/cb', false, false],
    ['http://user@127.0.0.1:51004/cb', false, false],
    ['http://127.0.0.1.evil.example:51004/cb', false, false],
    ['http://127.1:51004/cb', false, false],
    ['http://127.0.0.2:51004/cb', false, false],
    ['http://localhost:51004/cb', true, false],
    ['http://localhost/cb', true, false],
    ['http://localhost:51004/cb?x=1', false, false],
    ['http://localhost:51004/cb/', false, false],
    ['http://localhost:99999/cb', false, false],
    ['http://localhost:51004@evil.example/cb', false, false],
    ['http://localhost.evil.example:51004/cb', false, false],
    ['http://evil.localhost:51004/cb', false, false],
    ['http://localhost.:51004/cb', false, false],
    ['http://LOCALHOST:51004/cb', false, false],
    ['https://localhost:51004/cb', false, false],
    ['https://127.0.0.1:51004/cb', false, false],
    ['http://[::1]:51004/cb', false, false],
    ['http://127.0.0.1:51004\\@evil.example/cb', false, false],
    ['http://127.0.0.1:51004/cb\r\nx: y', false, false],
    ['', false, false],
  ]
  for (const [uri, isPublic, isConfidential] of cases) {
    const match = (type: ClientType) => matchRedirectUri(registered, uri, type)
    t.equal(match('public'), isPublic ? uri : null, `public: ${JSON.stringify(uri)}`)
    t.equal(match('confidential'), isConfidential ? uri : null, `confidential: ${uri}`)
  }
  t.equal(matchRedirectUri([], 'https://app.example/cb', 'public'), null)
  const named = 'http://localhost:3000/cb'
  const addressed = 'http://127.0.0.1:3000/cb'
  t.equal(matchRedirectUri([named], addressed, 'public'), null, 'a name is not an address')
  t.equal(matchRedirectUri([addressed], named, 'public'), null, 'an address is not a name')
})

t.test('origin, and verification of the receiver', async (t) => {
  const cases: [string, string | null, boolean][] = [
    ['https://app.example/cb', 'https://app.example', false],
    ['https://app.example:8443/cb', 'https://app.example:8443', false],
    ['https://app.example:443/cb', 'https://app.example', false],
    ['HTTPS://App.example/cb', 'https://app.example', false],
    ['http://127.0.0.1:3000/cb', 'http://127.0.0.1:3000', true],
    ['http://[::1]:3000/cb', 'http://[::1]:3000', true],
    ['http://localhost:3000/cb', 'http://localhost:3000', true],
    ['com.example.app:/cb', null, true],
    ['com.example.app://cb', null, true],
  ]
  for (const [uri, origin, unclaimed] of cases) {
    t.equal(originOf(uri), origin, uri)
    t.equal(isUnclaimed(uri), unclaimed, uri)
  }
})

t.test('response parameters are appended to the registered URI (RFC 6749 §3.1.2)', async (t) => {
  const answer = { code: 'c', state: 'a b&c=d#é😀\r\n', iss: undefined }
  const encoded = 'code=c&state=a+b%26c%3Dd%23%C3%A9%F0%9F%98%80%0D%0A'
  const cases: [string, string][] = [
    ['https://app.example/cb', `https://app.example/cb?${encoded}`],
    ['https://app.example', `https://app.example?${encoded}`],
    ['https://app.example/cb?', `https://app.example/cb?${encoded}`],
    ['https://app.example/cb?x=%2f+1', `https://app.example/cb?x=%2f+1&${encoded}`],
    ['https://app.example/cb?x=1&', `https://app.example/cb?x=1&${encoded}`],
    ['HTTPS://App.example:443/../cb', `HTTPS://App.example:443/../cb?${encoded}`],
    ['com.example.app:/cb', `com.example.app:/cb?${encoded}`],
    // Registered before that was refused: none appears twice (§3.1).
    ['https://app.example/cb?code=old', `https://app.example/cb?${encoded}`],
    ['https://app.example/cb?x=%2f&st%61te=1&y', `https://app.example/cb?x=%2f&y&${encoded}`],
  ]
  for (const [uri, expected] of cases) t.equal(withQuery(uri, answer), expected, uri)
  t.equal(
    withFragment('https://app.example/cb?x=1', answer),
    `https://app.example/cb?x=1#${encoded}`,
  )
})
