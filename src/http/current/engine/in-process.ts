import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown

// Never connected. All requests share it, because none reads from it or writes to it.
const noConnection = new Socket()

/** Runs a handler on a GET request without a body. Its response is discarded. @param url path and query */
export const runInProcess = async (
  handle: Handle,
  url: string,
  headers: Record<string, string>,
): Promise<void> => {
  const request = new IncomingMessage(noConnection)
  request.method = 'GET'
  request.url = url
  request.headers = headers
  await handle(request, new ServerResponse(request))
}
