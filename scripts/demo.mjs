// `npm run demo`: turns a fresh clone into a running demo, with nothing but Node and npm.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { demoFile } from './program.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const oldestNode = [20, 19]

const say = (text = '') => process.stdout.write(`${text}\n`)

const fail = (text) => {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]))
  fail(`Node ${oldestNode.join('.')} or later is needed; this is ${process.versions.node}.`)

const changedAt = (path) =>
  stat(join(root, path)).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )

/** Runs the npm that started this script, else the one in PATH. */
const npm = (...args) => {
  const cli = process.env.npm_execpath
  return cli?.endsWith('.js')
    ? spawn(process.execPath, [cli, ...args], { cwd: root })
    : spawn('npm', args, { cwd: root, shell: process.platform === 'win32' })
}

/** Runs a step and shows its output only when it fails. */
const step = async (name, child) => {
  const started = performance.now()
  process.stdout.write(name.padEnd(9))
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk
    })
  child.on('error', (error) => {
    said += error.message
  })
  const [code] = await once(child, 'close')
  if (code !== 0) fail(`\n${said}\n${name} failed`)
  say(`${((performance.now() - started) / 1000).toFixed(1)} s`)
}

const installed = await changedAt('node_modules/.package-lock.json')
if (installed < (await changedAt('package-lock.json')))
  await step('install', npm('ci', '--ignore-scripts', '--no-audit', '--no-fund'))
await step(
  'build',
  spawn(process.execPath, [join(root, 'scripts/build.mjs'), '--all'], { cwd: root }),
)

const demo = spawn(process.execPath, [join(root, demoFile), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
// Ctrl-C reaches the demo itself. This process waits until the demo has shut down.
process.on('SIGINT', () => {})
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => demo.kill(signal))
const [code] = await once(demo, 'exit')
process.exitCode = code ?? 1
