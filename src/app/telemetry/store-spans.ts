import type { AsyncLocalStorage } from 'node:async_hooks'
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import {
  ATTR_DB_OPERATION_NAME,
  ATTR_DB_SYSTEM_NAME,
  ATTR_ERROR_TYPE,
} from '@opentelemetry/semantic-conventions'
import type { TracedRequest } from './request-spans.ts'

const systems = { postgres: 'postgresql', redis: 'redis' } as const

const verbAndTable = /\b(?:(insert) into|(update)|(delete) from|(select)\b[\s\S]*?\bfrom)\s+(\w+)/i

/**
 * Names a span. Prepared statements and scripts have a name. Other statements are named by verb and table. Statements
 * contain no values, and the rest of their text is not recorded.
 */
export const statementName = (statement: string): string => {
  if (/^[\w:-]+$/.test(statement)) return statement
  const [, insert, update, remove, select, table] = verbAndTable.exec(statement) ?? []
  const verb = insert ?? update ?? remove ?? select
  return verb ? `${verb.toLowerCase()} ${table}` : 'statement'
}

/** Creates a child span of the request for each round trip to a store. */
export const createStoreSpans =
  (tracer: Tracer, active: AsyncLocalStorage<TracedRequest>) =>
  (store: 'postgres' | 'redis', statement: string, began: number, failed: boolean): void => {
    const request = active.getStore()
    if (!request?.span.isRecording()) return
    const { span: parent, zero } = request
    const name = statementName(statement)
    const span = tracer.startSpan(
      name,
      {
        kind: SpanKind.CLIENT,
        startTime: zero + began,
        attributes: { [ATTR_DB_SYSTEM_NAME]: systems[store], [ATTR_DB_OPERATION_NAME]: name },
      },
      trace.setSpan(ROOT_CONTEXT, parent),
    )
    if (failed) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttribute(ATTR_ERROR_TYPE, 'unavailable')
    }
    span.end(zero + performance.now())
  }
