/** `npm run typecheck`: checks the types of every project. Incremental state is stored in .cache. */
import { spawnSync } from 'node:child_process'

const projects = {
  all: 'tsconfig.json',
  sdk: 'packages/sdk/tsconfig.json',
  examples: 'examples/tsconfig.json',
  docs: 'scripts/docs/tsconfig.json',
}

const check = ([name, project]) => {
  const kept = ['--incremental', '--tsBuildInfoFile', `.cache/typescript/${name}.tsbuildinfo`]
  const compiler = ['node_modules/typescript/bin/tsc', '--noEmit', '-p', project, ...kept]
  return spawnSync(process.execPath, compiler, { stdio: 'inherit' }).status === 0
}

const results = Object.entries(projects).map(check)
process.exitCode = results.every(Boolean) ? 0 : 1
