import { Redis } from 'ioredis'
import type { PrivateRedis } from './run-record.ts'

export interface RedisDatabases {
  /** @returns the URL of an empty database */
  take(): string
  release(url: string): Promise<void>
  close(): void
}

/** Assigns the numbered databases of one server. */
export const redisDatabases = ({ url, databases }: PrivateRedis): RedisDatabases => {
  const client = new Redis(url)
  client.on('error', () => {}) // the next command reports it
  const free = Array.from({ length: databases }, (_, number) => number)
  return {
    take: () => {
      const number = free.shift()
      if (number === undefined) throw new Error('every database of the test Redis is taken')
      return `${url}/${number}`
    },
    release: async (taken) => {
      const number = Number(taken.slice(url.length + 1))
      await client.multi().select(number).flushdb().exec()
      free.push(number)
    },
    close: () => client.disconnect(),
  }
}
