import { type SerializerFactory, SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifySchemaCompiler } from 'fastify'

type Validator = ReturnType<FastifySchemaCompiler<object>>

/** Fastify's serializers, each compiled for its first answer. Compiling all of them would delay the start. */
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

/** Compiles each validator for the first request that needs it. */
export const lazyValidators =
  (compile: FastifySchemaCompiler<object>): FastifySchemaCompiler<object> =>
  (route) => {
    let made: Validator | undefined
    const validate: Validator = (value: unknown) => {
      made ??= compile(route)
      const result = made(value)
      // Fastify reads the faults from here.
      validate.errors = made.errors ?? null
      return result
    }
    return validate
  }
