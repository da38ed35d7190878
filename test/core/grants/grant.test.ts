import { createHash } from 'node:crypto'
import t from 'tap'
import {
  type CodeCheck,
  demandCodeMatch,
  endOfGrant,
  type Grant,
  type GrantStanding,
} from '../../../src/core/grants/grant.ts'

const verifier = 'v'.repeat(43)
const grant: Grant = {
  id: '0b9c3d52-6f7e-4a1b-9c8d-00ff10203040',
  userId: 'usr1',
  clientId: 'app1',
  organizationId: 'org1',
  installId: 'ins1',
  appEpoch: 3,
  userEpoch: 5,
  permissions: [],
  workspaceIds: null,
  openidScopes: [],
  signIn: null,
  redirectUri: 'https://app.example/cb',
  codeChallenge: createHash('sha256').update(verifier).digest('base64url'),
  dpopJkt: null,
  lifetime: null,
}
const standing: GrantStanding = {
  ended: false,
  appEpoch: 3,
  userEpoch: 5,
  installEnded: false,
  paused: null,
  userDisabled: false,
  isMember: true,
  keptOut: null,
}

t.test('a grant ends for the first matching reason', async (t) => {
  const causes: [Partial<GrantStanding>, string][] = [
    [{ ended: true }, 'grant_ended'],
    [{ appEpoch: 4 }, 'app_disabled'],
    [{ installEnded: true }, 'uninstalled'],
    [{ userEpoch: 6 }, 'password_changed'],
    [{ userDisabled: true }, 'user_disabled'],
    [{ isMember: false }, 'user_left'],
    [{ keptOut: 'not_in_audience' }, 'not_in_audience'],
  ]
  t.equal(endOfGrant(grant, standing), null, 'or it is active')
  t.equal(
    endOfGrant(grant, { ...standing, paused: 'install_suspended' }),
    null,
    'suspended: paused',
  )
  for (const [at, [cause, reason]] of causes.entries()) {
    t.equal(endOfGrant(grant, { ...standing, ...cause }), reason)
    const andLater = Object.assign({}, ...causes.slice(at).map(([one]) => one))
    t.equal(endOfGrant(grant, { ...standing, ...andLater }), reason, `${reason} comes first`)
  }
  t.equal(endOfGrant(grant, { ...standing, appEpoch: 2 }), 'app_disabled', 'any other epoch')
})

t.test('a redemption matches its code (RFC 6749 §4.1.3, RFC 7636 §4.6)', async (t) => {
  const good = { redirectUri: grant.redirectUri, codeVerifier: verifier }
  const none = { redirectUri: undefined, codeVerifier: undefined }
  const plain = { ...grant, codeChallenge: null }
  const cases: [string, Grant, Partial<CodeCheck>, boolean, string | null][] = [
    ['current', grant, good, true, null],
    ['current', grant, { ...good, redirectUri: undefined }, true, 'redirect_uri_mismatch'],
    [
      'current',
      grant,
      { ...good, redirectUri: `${grant.redirectUri}/` },
      true,
      'redirect_uri_mismatch',
    ],
    ['current', grant, { ...good, redirectUri: '' }, true, 'redirect_uri_mismatch'],
    ['current', grant, { ...good, codeVerifier: undefined }, true, 'verifier_missing'],
    ['current', grant, { ...good, codeVerifier: 'w'.repeat(43) }, true, 'verifier_mismatch'],
    ['current', plain, good, true, 'challenge_missing'],
    ['exempt', plain, { ...good, codeVerifier: undefined }, true, null],
    ['exempt', plain, good, true, 'challenge_missing'],
    ['exempt', plain, none, true, 'redirect_uri_mismatch'],
    ['exempt', grant, good, true, null],
    ['exempt', grant, { ...good, codeVerifier: undefined }, true, 'verifier_missing'],
    ['exempt', grant, { ...good, codeVerifier: 'w'.repeat(43) }, true, 'verifier_mismatch'],
    ['current', plain, { ...good, codeVerifier: undefined }, true, 'challenge_missing'],
    ['legacy', plain, none, false, null],
    ['legacy', plain, { ...none, redirectUri: grant.redirectUri }, false, null],
    [
      'legacy',
      plain,
      { ...none, redirectUri: 'https://app.example/CB' },
      false,
      'redirect_uri_mismatch',
    ],
    ['legacy', plain, { ...none, codeVerifier: verifier }, false, 'challenge_missing'],
    ['legacy', grant, none, false, 'verifier_missing'],
    ['legacy', grant, { ...none, codeVerifier: verifier }, false, null],
    ['legacy', grant, { ...none, codeVerifier: 'w'.repeat(43) }, false, 'verifier_mismatch'],
  ]
  for (const [generation, one, proof, demanded, reason] of cases) {
    const app = { pkceRequired: generation !== 'exempt' }
    const demand = () => demandCodeMatch(one, { ...none, ...proof, demanded }, app)
    const what = `${generation}: ${JSON.stringify(proof)}`
    if (reason === null) t.doesNotThrow(demand, what)
    else t.throws(demand, { code: 'invalid_grant', reason }, what)
  }
})
