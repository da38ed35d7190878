/** Which URLs can be client ids (draft-ietf-oauth-client-id-metadata-document §3). */
import t from 'tap'
import {
  clientUrlFault,
  hostFault,
  isUnder,
} from '../../../src/core/client-documents/client-url.ts'
import { longestClientUrl } from '../../../src/core/crypto/identifiers.ts'

const good = [
  'https://client.example/oauth/metadata.json',
  'https://client.example:8443/m',
  'https://client.example/m?version=2',
  'https://client.example/a/',
  'https://client.example/.well-known/client',
  'https://client.example/a..b/...',
  'https://xn--bcher-kva.example/m',
  'https://[2001:db8::1]/m',
]

const bad: [text: string, detail: RegExp][] = [
  ['http://client.example/m', /https/],
  ['HTTPS://client.example/m', /https/],
  ['client.example/m', /https/],
  ['https://client.example', /normal form|path/],
  ['https://client.example/', /no path/],
  ['https://client.example/?a=b', /no path/],
  ['https://client.example/m#', /fragment/],
  ['https://client.example/m#part', /fragment/],
  ['https://user@client.example/m', /user information/],
  ['https://user:secret@client.example/m', /user information/],
  ['https://@client.example/m', /user information/],
  ['https://client.example/./m', /dot segment/],
  ['https://client.example/a/../m', /dot segment/],
  ['https://client.example/a/..', /dot segment/],
  ['https://client.example/a/%2e%2E/m', /dot segment/],
  ['https://client.example/%2e/m', /dot segment/],
  ['https://client.example:443/m', /normal form/],
  ['https://Client.example/m', /normal form/],
  ['https://client.example:/m', /normal form/],
  ['https://2130706433/m', /normal form/],
  ['https://0x7f.1/m', /normal form/],
  ['https:client.example/m', /https/],
  ['https:///client.example/m', /normal form|absolute/],
  ['https://büch.example/m', /characters/],
  ['https://client.example/m n', /characters/],
  ['https://client.example/m\n', /characters/],
  ['https://client.example\\m', /characters/],
  ['https://client.example/"m', /characters/],
  [`https://client.example/${'m'.repeat(longestClientUrl)}`, /longer/],
]

t.test('accepts URLs in their normal form', async (t) => {
  for (const url of good) t.equal(clientUrlFault(url), null, url)
})

t.test('refuses URLs that break a rule, or that a parser would change', async (t) => {
  for (const [url, detail] of bad) t.match(clientUrlFault(url) ?? 'accepted', detail, url)
})

t.test('a host is in lower case, with a port that is not 443', async (t) => {
  for (const host of ['client.example', 'client.example:8443', '127.0.0.1:1', '[2001:db8::1]'])
    t.equal(hostFault(host), null, host)
  for (const host of ['Client.example', 'a.example:443', 'a.example/b', 'a@b.example', '', 'a b'])
    t.type(hostFault(host), 'string', host)
})

t.test('a path prefix is whole segments, in the same case', async (t) => {
  const at = (path: string) => `https://client.example${path}`
  for (const [prefix, path] of [
    ['/', '/m'],
    ['/a', '/a'],
    ['/a', '/a/m?x=/../b'],
    ['/a/', '/a/b/m'],
  ] as const)
    t.ok(isUnder(prefix, at(path)), `${prefix} ${path}`)
  for (const [prefix, path] of [
    ['/a', '/ab'],
    ['/a', '/A/m'],
    ['/a', '/b/a/m'],
    ['/a/', '/a'],
    ['/a', '/a%2fm'],
    ['/a', '/a/..%2fb'],
    ['/a', '/a/%252e%252e/b'],
    ['/a', '/a/..;/b'],
    ['/a', '/a//b'],
    ['/', '//b'],
  ] as const)
    t.notOk(isUnder(prefix, at(path)), `${prefix} ${path}`)
})
