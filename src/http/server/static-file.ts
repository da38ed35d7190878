// Files that are the same for everyone, in the coding that the browser accepts.
import { existsSync, readFileSync } from 'node:fs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, isKnown } from './etag.ts'

// `npm run build` compresses files and names the results by the digest of the content. Without a build, all go as they are.
const directory = new URL('../../../dist/compressed/', import.meta.url)

const codings = ['br', 'gzip'] as const
export type Coding = (typeof codings)[number]

export interface StaticFile {
  body: string | Buffer
  /** The media type. */
  type: string
  etag: string
  /** The body in a coding; undefined: it is sent as it is. */
  compressed(coding: Coding): Buffer | undefined | Promise<Buffer>
}

/** A file, read once, with what the build has compressed of it. Its digest names its version. */
export const readStaticFile = (location: URL, type: string) => {
  const body = readFileSync(location)
  const etag = etagOf(body)
  const digest = etag.slice(1, 17)
  const paths = codings.map(
    (coding) => [coding, new URL(`${digest}.${coding}`, directory)] as const,
  )
  const built = paths.filter(([, path]) => existsSync(path))
  const found = new Map(built.map(([coding, path]) => [coding, readFileSync(path)]))
  return { body, type, digest, etag, compressed: (coding: Coding) => found.get(coding) }
}

/** The first of our codings that the request accepts. `q=0` refuses one (RFC 9110 §12.5.3). */
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
