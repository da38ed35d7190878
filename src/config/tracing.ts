import { type Static, Type } from 'typebox'
import { flag, milliseconds, text, whole } from './setting.ts'

/** Variables of OpenTelemetry. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: text(
    'The base address of a collector for traces, such as `http://127.0.0.1:4318`; `/v1/traces` is added. Without an endpoint there are no traces.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: text(
    'The complete address of the collector, in place of `OTEL_EXPORTER_OTLP_ENDPOINT`.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: text(
    'Headers of each export, such as the key of the collector: `name=value,name=value`, percent-encoded.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: text(
    'Further headers in the same format. They override those of `OTEL_EXPORTER_OTLP_HEADERS`.',
  ),
  OTEL_EXPORTER_OTLP_TIMEOUT: milliseconds('Milliseconds for one export.', 10_000),
  OTEL_EXPORTER_OTLP_PROTOCOL: text('Only `http/protobuf`, which is also used without it.'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: text('The same, in place of `OTEL_EXPORTER_OTLP_PROTOCOL`.'),
  OTEL_SERVICE_NAME: text('The `service.name` of all spans. Without it: `latchkey`.'),
  OTEL_RESOURCE_ATTRIBUTES: text(
    'Further attributes of all spans: `name=value,name=value`, percent-encoded.',
  ),
  OTEL_TRACES_SAMPLER: text(
    'One of `always_on`, `always_off`, `traceidratio`, each also with `parentbased_` in front.',
    'parentbased_always_on',
  ),
  OTEL_TRACES_SAMPLER_ARG: text(
    'For `traceidratio`: the share of traces, from 0 to 1. Without it: 1.',
  ),
  OTEL_BSP_SCHEDULE_DELAY: milliseconds('Milliseconds between two exports.', 5000),
  OTEL_BSP_MAX_QUEUE_SIZE: whole(
    'The number of spans that may wait for the next export. Further spans are dropped.',
    { default: 2048, minimum: 1, maximum: 1_000_000 },
  ),
  OTEL_TRACES_EXPORTER: text('`otlp`, or `none` for no traces, whatever else is set.', 'otlp'),
  OTEL_SDK_DISABLED: flag('If `true`, there are no traces, whatever else is set.', false),
}

const schema = Type.Object(tracingSettings)
type TracingEnvironment = Static<typeof schema>

/** @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/ */
const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export interface TracingConfig {
  /** Target of the spans: OTLP over HTTP with protobuf. */
  url: string
  /** Sent with each export. They may contain the key of the collector. */
  headers: Record<string, string>
  /** Milliseconds for one export. */
  timeout: number
  /** Resource attributes of all spans. */
  resource: Record<string, string>
  sampler: (typeof samplers)[number]
  /** Sampled share for the ratio samplers, from 0 to 1. */
  ratio: number
  /** Milliseconds between two exports. */
  exportEvery: number
  /** Maximum spans that wait for the next export. Further spans are dropped. */
  mostWaiting: number
}

const decode = (text: string) => {
  try {
    return decodeURIComponent(text.trim())
  } catch {
    return null
  }
}

/** `name=value,name=value`, both percent-encoded. Faults do not echo values, which may contain a key. */
const readPairs = (name: string, text: string, faults: string[]): Record<string, string> => {
  const pairs: [string, string][] = []
  for (const part of text.split(',').filter((one) => one.trim() !== '')) {
    const at = part.indexOf('=')
    const [key, value] = [decode(part.slice(0, Math.max(at, 0))), decode(part.slice(at + 1))]
    if (key && value !== null) pairs.push([key, value])
    else {
      faults.push(`${name} must be name=value,name=value, percent-encoded`)
      break
    }
  }
  return Object.fromEntries(pairs)
}

const checkHeaders = (headers: Record<string, string>, faults: string[]) => {
  const areGood = Object.entries(headers).every(
    ([name, value]) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(value),
  )
  if (!areGood) faults.push('OTEL_EXPORTER_OTLP_HEADERS has characters that headers must not have')
  return headers
}

/** The endpoint for traces as it is, or the common endpoint with the path for traces. */
const endpointOf = (env: TracingEnvironment, faults: string[]): string | null => {
  const own = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
  const common = env.OTEL_EXPORTER_OTLP_ENDPOINT
  if (own === '' && common === '') return null
  const name = own ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT'
  const url = URL.canParse(own || common) ? new URL(own || common) : null
  if (!url || !/^https?:$/.test(url.protocol)) {
    faults.push(`${name} must be an http(s) URL, such as http://127.0.0.1:4318`)
    return null
  }
  if (!own) url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`
  return url.href
}

const checkProtocol = (env: TracingEnvironment, faults: string[]) => {
  const protocol =
    env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/protobuf'
  if (protocol !== 'http/protobuf')
    faults.push('OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf: no other protocol is supported')
}

const readSampler = (env: TracingEnvironment, faults: string[]) => {
  const sampler = samplers.find((one) => one === env.OTEL_TRACES_SAMPLER)
  if (!sampler) faults.push(`OTEL_TRACES_SAMPLER must be one of ${samplers.join(', ')}`)
  const ratio = env.OTEL_TRACES_SAMPLER_ARG === '' ? 1 : Number(env.OTEL_TRACES_SAMPLER_ARG)
  if (!(ratio >= 0 && ratio <= 1))
    faults.push('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1')
  return { sampler: sampler ?? 'parentbased_always_on', ratio }
}

/** Reads the settings for traces; null when traces are off, so that nothing is loaded. Adds faults to `faults`. */
export const readTracing = (env: TracingEnvironment, faults: string[]): TracingConfig | null => {
  if (env.OTEL_SDK_DISABLED || env.OTEL_TRACES_EXPORTER === 'none') return null
  const url = endpointOf(env, faults)
  if (url === null) return null
  if (env.OTEL_TRACES_EXPORTER !== 'otlp') faults.push('OTEL_TRACES_EXPORTER must be otlp or none')
  checkProtocol(env, faults)
  const pairs = (name: keyof TracingEnvironment) => readPairs(name, String(env[name]), faults)
  const headers = {
    ...pairs('OTEL_EXPORTER_OTLP_HEADERS'),
    ...pairs('OTEL_EXPORTER_OTLP_TRACES_HEADERS'),
  }
  return {
    url,
    headers: checkHeaders(headers, faults),
    timeout: env.OTEL_EXPORTER_OTLP_TIMEOUT,
    resource: {
      'service.name': 'latchkey',
      ...pairs('OTEL_RESOURCE_ATTRIBUTES'),
      ...(env.OTEL_SERVICE_NAME && { 'service.name': env.OTEL_SERVICE_NAME }),
    },
    ...readSampler(env, faults),
    exportEvery: env.OTEL_BSP_SCHEDULE_DELAY,
    mostWaiting: env.OTEL_BSP_MAX_QUEUE_SIZE,
  }
}
