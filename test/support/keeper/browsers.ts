import type { BrowserServer } from 'playwright-core'
import type { BrowserProgram } from './protocol.ts'

export interface Browsers {
  /** @returns the address to connect to */
  open(program: BrowserProgram): Promise<string>
  close(): Promise<void>
}

/** One browser process for each set of flags. A test connects to it and opens contexts of its own. */
export const sharedBrowsers = (): Browsers => {
  const opened = new Map<string, Promise<BrowserServer>>()

  const launch = async ({ executablePath, args }: BrowserProgram) => {
    const { chromium } = await import('playwright-core')
    return chromium.launchServer({ executablePath, args, host: '127.0.0.1' })
  }

  return {
    open: async (program) => {
      const key = JSON.stringify(program)
      const server = opened.get(key) ?? launch(program)
      opened.set(key, server)
      return (await server).wsEndpoint()
    },
    // The browser also ends when this process is killed: it watches the pipe to its parent.
    close: async () => {
      const servers = await Promise.allSettled(opened.values())
      await Promise.allSettled(
        servers.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)),
      )
    },
  }
}
