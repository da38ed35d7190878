// Draws an SVG in a process of its own, which is ended when it takes too long.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants, setPriority } from 'node:os'
import { isPlainSvg } from './svg-rules.ts'

const longest = 5000 // ms
const mostOutput = 512 * 1024 // bytes

/**
 * The program of the process. It reads an SVG and writes a PNG of at most 128 × 128 pixels. When memory is short, Linux
 * ends it first.
 */
const program = `
const { writeFileSync } = require('node:fs')
try { writeFileSync('/proc/self/oom_score_adj', '1000') } catch {}
const sharp = require(process.argv[1])
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadSvg'] })
sharp.concurrency(1)
sharp.cache(false)
const draw = async (svg) => {
  const limits = { limitInputPixels: 2048 * 2048, failOn: 'error' }
  const { width, height } = await sharp(svg, limits).metadata()
  if (width * height > limits.limitInputPixels) throw new Error('too large')
  const density = Math.min((72 * 128) / Math.max(width, height), 10000)
  const transparent = { r: 0, g: 0, b: 0, alpha: 0 }
  return sharp(svg, { ...limits, density })
    .resize(128, 128, { fit: 'contain', background: transparent })
    .png()
    .toBuffer()
}
const chunks = []
process.stdin.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
  draw(Buffer.concat(chunks)).then((png) => process.stdout.write(png), () => process.exit(1))
})`

const lowerPriority = (pid: number | undefined) => {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It has ended, or the platform does not allow it.
  }
}

/** @returns null: not drawn */
const draw = (svg: Buffer, timeout: number): Promise<Buffer | null> =>
  new Promise((resolve) => {
    const library = createRequire(import.meta.url).resolve('sharp')
    const child = spawn(process.execPath, ['--max-old-space-size=64', '-e', program, library], {
      // No environment: it has the secrets of the server.
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout,
      killSignal: 'SIGKILL',
    })
    lowerPriority(child.pid)
    const chunks: Buffer[] = []
    let length = 0
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > mostOutput) child.kill('SIGKILL')
      else chunks.push(chunk)
    })
    child.on('error', () => resolve(null))
    child.on('close', (code) =>
      resolve(code === 0 && length <= mostOutput ? Buffer.concat(chunks) : null),
    )
    // The process may end before it has read everything.
    child.stdin.on('error', () => undefined).end(svg)
  })

/**
 * Draws an SVG as PNG, one at a time. null: it is refused, broken, or takes too long.
 * @param timeout milliseconds for each, with the start of the process
 */
export const createDrawSvg = (timeout = longest): ((svg: Buffer) => Promise<Buffer | null>) => {
  let last: Promise<unknown> = Promise.resolve()
  return (svg) => {
    if (!isPlainSvg(svg)) return Promise.resolve(null)
    const next = last.then(() => draw(svg, timeout))
    last = next.catch(() => undefined)
    return next
  }
}
