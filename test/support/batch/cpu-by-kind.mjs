/**
 * `node test/support/batch/cpu-by-kind.mjs npm test`: runs a command, and prints the CPU seconds that all processes of the
 * machine have used meanwhile, by kind. Linux only. A process that ends within a quarter of a second may be missed.
 */
import { spawn } from 'node:child_process'
import * as fs from 'node:fs'

const ticks = 100 // In a second (USER_HZ).
const kinds = [
  ['keeper of servers and browsers', /support\/keeper/],
  ['test processes', /batch\/files\.ts/],
  ['server processes', /main\.(?:js|ts|mjs)/],
  ['Chromium', /chrom/],
  ['Postgres', /postgres/],
  ['Redis', /redis-server/],
]

/** CPU of each process in ticks (proc(5)), by its id and the time of its start. */
const readAll = () =>
  fs.readdirSync('/proc').flatMap((id) => {
    if (!/^\d+$/.test(id)) return []
    try {
      const stat = fs.readFileSync(`/proc/${id}/stat`, 'utf8')
      const [name, rest] = [stat.slice(stat.indexOf('(') + 1), stat.slice(stat.lastIndexOf(')'))]
      const fields = rest.slice(2).split(' ')
      const command = `${name} ${fs.readFileSync(`/proc/${id}/cmdline`, 'latin1')}`
      const kind = kinds.find(([, shape]) => shape.test(command))?.[0]
      return [{ key: `${id} ${fields[19]}`, kind, used: Number(fields[11]) + Number(fields[12]) }]
    } catch {
      return [] // It has ended.
    }
  })

const before = new Map(readAll().map(({ key, used }) => [key, used]))
const seen = new Map()
const sample = () => {
  // A process that has ended, but whose parent has not asked for its status, has no command any more.
  for (const { key, kind, used } of readAll())
    seen.set(key, { kind: kind ?? seen.get(key)?.kind ?? 'others', used })
}
const [command, ...args] = process.argv.slice(2)
const began = performance.now()
const timer = setInterval(sample, 250)
spawn(command, args, { stdio: 'inherit' }).on('close', (code) => {
  clearInterval(timer)
  sample()
  const sums = new Map()
  for (const [key, { kind, used }] of seen)
    sums.set(kind, (sums.get(kind) ?? 0) + (used - (before.get(key) ?? 0)) / ticks)
  for (const [kind, sum] of [...sums].sort(([, a], [, b]) => b - a))
    console.log(`${sum.toFixed(0).padStart(6)} s of CPU  ${kind}`)
  console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(6)} s passed`)
  process.exitCode = code ?? 1
})
