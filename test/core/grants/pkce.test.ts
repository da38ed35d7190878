import { createHash } from 'node:crypto'
import t from 'tap'
import { isChallenge, verifierMatches } from '../../../src/core/grants/pkce.ts'

// RFC 7636 appendix B.
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const challengeOf = (text: string) => createHash('sha256').update(text).digest('base64url')

t.test('a verifier matches its S256 challenge', async (t) => {
  const unreserved = '-._~'.repeat(11)
  const cases: [string, string, string, boolean, string][] = [
    ['the vector', verifier, challenge, true, 'RFC 7636 B'],
    ['128 characters', 'a'.repeat(128), challengeOf('a'.repeat(128)), true, '§4.1'],
    ['every kind of character', unreserved, challengeOf(unreserved), true, '§4.1'],
    ['another verifier', `${verifier.slice(0, -1)}l`, challenge, false, '§4.6'],
    ['42 characters', 'a'.repeat(42), challengeOf('a'.repeat(42)), false, '§4.1'],
    ['129 characters', 'a'.repeat(129), challengeOf('a'.repeat(129)), false, '§4.1'],
    [
      'a reserved character',
      `${'a'.repeat(42)}+`,
      challengeOf(`${'a'.repeat(42)}+`),
      false,
      '§4.1',
    ],
    [
      'a letter beyond ASCII',
      `${'a'.repeat(43)}é`,
      challengeOf(`${'a'.repeat(43)}é`),
      false,
      '§4.1',
    ],
    ['a line break at its end', `${verifier}\n`, challengeOf(`${verifier}\n`), false, '§4.1'],
    ['none', '', challengeOf(''), false, '§4.1'],
    ['plain', challenge, challenge, false, '§4.2'],
    ['a padded challenge', verifier, `${challenge}=`, false, '§4.2'],
    ['no challenge', verifier, '', false, '§4.2'],
  ]
  for (const [what, sent, kept, expected, section] of cases)
    t.equal(verifierMatches(sent, kept), expected, `${what} (${section})`)
})

t.test('a challenge is 43 characters of base64url', async (t) => {
  const cases: [string, boolean][] = [
    [challenge, true],
    [challenge.slice(1), false],
    [`${challenge}A`, false],
    [`${challenge}=`, false],
    [`+${challenge.slice(1)}`, false],
    [`${challenge.slice(0, 42)}\n`, false],
    [`${challenge}\n`, false],
    ['', false],
  ]
  for (const [text, expected] of cases) t.equal(isChallenge(text), expected, JSON.stringify(text))
})
