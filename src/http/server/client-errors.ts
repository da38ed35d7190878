import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { newRequestId } from './request-id.ts'

const statuses: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** Connections whose request may take longer than others to arrive. The limit for silence still applies. */
const longUploads = new WeakSet<Socket>()

/** Lets the request of this connection arrive as slowly as its sender needs. */
export const allowLongUpload = (socket: Socket, response: ServerResponse): void => {
  longUploads.add(socket)
  response.once('close', () => longUploads.delete(socket))
}

const body = JSON.stringify({
  error: 'invalid_request',
  error_description: 'the request cannot be read',
})

/**
 * Answers requests that Node's parser rejects, in OAuth's error format. No request object exists yet, so no route can
 * answer.
 */
export const refuseUnparsable =
  (log: { info(about: object, message: string): void }) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    // This data follows the last request of the connection, whose answer will close it. No answer may be sent.
    if (error.code === 'HPE_CLOSED_CONNECTION') return
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && longUploads.has(socket)) return
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const status = statuses[error.code ?? ''] ?? '400 Bad Request'
    const reqId = newRequestId()
    log.info({ reqId, error: 'invalid_request', reason: 'unreadable', code: error.code }, 'refused')
    const head = [
      `HTTP/1.1 ${status}`,
      'connection: close',
      'content-type: application/json; charset=utf-8',
      'cache-control: no-store',
      'x-content-type-options: nosniff',
      `x-request-id: ${reqId}`,
      `content-length: ${Buffer.byteLength(body)}`,
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
  }
