// OpenTelemetry's own variables. Its SDK reads them itself; here is only what decides whether it is loaded.

export interface TracingConfig {
  /** Variables with the headers of each export, which may have been in files: they may contain the key of the collector. */
  headers: Readonly<Record<string, string>>
}

const endpoints = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT']
const protocols = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL']
const headers = ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'OTEL_EXPORTER_OTLP_HEADERS']

const isHttp = (value = '') =>
  URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol)

/**
 * @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 * @returns null when there are no traces. Adds faults to `faults`: those of which the SDK says nothing
 */
export const readTracing = (env: NodeJS.ProcessEnv, faults: string[]): TracingConfig | null => {
  const isOff = env.OTEL_SDK_DISABLED?.toLowerCase() === 'true'
  const endpoint = endpoints.find((name) => env[name])
  if (isOff || env.OTEL_TRACES_EXPORTER === 'none' || !endpoint) return null
  if (!isHttp(env[endpoint]))
    faults.push(`${endpoint} must be an http(s) URL, such as http://127.0.0.1:4318`)
  for (const name of protocols)
    if ((env[name] || 'http/protobuf') !== 'http/protobuf')
      faults.push(`${name} must be http/protobuf: no other protocol is supported`)
  const given = headers.filter((name) => env[name])
  return { headers: Object.fromEntries(given.map((name) => [name, String(env[name])])) }
}
