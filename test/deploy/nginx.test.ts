// Nightly, and when deploy/ changes: it starts a proxy with a server.
/** The example for nginx, with real requests through it to a server behind it. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import t from 'tap'
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
const configure = async (port: number, plainPort: number, instance: string): Promise<string> => {
  const { certificate, key } = createCertificate(directory)
  const example = text('deploy/nginx/latchkey.conf')
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

t.test('nginx passes on what is public, and nothing else', equipped, async (t) => {
  const { running, port, plainPort, instance } = await startBehindProxy(t)
  const path = await configure(port, plainPort, instance)
  const options = ['-p', directory, '-e', 'stderr', '-c', path]
  execFileSync('nginx', [...options, '-t'], { stdio: 'pipe' })
  const nginx = spawn('nginx', options, { stdio: ['ignore', 'ignore', 'pipe'] })
  const complaints = textOf(nginx.stderr)
  const ended = once(nginx, 'exit')
  t.teardown(async () => {
    nginx.kill('SIGTERM')
    await ended
  })

  const ask = askThrough(port)
  await eventually(async () => {
    if (nginx.exitCode !== null) throw new Error(`nginx does not start: ${await complaints}`)
    return (await ask('/login').catch(() => null))?.status === 200
  })

  await expectOnlyPublic(t, port, running)
  const plain = await fetch(`http://127.0.0.1:${plainPort}/login?a=b`, { redirect: 'manual' })
  t.equal(plain.headers.get('location'), `${running.issuer}/login?a=b`)
})
