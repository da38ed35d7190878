import { type Access, InsufficientScope, type Permission } from '@latchkey-auth/verify'
import { McpServer, type ScopeChallengeHandler } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Protect } from '../data-api/access/guard.ts'
import { createCurrentResolvers } from '../data-api/current/resolvers.ts'
import type { Data } from '../data-api/data/data.ts'
import { Fault } from '../data-api/data/faults.ts'

/** An operation of the data API, with its permissions. */
interface Operation {
  permissions: readonly Permission[]
  run(args: unknown, access: Access): Promise<unknown>
}

interface Tool {
  description: string
  input: z.ZodObject
  operation: Operation
}

const protect: Protect<Operation> = (permissions, operation) => ({
  permissions,
  run: async (args, access) => {
    if (!permissions.every(access.can)) throw new InsufficientScope('permission', permissions)
    return operation(args as never, access, async () => access)
  },
})

const fields = z.array(
  z.object({
    fieldId: z.string().describe('the id of a field, from list_tables'),
    value: z.object({ val: z.unknown(), currency: z.string().optional() }),
  }),
)

/** Reading needs no permission, so every client has these; the others need the permission of their operation. */
const toolsFor = (data: Data): Record<string, Tool> => {
  const { Query, Mutation } = createCurrentResolvers(data, protect)
  return {
    list_workspaces: {
      description: 'Lists the workspaces that you may read.',
      input: z.object({}),
      operation: Query.workspaces,
    },
    list_tables: {
      description: 'Lists the tables of a workspace, with the ids and types of their fields.',
      input: z.object({ workspaceId: z.string() }),
      operation: Query.tables,
    },
    read_records: {
      description: 'Reads records of a table, a page at a time. `after` is the endCursor before.',
      input: z.object({
        tableId: z.string(),
        first: z.number().int().min(1).max(100).optional(),
        after: z.string().optional(),
      }),
      operation: Query.recordsConnection,
    },
    create_record: {
      description: 'Adds a record to a table.',
      input: z.object({ tableId: z.string(), fields }),
      operation: Mutation.createRecord,
    },
    update_record: {
      description: 'Changes fields of a record. Other fields keep their values.',
      input: z.object({ recordId: z.string(), fields }),
      operation: Mutation.updateRecord,
    },
  }
}

const answered = (text: string, isError = false) => ({
  content: [{ type: 'text' as const, text }],
  isError,
})

/** The client learns of faults in its own request, and nothing else. */
const failed = (error: unknown) => {
  if (error instanceof Fault) return answered(error.message, true)
  console.error(error)
  return answered('internal error', true)
}

/**
 * 403 `insufficient_scope` makes the client ask the user for the permissions. It names those of the token too, because some
 * clients ask for exactly what it names.
 */
const challengeFor =
  (needed: readonly Permission[]): ScopeChallengeHandler =>
  ({ authInfo }) => {
    const granted = authInfo?.scopes ?? []
    const [first, ...more] = needed.filter((one) => !granted.includes(one))
    return first === undefined ? undefined : { scopes: [first, ...more, ...granted] }
  }

/** Makes the server of one request, for its actor. */
export const createTools = (data: Data) => {
  const tools = Object.entries(toolsFor(data))
  return (access: Access): McpServer => {
    const server = new McpServer({ name: 'latchkey-example', version: '1.0.0' })
    for (const [name, { description, input, operation }] of tools) {
      const { permissions, run } = operation
      const annotations = { readOnlyHint: permissions.length === 0 }
      const scopeChallenge = challengeFor(permissions)
      const config = { description, inputSchema: input, annotations, scopeChallenge }
      server.registerTool(name, config, async (args: unknown) =>
        run(args, access).then((result) => answered(JSON.stringify(result)), failed),
      )
    }
    return server
  }
}
