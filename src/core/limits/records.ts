/** A record that dies by itself. `state` is what `change` compares. */
export interface ExpiringRecord {
  state: string
  value: string
}

/** Short-lived records: sessions, authorization requests, pushed requests, assertion ids. */
export interface RecordStore {
  /** Writes or replaces. @param lifetime seconds */
  put(collection: string, key: string, record: ExpiringRecord, lifetime: number): Promise<void>
  /** @returns false when there is one already */
  insert(
    collection: string,
    key: string,
    record: ExpiringRecord,
    lifetime: number,
  ): Promise<boolean>
  find(collection: string, key: string): Promise<ExpiringRecord | null>
  /** Compare and set: only from this state. The lifetime stays. @returns false for the loser */
  change(collection: string, key: string, from: string, record: ExpiringRecord): Promise<boolean>
  /** Reads and removes in one step; only one caller gets it. */
  take(collection: string, key: string): Promise<ExpiringRecord | null>
  delete(collection: string, key: string): Promise<void>
}

/** Counters that start anew when their window is over. */
export interface CounterStore {
  /**
   * Adds `by`: 0 only reads, and what is given back after the window counts for nothing.
   * @returns the count within the window and the seconds until it ends
   */
  hit(key: string, by: number, window: number): Promise<{ count: number; resetsIn: number }>
}
