import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundleOf } from './packages.mjs'
import { stripTypes } from './strip-types.mjs'

/**
 * Hooks that tap loads into each test process: a TypeScript compiler, module mocks, and a list of
 * loaded files for coverage and `tap --changed`. Tests use neither of the first two; the third is
 * needed with coverage only.
 */
const ofTap = /\/node_modules\/@tapjs\/(typescript|mock|processinfo)\/dist\/esm\/import\.mjs$/
const root = new URL('../../../', import.meta.url)
const measuresCoverage = process.env._TAPJS_PROCESSINFO_COVERAGE_ === '1'

/** Names from `imports` in package.json. `npm run build` makes their files; tests run the sources and need no build. */
const built = [
  [/^#dist\/(.+)\.js$/, 'src'],
  [/^#verify\/(.+)$/, 'packages/verify/src'],
]

const sourceOf = (specifier) => {
  for (const [pattern, folder] of built) {
    const name = pattern.exec(specifier)?.[1]
    if (name) return new URL(`${folder}/${name}.ts`, root).href
  }
}

/** Imports of our own files are exact paths, and none is a symbolic link. */
const isOwnFile = (specifier) => specifier.startsWith('.') && specifier.endsWith('.ts')

const urlOf = (specifier, parent) => {
  if (isOwnFile(specifier)) return new URL(specifier, parent).href
  return specifier.startsWith('#') ? sourceOf(specifier) : bundleOf(specifier)
}

/** @see https://nodejs.org/docs/latest-v20.x/api/module.html#resolvespecifier-context-nextresolve */
export const resolve = (specifier, context, nextResolve) => {
  const url = urlOf(specifier, context.parentURL)
  return url ? { url, format: 'module', shortCircuit: true } : nextResolve(specifier, context)
}

/** @see https://nodejs.org/docs/latest-v20.x/api/module.html#loadurl-context-nextload */
export const load = (url, context, nextLoad) => {
  const tool = ofTap.exec(url)?.[1]
  if (tool && !(tool === 'processinfo' && measuresCoverage)) return moduleOf('')
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context)
  const path = fileURLToPath(url)
  return moduleOf(stripTypes(readFileSync(path, 'utf8'), path))
}

const moduleOf = (source) => ({ format: 'module', source, shortCircuit: true })
