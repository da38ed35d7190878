import type { Test } from 'tap'
import { createDataApi, type DataApiOptions } from '../../examples/data-api/server.ts'
import { freePort } from './free-port.ts'
import type { Json } from './latchkey.ts'
import type { Scene } from './on-each-backend.ts'
import type { ResourceServer } from './resource-server.ts'

/** The data API of the examples, started beside a server. */
export interface RunningDataApi {
  url: string
}

/** Sends operations with their variables, with or without a token. */
export interface Question {
  query: string
  variables?: Record<string, unknown>
}

export interface Asked {
  status: number
  headers: Headers
  body: Json
  /** The data of an operation with one field. */
  value: Json
  /** The code of the first error; null if there is none. */
  code: string | null
}

/** The organizations of the test world, as the data API knows them, including foreign ones. */
export const platformOf = ({ world }: Pick<Scene, 'world'>): DataApiOptions['platform'] => {
  const member = (name: 'kim' | 'ana' | 'zoe', role = 'member') => ({
    userId: world[name].id,
    name,
    email: world[name].email,
    role,
  })
  const workspace = (id: string, memberIds: string[] = []) => ({ id, name: `of ${id}`, memberIds })
  const both = [world.kim.id, world.ana.id]
  return {
    organizations: [
      {
        id: world.acme,
        name: 'Acme',
        members: [member('kim', 'admin'), member('ana')],
        workspaces: [
          workspace(world.sales, both),
          workspace(world.support, both),
          workspace(world.finance),
        ],
      },
      {
        id: world.other,
        name: 'Other',
        members: [member('zoe')],
        workspaces: [workspace(world.foreignWorkspace)],
      },
    ],
  }
}

export const startDataApi = async (
  t: Test,
  scene: Scene,
  { clientId, clientSecret }: ResourceServer,
  verifier: Partial<DataApiOptions['verifier']> = {},
  more: Partial<DataApiOptions> = {},
): Promise<RunningDataApi> => {
  const { url = `http://127.0.0.1:${await freePort()}` } = more
  const { issuer } = scene
  const server = await createDataApi({
    url,
    databaseUrl: scene.stores.databaseUrl,
    platform: platformOf(scene),
    verifier: {
      issuer,
      audience: issuer,
      resourceServer: { clientId, clientSecret },
      ...verifier,
    },
    ...more,
  })
  t.teardown(() => server.close())
  await server.listen({ port: Number(new URL(url).port), host: '127.0.0.1' })
  return { url }
}

/** Sends one operation, or an array of them. */
export const ask = async (
  { url }: RunningDataApi,
  body: Question | Question[],
  token?: string,
): Promise<Asked> => {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as Json
  const { status, headers } = response
  const value = Object.values(answer.data ?? {})[0] ?? null
  return { status, headers, body: answer, value, code: codeOf(answer) }
}

export const codeOf = (answer: Json): string | null => {
  const [error] = answer.errors ?? []
  return error ? (error.extensions?.code ?? error.message) : null
}
