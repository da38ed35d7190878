import t from 'tap'
import { readAliases, readIssuer } from '../../src/config/place.ts'

t.test('an issuer stays as it is given', async (t) => {
  const good: [issuer: string, base: string, prefix: string][] = [
    ['https://auth.example', 'https://auth.example', ''],
    ['https://auth.example/', 'https://auth.example', ''],
    ['https://auth.example:443/', 'https://auth.example', ''],
    ['https://Auth.example/Auth', 'https://auth.example/Auth', '/Auth'],
    ['https://auth.example/auth/', 'https://auth.example/auth', '/auth'],
    ['http://[::1]:3000/a/b.c~d_e-f', 'http://[::1]:3000/a/b.c~d_e-f', '/a/b.c~d_e-f'],
  ]
  for (const [issuer, base, prefix] of good) {
    const faults: string[] = []
    t.same(readIssuer(issuer, faults), { base, prefix }, issuer)
    t.same(faults, [], issuer)
  }
  const wrong = [
    'auth.example',
    'ftp://auth.example',
    'https://',
    'https://user@auth.example',
    'https://auth.example?',
    'https://auth.example/#',
    'https://auth.example//',
    'https://auth.example/auth//',
    'https://auth.example/a//b',
    'https://auth.example/../auth',
    'https://auth.example/auth/.',
    'https://auth.example/%61uth',
    'https://auth.example/a b',
    'https://auth.example\\auth',
    'https://auth.example/auth\n',
  ]
  for (const issuer of wrong) {
    const faults: string[] = []
    readIssuer(issuer, faults)
    t.match(faults, [/^ISSUER must be/], issuer)
  }
})

t.test('aliases', async (t) => {
  const faults: string[] = []
  const good =
    '/oauth/token=token, /o/token/=token,/oauth/authorize=authorize,/authorize=authorize,/api/oauth/access_token=token,' +
    '/userinfo=userinfo,/connect/v1.0/keys=jwks,/login/oauth/access_token=token'
  t.equal(readAliases(good, faults).length, 8)
  t.same(readAliases('', faults), [])
  t.same(faults, [])

  const wrong: [entry: string, fault: RegExp][] = [
    ['/x=tokens', /must name one of authorize, token, par,/],
    ['/x=constructor', /must name one of/],
    ['/x', /must be/],
    ['x=token', /must be/],
    ['=token', /must be/],
    ['/=token', /must be/],
    ['//x=token', /must be/],
    ['/a//b=token', /must be/],
    ['/a/../b=token', /must be/],
    ['/a/.=token', /must be/],
    ['/a%20b=token', /must be/],
    ['/a?b=token', /must be/],
    ['/a#b=token', /must be/],
    ['/a\\b=token', /must be/],
    ['/a=b=token', /must be/],
    ['https://auth.example/x=token', /must be/],
    ['/authorize=token', /is the path of authorize/],
    ['/userinfo=jwks', /is the path of userinfo/],
    ['/ok=token', /is a second one/],
    ['', /must be/],
  ]
  const found: string[] = []
  readAliases(['/ok=par', ...wrong.map(([entry]) => entry)].join(','), found)
  t.equal(found.length, wrong.length, 'each fault is reported')
  for (const [at, [entry, fault]] of wrong.entries())
    t.match(found[at], new RegExp(`ENDPOINT_ALIASES: .*${fault.source}`), entry)
})
