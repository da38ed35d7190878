import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'
import { isInstalled, unlessMissing } from './installed.ts'
import { temporaryDirectory } from './temporary-directory.ts'

export const noHaproxy = unlessMissing(isInstalled('haproxy', '-v'), 'haproxy')

const settings = (port: number, statistics: number, ports: readonly number[]) => `
defaults
  mode http
  timeout connect 2s
  timeout check 5s
  timeout client 60s
  timeout server 60s
  retries 3
  option redispatch
frontend statistics
  bind 127.0.0.1:${statistics}
  stats enable
  stats uri /
frontend public
  bind 127.0.0.1:${port}
  default_backend latchkey
backend latchkey
  balance roundrobin
  option httpchk GET /health/ready
  http-check expect status 200
  default-server check inter 100ms fall 1 rise 1
${ports.map((one) => `  server on-${one} 127.0.0.1:${one}`).join('\n')}
`

/** HAProxy before servers on these ports, led by their readiness. @param port its own */
export const startHaproxy = async (t: Test, port: number, ports: readonly number[]) => {
  const directory = await temporaryDirectory('haproxy')
  const file = join(directory, 'haproxy.cfg')
  const statistics = await freePort()
  await writeFile(file, settings(port, statistics, ports))
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk
    })
  const ended = once(child, 'exit')
  const killNow = () => child.kill('SIGKILL')
  process.once('exit', killNow)
  t.teardown(async () => {
    process.off('exit', killNow)
    killNow()
    await ended
    await rm(directory, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${port}`
  const leads = () =>
    fetch(`${url}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    )
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`haproxy does not start: ${said}`)
    return leads()
  })
  return {
    url,
    /** Whether it sends requests to the server on this port. */
    sendsTo: async (one: number) => {
      const table = await (await fetch(`http://127.0.0.1:${statistics}/;csv`)).text()
      return new RegExp(`^latchkey,on-${one},.*,UP,`, 'm').test(table)
    },
  }
}

/** The ports of HAProxy and the servers. */
export const freePorts = async (count: number): Promise<number[]> => {
  const ports = new Set<number>()
  while (ports.size < count) ports.add(await freePort())
  return [...ports]
}
