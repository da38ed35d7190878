import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const modules = join(import.meta.dirname, '../../../node_modules')
const cache = join(modules, '.cache/latchkey-packages')
const require = createRequire(import.meta.url)

/**
 * Packages of many small files: 600 of the 1000 modules that a server loads. A loader hook costs about a millisecond
 * for each module, so each package becomes one file. The values are what package.json names in `exports` or `main`.
 */
const bundled = {
  jose: 'jose/dist/webapi/index.js',
  'jose/errors': 'jose/dist/webapi/util/errors.js',
  'oidc-provider': 'oidc-provider/lib/index.js',
  typebox: 'typebox/build/index.mjs',
}
/**
 * Each test process loads tap's 260 files, most of them in packages of their own. Their bundle is in a folder that tap
 * leaves out of the stacks that it reports.
 */
const tap = { in: 'tap/dist/esm/index.js', out: 'node_modules/@tapjs/tap' }
const errorDomain = join(import.meta.dirname, 'error-domain.mjs')

/** @returns the URL of the bundle; null for every other module, and where no bundle can be written */
export const bundleOf = (specifier) => {
  const file = specifier === 'tap' ? `${tap.out}.js` : bundled[specifier]?.replace(/\.mjs$/, '.js')
  if (!file) return null
  folder ??= bundle()
  return folder && pathToFileURL(join(folder, file)).href
}

/** Undefined before the first use, null where the bundles cannot be written. */
let folder

const bundle = () => {
  const target = join(cache, digestOfVersions())
  if (existsSync(target)) return target
  try {
    mkdirSync(cache, { recursive: true })
    const draft = mkdtempSync(join(cache, 'draft-'))
    build(draft)
    // mkdtemp lets only its owner read, but a test may run as another user.
    chmodSync(draft, 0o755)
    publish(draft, target)
    return target
  } catch {
    return null // Without write access the packages are loaded as they are.
  }
}

/** A new version of a package, or of the bundler, needs new bundles. */
const digestOfVersions = () => {
  const entries = [...Object.values(bundled), tap.in]
  const names = ['esbuild', ...entries.map((path) => path.split('/')[0])]
  const versions = names.map((name) => require(join(modules, name, 'package.json')).version)
  const text = JSON.stringify([bundled, tap, names, versions, readFileSync(errorDomain, 'utf8')])
  return createHash('sha256').update(text).digest('hex')
}

/** Modules that two entries share become chunks, so that each exists once in a process. */
const build = (outdir) => {
  const { buildSync } = require('esbuild')
  const common = {
    absWorkingDir: modules,
    outbase: modules,
    outdir,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
  }
  const entryPoints = Object.values(bundled)
  buildSync({ ...common, entryPoints, splitting: true, packages: 'external' })
  // Some of tap's packages are CommonJS modules and require those of Node.
  const banner = {
    js: `import { createRequire as ofFile } from 'node:module'; const require = ofFile(import.meta.url)`,
  }
  buildSync({ ...common, entryPoints: [tap], banner, alias: { 'async-hook-domain': errorDomain } })
}

/** Other processes read the folder meanwhile, so it appears complete or not at all. */
const publish = (draft, target) => {
  try {
    renameSync(draft, target)
  } catch (error) {
    rmSync(draft, { recursive: true })
    if (!existsSync(target)) throw error
  }
}
