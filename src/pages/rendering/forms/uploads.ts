// Reads forms with a file (multipart/form-data, RFC 7578) into the body, as other forms are read. Only pages that take a
// file read them.
import { Busboy } from '@fastify/busboy'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { OAuthError } from '../../../core/language/errors.ts'
import type { Browser } from '../../../http/browser/browser.ts'

/** Bytes of a file; a larger one is named, and not kept. */
export const mostFileBytes = 1024 * 1024
/** Of all fields together, as in forms without a file. */
const mostFieldBytes = 64 * 1024
const mostFields = 1000
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

/** @throws OAuthError for a form that is broken or too long */
const readForm = (request: FastifyRequest, payload: NodeJS.ReadableStream): Promise<Sent> => {
  const parser = parserOf(request)
  const body: Sent = Object.create(null)
  let [read, inFields] = [0, 0]
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown, status?: number) => {
      payload.unpipe(parser)
      payload.resume()
      reject(unreadable(cause, status))
    }
    payload.on('data', (chunk: Buffer) => {
      read += chunk.length
      if (read > mostRead) fail('too long', 413)
    })
    payload.on('error', (error) => fail(error))
    parser.on('field', (name, value, nameCut, valueCut) => {
      inFields += name.length + value.length
      if (nameCut || valueCut || inFields > mostFieldBytes) fail('long fields', 413)
      else add(body, name, value)
    })
    for (const limit of ['fieldsLimit', 'filesLimit', 'partsLimit'] as const)
      parser.on(limit, () => fail(limit, 413))
    parser.on('file', (name, stream) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('error', (error) => fail(error))
      stream.on('end', () => {
        const file = Buffer.concat(chunks)
        if (file.length > 0) add(body, name, file.length > mostFileBytes ? tooLarge : file)
      })
    })
    parser.on('error', (error) => fail(error))
    parser.on('finish', () => resolve(body))
    payload.pipe(parser)
  })
}

/** Serves pages whose forms may have a file, for signed-in users. */
export const withUploads = (
  scope: FastifyInstance,
  { session }: Pick<Browser, 'session'>,
  serve: (inner: FastifyInstance) => void,
) => {
  const read = async (request: FastifyRequest, payload: NodeJS.ReadableStream) => {
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
