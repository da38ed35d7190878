import AjvCompiler from '@fastify/ajv-compiler'
import type { FastifySchemaCompiler } from 'fastify'

const strict = { allErrors: true, removeAdditional: false, useDefaults: false, coerceTypes: false }

/**
 * Checks requests against their schemas: every fault is reported, unknown fields are refused and not dropped,
 * and nothing is turned into another type but a query, which is text to begin with.
 */
export const createValidatorCompiler = (): FastifySchemaCompiler<object> => {
  const build = AjvCompiler()
  const body = build({}, { customOptions: { ...strict, allowUnionTypes: true } })
  // A number that is coerced is checked for being finite before it is one: then `maximum` has to see Infinity.
  const query = build({}, { customOptions: { ...strict, coerceTypes: true, strictNumbers: false } })
  return (route) => (route.httpPart === 'querystring' ? query : body)(route as never) as never
}
