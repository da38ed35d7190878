// Everything about tokens: guard.ts finds and verifies them, refusals.ts refuses, watch.ts ends
// subscriptions when their token ends.

import {
  type Access,
  authorize,
  type Credential,
  credentialIn,
  legacyCredential,
  type Permission,
  type Verifier,
} from '@latchkey-auth/verify'
import type { FastifyRequest } from 'fastify'
import type { GraphQLResolveInfo } from 'graphql'
import type { Organizations } from '../data/organizations.ts'
import { refusalOf, unknownOrganization } from './refusals.ts'

export type Generation = 'legacy' | 'current'

/** The shared context of the resolvers of one operation. */
export interface OperationContext {
  request: FastifyRequest
  /** As sent, including undeclared ones; absent in a subscription. */
  variables?: unknown
  /** Of the websocket of a subscription. */
  carried?: Carried
  /** Of a subscription within its websocket. */
  id?: string
}

/** What the messages of a websocket carry. */
export interface Carried {
  /** The variables that started a subscription, including undeclared ones. */
  take(id: string): unknown
  /** A newer credential for all subscriptions, sent with a ping; null if there is none. */
  renewed(): unknown
  /** Bounds the subscriptions of the websocket, and hides internal errors. */
  counted<Payload>(begin: () => Promise<AsyncGenerator<Payload>>): AsyncGenerator<Payload>
}

/** The caller and the requested access, which can be checked once or repeatedly. */
export type Check = () => Promise<Access>

/** The work of an operation after its token was verified and authorized. */
export type Operation<Args> = (args: Args, access: Access, check: Check) => Promise<unknown>

export type Resolver = (
  root: unknown,
  // biome-ignore lint/suspicious/noExplicitAny: GraphQL has checked them against the schema
  args: any,
  context: OperationContext,
  info: GraphQLResolveInfo,
) => Promise<unknown>

/** Puts an operation behind its permissions. */
export type Protect<Protected = Resolver> = <Args>(
  permissions: readonly Permission[],
  operation: Operation<Args>,
) => Protected

type CredentialOf = (context: OperationContext, info: GraphQLResolveInfo) => Credential | null

/**
 * Where the credential is sent. @param url the public address of the endpoint, which proofs name
 */
const credentialsAt = (url: string): Record<Generation, CredentialOf> => {
  // Verified once for each request, however many fields need it, because a proof is valid once.
  const shown = new WeakMap<FastifyRequest, Credential | null>()
  return {
    legacy: ({ variables, carried }, info) =>
      legacyCredential(carried?.renewed() ?? variables ?? info.variableValues),
    current: ({ request }) => {
      const { method, raw } = request
      const credential = shown.get(request) ?? credentialIn(raw.headersDistinct, { method, url })
      shown.set(request, credential)
      return credential
    },
  }
}

/**
 * The guards of the two interfaces: a token of one is invalid at the other. @param resourceMetadata
 * the address in the challenge for requests without a token @param url the public address of the
 * endpoint
 */
export const createGuard = (
  verifier: Verifier,
  organizations: Pick<Organizations, 'organization'>,
  resourceMetadata: string,
  url: string,
) => {
  const credentialOf = credentialsAt(url)
  const known = new Set<string>()
  const isKnown = async (id: string) => {
    if (!known.has(id) && (await organizations.organization(id))) known.add(id)
    return known.has(id)
  }
  const doorOf =
    (generation: Generation): Protect =>
    (permissions, operation) =>
    async (_root, args, around, info) => {
      // Not spread: in an array of operations, the context has the request by its prototype.
      const { request, carried, id } = around
      const checkFor = (variables: unknown) => async () => {
        const context: OperationContext = { request, variables, ...(carried && { carried }) }
        try {
          const token = credentialOf[generation](context, info)
          // The resolvers look up data in the token's own organization, and check the workspace if
          // there is one.
          const organization = ({ access }: { access: Access }) => access.organizationId
          const needed = { interface: generation, permissions, organization }
          const access = await authorize(verifier, token, needed)
          if (await isKnown(access.organizationId)) return access
          throw unknownOrganization(generation, access.organizationId)
        } catch (error) {
          throw refusalOf(generation, error, resourceMetadata)
        }
      }
      const begin = async () => {
        const started = id === undefined ? undefined : carried?.take(id)
        const check = checkFor(around.variables ?? started)
        return operation(args, await check(), check)
      }
      return carried ? carried.counted(begin as () => Promise<AsyncGenerator>) : begin()
    }
  return { legacy: doorOf('legacy'), current: doorOf('current') }
}
