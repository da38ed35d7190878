import type { Json } from './operator-api.ts'

/** Generates values from a seed, the same in every run. */
export interface Generator {
  chance(probability: number): boolean
  pick<Value>(from: readonly Value[]): Value
  integer(from: number, to: number): number
  /** Text that might break a parser, a query or a page. */
  hostile(): string
  /** A value for a schema, usually with one fault. */
  broken(schema: Json): unknown
}

const hostileTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202eevil',
  '\u2028',
  '🌻'.repeat(50),
  "' or 1=1--",
  "'; drop table users; --",
  '1; select pg_sleep(5)--',
  '$1',
  '{}',
  '[]',
  '{"$ne":null}',
  '../../../etc/passwd',
  '%00',
  '%s%n',
  '<script>alert(1)</script>',
  '=1+1',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'true',
  'NaN',
  'Infinity',
  '-1',
  '1e999',
  '9'.repeat(40),
  '0x10',
  '2026-02-30',
  '2026-02-30T25:61:61Z',
  '0000-00-00',
  '-271821-04-20',
  '+275760-09-13',
  '9999-12-31T23:59:60Z',
  'Zg.Zg',
  'OTk5OTk5OTk5OTk5OTk5OS54',
  'x'.repeat(101),
  'x'.repeat(3000),
  'e\u0301'.repeat(300),
  'https://[::1',
  'javascript:alert(1)',
  'https://user:pass@app.example/#x',
  'HTTPS://APP.EXAMPLE/cb',
]

const oddValues: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e21,
  2 ** 31,
  2 ** 53,
  Number.MAX_VALUE,
  {},
  [],
  [[]],
  [null],
  [{}],
  { length: 1 },
  { toString: 'x' },
  [1, 'a', null],
]

/** mulberry32: a small random generator, sufficient for choices. */
const randomFrom = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const nested = (depth: number): unknown => (depth === 0 ? 'x' : [nested(depth - 1)])

export const createGenerator = (seed: number): Generator => {
  const random = randomFrom(seed)
  const integer = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  const pick = <Value>(from: readonly Value[]) => from[integer(0, from.length - 1)] as Value
  const chance = (probability: number) => random() < probability
  const hostile = () =>
    chance(0.1) ? `${pick(hostileTexts)}${pick(hostileTexts)}` : pick(hostileTexts)
  const odd = (): unknown => {
    if (chance(0.5)) return hostile()
    if (chance(0.1)) return nested(integer(2, 500))
    return chance(0.05) ? Array.from({ length: 3000 }, hostile) : pick(oddValues)
  }

  const broken = (schema: Json): unknown => {
    if (chance(0.1)) return odd()
    const whole = valid(generator, schema)
    if (schema.type !== 'object' || whole === null) return odd()
    const value = whole as Record<string, unknown>
    const names = Object.keys(schema.properties ?? {})
    for (const name of names) {
      if (chance(0.35)) value[name] = odd()
      else if (chance(0.15)) delete value[name]
    }
    if (chance(0.4)) value[chance(0.5) ? hostile() : pick(extraFields)] = odd()
    return value
  }

  const generator: Generator = { chance, pick, integer, hostile, broken }
  return generator
}

const extraFields = [
  'id',
  'organization_id',
  'client_id',
  'created_at',
  'secret',
  'digest',
  'actor',
]

const words = ['Sales', 'Zoë', '表', 'a', 'Report Builder', 'x'.repeat(100), '=1+1', '<b>']
let counter = 0

/** A part of an OpenAPI document with its schemas in place of the references to them. */
export const resolved = (document: Json, part: Json): Json => {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map((one) => resolved(document, one))
  const name = part.$ref?.replace('#/components/schemas/', '')
  if (name !== undefined) return resolved(document, document.components.schemas[name])
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, resolved(document, value)]),
  )
}

const validString = (make: Generator, schema: Json): string => {
  if (schema.enum) return make.pick(schema.enum)
  if (schema.examples && make.chance(0.7)) return make.pick(schema.examples)
  if (schema.format === 'email') return `fuzz${++counter}@acme.test`
  if (schema.format === 'date-time') return '2999-01-31T12:00:00Z'
  if (schema.format === 'date') return '2026-05-03'
  if (/uri|https/i.test(`${schema.format} ${schema.description}`)) return 'https://app.example/x'
  const fitting = [...words, 'wksNone', 'a long enough pass phrase', '2026-05-03'].filter(
    (one) =>
      one.length >= (schema.minLength ?? 0) &&
      one.length <= (schema.maxLength ?? 3000) &&
      (schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(one)),
  )
  return fitting.length === 0 ? 'x' : make.pick(fitting)
}

/** A value that the schema allows; rules beyond the schema may still refuse it. */
export const valid = (make: Generator, schema: Json): unknown => {
  const types = [schema.type].flat()
  if (types.includes('null') && make.chance(0.3)) return null
  switch (types[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries<Json>(schema.properties ?? {})
          .filter(([name]) => schema.required?.includes(name) || make.chance(0.5))
          .map(([name, part]) => [name, valid(make, part)]),
      )
    case 'array':
      return Array.from({ length: make.integer(schema.minItems ?? 0, 3) }, () =>
        valid(make, schema.items),
      )
    case 'integer':
    case 'number':
      return make.integer(schema.minimum ?? 0, Math.min(schema.maximum ?? 1000, 1000))
    case 'boolean':
      return make.chance(0.5)
    default:
      return validString(make, schema)
  }
}
