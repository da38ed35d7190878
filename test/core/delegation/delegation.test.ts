/** The exchange of access tokens, as far as no store is asked. */
import { generateKeyPairSync } from 'node:crypto'
import t from 'tap'
import type { App } from '../../../src/core/clients/app.ts'
import { createDelegationGrant } from '../../../src/core/delegation/delegation.ts'
import type { LoadedInstall } from '../../../src/core/grants/store.ts'
import { OAuthError } from '../../../src/core/language/errors.ts'
import type { AccessTokenSubject } from '../../../src/core/tokens/access-token-claims.ts'
import { createAccessTokens } from '../../../src/core/tokens/access-tokens.ts'
import { createIssuedTokens } from '../../../src/core/tokens/issued-tokens.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const issuer = 'https://auth.example'
let now = 2_000_000_000_000
const clock = () => now
const accessTokens = createAccessTokens({
  signingKeys: { active: () => ({ kid: 'one', alg: 'ES256', privateKey }) },
  issuer,
  audience: 'https://api.example',
  lifetimes: { current: 3600, legacy: 7200 },
  now: clock,
})
const subject: AccessTokenSubject = {
  kind: 'install',
  interface: 'current',
  clientId: 'app1',
  appEpoch: 0,
  installId: 'ins1',
  organizationId: 'org1',
  permissions: ['records:create'],
  openidScopes: [],
  workspaceIds: [],
  accessTokenSeconds: null,
  reachId: null,
}
const never = () => Promise.reject(new Error('no store is asked'))
const delegate = createDelegationGrant({
  store: { mayAct: never, record: never },
  grants: { loadInstall: never },
  issuedTokens: createIssuedTokens({
    signingKeys: { publicKey: () => publicKey },
    issuer,
    now: clock,
  }),
  introspection: { exchanged: never },
  targets: { isDefault: () => true, ofGrant: never },
  settleReach: never,
  events: { installUsed: () => t.fail('nothing was used') },
})
const app = { clientId: 'app1', clientType: 'confidential' } as App
const install: LoadedInstall = {
  installId: 'ins1',
  self: false,
  paused: null,
  installPermissions: [],
  installWorkspaceIds: null,
  presentWorkspaceIds: [],
  keptOut: null,
}
const cause = { actor: { kind: 'client', id: 'app1' }, address: null, requestId: null } as const
const reasonFor = async (token: string, by: App = app) => {
  try {
    await delegate(token).redeem({
      app: by,
      loaded: { app: by, secrets: [], install },
      requested: { scope: undefined, workspaceIds: undefined },
      proof: null,
      cause,
      onWait: () => undefined,
    })
    return 'none'
  } catch (error) {
    return error instanceof OAuthError ? `${error.code} ${error.reason}` : String(error)
  }
}

t.test(
  'a token is refused by its signature and time alone, before any store is asked',
  async (t) => {
    const { accessToken, expiresIn } = accessTokens.issue(subject)
    const chained = accessTokens.issue({
      ...subject,
      delegated: {
        notAfter: now / 1000 + 60,
        actors: Array(3).fill({ clientId: 'app1', installId: 'i', appEpoch: 0, subjectJti: 'j' }),
      },
    })
    t.equal(chained.expiresIn, 60, 'not longer than the exchanged one')
    const legacy = accessTokens.issue({ ...subject, interface: 'legacy', workspaceIds: null })
    t.equal(await reasonFor('x'), 'invalid_request subject_token')
    t.equal(await reasonFor(`${accessToken.slice(0, -8)}AAAAAAAA`), 'invalid_request subject_token')
    t.equal(await reasonFor(legacy.accessToken), 'invalid_request subject_token_legacy')
    t.equal(await reasonFor(chained.accessToken), 'invalid_grant chain_too_long')
    const publicApp: App = { ...app, clientType: 'public' }
    t.equal(await reasonFor(accessToken, publicApp), 'unauthorized_client public_client')
    now += expiresIn * 1000 - 1
    t.equal(
      await reasonFor(accessToken),
      'Error: no store is asked',
      'valid for the last millisecond',
    )
    now += 1
    t.equal(await reasonFor(accessToken), 'invalid_grant subject_expired')
    now += 60_000
    const late = accessTokens.issue({
      ...subject,
      delegated: { notAfter: 2_000_000_000, actors: [] },
    })
    t.equal(late.expiresIn, 0, 'a token that ended meanwhile yields one that has ended')
  },
)
