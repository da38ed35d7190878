/** Runs the commands of docs/install.md: a server without settings, and the first app. */
import { rm } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { latchkeyProcess } from '../cli/latchkey-command.ts'
import { eventually } from '../support/eventually.ts'
import { claimsOf } from '../support/flows.ts'
import { freePort } from '../support/free-port.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { createNewcomer, unlessShellMissing } from './command-line.ts'
import { commandLine, followPage, type Parts } from './follow.ts'
import { type Shell, shells } from './reader.ts'

const languages = commandLine

const parts: Parts = {
  'With your own Postgres and Redis':
    'installs, and needs a Postgres and a Redis at these addresses',
  'From the package': 'test/cli/installed.test.ts installs it',
  'As a service': 'needs systemd; test/deploy/systemd.test.ts checks the unit',
  'In Kubernetes': 'needs a cluster; test/deploy/helm.test.ts checks the chart',
  'In a container': 'needs Docker',
  'The first app': {
    languages,
    after: ({ t, reader: { env } }) => {
      for (const name of ['CLIENT_ID', 'CLIENT_SECRET', 'REDIRECT_URI', 'ORGANIZATION_ID'])
        t.ok(env[name], `${name} is used by docs/for-apps.md`)
    },
  },
  'The first app 2': { languages },
  'The first app 3': {
    languages,
    after: ({ t }, said) =>
      t.match(claimsOf(said.json?.access_token), { kind: 'install', scope: 'records:create' }),
  },
  'The first app 4': 'waits for a person with a browser: test/cli plays one',
}

const firstApp = async (t: Test, shell: Shell) => {
  const data = await temporaryDirectory('first')
  const port = String(await freePort())
  const issuer = `http://localhost:${port}`
  const { child, said, ended } = latchkeyProcess(['serve'], { PORT: port, LATCHKEY_DATA: data })
  const stop = () => child.kill('SIGTERM')
  process.once('exit', stop)
  t.teardown(async () => {
    process.off('exit', stop)
    stop()
    await ended
    await rm(data, { recursive: true, force: true, maxRetries: 5 })
  })
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`the server does not start: ${said.stderr}`)
    return said.stdout.includes('"msg":"listening"')
  })
  const reader = await createNewcomer(t, { ISSUER: issuer, LATCHKEY_DATA: data }, shell)
  await followPage(t, 'docs/install.md', parts, 'sh', reader)
}

for (const shell of shells) {
  const title = `the first app, on a server with nothing but itself, from ${shell}`
  t.test(title, unlessShellMissing(shell), (t) => firstApp(t, shell))
}
