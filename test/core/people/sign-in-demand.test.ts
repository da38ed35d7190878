import t from 'tap'
import {
  demandsFreshSignIn,
  evaluateSignIn,
  type SignedIn,
  type SignInDemand,
} from '../../../src/core/people/sign-in-demand.ts'

const begun = 1_000_000 // ms
const now = begun + 5_000
const signedIn = (
  authenticatedAt: number,
  userId = 'ana',
  methods: SignedIn['methods'] = ['password'],
): SignedIn => ({ userId, authenticatedAt, methods })
const phr = { contextClasses: ['phr'] }
const demand = (part: Partial<SignInDemand>): SignInDemand => ({
  prompts: [],
  maxAge: null,
  expectedUser: null,
  contextClasses: [],
  begunAt: begun,
  ...part,
})
const fresh = { begunAt: undefined }

t.test('which sessions satisfy the request (OpenID Connect Core §3.1.2.1)', async (t) => {
  const cases: [string, Partial<SignInDemand>, SignedIn | null, string][] = [
    ['nobody is signed in', {}, null, 'sign_in'],
    ['somebody is', {}, signedIn(1), 'good'],
    ['somebody is, and nobody can say since when', {}, signedIn(0), 'good'],

    ['prompt=login, before any page', { prompts: ['login'], ...fresh }, signedIn(now), 'sign_in'],
    ['prompt=login, signed in before it', { prompts: ['login'] }, signedIn(begun - 1), 'sign_in'],
    ['prompt=login, signed in for it', { prompts: ['login'] }, signedIn(begun), 'good'],
    ['prompt=login, nobody can say', { prompts: ['login'] }, signedIn(0), 'sign_in'],
    ['prompt=consent', { prompts: ['consent'] }, signedIn(1), 'good'],

    ['max_age, young enough', { maxAge: 60, ...fresh }, signedIn(now - 60_000), 'good'],
    ['max_age, too old', { maxAge: 60, ...fresh }, signedIn(now - 60_001), 'sign_in'],
    ['max_age counts to the beginning', { maxAge: 60 }, signedIn(begun - 60_000), 'good'],
    ['max_age, too old at the beginning', { maxAge: 60 }, signedIn(begun - 60_001), 'sign_in'],
    ['max_age=0 is prompt=login', { maxAge: 0, ...fresh }, signedIn(now - 1), 'sign_in'],
    ['max_age=0, signed in for it', { maxAge: 0 }, signedIn(begun), 'good'],
    ['max_age, nobody can say', { maxAge: 999_999_999 }, signedIn(0), 'sign_in'],
    ['max_age, as long as you like', { maxAge: 999_999_999 }, signedIn(1), 'good'],

    ['acr_values, signed in so', phr, signedIn(1, 'ana', ['passkey']), 'good'],
    ['acr_values, by a password', phr, signedIn(begun - 1), 'sign_in'],
    ['acr_values, before any page', { ...phr, ...fresh }, signedIn(now), 'sign_in'],
    ['acr_values, signed in for it by another method', phr, signedIn(begun), 'good'],
    ['acr_values, nobody can say', phr, signedIn(0, 'ana', []), 'sign_in'],
    [
      'one of several acr_values',
      { contextClasses: ['phr', 'urn:latchkey:acr:password'] },
      signedIn(1),
      'good',
    ],
    [
      'acr_values and another user',
      { ...phr, expectedUser: 'kim' },
      signedIn(begun),
      'somebody_else',
    ],

    ['the one who is expected', { expectedUser: 'ana' }, signedIn(1), 'good'],
    ['another one', { expectedUser: 'kim' }, signedIn(1), 'sign_in'],
    ['another one, before any page', { expectedUser: 'kim', ...fresh }, signedIn(now), 'sign_in'],
    ['another one, signed in for it', { expectedUser: 'kim' }, signedIn(begun), 'somebody_else'],
    [
      'the expected user, but long ago',
      { expectedUser: 'ana', maxAge: 1 },
      signedIn(begun - 1001),
      'sign_in',
    ],
  ]
  for (const [what, part, who, expected] of cases)
    t.equal(evaluateSignIn(demand(part), who, now), expected, what)
})

t.test('when the provider must ask for a fresh sign-in', async (t) => {
  t.equal(demandsFreshSignIn(demand({})), false)
  t.equal(demandsFreshSignIn(demand({ prompts: ['consent', 'select_account'] })), false)
  t.equal(demandsFreshSignIn(demand({ prompts: ['login'] })), true)
  t.equal(demandsFreshSignIn(demand({ maxAge: 3600 })), true)
  t.equal(demandsFreshSignIn(demand({ expectedUser: 'ana' })), true)
})
