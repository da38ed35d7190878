/** What a proxy in front of the server passes on, by real requests through it. */
import { execFileSync } from 'node:child_process'
import { request } from 'node:https'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import type { Test } from 'tap'
import { freePort } from '../support/free-port.ts'
import { type Running, startLatchkey } from '../support/latchkey.ts'
import { testStores } from '../support/stores.ts'

export interface Answer {
  status: number
  body: string
  headers: NodeJS.Dict<string | string[]>
}

export interface Certificate {
  certificate: string
  key: string
}

/** A certificate for `localhost`, in files of the directory. */
export const createCertificate = (directory: string): Certificate => {
  const certificate = join(directory, 'certificate.pem')
  const key = join(directory, 'key.pem')
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const made = ['-nodes', '-days', '2', '-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...made, ...subject], {
    stdio: 'ignore',
  })
  return { certificate, key }
}

/** Starts a server whose proxy is to listen on `port` for HTTPS and on `plainPort` for HTTP. */
export const startBehindProxy = async (t: Test) => {
  const [stores, ...rest] = await testStores()
  if (!stores) throw new Error('there is no store to test with')
  const [port, plainPort] = [await freePort(), await freePort()]
  const running = await startLatchkey(stores, {
    environment: { ISSUER: `https://localhost:${port}`, TRUSTED_PROXIES: '127.0.0.1' },
  })
  t.teardown(async () => {
    await running.stop()
    await Promise.all([stores, ...rest].map((one) => one.drop()))
  })
  return { running, port, plainPort, instance: new URL(running.urls[0] as string).host }
}

/** Sends a request with this path as it is: URL would decode it. */
export const askThrough =
  (port: number) =>
  (path: string, { method = 'GET', headers = {}, body = '' } = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = request(
        { host: 'localhost', port, path, method, headers, rejectUnauthorized: false },
        async (response) =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: await textOf(response),
          }),
      )
      sent.once('error', reject).end(body)
    })

/** The proxy passes on what is public, and nothing else. */
export const expectOnlyPublic = async (t: Test, port: number, running: Running): Promise<void> => {
  const ask = askThrough(port)
  const metadata = await ask('/.well-known/oauth-authorization-server')
  t.match(JSON.parse(metadata.body), { issuer: `https://localhost:${port}` })
  const page = await ask('/login')
  t.match(page.headers['set-cookie']?.toString() ?? '', 'Secure', 'the server knows of TLS')
  for (const inside of [
    '/api/admin/v1/apps',
    '/api/admin',
    '/api/%61dmin/v1/apps',
    '//api/admin/v1/apps',
    '/docs/../api/admin/v1/apps',
    '/metrics',
    '/health/ready',
    '/health/live?x=1',
  ])
    t.equal((await ask(inside)).status, 404, inside)

  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const wrong = 'grant_type=client_credentials&client_id=app_unknown&client_secret=x'
  const refused = await ask('/api/oauth/token', {
    method: 'POST',
    headers: { ...form, 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' },
    body: wrong,
  })
  t.match(refused, { status: 401 })
  t.match(JSON.parse(refused.body), { error: 'invalid_client' })
  t.notMatch(running.log.join(''), '203.0.113.9', 'a client cannot choose its address')
  const large = await ask('/api/oauth/token', {
    method: 'POST',
    headers: form,
    body: 'a'.repeat(70_000),
  })
  // Caddy 2.6, as Debian 12 has it, answers 502.
  t.ok([413, 502].includes(large.status), `a large request is refused with ${large.status}`)
}
