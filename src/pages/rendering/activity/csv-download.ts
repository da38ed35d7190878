import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AuditTrail, auditEvent, type Cause } from '../../../core/audit/audit.ts'
import type { Limits } from '../../../core/limits/limits.ts'
import type { Session } from '../../../core/people/session.ts'
import { csvLine } from '../csv.ts'

/**
 * Milliseconds without progress after which a download is aborted, and milliseconds that all of it may take. Shorter
 * than the lifetime of the counter of exports, so that no running download is uncounted.
 */
const downloadLimits = { stalled: 15_000, longest: 150_000 }

export interface CsvPart {
  text: string
  /** How many records they contain; 0 for the header. */
  rows: number
}

/** A file in parts, the header first. */
export async function* csvParts<Batch>(
  header: readonly string[],
  batches: AsyncIterable<Batch>,
  linesOf: (batch: Batch) => string[],
): AsyncGenerator<CsvPart, void, undefined> {
  yield { text: csvLine(header), rows: 0 }
  for await (const batch of batches) {
    const lines = linesOf(batch)
    yield { text: lines.join(''), rows: lines.length }
  }
}

const bufferedBytes = 64 * 1024

/**
 * A CSV file as a stream. The next part is read only after the client has read the previous one, and other requests get
 * a turn in between.
 * @param parts the header first
 * @param ended called once, whatever the outcome; `complete`: the client received everything
 */
export const downloadCsv = async (
  parts: AsyncIterable<CsvPart>,
  { stalled, longest }: typeof downloadLimits,
  ended: (outcome: { rows: number; complete: boolean }) => Promise<void>,
): Promise<Readable> => {
  const outcome = { rows: 0, complete: false }
  const began = performance.now()
  /** When the reader was given what it has not taken yet; null: it waits for the server. */
  let givenAt: number | null = null

  async function* lines() {
    try {
      for await (const { text, rows } of parts) {
        outcome.rows += rows
        givenAt = performance.now()
        yield text
        givenAt = null
        await nextTurn()
      }
      outcome.complete = true
    } finally {
      await ended(outcome)
    }
  }

  const source = lines()
  const head = await source.next()
  const first = await source.next() // reports an unavailable store before anything is sent

  async function* all() {
    try {
      for (const part of [head, first]) if (!part.done) yield part.value
      yield* source
    } finally {
      clearInterval(timer)
      await source.return()
    }
  }

  const stream = Readable.from(all(), { objectMode: false, highWaterMark: bufferedBytes })
  const timer = setInterval(() => {
    const now = performance.now()
    const isStalled = givenAt !== null && now - givenAt > stalled
    if (isStalled || now - began > longest) stream.destroy()
  }, 1000)
  timer.unref()
  // A generator that was never started does not run its `finally`.
  stream.once('close', () => {
    clearInterval(timer)
    void source.return()
  })
  return stream
}

/** One visit, and what the audit trail has of its request. */
export interface CausedVisit {
  request: FastifyRequest
  reply: FastifyReply
  session: Session
  cause: Cause
}

export interface CsvDependencies {
  limits: Pick<Limits, 'exportBegun'>
  audit: AuditTrail
}

/**
 * Sends a CSV file, and records how much of it was sent.
 * @param organizationId whose data it has; null: of all, for an operator
 * @param detailOf what the record says of the rows
 */
export const createCsvAnswer =
  ({ limits, audit }: CsvDependencies) =>
  async (
    { request, reply, session, cause }: CausedVisit,
    organizationId: string | null,
    name: string,
    parts: AsyncIterable<CsvPart>,
    detailOf: (rows: number) => Record<string, unknown>,
  ): Promise<FastifyReply> => {
    const release = await limits.exportBegun(session.user.id, organizationId)
    const stream = await downloadCsv(parts, downloadLimits, async ({ rows, complete }) => {
      const detail = { ...detailOf(rows), complete }
      audit.record(auditEvent(cause, 'activity.exported', { organizationId, detail }))
      await release().catch((err) => request.log.warn({ err }, 'export not released'))
    })
    return reply
      .header('content-disposition', `attachment; filename="${name}.csv"`)
      .type('text/csv; charset=utf-8')
      .send(stream)
  }
