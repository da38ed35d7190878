/** Attachments over files of other servers, for tests. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import type { Test } from 'tap'
import {
  type AttachmentSettings,
  createAttachments,
} from '../../../examples/data-api/data/attachments/attachments.ts'

export const url = 'http://files.example'

/** A directory for files. */
export const temporary = async (t: Test): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'attachments-'))
  t.teardown(() => rm(directory, { recursive: true }))
  return directory
}

/** Attachments that may connect to this machine, with small limits. */
export const open = async (t: Test, more: Partial<AttachmentSettings> = {}) => {
  const storage = await temporary(t)
  const limits = { mostBytes: 1000, milliseconds: 20_000 }
  const attachments = createAttachments({ url, allowPrivate: true, storage, ...limits, ...more })
  const server = Fastify({ exposeHeadRoutes: false })
  attachments.routes(server)
  t.teardown(() => server.close())
  const store = (given: string, organization = 'org1') =>
    attachments.store(organization, given, 'cols[0]')
  const refuses = (given: string, message: RegExp, name = given) =>
    t.rejects(store(given), { message, extensions: { code: 'bad-input', place: 'cols[0]' } }, name)
  return { server, storage, store, refuses }
}

export const listen = async (t: Test, server: Server): Promise<string> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export type Answers = Record<string, (response: ServerResponse, request: IncomingMessage) => void>

/** Another server; the answers are by the path. */
export const other = (t: Test, answers: Answers): Promise<string> => {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    response.on('error', () => {})
    answers[pathname.slice(1)]?.(response, request)
  })
  t.teardown(() => server.closeAllConnections())
  return listen(t, server)
}
