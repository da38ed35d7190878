// Nightly, and when src/app changes: it starts the sources on two versions of Node.
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

/** With each of the settings, starts the server, sends it a request, and prints the packages of OpenTelemetry loaded so far. */
const program = `
  import { createRequire } from 'node:module'
  import { createLatchkey } from '${src}app/app.ts'
  import { readConfig } from '${src}config/config.ts'
  import { createLogger } from '${src}app/log.ts'
  const loaded = () => {
    const files = Object.keys(createRequire(import.meta.url).cache)
    const packages = files.map((file) => /@opentelemetry\\/([\\w-]+)/.exec(file)?.[1])
    return [...new Set(packages)].filter((one) => one !== undefined)
  }
  const found = []
  for (const settings of JSON.parse(process.env.SETTINGS)) {
    Object.assign(process.env, settings)
    const latchkey = await createLatchkey(readConfig(process.env), createLogger('silent'))
    await latchkey.server.inject('/health/ready')
    found.push(loaded())
    await latchkey.close()
    for (const name of Object.keys(settings)) delete process.env[name]
  }
  console.log(JSON.stringify(found))
  process.exit()
`

const loadedWith = async (...settings: Record<string, string>[]): Promise<string[][]> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...loader, '--input-type=module', '--eval', program],
    {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: stores.databaseUrl,
        LATCHKEY_MASTER_KEY: masterKey,
        SETTINGS: JSON.stringify(settings),
      },
    },
  )
  return JSON.parse(stdout)
}

t.test('OpenTelemetry is not loaded without a collector, but with one', async (t) => {
  const collector = await startTraceReceiver()
  t.teardown(() => collector.stop())
  const to = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const [without, disabled, none, loaded] = await loadedWith(
    {},
    { ...to, OTEL_SDK_DISABLED: 'true' },
    { ...to, OTEL_TRACES_EXPORTER: 'none' },
    to,
  )
  // The metrics library uses the interface package for its exemplars.
  t.same([without, disabled, none], [['api'], ['api'], ['api']])
  for (const one of ['sdk-trace', 'exporter-trace-otlp-proto', 'resources'])
    t.ok(loaded?.includes(one), one)
  t.ok(collector.spans.length > 0)
})
