// Nightly, and when src/app or src/cli changes: it starts and stops servers in many ways.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { freePort } from '../support/free-port.ts'
import { masterKey } from '../support/latchkey.ts'
import { testStores } from '../support/stores.ts'
import { latchkeyInto, latchkeyProcess } from './latchkey-command.ts'

const [stores, ...others] = await testStores()
if (!stores) throw new Error('there is no store to test with')
t.teardown(() => Promise.all([stores, ...others].map((one) => one.drop())))

const environment = {
  DATABASE_URL: stores.databaseUrl,
  LATCHKEY_MASTER_KEY: masterKey,
  LATCHKEY_OPERATOR_TOKEN: 'an-operator-token-of-the-tests-0123',
}

t.test('every configuration fault has its own line, and the exit code is 2', async (t) => {
  const { code, stdout, stderr } = await latchkeyProcess(['serve'], {
    PORT: '99999',
    ISSUER: 'ftp://auth.example',
    DATABASE_URL: 'mysql://localhost/x',
    LATCHKEY_OPERATOR_TOKEN: 'short',
  }).ended
  t.equal(code, 2)
  t.equal(stdout, '')
  const lines = stderr.trim().split('\n')
  for (const name of [
    'PORT',
    'ISSUER',
    'DATABASE_URL',
    'LATCHKEY_MASTER_KEY',
    'LATCHKEY_OPERATOR_TOKEN',
  ])
    t.ok(
      lines.some((line) => line.trim().startsWith(`${name} `)),
      name,
    )
  t.notMatch(stderr, 'mysql://localhost/x')
})

t.test('a port in use is one clear line and exit code 1', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => taken.close())
  const { port } = taken.address() as AddressInfo
  const { code, stderr } = await latchkeyProcess(['serve'], {
    ...environment,
    PORT: String(port),
    LOG_LEVEL: 'silent',
  }).ended
  t.equal(code, 1)
  t.match(stderr, `latchkey: port ${port} on 127.0.0.1 is in use: set PORT to another one`)
  t.notMatch(stderr, '    at ')
})

t.test('a signal stops the server with exit code 0, and a second signal is harmless', async (t) => {
  const port = await freePort()
  const { child, said, ended } = latchkeyProcess(['serve'], { ...environment, PORT: String(port) })
  while (!said.stdout.includes('"msg":"listening"') && child.exitCode === null) await sleep(50)
  const response = await fetch(`http://127.0.0.1:${port}/health/ready`)
  t.equal(response.status, 200)
  await response.arrayBuffer()
  child.kill('SIGTERM')
  child.kill('SIGTERM')
  child.kill('SIGINT')
  const { code, stdout } = await ended
  t.equal(code, 0)
  t.match(stdout, '"msg":"closing"')
  await t.rejects(fetch(`http://127.0.0.1:${port}/health/ready`))
})

const listening = async (port: number) => {
  const url = `http://127.0.0.1:${port}/health/ready`
  while (
    !(await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await sleep(50)
}

/** Requests that log one line each; the pipe to the reader holds 64 KiB. */
const fillLog = async (port: number) => {
  for (let sent = 0; sent < 600; sent++) {
    const response = await fetch(`http://127.0.0.1:${port}/nowhere/${'x'.repeat(100)}`)
    await response.arrayBuffer()
  }
}

const noFullDisk = !existsSync('/dev/full') && { skip: 'there is no /dev/full' }

t.test('a server whose log disk is full works and stops normally', noFullDisk || {}, async (t) => {
  const port = await freePort()
  const child = latchkeyInto('/dev/full', ['serve'], { ...environment, PORT: String(port) })
  t.teardown(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said += chunk
  })
  await Promise.race([listening(port), ended])
  t.equal(child.exitCode, null, said)
  await fillLog(port)
  const response = await fetch(`http://127.0.0.1:${port}/health/ready`)
  t.equal(response.status, 200)
  await response.arrayBuffer()
  child.kill('SIGTERM')
  t.same(await ended, [0, null])
})

for (const reader of ['gone', 'asleep']) {
  t.test(`a server whose log reader is ${reader} works and stops normally`, async (t) => {
    const port = await freePort()
    const { child, ended } = latchkeyProcess(['serve'], { ...environment, PORT: String(port) })
    t.teardown(() => child.kill('SIGKILL'))
    await listening(port)
    if (reader === 'gone') child.stdout.destroy()
    else {
      child.stdout.pause()
      await fillLog(port)
    }
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`)
    t.equal(response.status, 200)
    await response.arrayBuffer()
    const began = performance.now()
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), 8000)
    const [code, signal] = await once(child, 'exit')
    clearTimeout(late)
    t.same({ code, signal }, { code: 0, signal: null }, `${performance.now() - began} ms`)
    child.stdout.destroy()
    await ended
  })
}
