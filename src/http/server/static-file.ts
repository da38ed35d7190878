// Files that are the same for everyone, in the coding that the browser accepts.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, isKnown } from './etag.ts'

// `npm run build` compresses files and names the results by the digest of the content. Without a build, all go as they are.
const directory = new URL('../../../dist/compressed/', import.meta.url)

/** The codings by preference, with the endings of compressed files. */
const endings = { br: 'br', gzip: 'gz' } as const
export type Coding = keyof typeof endings
const codings = Object.keys(endings) as Coding[]

export interface StaticFile {
  body: string | Buffer
  /** The media type. */
  type: string
  etag: string
  /** The body in a coding; undefined: it is sent as it is. */
  compressed(coding: Coding): Buffer | undefined | Promise<Buffer>
}

/** The part of the SHA-256 that names a version of a file. 16 characters, in hexadecimal. */
const digestOf = (body: Buffer) => createHash('sha256').update(body).digest('hex').slice(0, 16)

/** A file, read once, with what the build has compressed of it. */
export const readStaticFile = (location: URL, type: string) => {
  const body = readFileSync(location)
  const digest = digestOf(body)
  const found = new Map<Coding, Buffer>()
  for (const coding of codings) {
    const path = new URL(`${digest}.${endings[coding]}`, directory)
    if (existsSync(path)) found.set(coding, readFileSync(path))
  }
  return {
    ...{ body, type, digest, etag: etagOf(body) },
    compressed: (coding: Coding) => found.get(coding),
  }
}

/** The coding for a request. `q=0` refuses one (RFC 9110 §12.5.3). */
const codingFor = ({ headers }: FastifyRequest): Coding | undefined => {
  const accepted = String(headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.split(';').map((part) => part.trim()))
    .filter(([, weight = 'q=1']) => Number(weight.slice('q='.length)) > 0)
    .map(([name]) => name)
  return codings.find((coding) => accepted.includes(coding))
}

/** Sends a file, or 304 where the browser has it. @param caching Cache-Control */
export const sendStaticFile = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { body, type, etag: plainTag, compressed }: StaticFile,
  caching: string,
) => {
  const coding = codingFor(request)
  const coded = coding && (await compressed(coding))
  // Each coding has a tag of its own (RFC 9110 §8.8.3.3).
  const etag = coded ? `${plainTag.slice(0, -1)}-${coding}"` : plainTag
  reply.header('vary', 'Accept-Encoding').header('etag', etag).header('cache-control', caching)
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (coded) reply.header('content-encoding', coding)
  return reply.type(type).send(coded ?? body)
}
