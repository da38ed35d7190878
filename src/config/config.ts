import type { Pooler } from '../stores/postgres/connection/pooler.ts'
import { ConfigError } from './config-error.ts'
import { type Environment, environment, goneSettings } from './environment.ts'
import { readLegacyEnd } from './legacy-end.ts'
import { readMail } from './mail.ts'
import { readAliases, readIssuer } from './place.ts'
import { readSettings } from './read-settings.ts'
import { withSecretFiles } from './secret-files.ts'
import { readSignIn } from './sign-in.ts'
import { readTracing } from './tracing.ts'
import {
  baseUrl,
  databaseUrl,
  linkOf,
  masterKeys,
  metricsToken,
  operatorToken,
  platformOrigins,
  redisUrl,
  trustedProxies,
  workers,
} from './values.ts'

/** A handler waits for an unresponsive store at most this often before it answers. */
const storeCallsInTurn = 4

/** Drops follow-up faults: a secret with a faulty file is not reported as missing too. */
const withoutRepeats = (faults: string[]) => {
  const names = faults.flatMap((one) => /^(\w+)_FILE /.exec(one)?.[1] ?? [])
  return faults.filter(
    (one) => /^\w+_FILE /.test(one) || !names.some((name) => one.split(' ').includes(name)),
  )
}

/**
 * Reads the configuration from the environment and from the files that it names, once.
 * @throws ConfigError that names every fault
 */
export const readConfig = (source: NodeJS.ProcessEnv) => {
  const faults: string[] = []
  const values = withSecretFiles(source, faults)
  for (const [name, words] of Object.entries(goneSettings))
    if (source[name]) faults.push(`${name} is no longer a setting: ${words}`)
  const env = readSettings(environment.properties, values, faults) as Environment
  const issuer = env.ISSUER || `http://localhost:${env.PORT}`
  const aliases = readAliases(env.ENDPOINT_ALIASES, faults)
  const place = { ...readIssuer(issuer, faults), aliases }
  const originOf = (name: 'LEGACY_ORIGIN' | 'LEGACY_API_ORIGIN') =>
    env[name] ? baseUrl(name, env[name], faults) : null
  const legacyOrigin = originOf('LEGACY_ORIGIN')
  const keys = masterKeys(env, faults)
  if (env.BRAND_ACCENT !== '' && !/^#[0-9a-f]{6}$/i.test(env.BRAND_ACCENT)) {
    faults.push('BRAND_ACCENT must be a colour such as #3355cc')
  }
  const config = {
    port: env.PORT,
    host: env.HOST,
    /** Processes that share the port. */
    workers: workers(env.WORKERS, faults),
    /** As it is given: `iss` of all tokens and answers. Advertised addresses start with `place.base`. */
    issuer,
    place,
    /** When set, the legacy authorization page answers on this origin only. */
    legacyOrigin,
    /** When set, the legacy token endpoint answers on this origin only. */
    legacyApiOrigin: originOf('LEGACY_API_ORIGIN') ?? legacyOrigin,
    /** Origins of the platform's pages that show apps in frames. */
    platformOrigins: platformOrigins(env.PLATFORM_ORIGINS, faults),
    legacyEnd: readLegacyEnd(env, faults),
    audience: env.TOKEN_AUDIENCE || issuer,
    tokenLifetimes: { current: env.CURRENT_TOKEN_SECONDS, legacy: env.LEGACY_TOKEN_SECONDS },
    /** null: the embedded Postgres under `dataDirectory`. */
    databaseUrl: databaseUrl(env.DATABASE_URL, faults),
    databasePoolSize: env.DATABASE_POOL_SIZE,
    databasePooler: env.DATABASE_POOLER as Pooler,
    /** null: Postgres stores the data instead of Redis. */
    redisUrl: redisUrl(env.REDIS_URL, faults),
    /** Replicas that must have stored a rotation before its result is returned. */
    redisReplicas: env.REDIS_WAIT_REPLICAS,
    /** Milliseconds after which a store counts as unavailable. */
    storeTimeout: env.STORE_TIMEOUT_MS,
    /** Milliseconds to wait for another migration and for tables that are in use. */
    migrationTimeout: env.MIGRATION_TIMEOUT_MS,
    /** Seconds between publishing a signing key and signing with it. */
    signingKeyAhead: env.SIGNING_KEY_AHEAD_SECONDS,
    /** Milliseconds for which the server keeps serving after a shutdown signal. */
    shutdownDrain: env.SHUTDOWN_DRAIN_MS,
    admission: {
      mostUnderWay: env.MAX_REQUESTS_UNDER_WAY,
      longestDelay: env.MAX_EVENT_LOOP_DELAY_MS,
      stuckAfter: Math.max(20_000, storeCallsInTurn * env.STORE_TIMEOUT_MS),
    },
    dataDirectory: env.LATCHKEY_DATA,
    /** 32 bytes each, the current one first; empty: created and stored in `dataDirectory`. */
    masterKeys: keys,
    operatorToken: operatorToken(env.LATCHKEY_OPERATOR_TOKEN, faults),
    /** Addresses and CIDR ranges whose X-Forwarded-* headers are trusted. */
    trustedProxies: trustedProxies(env.TRUSTED_PROXIES, faults),
    metrics: { port: env.METRICS_PORT || null, token: metricsToken(env.METRICS_TOKEN, faults) },
    logLevel: env.LOG_LEVEL,
    /** The language of people of whom nothing else is known. */
    defaultLanguage: env.DEFAULT_LOCALE,
    brand: {
      name: env.BRAND_NAME,
      logoUri: env.BRAND_LOGO_URI || null,
      accent: env.BRAND_ACCENT || null,
      /** Addresses of the operator that pages link to; null: none. */
      links: {
        support: linkOf('SUPPORT_URI', env.SUPPORT_URI, ['https:', 'mailto:'], faults),
        privacy: linkOf('PRIVACY_URI', env.PRIVACY_URI, ['https:'], faults),
        terms: linkOf('TERMS_URI', env.TERMS_URI, ['https:'], faults),
      },
    },
    /** True when requests to other servers may use private addresses, including this machine, and plain http. */
    outbound: { allowPrivate: env.WEBHOOK_ALLOW_PRIVATE },
    /** null: no mails are sent. */
    mail: readMail(env, faults),
    /** Maximum live grants per user, app and organization. The oldest ones are revoked. */
    grantsPerUserAndApp: env.GRANTS_PER_USER_AND_APP,
    limits: {
      clientFailures: env.LIMIT_CLIENT_FAILURES,
      clientFailuresPerAddress:
        env.LIMIT_CLIENT_FAILURES_PER_ADDRESS || env.LIMIT_CLIENT_FAILURES * 10,
      tokenRequests: env.LIMIT_TOKEN_REQUESTS,
      signInFailures: env.LIMIT_SIGN_IN_FAILURES,
      signInFailuresPerAddress: env.LIMIT_SIGN_IN_FAILURES * 10,
      signIns: env.LIMIT_SIGN_INS,
      signInsPerAddress: env.LIMIT_SIGN_INS_PER_ADDRESS,
      sessions: env.LIMIT_SESSIONS,
      authorizations: env.LIMIT_AUTHORIZATIONS,
      grants: env.LIMIT_GRANTS,
      pagePosts: env.LIMIT_PAGE_POSTS,
      passwordRequests: 50,
      userCodes: 20,
    },
    retention: { audit: env.AUDIT_KEPT_DAYS, usage: env.USAGE_KEPT_DAYS },
    signIn: readSignIn(env, { issuer, legacyOrigin }, faults),
    /** null: no traces. */
    tracing: readTracing(values, faults),
  }
  if (faults.length > 0) throw new ConfigError(withoutRepeats(faults))
  return Object.freeze(config)
}

export type Config = ReturnType<typeof readConfig>
