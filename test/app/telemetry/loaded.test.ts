/**
 * Loaded modules: without a collector no module of OpenTelemetry is loaded and none of its hooks
 * runs.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { masterKey } from '../../support/latchkey.ts'
import { testStores } from '../../support/stores.ts'
import { startTraceReceiver } from '../../support/trace-receiver.ts'
import { loader } from '../../support/typescript/loader.ts'

const [stores, ...others] = await testStores()
if (!stores) throw new Error('there is no store to test with')
t.teardown(() => Promise.all([stores, ...others].map((one) => one.drop())))

const src = new URL('../../../src/', import.meta.url)

/** Starts the server, sends it a request, and prints the loaded packages of OpenTelemetry. */
const program = `
  import { createRequire } from 'node:module'
  import { createLatchkey } from '${src}app/app.ts'
  import { readConfig } from '${src}config/config.ts'
  import { createLogger } from '${src}app/log.ts'
  const latchkey = await createLatchkey(readConfig(process.env), createLogger('silent'))
  await latchkey.server.inject('/health/ready')
  const files = Object.keys(createRequire(import.meta.url).cache)
  const packages = files.map((file) => /@opentelemetry\\/([\\w-]+)/.exec(file)?.[1])
  console.log(JSON.stringify([...new Set(packages)].filter((one) => one !== undefined)))
  await latchkey.close()
  process.exit()
`

const loadedWith = async (environment: Record<string, string>): Promise<string[]> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...loader, '--input-type=module', '--eval', program],
    {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: stores.databaseUrl,
        LATCHKEY_MASTER_KEY: masterKey,
        ...environment,
      },
    },
  )
  return JSON.parse(stdout)
}

t.test('OpenTelemetry is not loaded without a collector', async (t) => {
  // The metrics library uses the interface package for its exemplars.
  t.same(await loadedWith({}), ['api'])
  const address = 'http://127.0.0.1:4318'
  const off = { OTEL_EXPORTER_OTLP_ENDPOINT: address, OTEL_SDK_DISABLED: 'true' }
  t.same(await loadedWith(off), ['api'])
  const none = { OTEL_EXPORTER_OTLP_ENDPOINT: address, OTEL_TRACES_EXPORTER: 'none' }
  t.same(await loadedWith(none), ['api'])
})

t.test('OpenTelemetry is loaded with a collector', async (t) => {
  const collector = await startTraceReceiver()
  t.teardown(() => collector.stop())
  const loaded = await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  for (const one of ['sdk-trace', 'exporter-trace-otlp-proto', 'resources'])
    t.ok(loaded.includes(one), one)
  t.equal(collector.spans.length > 0, true)
})
