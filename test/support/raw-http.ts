import { connect } from 'node:net'

export interface RawAnswer {
  /** Every status code that came back, in order. */
  statuses: number[]
  text: string
  /** The server closed the connection. */
  closed: boolean
}

/** Sends raw bytes that no HTTP client would send, and reads until the response ends. */
export const sendRaw = (
  url: string,
  bytes: string | Buffer,
  options: { quiet?: number } = {},
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    let text = ''
    let timer: NodeJS.Timeout | undefined
    const finish = (closed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      const statuses = [...text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, code]) => Number(code))
      resolve({ statuses, text, closed })
    }
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => finish(false), options.quiet ?? 3000)
    }
    socket.on('connect', () => {
      socket.write(bytes)
      wait()
    })
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      wait()
    })
    socket.on('close', () => finish(true))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') reject(error)
      else finish(true)
    })
  })

/** A request with exactly these header lines; Content-Length is added if there is a body. */
export const rawRequest = (
  url: string,
  line: string,
  headers: readonly string[],
  body = '',
): string => {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  const lines = [
    `${line} HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    'Connection: close',
    ...headers,
    ...length,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
