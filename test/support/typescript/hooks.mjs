import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundleOf } from './packages.mjs'
import { stripTypes } from './strip-types.mjs'

/**
 * What tap loads into each test process: a TypeScript compiler, mocks of modules, and a list of all loaded files for
 * coverage and `tap --changed`. No test uses the first two; the third is needed with coverage only.
 */
const ofTap = /\/node_modules\/@tapjs\/(typescript|mock|processinfo)\/dist\/esm\/import\.mjs$/
const root = new URL('../../../', import.meta.url)
const measuresCoverage = process.env._TAPJS_PROCESSINFO_COVERAGE_ === '1'

/** Imports of our own files are exact paths, and none is a symbolic link. */
const isOwnFile = (specifier) => specifier.startsWith('.') && specifier.endsWith('.ts')

/** @see https://nodejs.org/docs/latest-v20.x/api/module.html#loadurl-context-nextload */
export const load = (url, context, nextLoad) => {
  const tool = ofTap.exec(url)?.[1]
  if (tool && !(tool === 'processinfo' && measuresCoverage)) return moduleOf('')
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context)
  const path = fileURLToPath(url)
  return moduleOf(stripTypes(readFileSync(path, 'utf8'), path))
}

/** Names from `imports` in package.json, whose files `npm run build` makes, and the sources of those files. */
const built = [
  [/^#dist\/(.+)\.js$/, 'src'],
  [/^#verify\/(.+)$/, 'packages/verify/src'],
]

/**
 * Tests run the sources, so that they need no build.
 * @see https://nodejs.org/docs/latest-v20.x/api/module.html#resolvespecifier-context-nextresolve
 */
export const resolve = (specifier, context, nextResolve) => {
  for (const [pattern, folder] of built) {
    const name = pattern.exec(specifier)?.[1]
    if (name) return nextResolve(new URL(`${folder}/${name}.ts`, root).href, context)
  }
  const url = isOwnFile(specifier)
    ? new URL(specifier, context.parentURL).href
    : bundleOf(specifier)
  return url ? { url, format: 'module', shortCircuit: true } : nextResolve(specifier, context)
}

const moduleOf = (source) => ({ format: 'module', source, shortCircuit: true })
