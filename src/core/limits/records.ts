/** A record that expires. `change` compares its `state`. */
export type ExpiringRecord = Record<'state' | 'value', string>

/** Short-lived records: sessions, authorization requests, pushed requests, assertion ids. */
export interface RecordStore {
  /** Inserts or replaces. @param lifetime seconds */
  put(collection: string, key: string, record: ExpiringRecord, lifetime: number): Promise<void>
  /** @returns false when the key exists already */
  insert(
    collection: string,
    key: string,
    record: ExpiringRecord,
    lifetime: number,
  ): Promise<boolean>
  find(collection: string, key: string): Promise<ExpiringRecord | null>
  /** Compare and set: changes only a record in this state. Its lifetime stays. @returns false for the loser of a race */
  change(collection: string, key: string, from: string, record: ExpiringRecord): Promise<boolean>
  /** Reads and removes in one step; only one caller gets the record. */
  take(collection: string, key: string): Promise<ExpiringRecord | null>
  delete(collection: string, key: string): Promise<void>
}

/** Counters with a time window; they start again in each window. */
export interface CounterStore {
  /**
   * Adds `by`; 0 only reads. A count that is undone after its window has no effect.
   * @param window seconds
   * @returns the count in the window, and the seconds until it ends
   */
  hit(key: string, by: number, window: number): Promise<{ count: number; resetsIn: number }>
}
