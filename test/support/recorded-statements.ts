/** Every statement that this process sends to Postgres, and its place in the stores. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import pg from 'pg'
import ts from 'typescript'

export interface RecordedStatement {
  text: string
  /** A named statement is planned for any values; an unnamed one for its own. */
  name: string | null
  values: unknown[]
  /** `folder/file.ts:line` in src/stores/postgres. */
  site: string | null
}

const folder = join(import.meta.dirname, '../../src/stores/postgres')
/** Functions that pass on every statement; their callers matter. */
const passing = ['connection/database.ts', 'connection/timed-query.ts']
/** Of commands that an operator runs while no instance does. */
const commands = ['connection/migrate.ts', 'connection/after-restore.ts']
/** Their methods that send a statement. */
const sending = [
  'query',
  'run',
  'rows',
  'row',
  'one',
  'values',
  'value',
  'count',
  'affects',
  'page',
]
/** Their names in the stores. */
const databases = /^(?:database|on|tx|client)$/
const frame = new RegExp(
  `src/stores/postgres/(?!${passing.join('|').replaceAll('.', '\\.')})((?:[\\w-]+/)?[\\w-]+\\.ts):(\\d+)`,
)

type Query = { text: string; name?: string; values?: unknown[] }
type Ask = (this: unknown, query: Query, ...rest: unknown[]) => unknown

/** Records from now on; `found` has each statement text once. */
export const recordStatements = () => {
  const found = new Map<string, RecordedStatement>()
  const sites = new Set<string>()
  const note = (query: Query) => {
    const [, file, line] = frame.exec(String(new Error().stack)) ?? []
    const site = file ? `${file}:${line}` : null
    if (site) sites.add(site)
    const { text, name = null, values = [] } = query
    if (!found.has(text) || (found.get(text)?.site ?? null) === null)
      found.set(text, { text, name, values, site })
  }
  const wrap = (prototype: { query: unknown }) => {
    const original = prototype.query as Ask
    const wrapped: Ask = function (query, ...rest) {
      if (typeof query === 'object' && typeof query.text === 'string') note(query)
      return original.call(this, query, ...rest)
    }
    prototype.query = wrapped
    return () => {
      prototype.query = original
    }
  }
  Error.stackTraceLimit = 30
  const undo = [wrap(pg.Pool.prototype), wrap(pg.Client.prototype)]
  return {
    found,
    /** The recorded calls. */
    sites,
    stop: () => {
      for (const one of undo) one()
    },
  }
}

/** Every place in the stores that sends a statement to Postgres. */
export const statementSites = (): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => file.endsWith('.ts') && ![...passing, ...commands].includes(file))
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
      const sites: string[] = []
      const visit = (node: ts.Node) => {
        if (
          ts.isCallExpression(node) &&
          ts.isPropertyAccessExpression(node.expression) &&
          sending.includes(node.expression.name.text) &&
          databases.test(node.expression.expression.getText(source))
        ) {
          const at = source.getLineAndCharacterOfPosition(node.expression.name.getStart(source))
          sites.push(`${file}:${at.line + 1}`)
        }
        ts.forEachChild(node, visit)
      }
      visit(source)
      return sites
    })
