import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Queryable } from './database.ts'

/** An event of a table: of one of its rows, or of the table itself. */
export interface TableEvent {
  /** `removed` is a row that is now in the trash. */
  kind: 'row' | 'removed' | 'table'
  /** null if the event is about the table. */
  rowId: string | null
}

export interface Listener {
  onEvent(event: TableEvent): void
  /** Events may have been missed, and the stream ends. */
  onLost(): void
}

export interface Events {
  /** Reports events of a table from now on, on any instance. @returns a function that stops it */
  listen(tableId: string, listener: Listener): () => void
}

const channel = 'data_api'
const pauseMs = 500

/** Sent to all instances when the transaction commits, and to none if it does not. */
export const announce = async (tx: Queryable, tableId: string, event: TableEvent) => {
  await tx.query('select pg_notify($1, $2)', [channel, JSON.stringify({ tableId, ...event })])
}

const createListeners = () => {
  const byTable = new Map<string, Set<Listener>>()
  return {
    add: (tableId: string, listener: Listener) => {
      const some = byTable.get(tableId) ?? new Set()
      byTable.set(tableId, some.add(listener))
      return () => {
        some.delete(listener)
        if (some.size === 0 && byTable.get(tableId) === some) byTable.delete(tableId)
      }
    },
    tell: (message: string) => {
      const { tableId, ...event } = JSON.parse(message) as TableEvent & { tableId: string }
      for (const { onEvent } of byTable.get(tableId) ?? []) onEvent(event)
    },
    lose: () => {
      const all = [...byTable.values()].flatMap((some) => [...some])
      byTable.clear()
      for (const { onLost } of all) onLost()
    },
  }
}

/** A connection for LISTEN only. @throws Error if the database is unavailable */
const connect = async (url: string, onMessage: (message: string) => void, onEnd: () => void) => {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    application_name: 'data API events',
  })
  // A connection always ends after an error.
  client.on('error', () => {})
  client.on('notification', ({ payload }) => onMessage(payload ?? ''))
  try {
    await client.connect()
    await client.query(`listen ${channel}`)
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  client.on('end', onEnd)
  return client
}

/**
 * Listens on one connection for all subscribers. If it breaks, all subscribers are informed, and a
 * new one is opened. @throws Error if the database is unavailable at the start
 */
export const openEvents = async (url: string): Promise<Events & { close(): Promise<void> }> => {
  const listeners = createListeners()
  const closing = new AbortController()
  let client: pg.Client | null = null
  let again: Promise<void> | null = null

  const open = async () => {
    client = await connect(url, listeners.tell, onEnd)
  }
  const reopen = async () => {
    while (!client && !closing.signal.aborted) {
      await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => {})
      if (!closing.signal.aborted) await open().catch(() => {})
    }
  }
  const onEnd = () => {
    client = null
    listeners.lose()
    again = reopen()
  }

  await open()
  return {
    listen: (tableId, listener) => {
      if (client) return listeners.add(tableId, listener)
      listener.onLost()
      return () => {}
    },
    close: async () => {
      closing.abort()
      await again
      await client?.end()
    },
  }
}
