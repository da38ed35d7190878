// Decodes an image of another server and encodes it again: what we serve contains pixels only.
import type Sharp from 'sharp'
import { createDrawSvg } from './draw-svg.ts'

/** Most bytes of an image as fetched. */
export const mostImageBytes = 1024 * 1024
const mostPixels = 2048 * 2048
const side = 128 // pixels
const longest = 10 // seconds of decoding and encoding

const svgType = 'image/svg+xml'

/** The accepted image types. SVG is a document with a language of its own, so another process draws it. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp', svgType] as const
const decoders = ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp']

/** The bytes are no image of an accepted type, too large, or broken. */
export class ImageRefused extends Error {}

/** Encodes an image as PNG of 128 × 128 pixels. @param type its media type @throws ImageRefused */
export type EncodeLogo = (image: Buffer, type: string) => Promise<Buffer>

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
      (sharp) => {
        const drawSvg = createDrawSvg()
        return async (image, type) => {
          if (!type.toLowerCase().startsWith(svgType)) return encode(sharp, image)
          const drawn = await drawSvg(image)
          if (!drawn) throw new ImageRefused('the SVG cannot be drawn')
          // Like any image of another process.
          return encode(sharp, drawn)
        }
      },
      () => null,
    )
    return loading
  }
}
