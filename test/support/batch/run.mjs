/**
 * `node test/support/batch/run.mjs [--jobs=3] [--timeout=600] [path…]`: runs test files in batches, each of them one
 * process. A file that has a line `// Runs alone: <reason>` has a process of its own. After a file that crashes or hangs,
 * a new process runs the rest of its batch. Paths are files or folders; without any, all of test.
 */
import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('../../../', import.meta.url))
process.chdir(root)
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: 'string', default: '3' },
    timeout: { type: 'string', default: '600' },
    size: { type: 'string', default: '16' },
    results: { type: 'string', default: '.tap/test-results' },
  },
})
const { results } = values
const loader = new URL('../typescript/register.mjs', import.meta.url).href
const program = fileURLToPath(new URL('files.ts', import.meta.url))

const filesOf = (path) => {
  if (!fs.statSync(path).isDirectory()) return [path]
  const found = fs.readdirSync(path).flatMap((name) => filesOf(join(path, name)))
  return found.filter((name) => name.endsWith('.test.ts'))
}

const runsAlone = (file) => /^\/\/ Runs alone: \S/m.test(fs.readFileSync(file, 'utf8'))

/** Files of one folder make a batch, up to a size that leaves work for each job. */
const batchesOf = (files) => {
  const alone = files.filter(runsAlone)
  const folders = [...new Set(files.map((file) => dirname(file)))]
  const batches = folders.flatMap((folder) => {
    const shared = files.filter((file) => dirname(file) === folder && !alone.includes(file))
    const count = Math.ceil(shared.length / Number(values.size))
    return Array.from({ length: count }, (_, n) => shared.filter((_, at) => at % count === n))
  })
  return [...batches, ...alone.map((file) => [file])].sort((a, b) => b.length - a.length)
}

const sum = { total: 0, pass: 0, fail: 0, skip: 0, todo: 0 }
let failedFiles = 0

/** Prints and records how a file ended; what passed is not repeated. */
const report = (file, counts, lines, fault) => {
  for (const name of Object.keys(sum)) sum[name] += counts?.[name] ?? 0
  const failed = Boolean(fault || counts.fail > 0 || counts.total === 0)
  const text = [...lines, ...(fault ? [`not ok - ${file} ${fault}`] : [])]
  const target = join(results, `${file}.tap`)
  fs.mkdirSync(dirname(target), { recursive: true })
  fs.writeFileSync(target, `${text.join('\n')}\n`)
  const seconds = /# time=([\d.]+)(ms|s)/.exec(lines.findLast((line) => /^(not )?ok /.test(line)))
  console.log(
    `${failed ? 'not ok' : 'ok'} - ${file}${seconds ? ` ${seconds[1]} ${seconds[2]}` : ''}`,
  )
  if (!failed) return
  failedFiles++
  // Failed without a failed assertion: crashed, hung, or nothing was tested.
  if (!counts?.fail) sum.fail++
  console.log(text.filter((line) => !/^\s+(ok \d|1\.\.\d)/.test(line)).join('\n'))
}

/** @returns the files that have not run, when one before them crashed or hung */
const runProcess = (files) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [`--import=${loader}`, program, ...files], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, LATCHKEY_TEST_RUN: String(process.pid) },
    })
    children.add(child)
    const left = [...files]
    let lines = []
    let timer
    const watch = () => {
      clearTimeout(timer)
      timer = setTimeout(() => child.kill('SIGKILL'), Number(values.timeout) * 1000)
    }
    watch()
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith('# file begins: ')) {
        lines = []
        watch()
      } else if (line.startsWith('# file ends: ')) {
        const { file, fault, ...counts } = JSON.parse(line.slice('# file ends: '.length))
        left.splice(left.indexOf(file), 1)
        report(file, counts, lines, fault)
        lines = []
      } else lines.push(line)
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      children.delete(child)
      const ended =
        signal === 'SIGKILL'
          ? `was ended after ${values.timeout} s`
          : `ended with ${signal ?? code}`
      if (left.length > 0) report(left.shift(), null, lines, ended)
      else if (signal) report(files.at(-1), null, lines, `left its process open, which ${ended}`)
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
fs.rmSync(results, { recursive: true, force: true })
const work = async () => {
  for (let batch = batches.shift(); batch; batch = batches.shift())
    for (let left = batch; left.length > 0; ) left = await runProcess(left)
}
await Promise.all(Array.from({ length: Number(values.jobs) }, work))
const counts = Object.entries(sum).map(([name, count]) => `${name}: ${count}`)
console.log(`# { ${counts.join(', ')} }`)
process.exitCode = failedFiles > 0 ? 1 : 0
