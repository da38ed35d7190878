// `latchkey door`: verifies tokens for a proxy. It uses the library for data APIs (packages/verify), so it knows what a
// data API knows, and has no store of its own.
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { createVerifier } from '#verify/verify'
import type { DoorConfig } from '../config/door.ts'
import { refuseUnparsable } from '../http/server/client-errors.ts'
import { createAccessHeaders } from './access-headers.ts'
import { createAssertions } from './assertion.ts'
import { createCheck } from './check.ts'
import { type DoorLog, jsonPage, serveChecks, servePages } from './listener.ts'
import { createDoorMetrics } from './metrics.ts'
import { createQuestions } from './question.ts'

export type DoorSettings = Omit<DoorConfig, 'logLevel'>

/** Longer than proxies keep idle connections, so that none sends a request while the door closes its connection. */
const keepAliveTimeout = 75_000
/** Bytes. A token may have 16 KiB, and the proxy passes on the other headers of its client. */
const maxHeaderSize = 48 * 1024

const listenOn = async (server: Server, port: number, host: string): Promise<number> => {
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address ? address.port : port
}

const createPort = (listener: RequestListener, log: DoorLog): Server => {
  const options = {
    maxHeaderSize,
    headersTimeout: 10_000,
    requestTimeout: 15_000,
    keepAliveTimeout,
    connectionsCheckingInterval: 2_000, // Node's default is 30 s
  }
  return createServer(options, listener).on('clientError', refuseUnparsable(log))
}

const closePort = async (server: Server) => {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  await closed
}

/** Starts to read keys and revocations. */
export const createDoor = (settings: DoorSettings, log: DoorLog) => {
  const { issuer, audience, server, resourceServer, origins, maxRevocationAge, usage } = settings
  let isClosing = false
  const closing = () => isClosing
  const verifier = createVerifier({
    issuer,
    audience,
    server,
    resourceServer,
    usage,
    ...(maxRevocationAge !== null && { maxRevocationAge }),
    log: { warn: (message) => log.warn({}, message) },
    onProblem: ({ code, reason }) =>
      code === 'temporarily_unavailable' && metrics.serverFailed(reason),
  })
  /** True when a token could be verified now: keys and revocations are known, and the news is not too old. */
  const isReady = () => {
    const { ready, problems } = verifier.status()
    return ready && !problems.some(({ reason }) => reason === 'stale')
  }
  const metrics = createDoorMetrics(isReady)
  const assertions = createAssertions(resourceServer.clientSecret, audience)
  const check = createCheck({
    verifier,
    origins,
    questions: createQuestions(),
    accessHeaders: createAccessHeaders(assertions, Date.now),
  })

  const readiness = () => {
    const isUp = !isClosing && isReady()
    const status = isUp ? 'ok' : isClosing ? 'closing' : 'unavailable'
    return jsonPage(isUp ? 200 : 503, { status })
  }
  const pages = servePages(log, closing, {
    '/.well-known/jwks.json': () => jsonPage(200, assertions.jwks),
    '/health/live': () => jsonPage(200, { status: 'ok' }),
    '/health/ready': readiness,
  })
  const measured = servePages(log, closing, {
    '/metrics': async () => ({
      status: 200,
      type: Registry.PROMETHEUS_CONTENT_TYPE,
      body: await metrics.registry.metrics(),
    }),
    '/health/ready': readiness,
  })
  const doorPort = createPort(serveChecks({ check, pages, metrics, log, isClosing: closing }), log)
  const metricsPort = createPort(measured, log)

  return {
    /** Starts to listen on `DOOR_PORT`. @returns its port */
    listen: () => listenOn(doorPort, settings.port, settings.host),
    /** Starts to listen on `METRICS_PORT`, if there is one. @returns its port */
    listenForMetrics: async () =>
      settings.metricsPort === null
        ? null
        : listenOn(metricsPort, settings.metricsPort, settings.host),
    /** Reports "closing" and keeps answering for a while, so that proxies leave in time. */
    drain: async () => {
      isClosing = true
      if (doorPort.listening) await sleep(settings.shutdownDrain)
    },
    /** Finishes the checks under way. */
    close: async () => {
      isClosing = true
      await Promise.all([doorPort, metricsPort].map(closePort))
      await verifier.close()
    },
  }
}
