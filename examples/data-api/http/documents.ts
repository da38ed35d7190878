import {
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  Kind,
  Location,
  type NamedTypeNode,
  TypeInfo,
  type TypeNode,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { badInput } from '../data/faults.ts'

/** Operations in one request, such as by aliases. */
const mostOperations = 50

/** Tokens in a document. */
export const mostTokens = 2000

const refused = (message: string) => Object.assign(badInput(message), { statusCode: 400 })

/** @throws Fault if one request has more operations */
export const checkOperations = (count: number): void => {
  if (count > mostOperations) throw refused(`at most ${mostOperations} operations in a request`)
}

const namedIn = (type: TypeNode): NamedTypeNode =>
  type.kind === Kind.NAMED_TYPE ? type : namedIn(type.type)

/** A variable declared as a String becomes an ID where it is used as one, which GraphQL refuses. */
const acceptIds = (document: DocumentNode, names: ReadonlySet<string>) => {
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    for (const { variable, type } of definition.variableDefinitions ?? []) {
      const named = namedIn(type)
      if (names.has(variable.name.value) && named.name.value === 'String')
        Object.assign(named.name, { value: 'ID' })
    }
  }
}

/**
 * Prepares a document for validation. A field runs once, however often its fragment is spread.
 * @returns the number of its operations @throws Fault if it is too large, or no text
 */
export const checkDocument = (schema: GraphQLSchema, document: DocumentNode): number => {
  // Mercurius also takes a parsed document as JSON, of any size.
  if (!(document?.loc instanceof Location)) throw refused('the query is no GraphQL document')
  // Mercurius bounds the tokens of queries and mutations, but not of subscriptions.
  if ((document.tokenCount ?? 0) > mostTokens) throw refused(`at most ${mostTokens} tokens`)
  const types = new TypeInfo(schema)
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  const ids = new Set<string>()
  let fields = 0
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: () => {
        const parent = types.getParentType()
        if (parent && roots.some((root) => root === parent)) fields += 1
      },
      Variable: ({ name }) => {
        const type = types.getInputType()
        if (type && getNamedType(type).name === 'ID') ids.add(name.value)
      },
    }),
  )
  checkOperations(fields)
  acceptIds(document, ids)
  return fields
}
