/**
 * `npm run build`: builds the parts that have changed. `npm run build:all` also builds the examples that need it. `node
 * scripts/build.mjs docs` builds a single part: `modules` are those of the server, one by one, for the benchmark, and
 * `configuration` writes docs/configuration.md. `node scripts/build.mjs --check docs sdk` builds nothing, and fails when one of
 * these parts is out of date.
 *
 * A part is built when the digest of its sources differs from the one in dist/.built.json, or when its output is
 * missing.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { buildPackage } from '../packages/build.mjs'
import { bundledPackages, noticesOf } from './bundled-packages.mjs'
import { demoFile, demoOptions, programFile, programOptions } from './program.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)

const stampPath = 'dist/.built.json'
/** Sources of every part, because a new compiler or new types may change the result. */
const common = ['scripts/build.mjs', 'package-lock.json', 'tsconfig.json']

/** @typedef {{ sources: string[], makes: string[], build(): void | Promise<void> }} Part */

/** @type {Record<string, Part>} */
const parts = {
  verify: {
    sources: ['packages/build.mjs', 'packages/verify'],
    makes: ['packages/verify/dist/cjs/package.json'],
    build: () => buildPackage('packages/verify'),
  },
  modules: {
    sources: ['tsconfig.build.json', 'src', 'packages/verify/src'],
    makes: ['dist/main.js', 'dist/verify/verify.js'],
    build: () => {
      // They import it as #verify.
      fs.rmSync('dist/verify', { recursive: true, force: true })
      fs.cpSync('packages/verify/dist/esm', 'dist/verify', { recursive: true })
      compile('tsconfig.build.json')
    },
  },
  program: {
    sources: ['scripts/program.mjs', 'scripts/bundled-packages.mjs', 'src', 'packages/verify/src'],
    makes: [programFile, join(dirname(programFile), 'packages.json')],
    build: async () => {
      fs.rmSync(dirname(programFile), { recursive: true, force: true })
      const { metafile } = await bundle({ ...programOptions, metafile: true })
      const packages = bundledPackages(metafile)
      fs.writeFileSync(join(dirname(programFile), 'THIRD-PARTY-LICENSES.txt'), noticesOf(packages))
      const list = packages.map(({ name, version }) => ({ name, version }))
      fs.writeFileSync(join(dirname(programFile), 'packages.json'), JSON.stringify(list, null, 2))
    },
  },
  sdk: {
    sources: ['packages/build.mjs', 'packages/sdk'],
    makes: ['packages/sdk/dist/cjs/package.json', 'dist/sdk/v1.js', 'dist/sdk/host-v1.js'],
    build: async () => {
      buildPackage('packages/sdk')
      await bundleScript('packages/sdk/src/app.ts', 'dist/sdk/v1.js', 'Latchkey')
      await bundleScript('packages/sdk/src/host.ts', 'dist/sdk/host-v1.js', 'LatchkeyHost')
    },
  },
  compressed: {
    sources: ['views/assets', 'packages/sdk'],
    makes: ['dist/compressed'],
    build: () => compressFiles(['views/assets', 'dist/sdk'], 'dist/compressed'),
  },
  docs: {
    sources: [
      'scripts/docs',
      'src/words/en',
      'docs',
      'examples',
      'test/faults/README.md',
      ...fs.readdirSync('.').filter((name) => name.endsWith('.md')),
    ],
    makes: ['scripts/docs/dist/build.js', 'dist/docs/pages.json'],
    build: async () => {
      await bundleForNode('scripts/docs/build.ts', 'scripts/docs/dist/build.js')
      run('scripts/docs/dist/build.js')
    },
  },
  configuration: {
    sources: ['scripts/docs', 'src/config', 'docs/configuration.md'],
    makes: ['docs/configuration.md'],
    build: async () => {
      await bundleForNode(
        'scripts/docs/write-configuration.ts',
        'scripts/docs/dist/configuration.js',
      )
      run('scripts/docs/dist/configuration.js')
    },
  },
  demo: {
    sources: ['demo', 'scripts/program.mjs', 'src', 'packages/verify/src'],
    makes: [demoFile],
    build: async () => {
      fs.rmSync(dirname(demoFile), { recursive: true, force: true })
      await bundle(demoOptions)
    },
  },
  examples: {
    sources: ['examples/data-api', 'examples/mcp-server'],
    makes: [
      'examples/data-api/dist/main.js',
      'examples/data-api/dist/playground/page.js',
      'examples/mcp-server/dist/main.js',
    ],
    build: async () => {
      compile('examples/data-api')
      copyRead('examples/data-api')
      await bundlePlayground('examples/data-api/playground', 'examples/data-api/dist/playground')
      // A bundle, because it uses files of the data API.
      await bundle({
        ...forNode('examples/mcp-server/main.ts', 'examples/mcp-server/dist/main.js'),
        plugins: [readAtPlace],
      })
    },
  },
}

/** Runs a Node program and exits when it fails. */
function run(program, ...args) {
  const { status, signal } = spawnSync(process.execPath, [program, ...args], { stdio: 'inherit' })
  if (status !== 0) process.exit(signal ? 1 : status)
}

function compile(project, ...options) {
  run('node_modules/typescript/bin/tsc', '-p', project, ...options)
}

async function bundle(options) {
  const esbuild = await import('esbuild')
  // esbuild has printed the errors.
  return esbuild
    .build({ bundle: true, logLevel: 'warning', ...options })
    .catch(() => process.exit(1))
}

const forNode = (entry, outfile) => ({
  entryPoints: [entry],
  outfile,
  platform: 'node',
  format: 'esm',
  packages: 'external',
})

const bundleForNode = (entry, outfile) => bundle(forNode(entry, outfile))

const bundleScript = (entry, outfile, globalName) =>
  bundle({
    entryPoints: [entry],
    outfile,
    globalName,
    minify: true,
    format: 'iife',
    target: 'es2020',
  })

/** Copies the files that the program reads from beside its modules. */
function copyRead(folder) {
  for (const path of filesOf(folder).filter((one) => /\.(graphql|sql|json)$/.test(one))) {
    const target = join(folder, 'dist', relative(folder, path))
    fs.mkdirSync(dirname(target), { recursive: true })
    fs.copyFileSync(path, target)
  }
}

/** In a bundle, modules of the data API read such files from the folder of their sources. */
const readAtPlace = {
  name: 'read-at-place',
  setup: (build) => {
    build.onLoad({ filter: /[\\/]data-api[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await fs.promises.readFile(path, 'utf8')
      const place = relative('examples/mcp-server/dist', path).replaceAll('\\', '/')
      const contents = text.replaceAll(
        'import.meta.url',
        `new URL(${JSON.stringify(place)}, import.meta.url).href`,
      )
      return { contents, loader: 'ts' }
    })
  },
}

/** GraphiQL with its styles; fonts and images are within them. */
async function bundlePlayground(folder, outdir) {
  await bundle({
    entryPoints: [join(folder, 'page.mjs'), join(folder, 'page.css')],
    outdir,
    minify: true,
    format: 'esm',
    target: 'es2022',
    loader: { '.woff2': 'dataurl', '.png': 'dataurl' },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  fs.copyFileSync(join(folder, 'page.html'), join(outdir, 'page.html'))
}

/**
 * Minifies and compresses files for the server, which finds them by the digest of the source
 * (src/http/server/static-file.ts).
 */
async function compressFiles(folders, target) {
  const { transform } = await import('esbuild')
  fs.rmSync(target, { recursive: true, force: true })
  fs.mkdirSync(target, { recursive: true })
  for (const path of folders.flatMap(filesOf)) {
    const [loader] = /(?:css|js|svg)$/.exec(path) ?? []
    if (!loader) continue
    const source = fs.readFileSync(path)
    const name = createHash('sha256').update(source).digest('base64url').slice(0, 16)
    const content =
      loader === 'svg' ? source : (await transform(source, { loader, minify: true })).code
    fs.writeFileSync(join(target, `${name}.br`), brotliCompressSync(content))
    fs.writeFileSync(join(target, `${name}.gzip`), gzipSync(content, { level: 9 }))
  }
}

/** The files of a folder, or the file itself. Build output is not a source. */
function filesOf(path) {
  if (!fs.statSync(path).isDirectory()) return [path]
  return fs
    .readdirSync(path)
    .filter((name) => name !== 'dist' && name !== 'node_modules')
    .flatMap((name) => filesOf(join(path, name)))
}

function digestOf(sources) {
  const hash = createHash('sha256')
  for (const path of [...common, ...sources].flatMap(filesOf).sort()) {
    const content = fs.readFileSync(path)
    hash.update(`${path}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

function readStamps() {
  try {
    return JSON.parse(fs.readFileSync(stampPath, 'utf8'))
  } catch {
    return {}
  }
}

function writeStamp(name, digest) {
  fs.mkdirSync(dirname(stampPath), { recursive: true })
  fs.writeFileSync(stampPath, JSON.stringify({ ...readStamps(), [name]: digest }, null, 2))
}

const isMade = (name) => parts[name].makes.every((path) => fs.existsSync(path))
const isUpToDate = (name, digest) => isMade(name) && readStamps()[name] === digest

async function bringUpToDate(name) {
  const { sources, build } = parts[name]
  const digest = digestOf(sources)
  if (isUpToDate(name, digest)) return
  await build()
  writeStamp(name, digest)
}

function check(names) {
  const old = names.filter((name) => !isUpToDate(name, digestOf(parts[name].sources)))
  if (old.length === 0) return
  console.error(`out of date: ${old.join(', ')}; npm run build builds them`)
  process.exit(1)
}

/** Makes `npx --no latchkey` work in a checkout. */
function linkCommand() {
  if (!fs.existsSync(programFile)) return
  fs.chmodSync(programFile, 0o755)
  fs.mkdirSync('node_modules/.bin', { recursive: true })
  fs.rmSync('node_modules/.bin/latchkey', { force: true })
  fs.symlinkSync(`../../${programFile}`, 'node_modules/.bin/latchkey')
}

const [asked, ...further] = process.argv.slice(2)
const usual = ['verify', 'program', 'sdk', 'compressed', 'docs']
const chosen = asked === '--all' ? [...usual, 'demo', 'examples'] : asked ? [asked] : usual
if (asked === '--check') check(further)
else {
  for (const name of chosen) await bringUpToDate(name)
  linkCommand()
}
