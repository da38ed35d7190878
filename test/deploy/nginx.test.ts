// Nightly, and when deploy/ changes: it starts a proxy with a server.
/** The example for nginx, with real requests through it to a server behind it. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { eventually } from '../support/eventually.ts'
import { isInstalled, unlessMissing } from '../support/installed.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { text } from './manifests.ts'
import { askThrough, createCertificate, expectOnlyPublic, startBehindProxy } from './proxied.ts'

const isThere = isInstalled('nginx', '-v') && isInstalled('openssl', 'version')
const equipped = unlessMissing(isThere, 'nginx or openssl')

const directory = await temporaryDirectory('nginx')
t.teardown(() => rm(directory, { recursive: true, force: true }))

/** The example with other addresses and a certificate of the test. */
const configure = async (
  port: number,
  plainPort: number,
  instance: string,
  locations = '',
): Promise<string> => {
  const { certificate, key } = createCertificate(directory)
  const whole = text('deploy/nginx/latchkey.conf')
  const ownLocations = whole.slice(whole.indexOf('    # For the operator'), whole.lastIndexOf('}'))
  const example = (locations === '' ? whole : whole.replace(ownLocations, () => locations))
    .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replaceAll('server_name auth.example.com', 'server_name localhost')
    .replace('https://auth.example.com', `https://localhost:${port}`)
    .replace('/etc/ssl/certs/auth.example.com.pem', certificate)
    .replace('/etc/ssl/private/auth.example.com.key', key)
    .replace('127.0.0.1:3000', instance)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(directory, name)};`)
    .join('\n')
  await mkdir(join(directory, 'logs'), { recursive: true })
  const path = join(directory, 'nginx.conf')
  const own = `daemon off; pid ${directory}/pid; error_log stderr; events {}`
  await writeFile(path, `${own}\nhttp {\naccess_log off;\n${temporary}\n${example}\n}\n`)
  return path
}

/** Starts nginx with the configuration, until the end of the test. */
const startNginx = async (t: Test, path: string, isUp: () => Promise<boolean>) => {
  const options = ['-p', directory, '-e', 'stderr', '-c', path]
  execFileSync('nginx', [...options, '-t'], { stdio: 'pipe' })
  const nginx = spawn('nginx', options, { stdio: ['ignore', 'ignore', 'pipe'] })
  const complaints = textOf(nginx.stderr)
  const ended = once(nginx, 'exit')
  t.teardown(async () => {
    nginx.kill('SIGTERM')
    await ended
  })

  await eventually(async () => {
    if (nginx.exitCode !== null) throw new Error(`nginx does not start: ${await complaints}`)
    return isUp()
  })
}

t.test('nginx passes on what is public, and nothing else', equipped, async (t) => {
  const { running, port, plainPort, instance } = await startBehindProxy(t)
  const ask = askThrough(port)
  const path = await configure(port, plainPort, instance)
  await startNginx(t, path, async () => (await ask('/login').catch(() => null))?.status === 200)
  await expectOnlyPublic(t, port, running)
  const plain = await fetch(`http://127.0.0.1:${plainPort}/login?a=b`, { redirect: 'manual' })
  t.equal(plain.headers.get('location'), `${running.issuer}/login?a=b`)
})

t.test('nginx in front of an issuer with a path', equipped, async (t) => {
  const { running, port, plainPort, instance } = await startBehindProxy(t, '/auth')
  const ask = askThrough(port)
  const locations = text('deploy/nginx/below-a-path.conf')
  const path = await configure(port, plainPort, instance, locations)
  await startNginx(
    t,
    path,
    async () => (await ask('/auth/login').catch(() => null))?.status === 200,
  )
  const metadata = ['oauth-authorization-server', 'openid-configuration']
  for (const at of metadata.flatMap((name) => [
    `/.well-known/${name}/auth`,
    `/auth/.well-known/${name}`,
  ]))
    t.match(JSON.parse((await ask(at)).body), { issuer: running.issuer }, at)
  t.equal((await ask('/auth')).status, 200)
  t.equal((await ask('/oauth/token', { method: 'POST' })).status, 400, 'an alias')
  for (const at of ['/login', '/auth/auth/login', '/AUTH/login', '/auth//login'])
    t.equal((await ask(at)).status, 404, at)
  const inside = [
    '/api/admin/v1/apps',
    '/metrics',
    '/health/live',
    '/%61pi/admin/v1/apps',
    '/API/admin/v1/apps',
  ]
  for (const at of [...inside, ...inside.map((one) => `/auth${one}`)].flatMap((one) => [
    one,
    `/auth${one}`,
  ]))
    t.equal((await ask(at)).status, 404, at)
})
