/** What a proxy in front of the server passes on, by real requests through it. */
import { execFileSync } from 'node:child_process'
import { request } from 'node:https'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import type { Test } from 'tap'
import { freePort } from '../support/free-port.ts'
import { type Running, startLatchkey } from '../support/latchkey.ts'
import { namesOfRequests, oddPaths, sendOdd, sendOddHttp2 } from '../support/odd-paths.ts'
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
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      ...made,
      ...subject,
    ],
    {
      stdio: 'ignore',
    },
  )
  return { certificate, key }
}

/**
 * Starts a server whose proxy is to listen on `port` for HTTPS and on `plainPort` for HTTP.
 * @param path the path of the issuer
 */
export const startBehindProxy = async (t: Test, path = '') => {
  const [stores, ...rest] = await testStores()
  if (!stores) throw new Error('there is no store to test with')
  const [port, plainPort] = [await freePort(), await freePort()]
  const running = await startLatchkey(stores, {
    environment: {
      ISSUER: `https://localhost:${port}${path}`,
      TRUSTED_PROXIES: '127.0.0.1',
      ENDPOINT_ALIASES: '/oauth/token=token',
    },
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

/** An answer of the Operator API without a token, of the metrics or of a health check. */
const isInside = (status: number, body: string): boolean =>
  status === 401 || status === 403 || /^# HELP|^\{"status"/m.test(body)

/** The proxy passes on what is public, and nothing else. */
export const expectOnlyPublic = async (t: Test, port: number, running: Running): Promise<void> => {
  const ask = askThrough(port)
  const direct = async (path: string): Promise<[number, string]> => {
    const answer = await fetch(new URL(path, running.urls[0]))
    return [answer.status, await answer.text()]
  }
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
    t.ok([400, 404].includes((await ask(inside)).status), inside)

  const targets = [
    ...oddPaths('/docs/x', '/api/admin/v1/apps'),
    ...oddPaths('/login', '/metrics'),
    ...oddPaths('/login', '/health/ready'),
  ]
  let answered = 0
  const send = async (target: string) => {
    const answers = [sendOdd(port, { target }, true), sendOddHttp2(port, target)]
    for (const { status, body } of await Promise.all(answers)) {
      if (isInside(status, body)) t.fail(`${status} ${target}`)
      if (status > 0) answered++
    }
  }
  for (let at = 0; at < targets.length; at += 20)
    await Promise.all(targets.slice(at, at + 20).map(send))
  t.ok(answered > targets.length / 2, `${answered} answers to ${targets.length} odd targets`)
  for (const target of [
    '/api/admin/v1/apps/..%2f..%2f..%2f..%2flogin',
    '/api/admin/v1/../../../login',
  ]) {
    t.equal((await sendOdd(port, { target }, true)).status, 400, target)
    const at = Number(new URL(running.urls[0] as string).port)
    t.equal((await sendOdd(at, { target })).status, 404, `${target}, behind any other proxy`)
  }
  for (const named of namesOfRequests('/login')) {
    const requested = { target: '/api/admin/v1/apps', headers: [named] }
    t.equal((await sendOdd(port, requested, true)).status, 404, named[0])
  }
  for (const named of namesOfRequests('/api/admin/v1/apps')) {
    const { status, body } = await sendOdd(port, { target: '/docs/x', headers: [named] }, true)
    t.notOk(isInside(status, body), named[0])
  }
  t.ok(isInside(...(await direct('/api/admin/v1/apps/x'))), 'the Operator API is recognized')
  t.ok(isInside(...(await direct('/health/ready'))), 'a health check is recognized')

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
