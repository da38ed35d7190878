import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Attached, Attachments } from '../attached.ts'
import { badInput } from '../faults.ts'
import { createOutbound, Refused } from './outbound.ts'
import { fileRoutes } from './routes.ts'
import { directoryStorage, type S3Settings, s3Storage } from './storage.ts'

export interface AttachmentSettings {
  /** The public address of the API, without a path. */
  url: string
  /** As `WEBHOOK_ALLOW_PRIVATE` of the server. */
  allowPrivate: boolean
  /** A directory, or a bucket that all instances share. */
  storage: string | S3Settings
  mostBytes?: number
  /** For the fetch of a file. */
  milliseconds?: number
  resolve?: (host: string) => Promise<readonly string[]>
}

const allowed = ['the URL of a file', 'the Base64 content of a PNG, JPEG, GIF or WebP image']

const imageTypes: readonly [RegExp, string][] = [
  [/^\x89PNG\r\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[\s\S]{4}WEBP/, 'image/webp'],
]

const imageTypeOf = (content: Buffer) =>
  imageTypes.find(([start]) => start.test(content.toString('latin1', 0, 16)))?.[1]

const mimeType = /^[a-z0-9][\w.+-]{0,80}\/[a-z0-9][\w.+-]{0,80}$/
const unknownType = 'application/octet-stream'

const hostedPath = /^https?:\/\/[^/?#]+\/files\/([0-9a-f]{16}-[0-9a-f]{48})$/

/** The beginning of an organization's keys. */
const ownerOf = (organizationId: string) =>
  createHash('sha256').update(organizationId).digest('hex').slice(0, 16)

/** Files of values that were replaced, or whose row left the trash, stay: old values may name them. */
export const createAttachments = (
  settings: AttachmentSettings,
): Attachments & { routes(server: FastifyInstance): void } => {
  const { url, allowPrivate, storage: where, mostBytes = 10_000_000 } = settings
  const { milliseconds = 10_000, resolve } = settings
  const storage = typeof where === 'string' ? directoryStorage(where) : s3Storage(where)
  const limits = { allowPrivate, mostBytes, milliseconds }
  const fetchFile = createOutbound({ ...limits, ...(resolve && { resolve }) })
  const base = `${url}/files/`
  /** Stored by a write, unlike a hosted URL that was written back. */
  const fresh = new WeakSet<Attached>()

  /** A file of the organization, by its URL at any instance; null if it has no such file. */
  const hosted = async (organizationId: string, given: string): Promise<Attached | null> => {
    const [, key = ''] = hostedPath.exec(given) ?? []
    const about = key.startsWith(`${ownerOf(organizationId)}-`) ? await storage.about(key) : null
    return about && { val: `${base}${key}`, size: about.size, type: about.type }
  }

  const fetched = async (organizationId: string, given: string, place: string) => {
    try {
      return await fetchFile(given, organizationId)
    } catch (error) {
      if (error instanceof Refused) throw badInput(`the URL ${error.message}`, place, allowed)
      throw error
    }
  }

  const decoded = (given: string, place: string) => {
    const text = given.replace(/^data:[^,]{0,100};base64,/i, '').replace(/\s+/g, '')
    if (text.length > Math.ceil(mostBytes / 3) * 4)
      throw badInput(`has more than ${mostBytes} bytes`, place, allowed)
    const isBase64 = text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
    const content = Buffer.from(isBase64 ? text : '', 'base64')
    const type = imageTypeOf(content)
    if (!type) throw badInput('is neither a URL nor an image', place, allowed)
    return { content, type }
  }

  return {
    store: async (organizationId, given, place) => {
      const own = await hosted(organizationId, given)
      if (own) return own
      if (given.startsWith(base)) throw badInput('there is no such file', place, allowed)
      const isUrl = /^[a-z][a-z0-9+.-]*:/i.test(given) && !/^data:/i.test(given)
      const { content, type: named } = isUrl
        ? await fetched(organizationId, given, place)
        : decoded(given, place)
      const type = mimeType.test(named) ? named : (imageTypeOf(content) ?? unknownType)
      const key = `${ownerOf(organizationId)}-${randomBytes(24).toString('hex')}`
      await storage.put(key, content, type)
      const stored = { val: `${base}${key}`, size: content.length, type }
      fresh.add(stored)
      return stored
    },
    discard: async (_organizationId, stored) => {
      if (fresh.delete(stored)) await storage.remove(stored.val.slice(base.length))
    },
    routes: (server) => fileRoutes(server, storage),
  }
}
