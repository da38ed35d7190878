/**
 * `npm test`, or `node test/support/batch/run.mjs [--nightly] [--jobs=3] [--timeout=600] [path…]`: runs test files in
 * batches, each of them one process. Paths are files or folders; without any, all of test.
 *
 * A file says in a line of its own what is special about it:
 * - `// Runs alone: <reason>`: it has a process of its own.
 * - `// Nightly: <reason>`: it runs with `--nightly`, or when it is named. The night also runs each file on all backends,
 *   looks at pages in each way, and makes ten times the random input.
 * - `// Nightly, and when <paths> change(s): <reason>`: also when the last commit or the work tree changes something in
 *   one of the paths. For more than one commit: `LATCHKEY_CHANGED_SINCE=<commit>`.
 * - `// Full hashes: <reason>`: hashes of passwords cost as much by day as in a server.
 *
 * After a file that crashes or hangs, a new process runs the rest of its batch.
 */
import { spawn, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('../../../', import.meta.url))
process.chdir(root)
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    // Many files wait for stores and timers, so one more than there are cores.
    jobs: { type: 'string', default: String(availableParallelism() + 1) },
    nightly: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    timeout: { type: 'string', default: '600' },
    size: { type: 'string', default: '16' },
    suffix: { type: 'string', default: '.test.ts' },
    results: { type: 'string', default: '.tap/test-results' },
  },
})
const { results } = values
const loader = new URL('../typescript/register.mjs', import.meta.url).href
const program = fileURLToPath(new URL('files.ts', import.meta.url))

const night = {
  LATCHKEY_TEST_NIGHTLY: '1',
  LATCHKEY_TEST_BACKENDS: 'all',
  LATCHKEY_TEST_EFFORT: process.env.LATCHKEY_TEST_EFFORT ?? '10',
}

const git = (...args) => spawnSync('git', args, { encoding: 'utf8' }).stdout?.trim()

/** Paths that the commit changes, or null where no history tells. */
const changedPaths = () => {
  const since = process.env.LATCHKEY_CHANGED_SINCE || git('rev-parse', '--verify', 'HEAD~1')
  return since ? git('diff', '--name-only', since)?.split('\n') : null
}

let changed
const hasChanged = (path) => {
  changed ??= changedPaths() ?? ['']
  return changed.some((one) => one === '' || one.startsWith(path))
}

const textOf = (file) => fs.readFileSync(file, 'utf8')
const runsAlone = (file) => /^\/\/ Runs alone: \S/m.test(textOf(file))
const isDue = (file) => {
  const [line, paths] = /^\/\/ Nightly(?:, and when (.+?) changes?)?: \S/m.exec(textOf(file)) ?? []
  return !line || values.nightly || Boolean(paths?.split(/, | and | or /).some(hasChanged))
}

const filesIn = (folder) =>
  fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesIn(path)
    return entry.name.endsWith(values.suffix) && isDue(path) ? [path] : []
  })
const filesOf = (path) => (fs.statSync(path).isDirectory() ? filesIn(path) : [path])

const folderOf = (file) => file.split(sep).slice(0, 2).join(sep)

/** Files of one folder of test/ make batches, up to a size that leaves work for each job; the largest begin first. */
const batchesOf = (files) => {
  const alone = files.filter(runsAlone)
  const shared = files.filter((file) => !alone.includes(file))
  const batches = [...new Set(shared.map(folderOf))].flatMap((folder) => {
    const own = shared.filter((file) => folderOf(file) === folder)
    const count = Math.ceil(own.length / Number(values.size))
    return Array.from({ length: count }, (_, n) => own.filter((_, at) => at % count === n))
  })
  return [...alone.map((file) => [file]), ...batches.sort((a, b) => b.length - a.length)]
}

const sum = { total: 0, pass: 0, fail: 0, skip: 0, todo: 0 }
let failedFiles = 0

/** Prints and records how a file ended; what passed is not repeated. */
const report = (file, counts, lines, fault, cpu) => {
  for (const name of Object.keys(sum)) sum[name] += counts?.[name] ?? 0
  const failed = Boolean(fault || counts.fail > 0 || counts.total === 0)
  const text = [...lines, ...(fault ? [`not ok - ${file} ${fault}`] : [])]
  const target = join(results, `${file}.tap`)
  fs.mkdirSync(dirname(target), { recursive: true })
  fs.writeFileSync(target, `${text.join('\n')}\n`)
  const took = cpu === undefined ? '' : ` ${cpu.toFixed(1)} s of CPU`
  console.log(`${failed ? 'not ok' : 'ok'} - ${file}${took}`)
  if (!failed) return
  failedFiles++
  // Failed without a failed assertion: crashed, hung, or nothing was tested.
  if (!counts?.fail) sum.fail++
  console.log(text.filter((line) => !/^\s+(ok \d|1\.\.\d)/.test(line)).join('\n'))
}

/** Seconds in which a process ends after its last file. */
const longestEnd = 60

/** @returns the files that have not run, when one before them crashed or hung */
const runProcess = (files) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [`--import=${loader}`, program], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        LATCHKEY_TEST_RUN: String(process.pid),
        LATCHKEY_TEST_FILES: JSON.stringify(files),
        ...(values.nightly ? night : {}),
      },
    })
    children.add(child)
    const left = [...files]
    let lines = []
    let timer
    let seconds
    const watch = (most = Number(values.timeout)) => {
      clearTimeout(timer)
      seconds = most
      timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000)
    }
    watch()
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith('# file begins: ')) {
        lines = []
        watch()
      } else if (line.startsWith('# file ends: ')) {
        const { file, fault, cpu, ...counts } = JSON.parse(line.slice('# file ends: '.length))
        left.splice(left.indexOf(file), 1)
        report(file, counts, lines, fault, cpu)
        lines = []
        if (left.length === 0) watch(longestEnd)
      } else lines.push(line)
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      children.delete(child)
      const ended =
        signal === 'SIGKILL' ? `was ended after ${seconds} s` : `ended with ${signal ?? code}`
      if (left.length > 0) report(left.shift(), null, lines, ended)
      else if (signal) {
        const open = `left its process open, which ${ended}; it ran ${files.join(' ')}`
        report(files.at(-1), null, lines, open)
      }
      resolve(left)
    })
  })

const children = new Set()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

const batches = batchesOf(
  (positionals.length ? positionals : ['test']).flatMap((path) =>
    filesOf(relative(root, join(root, path))),
  ),
)
if (values.list) {
  console.log(batches.map((files) => files.join(' ')).join('\n'))
  process.exit()
}
fs.rmSync(results, { recursive: true, force: true })
const work = async () => {
  for (let batch = batches.shift(); batch; batch = batches.shift())
    for (let left = batch; left.length > 0; ) left = await runProcess(left)
}
await Promise.all(Array.from({ length: Number(values.jobs) }, work))
const counts = Object.entries(sum).map(([name, count]) => `${name}: ${count}`)
console.log(`# { ${counts.join(', ')} }`)
process.exitCode = failedFiles > 0 ? 1 : 0
