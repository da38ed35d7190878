// The pages in a real browser. All test files of a run share one process of the installed Chromium.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import t from 'tap'
import { askBrowser } from '../support/keeper/client.ts'
import type { BrowserProgram } from '../support/keeper/protocol.ts'

const whole = ['chromium', 'chromium-browser', 'google-chrome']
// It has no window to paint: a page costs a third to a half of the CPU, a context a quarter.
const shell = 'chromium-headless-shell'

const isExecutable = (path: string) => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** CHROMIUM_PATH, or the first of these programs on the PATH. */
const findProgram = (names: string[]) => {
  const { CHROMIUM_PATH, PATH = '' } = process.env
  if (CHROMIUM_PATH) return CHROMIUM_PATH
  const folders = ['/usr/bin', ...PATH.split(delimiter)]
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Only this machine can be reached, whatever a page requests.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]

const programOf = (names: string[], flags: string[] = []): BrowserProgram | null => {
  const executablePath = findProgram(names)
  return executablePath ? { executablePath, args: [...quiet, ...flags] } : null
}

/** The installed program with its arguments; null where none is installed. */
export const chromiumProgram = () => programOf([shell, ...whole])

/**
 * A connection to the browser of this run; null (and the file is skipped) where none is installed, except in CI. Only
 * the process is shared: contexts belong to the connection, and the browser discards them when it closes.
 */
export const startChromium = (): Promise<Browser | null> => connectTo(chromiumProgram())

const connectTo = async (program: BrowserProgram | null): Promise<Browser | null> => {
  if (program) {
    const browser = await chromium.connect(await askBrowser(program))
    t.teardown(() => browser.close())
    return browser
  }
  const words = 'NO CHROMIUM: the browser tests did not run (install chromium or set CHROMIUM_PATH)'
  if (process.env.CI === 'true') {
    t.fail(words)
  } else {
    console.error(`\n*** ${words} ***\n`)
    t.pass(words, { skip: words })
  }
  return null
}

/** The same, with third-party cookies blocked; the headless shell ignores this flag. */
export const withoutThirdParties = () =>
  connectTo(programOf(whole, ['--test-third-party-cookie-phaseout']))
