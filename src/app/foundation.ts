// Part of the wiring (app.ts): everything that is wired. Only `app` sees all of it. Each service, front and background
// job declares the part that it needs.
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config/config.ts'
import type { Keyring } from '../core/crypto/keyring.ts'
import type { Metrics } from '../http/operations/metrics.ts'
import type { Stores } from './stores.ts'

/** The dependencies of services, fronts and background jobs. */
export interface Foundation {
  config: Config
  stores: Stores
  keyring: Keyring
  metrics: Metrics
  logger: FastifyBaseLogger
}
