import { readdirSync, readFileSync } from 'node:fs'

const microsPerTick = 10_000

/** CPU µs of a process and its exited children (proc(5)), and its parent. */
export const processUsage = (pid: number) => {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [, parent, ...fields] = line.slice(line.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(9, 13).reduce((sum, one) => sum + Number(one), 0)
  return { parent: Number(parent), micros: ticks * microsPerTick }
}

/** Resident memory of a process in bytes. */
export const residentBytes = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

/** A value of a process; null if the process has exited meanwhile. */
const unlessExited = <Value>(read: () => Value) => {
  try {
    return read()
  } catch {
    return null
  }
}

/** A process and all its children. */
export const familyOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => one === pid || unlessExited(() => processUsage(one).parent) === pid)

const sumOfFamily = (pid: number, read: (member: number) => number) =>
  familyOf(pid).reduce((sum, one) => sum + (unlessExited(() => read(one)) ?? 0), 0)

/** CPU µs of a process with all its children. */
export const familyMicros = (pid: number) => sumOfFamily(pid, (one) => processUsage(one).micros)

/** Resident memory in bytes of a process with all its children. */
export const familyBytes = (pid: number) => sumOfFamily(pid, residentBytes)
