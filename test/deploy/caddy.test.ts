// Nightly, and when deploy/ changes: it starts a proxy with a server.
/** The examples for Caddy, with real requests through it to a server behind it. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import t from 'tap'
import { eventually } from '../support/eventually.ts'
import { isInstalled, unlessMissing } from '../support/installed.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { text } from './manifests.ts'
import { askThrough, createCertificate, expectOnlyPublic, startBehindProxy } from './proxied.ts'

const isThere = isInstalled('caddy', 'version') && isInstalled('openssl', 'version')
const equipped = unlessMissing(isThere, 'caddy or openssl')

const directory = await temporaryDirectory('caddy')
t.teardown(() => rm(directory, { recursive: true, force: true }))

interface Place {
  port: number
  plainPort: number
  instance: string
}

/** An example with other addresses and a certificate of the test, which leaves this machine as it is. */
const configure = async (example: string, { port, plainPort, instance }: Place) => {
  const { certificate, key } = createCertificate(directory)
  const own = [
    'admin off',
    'skip_install_trust',
    'default_bind 127.0.0.1',
    `http_port ${plainPort}`,
    `https_port ${port}`,
    `storage file_system ${directory}`,
  ]
  const site = `https://localhost:${port} {\n\ttls ${certificate} ${key}`
  const changed = text(example)
    .replace(/^(?:auth\.example\.com|\{\$LATCHKEY_HOST\}) \{$/m, site)
    .replace(/(?<=reverse_proxy ).*(?= \{)/, instance)
  const path = join(directory, 'Caddyfile')
  await writeFile(path, `{\n\t${own.join('\n\t')}\n}\n${changed}`)
  return path
}

t.test('Caddy passes on what is public, and nothing else', equipped, async (t) => {
  const { running, port, plainPort, instance } = await startBehindProxy(t)
  for (const example of ['deploy/caddy/Caddyfile', 'deploy/Caddyfile'])
    await t.test(example, async (t) => {
      const path = await configure(example, { port, plainPort, instance })
      const options = ['--config', path, '--adapter', 'caddyfile']
      const env = { ...process.env, HOME: directory, XDG_CONFIG_HOME: directory }
      execFileSync('caddy', ['validate', ...options], { stdio: 'pipe', env })
      const caddy = spawn('caddy', ['run', ...options], {
        stdio: ['ignore', 'ignore', 'pipe'],
        env,
      })
      const complaints = textOf(caddy.stderr)
      const ended = once(caddy, 'exit')
      t.teardown(async () => {
        caddy.kill('SIGTERM')
        await ended
      })
      const ask = askThrough(port)
      await eventually(async () => {
        if (caddy.exitCode !== null) throw new Error(`Caddy does not start: ${await complaints}`)
        return (await ask('/login').catch(() => null))?.status === 200
      })

      await expectOnlyPublic(t, port, running)

      const plain = await fetch(`http://localhost:${plainPort}/login?a=b`, { redirect: 'manual' })
      // Caddy takes its own port for one that a router maps from 443.
      t.equal(plain.headers.get('location'), 'https://localhost/login?a=b')
    })
})
