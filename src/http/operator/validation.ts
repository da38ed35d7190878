import AjvCompiler from '@fastify/ajv-compiler'
import type { FastifySchemaCompiler } from 'fastify'

const strict = {
  allErrors: true,
  removeAdditional: false,
  useDefaults: false,
  coerceTypes: false,
  keywords: ['x-pattern', 'x-reason'],
}

/**
 * Validates requests against their schemas. It reports every fault and refuses unknown fields instead of dropping them.
 * Only the query is coerced to other types, because it is text. `x-pattern`, the pattern for clients, and `x-reason`, the rule
 * that a fault names, are only described.
 */
export const createValidatorCompiler = (): FastifySchemaCompiler<object> => {
  const build = AjvCompiler()
  const body = build({}, { customOptions: { ...strict, allowUnionTypes: true } })
  // Ajv checks that a number is finite before it coerces the text. So `maximum` must reject Infinity.
  const query = build({}, { customOptions: { ...strict, coerceTypes: true, strictNumbers: false } })
  return (route) => (route.httpPart === 'querystring' ? query : body)(route as never) as never
}

/** The answer lists the first faults. The default text names all, and a body has room for 20,000. */
export const withoutText = () => new Error('invalid input')
