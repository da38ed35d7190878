// Rules that must hold for any input, tested with random input.
import fc from 'fast-check'
import t from 'tap'
import {
  isLoopback,
  isUnclaimed,
  matchRedirectUri,
  originOf,
  redirectUriFault,
  withFragment,
  withQuery,
} from '../../src/core/clients/redirect-uri.ts'
import { holds, mutated, textOf } from '../support/property.ts'

const clientType = fc.constantFrom('confidential' as const, 'public' as const)

const uriLike = textOf(
  ...['https:', 'http:', 'HTTP:', 'com.example.app:', 'javascript:', 'data:', '//', '/', '\\', '@'],
  ...['a.example', '127.0.0.1', '[::1]', '127.1', '0x7f.1', 'localhost', 'evil.example', '.', ':'],
  ...[':80', ':443', ':8080', ':99999', '?', '&', '#', '%', '%2f', '%00', ';', '..', '\t', '\r\n'],
  ...['\uff0e', 'cb', 'code=x', '*'],
)

/** Registrable URIs, as varied as the rules allow. */
const registrable = fc
  .record({
    authority: fc.constantFrom(
      'https://a.example',
      'https://a.example:8443',
      'https://[2001:db8::1]',
      'http://127.0.0.1',
      'http://127.0.0.1:3000',
      'http://[::1]:3000',
      'http://localhost:3000',
      'com.example.app:',
    ),
    path: fc.constantFrom('', '/', '/cb', '/a;b=c/@me', '/%2F%20', '/CB/../cb'),
    query: fc.constantFrom('', '?', '?x=1', '?x=%20&y', '?next=https://a.example/'),
  })
  .map(({ authority, path, query }) => authority + path + query)

// RFC 3986 appendix B: how a parser other than a browser's reads a URI.
const rfc3986 = /^([^:/?#]+):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/
const hostOf = (authority: string) => authority.replace(/^.*@/, '').replace(/:\d*$/, '')

holds(
  t,
  'no text makes a rule throw',
  fc.property(uriLike, clientType, fc.array(uriLike, { maxLength: 3 }), (uri, type, registered) => {
    redirectUriFault(uri, type)
    matchRedirectUri(registered, uri, type)
    isUnclaimed(uri)
    originOf(uri)
  }),
  2000,
)

holds(
  t,
  'a registrable URI reads the same in every parser',
  fc.property(fc.oneof(uriLike, registrable), clientType, (uri, type) => {
    fc.pre(redirectUriFault(uri, type) === null)
    const [, scheme, authority, , , fragment] = rfc3986.exec(uri) ?? []
    const url = new URL(uri)
    const isWeb = /^https?:$/.test(url.protocol)
    return (
      fragment === undefined &&
      url.protocol === `${scheme?.toLowerCase()}:` &&
      (!isWeb || url.hostname === new URL(`http://${hostOf(authority ?? '')}`).hostname) &&
      (!isWeb || hostOf(authority ?? '').toLowerCase() === url.hostname) &&
      (type === 'public' || url.protocol === 'https:' || isUnclaimed(uri))
    )
  }),
  1500,
)

holds(
  t,
  'a confidential app is redirected to one of its URIs, byte for byte, or not at all',
  fc.property(fc.array(registrable), fc.oneof(uriLike, registrable), (registered, uri) => {
    const expected = registered.includes(uri) ? uri : null
    return matchRedirectUri(registered, uri, 'confidential') === expected
  }),
)

holds(
  t,
  'a registered URI matches itself and other loopback ports only',
  fc.property(
    registrable.chain((uri) =>
      fc.tuple(fc.constant(uri), mutated(uri, '0189:/?#@.%\\ \tae[]'), clientType),
    ),
    ([uri, near, type]) => {
      if (matchRedirectUri([uri], uri, type) !== uri) return false
      if (matchRedirectUri([uri], near, type) === null) return true
      const port = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d+)?/
      return (
        type === 'public' &&
        port.test(uri) &&
        isLoopback(new URL(near)) &&
        near.replace(port, '$1') === uri.replace(port, '$1')
      )
    },
  ),
  3000,
)

holds(
  t,
  'a response leaves the registered URI unchanged and can be parsed back',
  fc.property(
    registrable,
    fc.record({
      code: fc.string({ unit: 'binary', minLength: 1 }),
      state: fc.string({ unit: 'grapheme' }),
    }),
    (uri, sent) => {
      const query = withQuery(uri, { ...sent, error: undefined })
      const fragment = withFragment(uri, sent)
      const own = new URLSearchParams(/\?(.*)/.exec(uri)?.[1] ?? '')
      const read = new URL(query).searchParams
      const hash = new URLSearchParams(fragment.slice(uri.length + 1))
      return (
        query.startsWith(uri) &&
        fragment.startsWith(`${uri}#`) &&
        /^[\x21-\x7e]+$/.test(query + fragment) &&
        [...own].every(([name, value]) => read.getAll(name).includes(value)) &&
        read.getAll('code').length === 1 &&
        !read.has('error') &&
        [read, hash].every((one) => one.get('code') === sent.code) &&
        [read, hash].every((one) => one.get('state') === sent.state)
      )
    },
  ),
)
