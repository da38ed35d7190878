// Has an image of another server decoded and encoded again by another process: what we serve contains pixels only.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'

/** Most bytes of an image as fetched. */
export const mostImageBytes = 1024 * 1024
const mostOutput = 256 * 1024 // bytes; 128 × 128 pixels are 64 KiB before they are compressed
const longest = 15_000 // ms, with the start of the process

/** The accepted image types. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp'] as const

/** The bytes are an SVG, or no image of an accepted type, too large, or broken. */
export class ImageRefused extends Error {
  readonly reason: 'svg' | 'image'
  constructor(reason: 'svg' | 'image') {
    super(`the image was refused: ${reason}`)
    this.reason = reason
  }
}

/** Encodes an image as PNG of 128 × 128 pixels, one after the other. @throws ImageRefused */
export type EncodeLogo = (image: Buffer) => Promise<Buffer>

/** PNG (RFC 2083 §3.1), JPEG (ITU-T T.81 B.1.1.3) or WebP (RFC 9649 §2.4), by its first bytes. */
const isAccepted = (image: Buffer): boolean => {
  const begin = image.toString('latin1', 0, 12)
  return (
    begin.startsWith('\x89PNG\r\n\x1a\n') ||
    begin.startsWith('\xff\xd8\xff') ||
    (begin.startsWith('RIFF') && begin.endsWith('WEBP'))
  )
}

/** An SVG begins with its root element, after declarations and comments. It is named to its owner, and not parsed. */
const looksLikeSvg = (image: Buffer) => image.toString('latin1', 0, 4096).includes('<svg')

/**
 * The program of the process: from an image to a PNG. Without an image it only loads the library. It yields to the server
 * for the processor, and when memory is short Linux ends it first.
 */
const program = `
const { readFileSync, writeFileSync } = require('node:fs')
const { constants, setPriority } = require('node:os')
try { setPriority(constants.priority.PRIORITY_LOW) } catch {}
try { writeFileSync('/proc/self/oom_score_adj', '1000') } catch {}
const sharp = require(process.argv[1])
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp'] })
sharp.concurrency(1)
sharp.cache(false)
const image = readFileSync(0)
if (image.length > 0)
  sharp(image, { limitInputPixels: 2048 * 2048, failOn: 'error', pages: 1 })
    .autoOrient()
    .resize(128, 128, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .toColourspace('srgb')
    .png({ compressionLevel: 9 })
    .toBuffer()
    .then((png) => process.stdout.write(png), () => process.exit(1))`

/** @returns null: the library refused the image, or took too long */
const runProgram = (library: string, image: Buffer, timeout: number): Promise<Buffer | null> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ['-e', program, library], {
      // No environment: it has the secrets of the server.
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout,
      killSignal: 'SIGKILL',
    })
    const chunks: Buffer[] = []
    let length = 0
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > mostOutput) child.kill('SIGKILL')
      else chunks.push(chunk)
    })
    child.on('error', () => resolve(null))
    child.on('close', (code) => resolve(code === 0 ? Buffer.concat(chunks) : null))
    // The process may end before it has read everything.
    child.stdin.on('error', () => undefined).end(image)
  })

/** One image at a time: each is a process. */
const inTurn = (library: string): EncodeLogo => {
  let last: Promise<unknown> = Promise.resolve()
  const encode = async (image: Buffer) => {
    if (!isAccepted(image)) throw new ImageRefused(looksLikeSvg(image) ? 'svg' : 'image')
    const png = await runProgram(library, image, longest)
    if (!png) throw new ImageRefused('image')
    return png
  }
  return (image) => {
    const next = last.then(() => encode(image))
    last = next.catch(() => undefined)
    return next
  }
}

const findLibrary = async (): Promise<EncodeLogo | null> => {
  try {
    const library = createRequire(import.meta.url).resolve('sharp')
    // However long it takes: this is asked once, and a busy machine has a build too.
    return (await runProgram(library, Buffer.alloc(0), 0)) ? inTurn(library) : null
  } catch {
    return null
  }
}

/** Looks for the image library at the first call. @returns null where the library has no build for this platform */
export const createEncodeLogo = (): (() => Promise<EncodeLogo | null>) => {
  let finding: Promise<EncodeLogo | null> | null = null
  return () => {
    finding ??= findLibrary()
    return finding
  }
}
