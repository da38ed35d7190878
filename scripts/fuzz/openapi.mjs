// `npm run fuzz:openapi`: Schemathesis against the built server on embedded stores. Arguments are passed on to it.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const root = dirname(dirname(here))

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}

const isReady = (url) =>
  fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  )

const data = await mkdtemp(join(tmpdir(), 'latchkey-fuzz-'))
const port = await freePort()
const token = `fuzz-${randomBytes(24).toString('hex')}`
const server = spawn(process.execPath, [join(root, 'dist/program/main.js'), 'serve'], {
  env: {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    LATCHKEY_DATA: data,
    LATCHKEY_OPERATOR_TOKEN: token,
    LOG_LEVEL: 'error',
  },
  stdio: ['ignore', 'inherit', 'inherit'],
})

const run = async () => {
  const url = `http://127.0.0.1:${port}`
  while (!(await isReady(url))) {
    if (server.exitCode !== null) throw new Error('the server did not start')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const fuzzer = spawn(
    process.env.SCHEMATHESIS ?? 'schemathesis',
    [
      `--config-file=${join(here, 'schemathesis.toml')}`,
      'run',
      `${url}/api/admin/v1/openapi.json`,
      `--header=Authorization: Bearer ${token}`,
      '--continue-on-failure',
      '--no-shrink',
      '--warnings=off',
      ...process.argv.slice(2),
    ],
    { cwd: data, stdio: 'inherit' },
  )
  const [code] = await once(fuzzer, 'exit')
  return code ?? 1
}

try {
  process.exitCode = await run()
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
} finally {
  server.kill()
  if (server.exitCode === null) await once(server, 'exit')
  await rm(data, { recursive: true, force: true })
}
