// The pages in a real browser. All test files of a run share one process of the installed Chromium.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import t from 'tap'
import { askBrowser } from '../support/keeper/client.ts'
import type { BrowserProgram } from '../support/keeper/protocol.ts'

// The headless shell has no window to paint: a page costs half of the CPU, a context a quarter.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

const isExecutable = (path: string) => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** CHROMIUM_PATH, or the first Chromium on the PATH. */
const findChromium = () => {
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

/** The installed program with its arguments; null where none is installed. */
export const chromiumProgram = (): BrowserProgram | null => {
  const executablePath = findChromium()
  return executablePath ? { executablePath, args: quiet } : null
}

/**
 * A connection to the browser of this run; null (and the file is skipped) where none is installed, except in CI. Only
 * the process is shared: contexts belong to the connection, and the browser discards them when it closes.
 */
export const startChromium = async (): Promise<Browser | null> => {
  const program = chromiumProgram()
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

/** Blocks third-party cookies in the pages that a test opens; there is no flag that the headless shell knows. */
export const withoutThirdParties = (context: BrowserContext): BrowserContext => {
  const openPage = context.newPage.bind(context)
  context.newPage = async () => blockThirdParties(await openPage())
  return context
}

const blockThirdParties = async (page: Page) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.setCookieControls', { enableThirdPartyCookieRestriction: true })
  return page
}
