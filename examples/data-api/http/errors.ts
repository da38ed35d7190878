import type { FastifyReply } from 'fastify'
import { type ExecutionResult, GraphQLError } from 'graphql'
import { Refusal } from '../access/refusals.ts'
import { badInput, Fault } from '../data/faults.ts'

export type Log = FastifyReply['log']

interface Failed {
  data?: ExecutionResult['data']
  errors: readonly GraphQLError[]
}

/** mercurius's context of the operation; a subscription has no reply. */
interface Around {
  app: { log: Log }
  reply?: FastifyReply
  /** The operation is one of several in an array. */
  operationsCount?: number
}

const internal = () => new GraphQLError('internal error', { extensions: { code: 'internal' } })

interface Thrown extends Error {
  code?: string
  statusCode?: number
  /** Errors that mercurius collects: syntax and validation errors. */
  errors?: readonly Error[]
}

const placedAs = (error: GraphQLError, { message, extensions }: Fault | Refusal) =>
  new GraphQLError(message, {
    nodes: error.nodes ?? null,
    path: error.path ?? null,
    originalError: error.originalError ?? null,
    extensions: { ...extensions },
  })

/**
 * The part of an error that callers may see: refusals, faults and GraphQL's own errors, nothing
 * internal.
 */
const shown = (error: GraphQLError, log: Log): readonly GraphQLError[] => {
  const thrown = error.originalError as Thrown | undefined
  if (!thrown) return [error]
  if (thrown instanceof Refusal || thrown instanceof Fault) return [placedAs(error, thrown)]
  // Text that Postgres cannot store, or a number that is too large (class 22).
  if (/^22...$/.test(thrown.code ?? ''))
    return [placedAs(error, badInput('a value cannot be used'))]
  if (thrown.errors) return thrown.errors.map(({ message }) => new GraphQLError(message))
  if (thrown instanceof GraphQLError || (thrown.statusCode ?? 500) < 500) return [error]
  log.error({ err: thrown }, 'an operation failed')
  return [internal()]
}

/** The error that ends a subscription, for mercurius, which sends it as it is. */
export const shownError = (error: unknown, log: Log): unknown =>
  shown(new GraphQLError('', { originalError: error as Error }), log)[0]

const hasData = ({ data }: Failed) => Object.values(data ?? {}).some((one) => one !== null)

/** The status of the refusal if nothing was done; an array of operations has no single status. */
const statusOf = (failed: Failed, { reply, operationsCount }: Around): number => {
  if (operationsCount !== undefined || hasData(failed)) return 200
  const thrown = failed.errors.flatMap(({ originalError }) => originalError ?? []) as Thrown[]
  const refusal = thrown.find((one) => one instanceof Refusal)
  if (refusal) {
    reply?.headers(refusal.headers)
    return refusal.status
  }
  return thrown.find(({ statusCode }) => statusCode !== undefined)?.statusCode ?? 200
}

/** A response with errors, for mercurius. */
export const formatErrors = (failed: Failed, around: Around) => {
  const errors = failed.errors.flatMap((error) => shown(error, around.app.log))
  return {
    statusCode: statusOf(failed, around),
    response: { data: failed.data ?? null, errors: errors.map((error) => error.toJSON()) },
  }
}
