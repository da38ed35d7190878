/** What one request may cost; checked before anything runs. */
export const limits = {
  /** Conditions of a filter. */
  conditions: 100,
  /** References within each other in a filter. */
  depth: 8,
  /** Entries of a list: operands, ids, choices of a value. */
  listed: 1000,
  /** References in one value. */
  references: 100,
  sorts: 5,
  /** Files that one write stores. */
  files: 10,
  skip: 1_000_000,
  /** Words of a search. */
  words: 10,
  /** Characters of a text, of a long text, of a name, and of a choice. */
  text: 10_000,
  longText: 100_000,
  name: 200,
  choice: 100,
  /** Characters of all values of a row. */
  row: 1_000_000,
  fields: 100,
  /** Of an organization. */
  tables: 1000,
  /** Rows of a table that is filtered or sorted by a field without an index. */
  scanned: 20_000,
  /** Milliseconds of a statement. */
  statement: 10_000,
} as const
