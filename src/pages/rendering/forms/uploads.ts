// Reads forms with a file (multipart/form-data, RFC 7578) into the body, as other forms are read. Only pages that take a
// file read them.
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { OAuthError } from '../../../core/language/errors.ts'
import type { Browser } from '../../../http/browser/browser.ts'

/** Bytes of a file; a larger one is named, and not kept. */
const mostFileBytes = 1024 * 1024
/** Of all fields together, as in forms without a file. */
const mostFieldBytes = 64 * 1024
const mostFields = 2000
const mostParts = mostFields + 100
const partMark = '\r\n--'
/** Bytes that are read before other requests have their turn. */
const slice = 8 * 1024
/** What is read of a larger file, so that its sender gets an answer. */
const mostRead = 16 * 1024 * 1024

const tooLarge = 'too_large'

/** The file of a field; null: none was chosen. */
export type SentFile = Buffer | typeof tooLarge | null

type Value = string | Buffer | typeof tooLarge
type Sent = Record<string, unknown>

const unreadable = (cause: unknown, status = 400) =>
  new OAuthError('invalid_request', 'the form cannot be read', {
    ...{ reason: 'form_unreadable', cause, status },
  })

const add = (body: Sent, name: string, value: Value) => {
  const before = body[name]
  body[name] = before === undefined ? value : [before, value].flat()
}

const limits = {
  files: 1,
  fileSize: mostFileBytes + 1,
  fields: mostFields,
  fieldSize: mostFieldBytes,
  headerPairs: 20,
}

/** @throws OAuthError for a form without a boundary */
const parserOf = ({ headers }: FastifyRequest) => {
  try {
    return new Busboy({ headers: headers as { 'content-type': string }, limits })
  } catch (cause) {
    throw unreadable(cause)
  }
}

/** Collects what the parser finds. `fault`: why the form cannot be read; null: it can, until now. */
const collect = (parser: BusboyInstance) => {
  const found: { body: Sent; fault: OAuthError | null } = { body: Object.create(null), fault: null }
  let inFields = 0
  const fail = (cause: unknown, status?: number) => {
    found.fault ??= unreadable(cause, status)
  }
  parser.on('field', (name, value, nameCut, valueCut) => {
    inFields += name.length + value.length
    if (nameCut || valueCut || inFields > mostFieldBytes) fail('long fields', 413)
    else add(found.body, name, value)
  })
  parser.on('file', (name, stream) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('error', (error) => fail(error))
    stream.on('end', () => {
      const file = Buffer.concat(chunks)
      if (file.length > 0) add(found.body, name, file.length > mostFileBytes ? tooLarge : file)
    })
  })
  for (const limit of ['fieldsLimit', 'filesLimit'] as const)
    parser.on(limit, () => fail(limit, 413))
  parser.on('error', (error) => fail(error))
  return found
}

/** Counts what may begin a part, because each part costs the parser much. */
const createPartCount = () => {
  let [count, end] = [0, Buffer.alloc(0)]
  return (chunk: Buffer): number => {
    const bytes = Buffer.concat([end, chunk])
    for (let at = bytes.indexOf(partMark); at !== -1 && count <= mostParts; count++)
      at = bytes.indexOf(partMark, at + partMark.length)
    end = bytes.subarray(Math.max(0, bytes.length - partMark.length + 1))
    return count
  }
}

/** @throws OAuthError for a form that is broken or too long */
export const readForm = async (request: FastifyRequest, payload: Readable): Promise<Sent> => {
  const parser = parserOf(request)
  const found = collect(parser)
  const countParts = createPartCount()
  let read = 0
  // Its sender gets an answer, so a refused form is not cut off.
  for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
    read += chunk.length
    if (read > mostRead || countParts(chunk) > mostParts) found.fault ??= unreadable('long', 413)
    for (let at = 0; at < chunk.length && !found.fault; at += slice) {
      parser.write(chunk.subarray(at, at + slice))
      await setImmediate()
    }
    if (found.fault) break
  }
  payload.resume()
  if (!found.fault)
    await new Promise<void>((resolve) => {
      parser.on('finish', resolve).on('error', () => resolve())
      parser.end()
    })
  if (found.fault) throw found.fault
  return found.body
}

/** Serves pages whose forms may have a file, for signed-in users. */
export const withUploads = (
  scope: FastifyInstance,
  { session }: Pick<Browser, 'session'>,
  serve: (inner: FastifyInstance) => void,
) => {
  const read = async (request: FastifyRequest, payload: Readable) => {
    if (await session(request)) return readForm(request, payload)
    // The page refuses the form.
    payload.resume()
    return {}
  }
  void scope.register((inner, _options, done) => {
    inner.addContentTypeParser('multipart/form-data', read)
    serve(inner)
    done()
  })
}

export const fileIn = (request: FastifyRequest, name: string): SentFile => {
  const value = (request.body as Sent | undefined)?.[name]
  return Buffer.isBuffer(value) || value === tooLarge ? value : null
}

/** Puts a value in the place of a field, as if it had been sent. */
export const putField = (request: FastifyRequest, name: string, value: string) => {
  request.body = { ...(request.body as Sent), [name]: value }
}
