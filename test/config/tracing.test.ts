import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { readConfig } from '../../src/config/config.ts'
import type { ConfigError } from '../../src/config/config-error.ts'

const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }

t.test('traces are exported only if an endpoint is set', async (t) => {
  t.equal(readConfig({}).tracing, null)
  t.equal(readConfig({ OTEL_SERVICE_NAME: 'x', OTEL_TRACES_EXPORTER: 'otlp' }).tracing, null)
  t.equal(readConfig({ ...collector, OTEL_SDK_DISABLED: 'True' }).tracing, null)
  t.equal(readConfig({ ...collector, OTEL_TRACES_EXPORTER: 'none' }).tracing, null)
  t.same(readConfig(collector).tracing, { headers: {} })
  const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c.example/in' }
  t.same(readConfig(own).tracing, { headers: {} })
})

t.test('the headers, with the key of the collector, may be in files', async (t) => {
  const file = join(mkdtempSync(join(tmpdir(), 'latchkey-')), 'headers')
  writeFileSync(file, 'authorization=Bearer%20of-the-collector\n')
  const { tracing } = readConfig({
    ...collector,
    OTEL_EXPORTER_OTLP_HEADERS_FILE: file,
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-tenant=two',
  })
  t.same(tracing?.headers, {
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-tenant=two',
  })
})

t.test('an address or protocol that cannot be used ends the start', async (t) => {
  const rows: [environment: NodeJS.ProcessEnv, fault: string][] = [
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'ftp://x' }, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL'],
    [{ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'],
  ]
  for (const [environment, fault] of rows) {
    let faults: string[] = []
    try {
      readConfig({ ...collector, ...environment })
    } catch (error) {
      faults = (error as ConfigError).faults
    }
    t.same(
      faults.map((one) => one.split(' ')[0]),
      [fault],
    )
  }
})
