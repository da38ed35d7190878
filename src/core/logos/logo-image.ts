// Decodes an image of another server and encodes it again: what we serve contains pixels only.
import type Sharp from 'sharp'

/** Most bytes of an image as fetched. */
export const mostImageBytes = 1024 * 1024
const mostPixels = 2048 * 2048
const side = 128 // pixels
const longest = 10 // seconds of decoding and encoding

/** The image types that are decoded. SVG is a document with a language of its own, and is refused. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp'] as const
const decoders = ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp']

/** The bytes are no image of an accepted type, too large, or broken. */
export class ImageRefused extends Error {}

/** Encodes an image as PNG of 128 × 128 pixels. @throws ImageRefused */
export type EncodeLogo = (image: Buffer) => Promise<Buffer>

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
  try {
    return await sharp(image, { limitInputPixels: mostPixels, failOn: 'error', pages: 1 })
      .timeout({ seconds: longest })
      .autoOrient()
      .resize(side, side, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
      .toColourspace('srgb')
      .png({ compressionLevel: 9 })
      .toBuffer()
  } catch (error) {
    throw new ImageRefused('the image cannot be decoded', { cause: error })
  }
}

/**
 * Loads the image library at the first call.
 * @returns null where the library has no build for this platform
 */
export const createEncodeLogo = (): (() => Promise<EncodeLogo | null>) => {
  let loading: Promise<EncodeLogo | null> | null = null
  return () => {
    loading ??= prepare().then(
      (sharp) => (image) => encode(sharp, image),
      () => null,
    )
    return loading
  }
}
