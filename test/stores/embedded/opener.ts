/** Another process that opens the given directory, reports the address, and stops on demand. */
import { once } from 'node:events'
import { startEmbeddedPostgres } from '../../../src/stores/embedded/launcher.ts'

const [directory] = process.argv.slice(2)
const opened = await startEmbeddedPostgres({ directory: directory! })
process.stdout.write(`${JSON.stringify(opened.connection)}\n`)
await once(process.stdin, 'data')
await opened.stop()
process.stdin.destroy()
