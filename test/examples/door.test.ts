// Nightly, and when examples/door changes: it starts four proxies.
/** The proxies of examples/door, with a real server, a door and a service behind them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { readDoorConfig } from '../../src/config/door.ts'
import { createDoor } from '../../src/door/door.ts'
import { text, yaml } from '../deploy/manifests.ts'
import { createHolder, hashOf } from '../support/dpop.ts'
import { eventually } from '../support/eventually.ts'
import { clientCredentials, credentials, post } from '../support/flows.ts'
import { freePort } from '../support/free-port.ts'
import { isInstalled, unlessMissing, whereFound } from '../support/installed.ts'
import { type Json, startLatchkey } from '../support/latchkey.ts'
import { namesOfRequests, type OddRequest, oddPaths, sendOdd } from '../support/odd-paths.ts'
import { registerResourceServer } from '../support/resource-server.ts'
import { testStores } from '../support/stores.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { createApp, createWorld, install } from '../support/world.ts'

interface Sample {
  createService(
    settings: { door: string; audience: string },
    answer: (response: ServerResponse, status: number) => unknown,
  ): Server
  createAssertions(settings: {
    door: string
    audience: string
  }): (request: { headers: Record<string, string> }) => Promise<{ permissions: string[] }>
}

const sample: string = join(import.meta.dirname, '../../examples/door/service.mjs')
const { createAssertions, createService }: Sample = await import(sample)

const names = ['Kind', 'Organization', 'Client', 'User', 'Permissions', 'Workspaces', 'Assertion']

/** Addresses of one test. */
interface Place {
  directory: string
  port: number
  /** Host and port. */
  door: string
  service: string
}

interface Proxy {
  name: string
  isThere: boolean
  /** Writes its configuration. @returns the arguments of the program */
  configure(place: Place): Promise<string[]>
  /** Its answer when the door does not answer. */
  without: { status: number; headers?: Record<string, string> }
  /** Its question cannot name the organization in the path: the service compares it. */
  hasFixedQuestions?: true
  /** Debian has no package of it. */
  isOptional?: true
}

const inPlace = (example: string, { door, service }: Place) =>
  example.replaceAll('127.0.0.1:3080', door).replaceAll('127.0.0.1:4000', service)

const proxies: Proxy[] = [
  {
    name: 'nginx',
    without: { status: 503, headers: { 'retry-after': '1' } },
    isThere: isInstalled('nginx', '-v'),
    configure: async (place) => {
      const { directory, port } = place
      const own = join(directory, 'latchkey-door.conf')
      await writeFile(own, text('examples/door/nginx-door.conf'))
      const example = inPlace(text('examples/door/nginx.conf'), place)
        .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
        .replaceAll(/^ *ssl_certificate.*$/gm, '')
        .replaceAll('/etc/nginx/latchkey-door.conf', own)
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((one) => `${one}_temp_path ${join(directory, one)};`)
        .join('\n')
      await mkdir(join(directory, 'logs'), { recursive: true })
      const path = join(directory, 'nginx.conf')
      const head = `daemon off; pid ${directory}/pid; error_log stderr; events {}`
      await writeFile(path, `${head}\nhttp {\naccess_log off;\n${temporary}\n${example}\n}\n`)
      return ['-p', directory, '-e', 'stderr', '-c', path]
    },
  },
  {
    name: 'haproxy',
    without: { status: 503, headers: { 'retry-after': '1' } },
    isThere: isInstalled('haproxy', '-v'),
    configure: async (place) => {
      const { directory, port } = place
      const script = join(directory, 'door.lua')
      await writeFile(script, inPlace(text('examples/door/door.lua'), place))
      const path = join(directory, 'haproxy.cfg')
      const example = inPlace(text('examples/door/haproxy.cfg'), place)
        .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
        .replace('/etc/haproxy/door.lua', script)
      await writeFile(path, example)
      return ['-db', '-f', path]
    },
  },
  {
    name: 'caddy',
    without: { status: 502 },
    isThere: isInstalled('caddy', 'version'),
    configure: async (place) => {
      const path = join(place.directory, 'Caddyfile')
      const example = inPlace(text('examples/door/Caddyfile'), place).replace(
        'https://api.example.com',
        `http://127.0.0.1:${place.port}`,
      )
      await writeFile(path, `{\n\tadmin off\n\tauto_https off\n}\n${example}`)
      return ['run', '--config', path, '--adapter', 'caddyfile']
    },
  },
  {
    name: 'envoy',
    without: { status: 503 },
    isThere: isInstalled('envoy'),
    hasFixedQuestions: true,
    isOptional: true,
    configure: async ({ directory, port, door, service }) => {
      const example = yaml('examples/door/envoy.yaml')
      const { listeners, clusters } = example.static_resources
      const [listener] = listeners
      listener.address.socket_address = { address: '127.0.0.1', port_value: port }
      delete listener.filter_chains[0].transport_socket
      for (const { name, load_assignment: at } of clusters) {
        const [address, portOf] = (name === 'door' ? door : service).split(':')
        const [{ endpoint }] = at.endpoints[0].lb_endpoints
        endpoint.address.socket_address = { address, port_value: Number(portOf) }
      }
      const path = join(directory, 'envoy.json')
      await writeFile(path, JSON.stringify(example))
      return ['-c', path, '--disable-hot-restart', '--concurrency', '1', '--log-level', 'warn']
    },
  },
]

interface Answer {
  status: number
  headers: NodeJS.Dict<string | string[]>
  body: string
  /** What the service has seen; null: the request did not reach it. */
  seen: Json
}

type Send = (
  path: string,
  headers?: readonly string[],
  method?: string,
  body?: string,
) => Promise<Answer>

/** Sends headers and paths as they are. */
const sendTo =
  (port: number): Send =>
  (path, headers = [], method = 'GET', body = '') =>
    new Promise((resolve, reject) => {
      const length = body === '' ? [] : ['Content-Length', String(Buffer.byteLength(body))]
      const options = {
        host: '127.0.0.1',
        port,
        path,
        method,
        agent: false,
        headers: ['Host', `127.0.0.1:${port}`, ...length, ...headers],
      }
      const sent = request(options as never, async (response) => {
        const said = await textOf(response)
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: said,
          seen: response.headers['x-service'] ? JSON.parse(said) : null,
        })
      })
      sent.once('error', reject).end(body)
    })

interface Reached {
  url: string
  assertion: string
}

/** The sample, which answers with what it has seen. @param reached every request that arrives */
const startService = async (t: Test, door: string, reached: Reached[]): Promise<string> => {
  const echo = async (response: ServerResponse, status: number) => {
    const { url, method, headers } = response.req
    response.writeHead(status, { 'x-service': 'reached' })
    response.end(JSON.stringify({ url, method, headers, body: await textOf(response.req) }))
  }
  const { audience } = config
  const service = createService({ door: `http://${door}`, audience }, echo)
  service.prependListener('request', ({ url = '', headers }) => {
    reached.push({ url, assertion: String(headers['x-latchkey-assertion'] ?? '') })
  })
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  t.teardown(() => {
    service.close()
    service.closeAllConnections()
  })
  return `127.0.0.1:${(service.address() as AddressInfo).port}`
}

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

const [stores, ...rest] = await testStores()
if (!stores) throw new Error('there is no store to test with')
const running = await startLatchkey(stores)
t.teardown(async () => {
  await running.stop()
  await Promise.all([stores, ...rest].map((one) => one.drop()))
})
const world = await createWorld(running)
const { clientId, clientSecret } = await registerResourceServer(running)
const config = readDoorConfig({
  ISSUER: running.issuer,
  RESOURCE_SERVER_ID: clientId,
  RESOURCE_SERVER_SECRET: clientSecret,
  SHUTDOWN_DRAIN_MS: '0',
})

const startProxy = async (t: Test, proxy: Proxy, door: string, service: string) => {
  const directory = await temporaryDirectory(proxy.name)
  const port = await freePort()
  const args = await proxy.configure({ directory, port, door, service })
  const environment = { ...process.env, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory }
  const child = spawn(proxy.name, args, { stdio: ['ignore', 'pipe', 'pipe'], env: environment })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk
    })
  const ended = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGTERM') // SIGKILL would leave the workers of nginx.
    await ended
    await rm(directory, { recursive: true, force: true })
  })
  const send = sendTo(port)
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`${proxy.name} does not start: ${said}`)
    return (await send('/status').catch(() => null))?.seen?.url === '/status'
  })
  return { send, port, origin: `http://127.0.0.1:${port}`, said: () => said }
}

const latchkeyHeaders = ({ seen }: Answer): Json =>
  Object.fromEntries(Object.entries(seen.headers).filter(([name]) => /^x[-_]latchkey/.test(name)))

const test = (proxy: Proxy) => async (t: Test) => {
  const { acme, other, sales } = world
  const door = createDoor({ ...config, port: 0 }, quiet)
  t.teardown(() => door.close())
  const doorAt = `127.0.0.1:${await door.listen()}`
  const reached: Reached[] = []
  const service = await startService(t, doorAt, reached)
  const { send, origin, port, said } = await startProxy(t, proxy, doorAt, service)

  const app = await createApp(running, { name: 'Behind a proxy' })
  await install(running, acme, app)
  const token: string = (await clientCredentials(running.issuer, app, acme)).body.access_token
  const bearer = ['Authorization', `Bearer ${token}`]
  const ofAcme = `/organizations/${acme}/records`

  await t.test('a token is needed, and the service learns who acts', async (t) => {
    const none = await send('/records')
    t.match(none, { status: 401, seen: null, headers: { 'www-authenticate': /^Bearer/ } }, said())
    t.match(await send('/records', ['Authorization', 'Bearer x']), { status: 401, seen: null })
    const allowed = await send('/records', bearer)
    t.equal(allowed.status, 200, said())
    t.match(latchkeyHeaders(allowed), {
      'x-latchkey-kind': 'install',
      'x-latchkey-organization': acme,
      'x-latchkey-client': app.client_id,
      'x-latchkey-workspaces': new RegExp(sales),
      'x-latchkey-permissions': /records:create/,
      'x-latchkey-assertion': /^[\w-]+\.[\w-]+\.[\w-]+$/,
    })
    t.notOk(allowed.seen.headers.authorization, 'the token stays here')
    t.match(await send('/status'), { status: 200, seen: { url: '/status' } })
  })

  await t.test('headers that a client sends never reach the service', async (t) => {
    const forged = names.flatMap((name) => [
      ...[`X-Latchkey-${name}`, 'forged', `x-latchkey-${name.toLowerCase()}`, 'forged'],
      ...[`X_Latchkey_${name}`, 'forged', `X-Latchkey_${name}`, 'forged'],
    ])
    const allowed = await send('/records', [...forged, ...bearer, ...forged])
    t.equal(allowed.status, 200)
    t.notMatch(JSON.stringify(latchkeyHeaders(allowed)), 'forged')
    t.equal(latchkeyHeaders(allowed)['x-latchkey-organization'], acme)
    t.notMatch(JSON.stringify(latchkeyHeaders(await send('/status', forged))), 'forged', 'no token')
    t.match(await send('/records', forged), { status: 401, seen: null })
    const twice = await send('/records', [...bearer, 'Authorization', 'Bearer x'])
    t.notOk(twice.seen, 'two credentials')
  })

  const inPath = proxy.hasFixedQuestions ? { skip: 'the service compares the organization' } : {}
  await t.test('the organization in the path is the one that is checked', inPath, async (t) => {
    t.match(await send(ofAcme, bearer), { status: 200, seen: { url: ofAcme } }, said())
    const foreign = await send(`/organizations/${other}/records`, bearer)
    t.match(foreign, { status: 403, seen: null })
    t.match(foreign.headers['www-authenticate'], 'insufficient_scope')
    for (const path of [
      `/organizations/${acme}/../${other}/records`,
      `/organizations/${acme}/%2e%2e/${other}/records`,
      `/organizations/${acme}%2f..%2f${other}/records`,
      `/organizations/${acme}&organization=${other}/records`,
      `/organizations/${acme}%26organization=${other}/records`,
      `/organizations/${other}/records?/organizations/${acme}/records`,
      `/organizations/${other}%23/records`,
      `//organizations/${other}/records`,
      `/organizations//${other}/records`,
      '/organizations//records',
    ]) {
      const { seen } = await send(path, bearer)
      const ids: string[] = seen?.url.split('?')[0].match(/org[A-Za-z0-9]{8,}/g) ?? []
      t.notOk(ids.includes(other), `${path} ${seen?.url}`)
    }
  })

  await t.test('a permission that the question names is needed', async (t) => {
    const reader = await createApp(running, { name: 'Reads only' })
    await install(running, acme, reader, { permissions: [] })
    const { body } = await clientCredentials(running.issuer, reader, acme)
    const headers = ['Authorization', `Bearer ${body.access_token}`]
    t.match(await send('/records', headers), { status: 200 })
    const [path, method] = proxy.hasFixedQuestions ? ['/records', 'POST'] : [ofAcme, 'GET']
    const refused = await send(path, headers, method)
    t.match(refused, { status: 403, seen: null }, said())
    t.match(refused.headers['www-authenticate'], 'insufficient_scope')
  })

  await t.test('no path is checked as one and served as another', async (t) => {
    const reader = await createApp(running, { name: 'Odd paths' })
    await install(running, acme, reader, { permissions: [] })
    const less = (await clientCredentials(running.issuer, reader, acme)).body.access_token
    const ofOther = `/organizations/${other}/records`
    const read = createAssertions({ door: `http://${doorAt}`, audience: config.audience })
    const targets = new Set(
      [
        ['/status', '/records'],
        ['/status', ofAcme],
        ['/records', ofAcme],
        [ofAcme, ofOther],
      ].flatMap(([open = '', guarded = '']) => oddPaths(open, guarded)),
    )
    const { host } = new URL(origin)
    const senders: [name: string, value: string][][] = [
      [],
      [['Authorization', `Bearer ${less}`]],
      [['Authorization', `Bearer ${token}`]],
    ]
    const requests: OddRequest[] = senders.flatMap((headers) => [
      ...[...targets].map((target) => ({ target, headers, host })),
      ...[ofAcme, ofOther, '/records'].flatMap((target) => [
        { target, headers, host: 'other.example' },
        { target, headers: [...headers, ...namesOfRequests('/status')], host },
      ]),
    ])
    reached.length = 0
    for (let at = 0; at < requests.length; at += 50)
      await Promise.all(requests.slice(at, at + 50).map((one) => sendOdd(port, one)))
    const wrong = new Set<string>()
    for (const { url, assertion } of reached) {
      const [path = ''] = url.split('?')
      const access = await read({ headers: { 'x-latchkey-assertion': assertion } }).catch(
        () => null,
      )
      const checked = ['/status']
      if (access) checked.push('/records')
      if (access?.permissions.includes('records:create')) checked.push(ofAcme)
      if (!checked.includes(path)) wrong.add(`${access ? 'checked' : 'unchecked'} ${url}`)
    }
    t.same([...wrong], [])
    t.ok(reached.length > 10, `${reached.length} of ${requests.length} reached the service`)
    t.equal((await send('/records', bearer)).status, 200, said())
  })

  await t.test('the service refuses what comes without the assertion of the door', async (t) => {
    const direct = sendTo(Number(service.split(':')[1]))
    const forged = bearer.concat('X-Latchkey-Organization', acme, 'X-Latchkey-Kind', 'install')
    for (const headers of [[], bearer, forged, [...forged, 'X-Latchkey-Assertion', token]])
      for (const path of ['/records', ofAcme, '/status/../records', '/else'])
        t.equal((await direct(path, headers)).status, 401, path)
    const assertion = latchkeyHeaders(await send('/records', bearer))['x-latchkey-assertion']
    const asserted = ['X-Latchkey-Assertion', assertion]
    t.equal((await direct(ofAcme, asserted)).status, 200)
    t.equal((await direct(`/organizations/${other}/records`, asserted)).status, 403)
  })

  await t.test('the body reaches the service, and not the door', async (t) => {
    const body = JSON.stringify({ text: 'x'.repeat(100_000) })
    const posted = await send('/records', bearer, 'POST', body)
    t.match(posted, { status: 200, seen: { method: 'POST', body } })
  })

  await t.test('a key-bound token needs a proof for this request', async (t) => {
    const holder = await createHolder()
    const tokenUrl = `${running.issuer}/api/oauth/token`
    const form = { grant_type: 'client_credentials', organization_id: acme }
    const own = await post(tokenUrl, { ...form, ...credentials(app) }, await holder.posts(tokenUrl))
    const bound: string = own.body.access_token
    const prove = (path: string, htm = 'GET') =>
      holder.prove(`${origin}${path}`, { htm, ath: hashOf(bound) })
    const shown = (proof: string) => ['Authorization', `DPoP ${bound}`, 'DPoP', proof]
    const proof = await prove('/records?limit=1')
    t.equal((await send('/records?limit=1', shown(proof))).status, 200, said())
    t.equal((await send('/records?limit=1', shown(proof))).status, 401, 'again')
    t.equal((await send('/records', ['Authorization', `Bearer ${bound}`])).status, 401)
    t.equal((await send('/records', shown(await prove('/records', 'POST')))).status, 401)
    t.equal((await send('/records', shown(await prove('/else')))).status, 401)
    for (const group of ['Original', 'Forwarded']) {
      const spoofed = [
        ...[`X-${group}-URI`, '/else', `X-${group}-Method`, 'GET'],
        ...['X-Forwarded-Host', new URL(origin).host, 'X-Forwarded-Proto', 'http'],
      ]
      const { status } = await send('/records', [...shown(await prove('/else')), ...spoofed])
      t.equal(status, 401, group)
    }
    const elsewhere = await holder.prove('http://evil.example/records', {
      htm: 'GET',
      ath: hashOf(bound),
    })
    const host = ['X-Forwarded-Host', 'evil.example']
    t.equal((await send('/records', [...shown(elsewhere), ...host])).status, 401, 'another site')
  })

  await t.test('an uninstall ends access, and without the door nothing passes', async (t) => {
    t.equal((await send('/records', bearer)).status, 200)
    const began = performance.now()
    const path = `/organizations/${acme}/installs/${app.client_id}`
    t.equal((await running.operator('DELETE', path)).status, 204)
    await eventually(async () => (await send('/records', bearer)).status === 401)
    t.comment(`401 after ${Math.round(performance.now() - began)} ms`)
    await door.close()
    const away = await send('/records', bearer)
    t.match(away, { ...proxy.without, seen: null })
    t.match(await send('/status'), { status: 200 })
  })
}

for (const proxy of proxies) {
  const { name, isThere, isOptional } = proxy
  const skip = (isOptional ? whereFound : unlessMissing)(isThere, name)
  t.test(`the example for ${name}`, skip, test(proxy))
}

t.test('the labels for Traefik copy, and so overwrite, every header', async (t) => {
  const { labels } = yaml('examples/door/traefik.yaml').services.service
  const lists = Object.entries(labels).filter(([name]) => name.endsWith('authResponseHeaders'))
  t.equal(lists.length, 2)
  for (const [, list] of lists)
    t.same(
      String(list).split(','),
      names.map((name) => `X-Latchkey-${name}`),
    )
})
