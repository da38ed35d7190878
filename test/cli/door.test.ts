/** `latchkey door` as a process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import t from 'tap'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { audience, startScriptedServer } from '../support/scripted-server.ts'
import { latchkeyProcess, program } from './latchkey-command.ts'

const secret = 'canary-secret-of-the-door-4711'
const server = await startScriptedServer()
t.teardown(() => server.stop())
const environment = {
  ISSUER: server.issuer,
  TOKEN_AUDIENCE: audience,
  RESOURCE_SERVER_ID: 'rsv1',
  RESOURCE_SERVER_SECRET: secret,
}

t.test('every configuration fault has its own line, and the exit code is 2', async (t) => {
  const { code, stdout, stderr } = await latchkeyProcess(['door'], {
    ISSUER: 'auth.example.com',
    DOOR_PORT: '99999',
    DOOR_SERVER: 'ftp://auth.internal',
    DOOR_ORIGINS: 'https://api.example.com/v1',
    DOOR_MAX_REVOCATION_AGE_SECONDS: '1',
    RESOURCE_SERVER_SECRET: secret,
    RESOURCE_SERVER_SECRET_FILE: '/nowhere',
  }).ended
  t.equal(code, 2)
  t.equal(stdout, '')
  for (const name of [
    'ISSUER',
    'DOOR_PORT',
    'DOOR_SERVER',
    'DOOR_ORIGINS',
    'DOOR_MAX_REVOCATION_AGE_SECONDS',
    'RESOURCE_SERVER_ID',
    'RESOURCE_SERVER_SECRET_FILE',
  ])
    t.match(stderr, new RegExp(`^ +${name} `, 'm'), name)
  t.notMatch(stderr, /RESOURCE_SERVER_SECRET is required/)
  t.notMatch(stderr, secret)
})

t.test('needs no setting of the server, and no store', async (t) => {
  const { code, stderr } = await latchkeyProcess(['door'], {}).ended
  t.equal(code, 2)
  t.same(stderr.trim().split('\n').slice(1), [
    '  ISSUER is required',
    '  RESOURCE_SERVER_ID is required',
    '  RESOURCE_SERVER_SECRET is required',
  ])
})

t.test('a port in use is one clear line that names its setting', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => taken.close())
  const { port } = taken.address() as AddressInfo
  for (const name of ['DOOR_PORT', 'METRICS_PORT']) {
    const free = { DOOR_PORT: String(await freePort()), LOG_LEVEL: 'silent' }
    const { code, stderr } = await latchkeyProcess(['door'], {
      ...environment,
      ...free,
      [name]: String(port),
    }).ended
    t.equal(code, 1, name)
    t.match(stderr, `latchkey: port ${port} on 127.0.0.1 is in use: set ${name} to another one`)
  }
})

t.test('answers checks on this machine only, and a signal ends it with 0', async (t) => {
  const port = await freePort()
  const { child, said, ended } = latchkeyProcess(['door'], {
    ...environment,
    DOOR_PORT: String(port),
    LOG_LEVEL: 'debug',
  })
  t.teardown(() => child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(said.stderr)
    return fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  })
  const check = (token: string) =>
    fetch(`${url}/check?interface=current`, { headers: { authorization: `Bearer ${token}` } })
  const token = server.token()
  t.equal((await check(token)).status, 200)
  t.equal((await check('nonsense')).status, 401)
  child.kill('SIGTERM')
  child.kill('SIGINT')
  const { code, stdout, stderr } = await ended
  t.equal(code, 0)
  t.equal(stderr, '')
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.match(lines[0], { msg: 'listening', host: '127.0.0.1', port, audience })
  t.ok(lines.some(({ msg }) => msg === 'allowed'))
  t.ok(lines.some(({ msg, reason }) => msg === 'refused' && reason === 'malformed'))
  t.match(lines.at(-1), { msg: 'closing' })
  t.notMatch(stdout, secret)
  t.notMatch(stdout, token)
})

t.test('it ends after the process that started it, also when that one is killed', async (t) => {
  const port = await freePort()
  const starter = `
    const { spawn } = require('node:child_process')
    const child = spawn(process.execPath, ${JSON.stringify([program, 'door'])}, { stdio: 'ignore' })
    console.log(child.pid)
    setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, ['-e', starter], {
    env: {
      PATH: process.env.PATH,
      ...environment,
      DOOR_PORT: String(port),
      SHUTDOWN_DRAIN_MS: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pid = Number(String((await once(parent.stdout, 'data'))[0]))
  const lives = () => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  t.teardown(() => lives() && process.kill(pid, 'SIGKILL'))
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/health/live`).then(
      () => true,
      () => false,
    )
  await eventually(answers)
  parent.kill('SIGKILL')
  await eventually(async () => !(await answers()) && !lives())
})
