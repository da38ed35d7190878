// A data API next to Latchkey. server.ts has the wiring, access/ everything about tokens, legacy/
// and current/ the two interfaces, data/ their shared data.

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createVerifier, type VerifierOptions } from '@latchkey-auth/verify'
import Fastify, { type FastifyServerOptions } from 'fastify'
import { createGuard } from './access/guard.ts'
import { type AttachmentSettings, createAttachments } from './data/attachments/attachments.ts'
import { openData } from './data/data.ts'
import type { PlatformSeed } from './data/seed.ts'
import { allowOtherOrigins } from './http/cross-origin.ts'
import { path, registerGraphql } from './http/graphql.ts'
import { metadataRoute, metadataUrl } from './http/metadata.ts'
import { type PlaygroundOptions, playgroundRoutes } from './http/playground.ts'

export interface DataApiOptions {
  /** The public address, without a path. */
  url: string
  databaseUrl: string
  /** Organizations and members; null if the database has them already. */
  platform: PlatformSeed | null
  verifier: VerifierOptions
  /** Where files are stored; the default is a directory for temporary files. */
  attachments?: Omit<AttachmentSettings, 'url'>
  /** Origins of browser apps that may open a websocket. */
  origins?: readonly string[]
  /** Apps that the playground signs in as. */
  playground?: PlaygroundOptions['clientIds']
  logger?: FastifyServerOptions['logger']
}

/** Builds the API; it does not listen yet. */
export const createDataApi = async (options: DataApiOptions) => {
  const { url, databaseUrl, platform, logger = false } = options
  const storage = join(tmpdir(), 'data-api-attachments')
  const files = createAttachments({ allowPrivate: false, storage, ...options.attachments, url })
  const data = await openData(databaseUrl, platform, files)
  const verifier = createVerifier(options.verifier)
  const server = Fastify({
    logger,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
  })
  server.addHook('onClose', async () => {
    await verifier.close()
    await data.close()
  })

  const resource = `${url}${path}`
  allowOtherOrigins(server, path)
  const { issuer } = options.verifier
  metadataRoute(server, { resource, issuer })
  const clientIds = options.playground ?? { current: null, legacy: null }
  files.routes(server)
  await playgroundRoutes(server, { url, issuer, clientIds })
  const doors = createGuard(verifier, data.organizations, metadataUrl(resource), resource)
  await registerGraphql(server, data, doors, options.origins)
  return server
}
