import { relyingPartyOf } from '../core/people/relying-party.ts'
import { flag, type SettingValues, text, whole } from './setting.ts'
import { isLoopback } from './values.ts'

export const signInSettings = {
  OIDC_ISSUER: text(
    'The issuer of your OpenID provider, as its discovery document says it: `https`, or `http` on this computer. Users can then sign in through this provider.',
  ),
  OIDC_CLIENT_ID: text(
    'The client id of this server at the provider. Required with `OIDC_ISSUER`.',
  ),
  OIDC_CLIENT_SECRET: text('The client secret at the provider. Required with `OIDC_ISSUER`.'),
  OIDC_SCOPES: text(
    'The scopes that the server requests from the provider. They must include `openid`.',
    'openid profile email',
  ),
  OIDC_CLAIM_EMAIL: text('The claim that contains the e-mail address.', 'email'),
  OIDC_CLAIM_NAME: text('The claim that contains the name of the user.', 'name'),
  OIDC_BUTTON_LABEL: text(
    'The label of the button on the sign-in page. Without it: “Sign in with your company account”.',
  ),
  OIDC_REQUIRE_VERIFIED_EMAIL: flag(
    'If `true`, new users are accepted only with an e-mail address that the provider calls verified.',
    true,
  ),
  OIDC_ONLY: flag(
    'If `true`, users sign in through the provider only. Passwords and passkeys are refused, and sessions that began with them are revoked.',
    false,
  ),
  ADMIN_PASSKEY_REQUIRED: flag(
    'If `true`, a user needs more than a password to administer an organization, or an app as its owner ([more](sign-in.md#required-for-admins)).',
    false,
  ),
  OPERATOR_PASSKEY_REQUIRED: flag(
    'If `false`, a password is enough for the operator’s console ([more](keys-and-secrets.md#the-operators-console)). Only to try it out: the `ISSUER` must be on this computer.',
    true,
  ),
}

export const sessionSettings = {
  SESSION_IDLE_SECONDS: whole(
    'Seconds without a request after which a session expires. 0 means that a session expires after twelve hours only.',
    { default: 14_400, minimum: 0, maximum: 43_200 },
  ),
  RECENT_SIGN_IN_SECONDS: whole(
    'The maximum age of a sign-in, in seconds, for changing passkeys, changes in the operator’s console, making or rotating key sets, replacing the secret of an app, installing apps with sensitive permissions, loosening the rules of an organization, and making access last longer. 0 means any age.',
    { default: 600, minimum: 0, maximum: 43_200 },
  ),
}

type SignInEnvironment = SettingValues<typeof signInSettings & typeof sessionSettings>

const checkProvider = (env: SignInEnvironment, faults: string[]) => {
  const url = URL.canParse(env.OIDC_ISSUER) ? new URL(env.OIDC_ISSUER) : null
  if (!url || url.search || url.hash || url.username || url.password) {
    faults.push('OIDC_ISSUER must be a URL without query, fragment or credentials')
  } else if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) {
    faults.push('OIDC_ISSUER must start with https:// (http:// on this computer only)')
  }
  for (const name of ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const) {
    if (env[name] === '') faults.push(`${name} is required with OIDC_ISSUER`)
  }
  if (!env.OIDC_SCOPES.split(/\s+/).includes('openid')) {
    faults.push('OIDC_SCOPES must include openid')
  }
}

/** The origins of the pages. */
interface Places {
  issuer: string
  legacyOrigin: string | null
}

const hostnameOf = (origin: string | null) =>
  origin !== null && URL.canParse(origin) ? new URL(origin).hostname : null

/**
 * Checks features that work only on the issuer's host. A user whom a legacy app sends to another host would be stuck.
 */
const checkHost = (env: SignInEnvironment, { issuer, legacyOrigin }: Places, faults: string[]) => {
  const [host, legacyHost] = [hostnameOf(issuer), hostnameOf(legacyOrigin)]
  if (host === null || legacyHost === null || host === legacyHost) return
  if (env.OIDC_ISSUER !== '')
    faults.push(
      'OIDC_ISSUER needs a LEGACY_ORIGIN with the host name of ISSUER: the provider sends the browser back there, where it has no cookies of another host',
    )
  if (env.ADMIN_PASSKEY_REQUIRED)
    faults.push(
      'ADMIN_PASSKEY_REQUIRED needs a LEGACY_ORIGIN with the host name of ISSUER: a passkey works on no other host',
    )
}

/** Reads the sign-in settings. Adds faults to `faults`. */
export const readSignIn = (env: SignInEnvironment, places: Places, faults: string[]) => {
  const { issuer } = places
  const hasProvider = env.OIDC_ISSUER !== ''
  if (hasProvider) checkProvider(env, faults)
  checkHost(env, places, faults)
  if (env.OIDC_ONLY && !hasProvider) faults.push('OIDC_ONLY needs OIDC_ISSUER')
  if (env.ADMIN_PASSKEY_REQUIRED && URL.canParse(issuer) && !relyingPartyOf(issuer)) {
    faults.push('ADMIN_PASSKEY_REQUIRED needs an ISSUER with https and a host name')
  }
  if (!env.OPERATOR_PASSKEY_REQUIRED && !(URL.canParse(issuer) && isLoopback(new URL(issuer)))) {
    faults.push('OPERATOR_PASSKEY_REQUIRED=false needs an ISSUER on this computer')
  }
  return {
    /** The platform's own OpenID provider. */
    provider: hasProvider
      ? {
          issuer: env.OIDC_ISSUER,
          clientId: env.OIDC_CLIENT_ID,
          clientSecret: env.OIDC_CLIENT_SECRET,
          scope: env.OIDC_SCOPES.trim().split(/\s+/).join(' '),
          claims: { email: env.OIDC_CLAIM_EMAIL, name: env.OIDC_CLAIM_NAME },
          /** null for the default label. */
          buttonLabel: env.OIDC_BUTTON_LABEL || null,
          requireVerifiedEmail: env.OIDC_REQUIRE_VERIFIED_EMAIL,
        }
      : null,
    /** Only the provider signs users in, without passwords and passkeys. */
    providerOnly: env.OIDC_ONLY,
    /** A sign-in by password alone does not allow administering. */
    adminPasskeyRequired: env.ADMIN_PASSKEY_REQUIRED,
    /** False when a password is enough for the operator's console. */
    operatorPasskeyRequired: env.OPERATOR_PASSKEY_REQUIRED,
    /** Seconds without a request after which a session expires; 0: never. */
    sessionIdle: env.SESSION_IDLE_SECONDS,
    /** Seconds for which a sign-in is recent enough for changes that give access; 0: always. */
    recentSignIn: env.RECENT_SIGN_IN_SECONDS,
  }
}
