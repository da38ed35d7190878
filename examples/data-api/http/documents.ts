import {
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  Kind,
  type NamedTypeNode,
  TypeInfo,
  type TypeNode,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { badInput } from '../data/faults.ts'

/** Operations in one document, such as by aliases. */
const mostFields = 50

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

/** Prepares a document for validation. @throws Fault if it has too many operations */
export const checkDocument = (schema: GraphQLSchema, document: DocumentNode): void => {
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
  if (fields > mostFields)
    throw Object.assign(badInput(`at most ${mostFields} operations in a document`), {
      statusCode: 400,
    })
  acceptIds(document, ids)
}
