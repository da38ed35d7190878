// What lives here: all that has to do with tokens. guard.ts finds and verifies them, refusals.ts says no, watch.ts ends
// what goes on for longer than its token.
import type { FastifyRequest } from 'fastify'
import type { GraphQLResolveInfo } from 'graphql'
import {
  type Access,
  authorize,
  type Credential,
  credentialIn,
  legacyCredential,
  type Permission,
  type Verifier,
} from 'latchkey/verify'
import { refusalOf } from './refusals.ts'

export type Generation = 'legacy' | 'current'

/** What the resolvers of one operation share. */
export interface OperationContext {
  request: FastifyRequest
  /** As they were sent, also those that the operation does not declare; absent in a subscription. */
  variables?: unknown
}

/** Who wants to do something, and with what: to be asked once, or again and again. */
export type Check = () => Promise<Access>

/** What an operation does, once its token was found good for it. */
export type Operation<Args> = (args: Args, access: Access, check: Check) => Promise<unknown>

export type Resolver = (
  root: unknown,
  // biome-ignore lint/suspicious/noExplicitAny: GraphQL has checked them against the schema
  args: any,
  context: OperationContext,
  info: GraphQLResolveInfo,
) => Promise<unknown>

/** Puts an operation behind its permissions. */
export type Protect = <Args>(
  permissions: readonly Permission[],
  operation: Operation<Args>,
) => Resolver

type CredentialOf = (context: OperationContext, info: GraphQLResolveInfo) => Credential | null

/**
 * Where the credential travels.
 * @param url the public address of the endpoint, which proofs name
 */
const credentialsAt = (url: string): Record<Generation, CredentialOf> => {
  // One for each request, however many fields ask for it: a proof is good for one.
  const shown = new WeakMap<FastifyRequest, Credential | null>()
  return {
    legacy: ({ variables }, info) => legacyCredential(variables ?? info.variableValues),
    current: ({ request }) => {
      const { method, raw } = request
      const credential = shown.get(request) ?? credentialIn(raw.headersDistinct, { method, url })
      shown.set(request, credential)
      return credential
    },
  }
}

/**
 * The doors of the two interfaces: a token of one is nothing at the other.
 * @param resourceMetadata where the challenge sends those without a token
 * @param url the public address of the endpoint
 */
export const createGuard = (verifier: Verifier, resourceMetadata: string, url: string) => {
  const credentialOf = credentialsAt(url)
  const doorOf =
    (generation: Generation): Protect =>
    (permissions, operation) =>
    async (_root, args, context, info) => {
      const check = async () => {
        try {
          const token = credentialOf[generation](context, info)
          // The resolvers look data up in the token's own organization, and ask for the workspace where there is one.
          const organization = ({ organizationId }: Access) => organizationId
          return await authorize(verifier, token, {
            interface: generation,
            permissions,
            organization,
          })
        } catch (error) {
          throw refusalOf(generation, error, resourceMetadata)
        }
      }
      return operation(args, await check(), check)
    }
  return { legacy: doorOf('legacy'), current: doorOf('current') }
}
