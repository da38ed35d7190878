/**
 * Builds a package for npm, in its folder: `dist/esm` and `dist/cjs`, each with its types. `npm pack` runs it.
 * `node packages/build.mjs verify` does the same from the root of the repository.
 */
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')

/** Written for the compiler only: they make CommonJS of the same sources. */
const commonJs = ['--module', 'commonjs', '--moduleResolution', 'node10']

function compile(folder, outDir, ...options) {
  const { status } = spawnSync(
    process.execPath,
    [compiler, '-p', folder, '--outDir', join(folder, outDir), '--sourceMap', 'false', ...options],
    { stdio: 'inherit' },
  )
  if (status !== 0) process.exit(status ?? 1)
}

/** Older compilers do not find `./a.ts` from a declaration file, so it names `./a.js`, as the code does. */
function nameBuiltFiles(folder) {
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue
    const path = join(folder, name)
    const text = fs.readFileSync(path, 'utf8')
    fs.writeFileSync(
      path,
      text.replaceAll(/((?:from |import\()['"]\.[^'"]*)\.ts(?=['"])/g, '$1.js'),
    )
  }
}

/** @param {string} folder of the package */
export function buildPackage(folder) {
  fs.rmSync(join(folder, 'dist'), { recursive: true, force: true })
  compile(folder, 'dist/esm')
  compile(folder, 'dist/cjs', ...commonJs, '--verbatimModuleSyntax', 'false')
  for (const format of ['dist/esm', 'dist/cjs']) nameBuiltFiles(join(folder, format))
  // The package itself has the type "module".
  fs.writeFileSync(join(folder, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n')
}

const isProgram = import.meta.url === pathToFileURL(process.argv[1] ?? '').href
if (isProgram) {
  const [name] = process.argv.slice(2)
  buildPackage(name ? fileURLToPath(new URL(name, import.meta.url)) : process.cwd())
}
