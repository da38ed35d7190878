import type { IncomingMessage } from 'node:http'
import {
  type ConnectOptions,
  connectFaultOf,
  createConnect,
  limitedBy,
} from '../outbound/connect.ts'
import type { Attempt } from './schedule.ts'

export interface SenderOptions extends ConnectOptions {
  /** Milliseconds from the first to the last byte of an attempt. */
  timeout?: number
  /** Milliseconds since 1970, for a Retry-After that is a date. */
  now(): number
}

export interface WebhookRequest {
  url: string
  headers: Record<string, string>
  body: string
}

/** Sends once. Never rejects. */
export type SendWebhook = (request: WebhookRequest, signal: AbortSignal) => Promise<Attempt>

const usualTimeout = 10_000
/** Bytes of the response that are read. Its body is not used; reading it only lets the receiver finish. */
const largestAnswer = 16 * 1024
const longestAnswer = 1000 // ms

/** Parses Retry-After: seconds, or a date (RFC 9110 §10.2.3). @returns seconds from now */
const retryAfterOf = ({ headers }: IncomingMessage, now: number): number | null => {
  const text = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const at = /^[A-Z][a-z]{2}, \d/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, (at - now) / 1000)
}

/** Reads on for a moment, so that the receiver can send the whole response. */
const letFinish = (response: IncomingMessage) =>
  new Promise<void>((resolve) => {
    let read = 0
    const timer = setTimeout(() => response.destroy(), longestAnswer)
    response.on('data', (chunk: Buffer) => {
      read += chunk.length
      if (read > largestAnswer) response.destroy()
    })
    response.on('error', () => undefined)
    response.on('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Posts messages. A redirect counts as a response and is never followed. */
export const createWebhookSender = (options: SenderOptions): SendWebhook => {
  const { now, timeout = usualTimeout } = options
  const connect = createConnect(options)

  return async (message, signal) => {
    const limit = limitedBy(timeout, signal)
    try {
      const response = await connect({ method: 'POST', ...message }, limit.signal)
      const attempt = {
        kind: 'answered',
        status: response.statusCode ?? 0,
        retryAfter: retryAfterOf(response, now()),
      } as const
      await letFinish(response)
      return attempt
    } catch (error) {
      return { kind: 'failed', fault: connectFaultOf(error) }
    } finally {
      limit.release()
    }
  }
}
