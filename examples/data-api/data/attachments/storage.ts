import { createReadStream } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'

export interface S3Settings {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export interface About {
  size: number
  type: string
}

/** Keys are ours alone (`keyPattern`), so none leads out of the directory or bucket. */
export interface Storage {
  put(key: string, content: Buffer, type: string): Promise<void>
  about(key: string): Promise<About | null>
  /** @param start @param end both included */
  read(key: string, start: number, end: number): Promise<Readable>
  remove(key: string): Promise<void>
}

export const directoryStorage = (directory: string): Storage => {
  const content = (key: string) => join(directory, key)
  const about = (key: string) => join(directory, `${key}.json`)
  return {
    put: async (key, bytes, type) => {
      await mkdir(directory, { recursive: true })
      await writeFile(content(key), bytes, { flag: 'wx' })
      await writeFile(about(key), JSON.stringify({ size: bytes.length, type }), { flag: 'wx' })
    },
    about: async (key) => {
      try {
        return JSON.parse(await readFile(about(key), 'utf8'))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
    read: async (key, start, end) => createReadStream(content(key), { start, end }),
    remove: async (key) => {
      await rm(about(key), { force: true })
      await rm(content(key), { force: true })
    },
  }
}

export const s3Storage = ({ endpoint, bucket, ...credentials }: S3Settings): Storage => {
  const client = new AwsClient({ ...credentials, service: 's3', retries: 2 })
  const request = async (method: string, key: string, more: RequestInit = {}) => {
    const signal = AbortSignal.timeout(30_000)
    const url = `${endpoint.replace(/\/$/, '')}/${bucket}/${key}`
    const response = await client.fetch(url, { method, signal, ...more })
    if (!response.ok && response.status !== 404)
      throw new Error(`the storage answered ${method} with ${response.status}`)
    return response
  }
  return {
    put: async (key, content, type) => {
      const headers = { 'content-type': type }
      const { ok } = await request('PUT', key, { headers, body: new Uint8Array(content) })
      if (!ok) throw new Error('the storage has no such bucket')
    },
    about: async (key) => {
      const { ok, headers } = await request('HEAD', key)
      if (!ok) return null
      return {
        size: Number(headers.get('content-length')),
        type: headers.get('content-type') ?? 'application/octet-stream',
      }
    },
    read: async (key, start, end) => {
      const { ok, body } = await request('GET', key, {
        headers: { range: `bytes=${start}-${end}` },
      })
      if (!ok || !body) throw new Error('the storage has lost a file')
      return Readable.fromWeb(body as ReadableStream)
    },
    remove: async (key) => {
      await request('DELETE', key)
    },
  }
}
