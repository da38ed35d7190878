import { type SerializerFactory, SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifySchemaCompiler } from 'fastify'

type Validator = ReturnType<FastifySchemaCompiler<object>>

/** Fastify's own serialisers, each made for its first answer and not all of them at the start. */
export const buildLazySerializer: SerializerFactory = (externalSchemas, options) => {
  const compile = SerializerSelector()(externalSchemas, options)
  return (route) => {
    let serialize: ReturnType<typeof compile> | undefined
    return (document: unknown) => {
      serialize ??= compile(route)
      return serialize(document)
    }
  }
}

/** Makes each validator for the first request that it has to check. */
export const lazyValidators =
  (compile: FastifySchemaCompiler<object>): FastifySchemaCompiler<object> =>
  (route) => {
    let made: Validator | undefined
    const validate: Validator = (value: unknown) => {
      made ??= compile(route)
      const result = made(value)
      // Where Fastify looks for what was wrong.
      validate.errors = made.errors ?? null
      return result
    }
    return validate
  }
