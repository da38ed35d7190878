import { type Static, Type } from 'typebox'
import { ConfigError } from './config-error.ts'
import { readIssuer } from './place.ts'
import { readSettings } from './read-settings.ts'
import { readSecret } from './secret-files.ts'
import { addressSettings, observationSettings, processSettings } from './server-settings.ts'
import { flag, port, text, whole } from './setting.ts'
import { baseUrl, listOf } from './values.ts'

export const doorSettings = {
  DOOR_PORT: port('The port that the door listens on.', 3080),
  DOOR_HOST: text(
    'The network address that the door listens on. The proxy must reach it, and clients must not.',
    '127.0.0.1',
  ),
  RESOURCE_SERVER_ID: text(
    'The client id of the data API behind the proxy (`latchkey resource-server create`). Required for the door.',
  ),
  RESOURCE_SERVER_SECRET: text(
    'Its secret. Required for the door. The key that signs assertions is derived from it.',
  ),
  DOOR_ORIGINS: text(
    'The public origins of the data API, such as `https://api.example.com`, separated by commas. The door accepts [proofs](door.md#key-bound-tokens) for these only. Without it the door relies on the origin that the proxy names.',
  ),
  DOOR_SERVER: text(
    'The base address for the door’s own requests to the server, if `ISSUER` cannot be reached from there.',
  ),
  DOOR_MAX_REVOCATION_AGE_SECONDS: whole(
    'Seconds without news of revocations after which the door refuses every token with 503. 0 means never.',
    { default: 0, minimum: 0, maximum: 86_400 },
  ),
  DOOR_USAGE: flag('Report to the server which permissions apps use.', true),
}

const schema = Type.Object({
  ...doorSettings,
  ISSUER: addressSettings.ISSUER,
  TOKEN_AUDIENCE: addressSettings.TOKEN_AUDIENCE,
  LOG_LEVEL: observationSettings.LOG_LEVEL,
  METRICS_PORT: observationSettings.METRICS_PORT,
  SHUTDOWN_DRAIN_MS: processSettings.SHUTDOWN_DRAIN_MS,
})

const required = ['ISSUER', 'RESOURCE_SERVER_ID', 'RESOURCE_SERVER_SECRET'] as const
const shortestAge = 2

/**
 * Reads the settings of the door, and none of the server's.
 * @throws ConfigError that names every fault
 */
export const readDoorConfig = (source: NodeJS.ProcessEnv) => {
  const faults: string[] = []
  const secret = readSecret(source, 'RESOURCE_SERVER_SECRET', faults)
  const isFileFaulty = faults.length > 0
  const values = { ...source, RESOURCE_SERVER_SECRET: secret ?? '' }
  const env = readSettings(schema.properties, values, faults) as Static<typeof schema>
  for (const name of required) {
    const isReported = name === 'RESOURCE_SERVER_SECRET' && isFileFaulty
    if (env[name] === '' && !isReported) faults.push(`${name} is required`)
  }
  const issuer = env.ISSUER
  const { base } = issuer === '' ? { base: '' } : readIssuer(issuer, faults)
  const age = env.DOOR_MAX_REVOCATION_AGE_SECONDS
  if (age > 0 && age < shortestAge)
    faults.push(`DOOR_MAX_REVOCATION_AGE_SECONDS must be 0 or at least ${shortestAge}`)
  const config = {
    port: env.DOOR_PORT,
    host: env.DOOR_HOST,
    /** `iss` of the tokens. */
    issuer,
    audience: env.TOKEN_AUDIENCE || issuer,
    /** Base address of the authorization server for requests of the door. */
    server: env.DOOR_SERVER ? baseUrl('DOOR_SERVER', env.DOOR_SERVER, faults) : base,
    resourceServer: { clientId: env.RESOURCE_SERVER_ID, clientSecret: env.RESOURCE_SERVER_SECRET },
    /** Accepted origins of proofs; empty: the origin that the proxy names. */
    origins: listOf(env.DOOR_ORIGINS).map((one) => baseUrl('DOOR_ORIGINS', one, faults)),
    /** Seconds; null: revocations may be old. */
    maxRevocationAge: age || null,
    usage: env.DOOR_USAGE,
    metricsPort: env.METRICS_PORT || null,
    logLevel: env.LOG_LEVEL,
    /** Milliseconds for which the door keeps answering after a shutdown signal. */
    shutdownDrain: env.SHUTDOWN_DRAIN_MS,
  }
  if (faults.length > 0) throw new ConfigError([...new Set(faults)])
  return Object.freeze(config)
}

/** The configuration of `latchkey door`. */
export type DoorConfig = ReturnType<typeof readDoorConfig>
