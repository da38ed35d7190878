// `@latchkey-auth/verify/graphql`: for GraphQL servers, in whose legacy interface the token is a variable. It does not
// import `graphql`.
import type { Access } from '../access.ts'
import { answerTo, type ChallengeOptions, legacyError } from '../answers.ts'
import { authorize } from '../authorize.ts'
import {
  bearerToken,
  type Credential,
  credentialIn,
  legacyCredential,
  type RequestHeaders,
} from '../credentials.ts'
import { isVerificationError, TokenInvalid } from '../errors.ts'
import { isObject } from '../json.ts'
import type { Requirement } from '../requirement.ts'
import type { Verifier } from '../verifier.ts'

/**
 * The places of an operation that may carry a credential. Make one such object for each operation, and keep it while the
 * operation is executed.
 */
export interface OperationSource {
  /** The headers of the HTTP request; for a websocket, those of its upgrade. */
  readonly headers?: RequestHeaders
  /** The method of the HTTP request; default POST. */
  readonly method?: string
  /** The variables as they were sent: GraphQL drops those that the operation does not declare. */
  readonly variables?: unknown
  /** The payload of `connection_init` of a websocket. */
  readonly connectionParams?: unknown
}

/** Makes an error of GraphQL: `GraphQLError` of the package `graphql`. */
export type GraphqlErrorClass = new (
  message: string,
  options: { extensions: Record<string, unknown>; originalError: Error },
) => Error

export interface GraphqlGuardOptions extends Omit<ChallengeOptions, 'dpop'> {
  verifier: Pick<Verifier, 'verify'> & Partial<Pick<Verifier, 'report'>>
  /** The class of the thrown errors. Servers that hide the texts of other errors need it. */
  GraphQLError?: GraphqlErrorClass
  /** The public address of the endpoint. With it, key-bound tokens are accepted (`Authorization: DPoP`). */
  url?: string
}

/** A refused operation, without `GraphQLError`. */
class RefusedOperation extends Error {
  readonly extensions: Record<string, unknown>

  constructor(
    message: string,
    options: { extensions: Record<string, unknown>; originalError: Error },
  ) {
    super(message, { cause: options.originalError })
    this.name = 'RefusedOperation'
    this.extensions = options.extensions
  }
}

/** The parameters of a connection that have the name of the header. */
const headersIn = (connectionParams: unknown): RequestHeaders => {
  if (!isObject(connectionParams)) return {}
  const given = ['authorization', 'Authorization'].flatMap((name) =>
    Object.hasOwn(connectionParams, name) ? [connectionParams[name]] : [],
  )
  if (given.length > 1) throw new TokenInvalid('two_credentials')
  if (given.some((one) => typeof one !== 'string')) throw new TokenInvalid('malformed')
  return given.length === 0 ? {} : { authorization: given as string[] }
}

const onlyOne = <One extends Credential>(...given: (One | null)[]): One | null => {
  const [first = null, ...others] = given.filter((one) => one !== null)
  if (others.length > 0) throw new TokenInvalid('two_credentials')
  return first
}

/**
 * Returns a function that authorizes an operation. The interface of the requirement decides where the credential is:
 * `legacy` in the variable or connection parameter `secretKey` or `accessToken`, `current` in the header or connection
 * parameter `Authorization`. It throws an error of GraphQL, whose `extensions` have `code`, and `http` (`status` and
 * `headers`) for servers that apply them.
 */
export const createGraphqlGuard = (
  options: GraphqlGuardOptions,
): ((source: OperationSource, requirement: Requirement) => Promise<Access>) => {
  const { verifier, url, GraphQLError = RefusedOperation, ...challenges } = options
  // A proof is valid for one request, however many fields need it.
  const shown = new WeakMap<OperationSource, Credential | null>()

  const currentCredential = (source: OperationSource): Credential | null => {
    const known = shown.get(source)
    if (known !== undefined) return known
    const { headers = {}, method = 'POST', connectionParams } = source
    const read = (one: RequestHeaders) =>
      url === undefined ? bearerToken(one) : credentialIn(one, { method, url })
    const credential = onlyOne(read(headers), read(headersIn(connectionParams)))
    shown.set(source, credential)
    return credential
  }

  const credentialOf = (source: OperationSource, generation: Requirement['interface']) =>
    generation === 'current'
      ? currentCredential(source)
      : onlyOne(legacyCredential(source.variables), legacyCredential(source.connectionParams))

  /** The legacy interface reports all in `errors` with status 200, but for 503. */
  const refusalOf = (error: unknown, generation: Requirement['interface']): unknown => {
    const answer = answerTo(error, { ...challenges, dpop: url !== undefined })
    if (!answer || !isVerificationError(error)) return error
    const { status, headers, body } = answer
    const http = { status, headers }
    if (generation === 'current')
      return new GraphQLError(body.error_description, {
        extensions: { code: body.error, http },
        originalError: error,
      })
    const { message, extensions } = legacyError(error)
    return new GraphQLError(message, {
      extensions: { ...extensions, ...(status === 503 && { http }) },
      originalError: error,
    })
  }

  return async (source, requirement) => {
    try {
      // An incomplete requirement fails before any other check.
      const credential = credentialOf(source, requirement.interface)
      return await authorize(verifier, credential, requirement)
    } catch (error) {
      throw refusalOf(error, requirement.interface)
    }
  }
}
