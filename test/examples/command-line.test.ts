// Nightly, and when examples/ changes: it starts the example.
import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { answerDevice } from '../support/device.ts'
import { eventually } from '../support/eventually.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { createVisitor, walk } from '../support/visitor.ts'
import { startExample, startScene } from './beside-demo.ts'

const scene = await startScene()
const { demo, ana } = scene

const workspacesIn = (rows: string) =>
  [...new Set(rows.split('\n').map((row) => row.split('\t')[0]))].filter(Boolean)

/** A browser that records the URL it was sent to. */
const fakeBrowser = async (t: Test) => {
  const directory = await temporaryDirectory('browser')
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const opened = join(directory, 'opened')
  for (const name of ['open', 'xdg-open']) {
    await writeFile(join(directory, name), '#!/bin/sh\nprintf %s "$1" > "$OPENED"\n')
    await chmod(join(directory, name), 0o755)
  }
  const address = async () => readFile(opened, 'utf8').catch(() => '')
  return {
    env: { PATH: `${directory}:${process.env.PATH}`, OPENED: opened },
    wasSentTo: async (url: string) => eventually(async () => (await address()) === url),
  }
}

/** Starts it, and reads the printed URL. */
const begin = async (t: Test) => {
  const browser = await fakeBrowser(t)
  const program = startExample(t, scene, 'command-line', { env: browser.env })
  const [, url = ''] = await program.says(/^ {2}(http\S+)\n/m)
  await browser.wasSentTo(url)
  const redirectUri = new URL(url).searchParams.get('redirect_uri') ?? ''
  return { program, url, redirectUri }
}

t.test('through the browser the program prints rows of the user’s workspaces', async (t) => {
  const { program, url, redirectUri } = await begin(t)
  t.match(redirectUri, /^http:\/\/127\.0\.0\.1:\d+\/callback$/)
  const forged = await fetch(`${redirectUri}?code=other&state=other`)
  t.equal(forged.status, 404, 'a response with a wrong state is ignored')
  t.equal((await fetch(new URL('/favicon.ico', redirectUri))).status, 404)

  const { left } = await walk(createVisitor(demo.issuer), url, ana)
  const back = await fetch(left ?? '')
  t.match(await back.text(), 'Go back to the terminal')
  t.equal(await program.ended, 0)
  t.match(program.out(), 'Sales\tRenewal for Northwind\t')
  t.same(workspacesIn(program.out()), ['Research', 'Sales', 'Support'])
})

t.test('a denial ends the program', async (t) => {
  const { program, url } = await begin(t)
  const { left } = await walk(createVisitor(demo.issuer), url, { ...ana, decision: 'deny' })
  await fetch(left ?? '')
  t.equal(await program.ended, 1)
  t.equal(program.out(), '')
  t.match(program.err(), 'the request was refused')
})

t.test('with --device the code is entered on another device', async (t) => {
  const program = startExample(t, scene, 'command-line', { args: ['--device'] })
  const [, code = '', address] = await program.says(/Enter (\S+) at\n {2}(http\S+)\n/)
  t.equal(address, `${demo.issuer}/activate`)
  await answerDevice(demo, { email: ana.email, password: ana.password }, code)
  t.equal(await program.ended, 0)
  t.same(workspacesIn(program.out()), ['Research', 'Sales', 'Support'])
})

t.test('with --device a denial ends the program', async (t) => {
  const program = startExample(t, scene, 'command-line', { args: ['--device'] })
  const [, code = ''] = await program.says(/Enter (\S+) at/)
  await answerDevice(demo, { email: ana.email, password: ana.password }, code, 'deny')
  t.equal(await program.ended, 1)
  t.equal(program.out(), '')
})
