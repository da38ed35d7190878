import t from 'tap'
import { readConfig } from '../../src/config/config.ts'
import type { ConfigError } from '../../src/config/config-error.ts'

const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }

t.test('traces are exported only if an endpoint is set', async (t) => {
  t.equal(readConfig({}).tracing, null)
  t.equal(readConfig({ OTEL_SERVICE_NAME: 'x', OTEL_TRACES_EXPORTER: 'otlp' }).tracing, null)
  t.equal(readConfig({ ...collector, OTEL_SDK_DISABLED: 'true' }).tracing, null)
  t.equal(readConfig({ ...collector, OTEL_TRACES_EXPORTER: 'none' }).tracing, null)
})

t.test('defaults are those of OpenTelemetry', async (t) => {
  t.same(readConfig(collector).tracing, {
    url: 'http://127.0.0.1:4318/v1/traces',
    headers: {},
    timeout: 10_000,
    resource: { 'service.name': 'latchkey' },
    sampler: 'parentbased_always_on',
    ratio: 1,
    exportEvery: 5000,
    mostWaiting: 2048,
  })
})

t.test(
  'the common endpoint gets the traces path, the traces endpoint stays as it is',
  async (t) => {
    const urlOf = (environment: NodeJS.ProcessEnv) => readConfig(environment).tracing?.url
    const rows: [environment: NodeJS.ProcessEnv, url: string][] = [
      [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c.example/' }, 'https://c.example/v1/traces'],
      [
        { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c.example/otlp' },
        'https://c.example/otlp/v1/traces',
      ],
      [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c.example/in' }, 'https://c.example/in'],
      [
        { ...collector, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c.example' },
        'https://c.example/',
      ],
    ]
    for (const [environment, url] of rows) t.equal(urlOf(environment), url)
  },
)

t.test('headers and attributes are percent-encoded pairs', async (t) => {
  const { tracing } = readConfig({
    ...collector,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%3Db, x-tenant=one',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-tenant=two',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,service.version=1.2,empty=',
    OTEL_SERVICE_NAME: 'sign-in',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  })
  t.match(tracing, {
    headers: { authorization: 'Bearer a=b', 'x-tenant': 'two' },
    resource: { 'service.name': 'sign-in', 'service.version': '1.2', empty: '' },
    sampler: 'parentbased_traceidratio',
    ratio: 0.25,
  })
})

t.test('faults are reported without repeating a key', async (t) => {
  const rows: [environment: NodeJS.ProcessEnv, fault: string][] = [
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'ftp://x' }, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'],
    [{ OTEL_TRACES_EXPORTER: 'jaeger' }, 'OTEL_TRACES_EXPORTER'],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL'],
    [{ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' }, 'OTEL_EXPORTER_OTLP_PROTOCOL'],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'secret-key' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=secret-key%' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=secret-key%0d%0ab' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'a b=secret-key' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
    [{ OTEL_RESOURCE_ATTRIBUTES: '=x' }, 'OTEL_RESOURCE_ATTRIBUTES'],
    [{ OTEL_TRACES_SAMPLER: 'sometimes' }, 'OTEL_TRACES_SAMPLER'],
    [{ OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER_ARG'],
    [{ OTEL_TRACES_SAMPLER_ARG: 'half' }, 'OTEL_TRACES_SAMPLER_ARG'],
    [{ OTEL_EXPORTER_OTLP_TIMEOUT: '0' }, 'OTEL_EXPORTER_OTLP_TIMEOUT'],
    [{ OTEL_SDK_DISABLED: 'perhaps' }, 'OTEL_SDK_DISABLED'],
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
      JSON.stringify(environment),
    )
    t.notMatch(faults.join(), 'secret-key')
  }
})
