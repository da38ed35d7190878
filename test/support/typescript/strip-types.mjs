import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../../node_modules/.cache/latchkey-javascript')
const require = createRequire(import.meta.url)
// Part of the cache key: another version has its own files.
const { version } = require('@swc/wasm-typescript/package.json')

/**
 * The JavaScript of a TypeScript file. Types become spaces, so lines and columns stay the same and
 * no source map is needed. The result is cached under a digest of the text, so each version of a
 * file is compiled once for all processes.
 */
export const stripTypes = (text, path) => {
  const digest = createHash('sha256').update(version).update('\0').update(text).digest('hex')
  const cached = join(folder, `${digest}.js`)
  try {
    return readFileSync(cached, 'utf8')
  } catch {
    const code = compile(text, path)
    store(cached, code)
    return code
  }
}

const compile = (text, path) => {
  const { transformSync } = require('@swc/wasm-typescript')
  try {
    return transformSync(text, { mode: 'strip-only', module: true, filename: path }).code
  } catch (error) {
    // The compiler throws a plain object.
    throw new SyntaxError(`${path}:${error.startLine} ${error.message}\n${error.snippet}`)
  }
}

/** Written atomically, because other processes read the file meanwhile. */
const store = (path, code) => {
  const draft = `${path}.${process.pid}`
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(draft, code)
    renameSync(draft, path)
  } catch {
    // A test may run as a user without write access here.
  }
}
