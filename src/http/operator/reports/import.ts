import { Readable } from 'node:stream'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { ImportLine } from '../../../core/organizations/import-lines.ts'
import type { Imports } from '../../../core/organizations/imports.ts'
import { createFetchSlots } from '../../../core/outbound/fetch-slots.ts'
import { allowLongUpload } from '../../server/client-errors.ts'
import { causeOf } from '../guard.ts'
import { operation, type Scope } from '../operation.ts'
import { readImportLine } from './import-lines.ts'
import { linesOf, type TextLine } from './lines.ts'

const importType = 'application/x-ndjson'

const longestLine = 64 * 1024 // bytes
/** Lines of one transaction at most. */
const mostAtOnce = 500
/** Transactions that run at once. */
const mostStoring = 3
/** Bytes of answers that wait for a client that sends everything before it reads; then the upload waits too. */
const mostUnread = 8 * 1024 * 1024

const put = operation({
  id: 'import',
  tag: 'organizations',
  permission: null,
  limited: 'checked',
  summary: 'Create or change many objects under ids of the platform',
  description:
    'The body is a line of JSON for each object, and so is the answer: `line`, `status` (`created`, `updated`, ' +
    '`unchanged`, `refused`) and `detail`. Lines are stored in their order; an answered line is committed. The same ' +
    'lines again change nothing. Each line needs the permission to write what it names: `organizations:write`, ' +
    '`users:write` (a hash of an operator: `*`), `apps:write`, `installs:write` (also grants and consents), `key_sets:write` or ' +
    '`keys:write` (verification keys). A token that is limited to organizations imports into these only. ' +
    'A line that the token may not send is refused, and stops no other. A line has 65536 bytes at most.',
  answer: { status: 200, description: 'An answer for each line.', type: importType },
})

type Turns = ReturnType<typeof createFetchSlots>

async function* answersOf(request: FastifyRequest, imports: Imports, inTurn: Turns) {
  const cause = { ...causeOf(request), quiet: true as const }
  const { signal } = new AbortController()
  const store = async (lines: readonly TextLine[]) => {
    const full = lines.filter(({ text }) => text === null || text.trim() !== '')
    const read = full.map(
      ({ text }): ImportLine =>
        text === null
          ? { type: 'refused', detail: `is longer than ${longestLine} bytes, or not UTF-8` }
          : readImportLine(text, request.operator),
    )
    const outcomes = await inTurn([request.operator.id], signal, () => imports.store(read, cause))
    return full
      .map(({ number }, at) => `${JSON.stringify({ line: number, ...outcomes[at] })}\n`)
      .join('')
  }
  for await (const lines of linesOf(request.raw, longestLine))
    for (let from = 0; from < lines.length; from += mostAtOnce)
      yield await store(lines.slice(from, from + mostAtOnce))
}

/** Imports of a platform. A slow client waits without a connection to a store: lines are read before a transaction begins. */
export const importRoutes = async (scope: Scope, { imports }: { imports: Imports }) => {
  // One transaction of each operator at a time, so that many streams of one take few connections to Postgres.
  const inTurn = createFetchSlots({ all: mostStoring, each: 1 })
  const front: FastifyPluginAsync = async (child) => {
    child.removeAllContentTypeParsers()
    child.addContentTypeParser(importType, (_request, _body, done) => done(null, undefined))
    child.post('/import', put, async (request, reply) => {
      allowLongUpload(request.raw.socket, reply.raw)
      const answers = Readable.from(answersOf(request, imports, inTurn), {
        objectMode: false,
        highWaterMark: mostUnread,
      })
      return reply.type(importType).send(answers)
    })
  }
  await scope.register(front)
}
