// The wiring of sign-in: passwords, passkeys, the platform's OpenID provider.
import type { Config } from '../../config/config.ts'
import type { AuditTrail } from '../../core/audit/audit.ts'
import type { Limits } from '../../core/limits/limits.ts'
import { createIdentities } from '../../core/people/identities.ts'
import { createOwnPassword } from '../../core/people/own-password.ts'
import { createPasskeyCeremonies } from '../../core/people/passkey-ceremonies.ts'
import { createPasskeys } from '../../core/people/passkeys.ts'
import { createPasswordSignIn } from '../../core/people/password-sign-in.ts'
import type { Passwords } from '../../core/people/passwords.ts'
import { createProviderSignIn } from '../../core/people/provider-sign-in.ts'
import { relyingPartyOf } from '../../core/people/relying-party.ts'
import { createSessions } from '../../core/people/sessions.ts'
import type { Users } from '../../core/people/users.ts'
import { createAdministering, createRecentSignIn } from '../../pages/sign-in/guards.ts'
import type { SignInWays } from '../../pages/sign-in/services.ts'
import type { Stores } from '../stores.ts'

interface Shared {
  passwords: Passwords
  limits: Limits
  audit: AuditTrail
  users: Users
  now: () => number
}

export const createSignIn = async (config: Config, stores: Stores, shared: Shared) => {
  const { provider, providerOnly } = config.signIn
  const { people, records } = stores
  const sessions = createSessions({
    audit: shared.audit,
    store: stores.sessions,
    idle: config.signIn.sessionIdle,
    most: config.limits.sessions,
    ...(providerOnly && { accepts: ['oidc'] }),
  })
  // Loaded only when one is configured.
  const client = provider && (await import('../../core/people/platform-provider.ts'))
  const party = providerOnly ? null : relyingPartyOf(config.issuer)
  const legacyHost = config.legacyOrigin && new URL(config.legacyOrigin).hostname
  const places = {
    redirectUri: `${config.place.base}/login/callback`,
    signedOutUri: `${config.place.base}/login`,
  }
  const ways: SignInWays = {
    password: !providerOnly,
    passkey: party !== null,
    hostWithoutPasskeys: legacyHost === party?.id ? null : legacyHost,
    provider: provider && { label: provider.buttonLabel },
    mails: config.mail !== null,
    passwordByMail: config.mail !== null && !providerOnly,
  }
  return {
    sessions,
    ways,
    administering: createAdministering({
      admins: config.signIn.adminPasskeyRequired,
      operators: config.signIn.operatorPasskeyRequired,
      withPasskeys: party !== null,
    }),
    recentSignIn: createRecentSignIn(config.signIn.recentSignIn, shared.now),
    passwordSignIn: createPasswordSignIn({ ...shared, people, sessions }),
    ownPassword: createOwnPassword({ ...shared, people, sessions }),
    passkeys:
      party &&
      createPasskeys({
        ...shared,
        store: stores.passkeys,
        ceremonies: createPasskeyCeremonies({ ...party, name: config.brand.name }, records),
        people,
        sessions,
      }),
    providerSignIn:
      provider &&
      client &&
      createProviderSignIn({
        ...shared,
        provider: client.createPlatformProvider(provider, places, shared.now),
        identities: createIdentities({ store: stores.identities, rules: provider }),
        sessions,
        records,
      }),
  }
}
