/** The tests of a run share one browser process and nothing else. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { eventually } from '../support/eventually.ts'
import { askBrowser } from '../support/keeper/client.ts'
import { isAlive } from '../support/keeper/is-alive.ts'
import { loader } from '../support/typescript/loader.ts'
import { chromiumProgram, startChromium } from './chromium.ts'

const program = chromiumProgram()
const [first, second] = [await startChromium(), await startChromium()]

t.test('all tests are given the same browser', { skip: !program }, async (t) => {
  if (program) t.equal(await askBrowser(program), await askBrowser(program))
})

t.test('a test neither sees nor ends the contexts of another', { skip: !second }, async (t) => {
  if (!first || !second) return
  const [mine, other] = [await first.newContext(), await second.newContext()]
  const url = 'https://app.example'
  await mine.addCookies([{ name: 'session', value: 'mine', url }])
  t.equal((await mine.cookies(url)).length, 1)
  t.same(await other.cookies(url), [])
  t.equal(second.contexts().length, 1)
  await first.close()
  const page = await other.newPage()
  t.equal(await page.evaluate('1 + 1'), 2)
})

t.test('the browser ends when its keeper is killed', { skip: !program }, async (t) => {
  const owner = join(import.meta.dirname, 'browser-owner.ts')
  const child = spawn(process.execPath, [...loader, owner], {
    env: { PATH: process.env.PATH, CHROMIUM_PATH: process.env.CHROMIUM_PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  await once(createInterface(child.stdout), 'line')
  const browsers = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
  const processes = browsers.trim().split(/\s+/).map(Number)
  t.ok(processes.length > 0 && processes.every(isAlive))
  child.kill('SIGKILL')
  await eventually(() => !processes.some(isAlive))
})
