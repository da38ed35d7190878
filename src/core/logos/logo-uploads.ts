// Logos that people upload. They are encoded again like those that are fetched, and stored for an hour until an app or a
// change of one names them.
import { createHash } from 'node:crypto'
import type { Limits } from '../limits/limits.ts'
import { type EncodeLogo, ImageRefused, mostImageBytes } from './logo-image.ts'
import type { LogoStore } from './logo-store.ts'

/** Images that wait in one process. */
const mostWaiting = 8

/**
 * Why an image was not stored. `busy`: another one of the same person is being read, or too many wait. `unsupported`: this
 * platform has no image library.
 */
export type UploadFault = 'svg' | 'image' | 'too_large' | 'busy' | 'unsupported'

type Upload = { digest: string } | { fault: UploadFault }

export const createLogoUploads = (options: {
  store: Pick<LogoStore, 'keep'>
  limits: Pick<Limits, 'logoUploaded'>
  loadEncoder(): Promise<EncodeLogo | null>
}) => {
  const { store, limits, loadEncoder } = options
  const waiting = new Set<string>()

  const encoded = async (encode: EncodeLogo, image: Buffer): Promise<Buffer | UploadFault> => {
    try {
      return await encode(image)
    } catch (error) {
      if (error instanceof ImageRefused) return error.reason
      throw error
    }
  }

  const encodeAndKeep = async (image: Buffer): Promise<Upload> => {
    const encode = await loadEncoder()
    if (!encode) return { fault: 'unsupported' }
    const png = await encoded(encode, image)
    if (typeof png === 'string') return { fault: png }
    const digest = createHash('sha256').update(png).digest('hex')
    await store.keep(digest, png)
    return { digest }
  }

  return {
    /**
     * @param by id of the user or operator token
     * @returns the digest of the stored image, or why there is none
     * @throws OAuthError slow_down
     */
    add: async (by: string, image: Buffer): Promise<Upload> => {
      if (image.length > mostImageBytes) return { fault: 'too_large' }
      // One image is read after the other, so each person has one place.
      if (waiting.has(by) || waiting.size >= mostWaiting) return { fault: 'busy' }
      waiting.add(by)
      try {
        await limits.logoUploaded(by)
        return await encodeAndKeep(image)
      } finally {
        waiting.delete(by)
      }
    },
  }
}

export type LogoUploads = ReturnType<typeof createLogoUploads>
