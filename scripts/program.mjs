/**
 * Bundles the server and the command line into dist/program, so that a process loads a few files instead of two
 * thousand. What only some commands or settings need is in chunks of its own, loaded when it is imported.
 */
import * as fs from 'node:fs'
import { relative } from 'node:path'

/** What `npx --no latchkey` runs. */
export const programFile = 'dist/program/main.js'

/** Packages that read files beside their own code. The packaged Postgres is found by name and not imported. */
const external = ['argon2', 'bcrypt', 'sharp', 'pg-native', 'mysql2']

/** Packages of CommonJS call `require`, which modules do not have. */
const banner = `import { createRequire as requireFrom } from 'node:module'
const require = requireFrom(import.meta.url)`

/**
 * Views, migrations and pages are found from the place of a module in dist. In a chunk, `import.meta.url` must name
 * the same place.
 */
const keepPlaces = {
  name: 'keep-places',
  setup: (build) => {
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      if (path.includes('node_modules')) return null
      const text = await fs.promises.readFile(path, 'utf8')
      const place = `../${relative('src', path).replaceAll('\\', '/').replace(/\.ts$/, '.js')}`
      const contents = text.replaceAll(
        'import.meta.url',
        `new URL(${JSON.stringify(place)}, import.meta.url).href`,
      )
      return { contents, loader: 'ts' }
    })
  },
}

/**
 * Imports `node:http` by `require`. An import of a built-in module reads all of its exports, and newer versions of Node have
 * one of `node:http` that loads their whole fetch: 14 MB of memory, and a seventh of the time of a start.
 */
const lazyHttp = {
  name: 'lazy-http',
  setup: (build) => {
    const namespace = 'lazy-http'
    build.onResolve({ filter: /^(node:)?http$/ }, ({ kind }) =>
      kind === 'import-statement'
        ? { path: 'node:http', namespace }
        : { path: 'node:http', external: true },
    )
    build.onLoad({ filter: /./, namespace }, () => ({
      contents: `module.exports = require('node:http')`,
    }))
  },
}

/** V8 keeps the text of each file. One character beyond Latin-1, such as in a comment, would double its size. */
const escapeText = {
  name: 'escape-text',
  setup: (build) => {
    build.onEnd(({ metafile }) => {
      for (const path of Object.keys(metafile?.outputs ?? {}).filter((one) =>
        one.endsWith('.js'),
      )) {
        const text = fs.readFileSync(path, 'utf8')
        const escaped = text.replaceAll(
          /[\u0080-\uffff]/g,
          (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
        )
        if (escaped !== text) fs.writeFileSync(path, escaped)
      }
    })
  },
}

/**
 * Options for esbuild. Nothing is minified: a stack trace in the log can be read, and the classes of oidc-provider keep
 * their names, which are in what they store.
 */
export const programOptions = {
  entryPoints: ['src/main.ts'],
  outdir: 'dist/program',
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  splitting: true,
  chunkNames: '[name]-[hash]',
  sourcemap: true,
  sourcesContent: false,
  external,
  alias: {
    // Koa brings the list of media types twice.
    'mime-types': './node_modules/mime-types',
    // A chunk of a CommonJS package has no named exports.
    '@zxcvbn-ts/language-common': './node_modules/@zxcvbn-ts/language-common/dist/index.mjs',
  },
  // Newer versions of Node define it. Without it, pg loads Node's whole fetch to find out where it runs.
  define: { navigator: JSON.stringify({ userAgent: 'Node.js' }) },
  banner: { js: banner },
  plugins: [keepPlaces, lazyHttp, escapeText],
}

/** What `npm run demo` starts. It is as deep in dist as the program, so places are the same. */
export const demoFile = 'dist/demo/main.js'

/** The demo imports what was built of the server, as tests and benchmarks do; the bundle has its sources. */
const serverSources = {
  name: 'server-sources',
  setup: (build) => {
    build.onResolve({ filter: /^#dist\// }, ({ path }) => ({
      path: fs.realpathSync(path.replace(/^#dist/, 'src').replace(/\.js$/, '.ts')),
    }))
  },
}

export const demoOptions = {
  ...programOptions,
  entryPoints: ['demo/main.ts'],
  outdir: 'dist/demo',
  plugins: [serverSources, keepPlaces, lazyHttp],
}
