/** Before `npm pack`, also in a fresh clone: installs what the build needs, if it is not there, and builds. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

// What npm prints to stdout is for the caller of `npm pack`.
const run = (command, ...args) => {
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(status ?? 1)
}

const { npm_execpath: npm } = process.env
if (!existsSync(`${root}/node_modules/esbuild`))
  run(...(npm?.endsWith('.js') ? [process.execPath, npm] : ['npm']), 'ci', '--ignore-scripts')
run(process.execPath, 'scripts/build.mjs')
