import { fileURLToPath } from 'node:url'

// From sources and from what is built alike, so nothing here is relative to this file.
const root = new URL('./', import.meta.resolve('@latchkey-auth/server/package.json'))

export const demoViews = new URL('demo/views/', root)
export const demoViewsFolder = fileURLToPath(demoViews)
/** The server's stylesheet and logo. */
export const serverAssets = new URL('views/assets/', root)
/** As `npm run demo` builds it. */
export const dataApiProgram = fileURLToPath(new URL('examples/data-api/dist/main.js', root))
export const mcpServerProgram = fileURLToPath(new URL('examples/mcp-server/dist/main.js', root))
