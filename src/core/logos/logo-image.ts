// Decodes an image of another server and encodes it again: what we serve contains pixels only.
import type Sharp from 'sharp'

/** Most bytes of an image as fetched. */
export const mostImageBytes = 1024 * 1024
const mostPixels = 2048 * 2048
const side = 128 // pixels
const longest = 10 // seconds of decoding and encoding

/** The accepted image types. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp'] as const
const decoders = ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp']

/** The bytes are an SVG, or no image of an accepted type, too large, or broken. */
export class ImageRefused extends Error {
  readonly reason: 'svg' | 'image'
  constructor(reason: 'svg' | 'image', cause?: unknown) {
    super(`the image was refused: ${reason}`, { cause })
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

const prepare = async () => {
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: decoders })
  // A logo is rare. It must not occupy the threads that hash passwords, nor memory afterwards.
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}

const encode = async (sharp: typeof Sharp, image: Buffer): Promise<Buffer> => {
  if (!isAccepted(image)) throw new ImageRefused(looksLikeSvg(image) ? 'svg' : 'image')
  try {
    return await sharp(image, { limitInputPixels: mostPixels, failOn: 'error', pages: 1 })
      .timeout({ seconds: longest })
      .autoOrient()
      .resize(side, side, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
      .toColourspace('srgb')
      .png({ compressionLevel: 9 })
      .toBuffer()
  } catch (error) {
    throw new ImageRefused('image', error)
  }
}

/** One image at a time, because each occupies a thread of those that hash passwords. */
const inTurn = (sharp: typeof Sharp): EncodeLogo => {
  let last: Promise<unknown> = Promise.resolve()
  return (image) => {
    const next = last.then(() => encode(sharp, image))
    last = next.catch(() => undefined)
    return next
  }
}

/**
 * Loads the image library at the first call.
 * @returns null where the library has no build for this platform
 */
export const createEncodeLogo = (): (() => Promise<EncodeLogo | null>) => {
  let loading: Promise<EncodeLogo | null> | null = null
  return () => {
    loading ??= prepare().then(inTurn, () => null)
    return loading
  }
}
