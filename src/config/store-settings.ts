import { choice, days, text, whole } from './setting.ts'

export const storeSettings = {
  DATABASE_URL: text(
    'The Postgres database, such as `postgres://user:password@host:5432/latchkey`. Without it the server starts the packaged Postgres in `LATCHKEY_DATA`.',
  ),
  REDIS_URL: text(
    'Redis: `redis://…`, `redis+sentinel://host:port,host:port/name` or `redis+cluster://host:port,host:port`, or `rediss…` for TLS. Without it the server uses tables in Postgres.',
  ),
  LATCHKEY_DATA: text('The directory of the packaged Postgres and of generated secrets.', './data'),
  DATABASE_POOL_SIZE: whole('The number of Postgres connections of each process.', {
    default: 10,
    minimum: 1,
    maximum: 500,
  }),
  DATABASE_POOLER: choice(
    'The pooler in front of Postgres: `transaction` for a pooler in transaction mode, `prepared` for one that also keeps named statements ([more](deploying.md#behind-a-pooler)).',
    ['none', 'transaction', 'prepared'],
    'none',
  ),
  REDIS_WAIT_REPLICAS: whole(
    'The number of Redis replicas that must have a rotation before the server answers, with Sentinel or a cluster ([more](deploying.md#redis-with-replicas)).',
    { default: 0, minimum: 0, maximum: 10 },
  ),
  STORE_TIMEOUT_MS: whole(
    'Milliseconds after which a store that does not respond counts as unavailable.',
    { default: 1500, minimum: 50, maximum: 30_000 },
  ),
  MIGRATION_TIMEOUT_MS: whole(
    'Milliseconds for which a start waits for another instance that migrates the database, or for tables that are in use.',
    { default: 60_000, minimum: 1000, maximum: 3_600_000 },
  ),
}

export const keySettings = {
  LATCHKEY_MASTER_KEY: text(
    'The key that encrypts secrets in the database: 32 random bytes in base64 or hex, the same for all instances (`openssl rand -base64 32`). Required with `DATABASE_URL`; otherwise the server generates one in `LATCHKEY_DATA`.',
  ),
  LATCHKEY_PREVIOUS_MASTER_KEYS: text(
    'Older master keys that are still accepted, separated by commas, spaces or line breaks.',
  ),
  LATCHKEY_OPERATOR_TOKEN: text(
    'A token for the Operator API with all rights: 16 to 512 visible ASCII characters, generated at random (`openssl rand -hex 32`; a guessable token is refused). Without it, and without `LATCHKEY_MASTER_KEY`, the server generates one in `LATCHKEY_DATA`. `latchkey operator-token create` makes further tokens, also with fewer rights.',
  ),
  SIGNING_KEY_AHEAD_SECONDS: whole(
    'Seconds for which a signing key is published before the server signs with it. Set it to more than the time for which your verifiers cache the key set.',
    { default: 120, minimum: 0, maximum: 86_400 },
  ),
}

export const retentionSettings = {
  AUDIT_KEPT_DAYS: days('Days for which the audit trail is kept. 0 means forever.', 0, 0),
  USAGE_KEPT_DAYS: days('Days for which usage counts are kept.', 400, 1),
}
