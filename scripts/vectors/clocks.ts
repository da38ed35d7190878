import { type Expected, invalid, type Theme, type Vector } from './vector.ts'
import {
  accepted,
  alteredToken,
  claimsFor,
  currentUser,
  headerOf,
  issuedAt,
  now,
  signed,
  signingKey,
  tokenOf,
  vector,
} from './world.ts'

const end = issuedAt + 3600

const at = (name: string, time: number, expect: Expected) =>
  vector(name, { now: time, credential: tokenOf(currentUser), expect })

const allowed = (name: string, claims: Record<string, unknown>, expiresAt = end) =>
  vector(name, { credential: alteredToken(claims), expect: accepted(currentUser, { expiresAt }) })

const refused = (name: string, claims: Record<string, unknown>, reason: string) =>
  vector(name, { credential: alteredToken(claims), expect: invalid(reason) })

const expired = invalid('expired')

/** `exp` as it stands in the text of the payload. */
const written = (name: string, number: string, expect: Expected) =>
  vector(name, {
    credential: signed(
      signingKey,
      headerOf(signingKey),
      JSON.stringify(claimsFor(currentUser)).replace(/"exp":\d+/, `"exp":${number}`),
    ),
    expect,
  })

const repeated: Vector[] = [
  vector('a token that was valid before, one second before its tolerated end', {
    earlier: [{ now, credential: tokenOf(currentUser), expect: accepted(currentUser) }],
    now: end + 29,
    credential: tokenOf(currentUser),
    expect: accepted(currentUser),
  }),
  vector('a token that was valid before, at its tolerated end', {
    earlier: [{ now, credential: tokenOf(currentUser), expect: accepted(currentUser) }],
    now: end + 30,
    credential: tokenOf(currentUser),
    expect: expired,
  }),
  vector('a token that was not yet valid before', {
    earlier: [
      {
        now: issuedAt - 31,
        credential: tokenOf(currentUser),
        expect: invalid('not_yet_valid'),
      },
    ],
    credential: tokenOf(currentUser),
    expect: accepted(currentUser),
  }),
  vector('a token that had expired by a clock that was set back since', {
    earlier: [{ now: end + 30, credential: tokenOf(currentUser), expect: expired }],
    credential: tokenOf(currentUser),
    expect: accepted(currentUser),
  }),
]

/** Times at their edges, with a tolerance of 30 seconds, and times that are none. */
export const clocks = (): Theme => ({
  file: 'clocks',
  vectors: [
    at('one second before exp', end - 1, accepted(currentUser)),
    at('at exp, within the tolerance', end, accepted(currentUser)),
    at('29 seconds after exp', end + 29, accepted(currentUser)),
    at('30 seconds after exp', end + 30, expired),
    at('an hour after exp', end + 3600, expired),
    at('30 seconds before iat', issuedAt - 30, accepted(currentUser)),
    at('31 seconds before iat', issuedAt - 31, invalid('not_yet_valid')),
    allowed('nbf 30 seconds ahead', { nbf: now + 30 }),
    refused('nbf 31 seconds ahead', { nbf: now + 31 }, 'not_yet_valid'),
    refused('nbf far ahead', { nbf: 9_007_199_254_740_991 }, 'not_yet_valid'),
    refused('iat 31 seconds ahead of the clock', { iat: now + 31, exp: now + 90 }, 'not_yet_valid'),
    allowed('iat of 1970', { iat: 0 }),
    allowed('the last exp that is safe', { exp: 9_007_199_254_740_991 }, 9_007_199_254_740_991),
    refused('exp of 1970', { exp: 0 }, 'expired'),
    refused('exp before iat', { exp: issuedAt - 60 }, 'expired'),
    refused('exp below zero', { exp: -1 }, 'claims'),
    refused('exp as text', { exp: String(end) }, 'claims'),
    refused('exp with a fraction', { exp: end + 0.5 }, 'claims'),
    refused('exp that is huge', { exp: 1e300 }, 'claims'),
    refused('exp in a list', { exp: [end] }, 'claims'),
    refused('true as exp', { exp: true }, 'claims'),
    refused('null as exp', { exp: null }, 'claims'),
    refused('no exp', { exp: undefined }, 'claims'),
    refused('iat as text', { iat: String(issuedAt) }, 'claims'),
    refused('iat with a fraction', { iat: issuedAt + 0.5 }, 'claims'),
    refused('iat below zero', { iat: -1 }, 'claims'),
    refused('null as iat', { iat: null }, 'claims'),
    refused('no iat', { iat: undefined }, 'claims'),
    refused('nbf as text', { nbf: '0' }, 'claims'),
    refused('nbf with a fraction', { nbf: 0.5 }, 'claims'),
    refused('null as nbf', { nbf: null }, 'claims'),
    refused('true as nbf', { nbf: true }, 'claims'),
    written('exp beyond the integers of JSON', '9007199254740993', invalid('claims')),
    written('exp with a fraction of zero, the same number', `${end}.0`, accepted(currentUser)),
    written('exp with an exponent, the same number', '200000354e1', accepted(currentUser)),
    ...repeated,
  ],
})
