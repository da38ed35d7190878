import { readFileSync } from 'node:fs'
import type { Test } from 'tap'
import { freePort } from './free-port.ts'
import { type ServerProcess, type ServerSettings, startServerProcess } from './server-process.ts'

interface Line {
  msg: string
  worker?: number
  pid?: number
}

const linesOf = (server: ServerProcess): Line[] =>
  server
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line))

/** Its lines with this message. */
export const said = (server: ServerProcess, message: string) =>
  linesOf(server).filter(({ msg }) => msg === message)

/** The process that now runs as this worker. */
export const pidOf = (server: ServerProcess, worker: number) =>
  said(server, 'worker listens')
    .filter((line) => line.worker === worker)
    .at(-1)?.pid ?? 0

export const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0) && !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

/** An instance of two workers. */
export const startWorkers = async (
  t: Test,
  stores: ServerSettings['stores'],
  more: Record<string, string> = {},
) => {
  const metricsPort = await freePort()
  const settings: ServerSettings = {
    stores,
    environment: {
      WORKERS: '2',
      METRICS_PORT: String(metricsPort),
      METRICS_TOKEN: 'metrics-token',
      ...more,
    },
  }
  const server = await startServerProcess(t, settings)
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return { server, metrics }
}

/** The sum of a series over all labels. */
export const numberIn = (exposition: string, series: string) =>
  exposition
    .split('\n')
    .filter((line) => line.startsWith(series) && /[ {]/.test(line[series.length] ?? ''))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
