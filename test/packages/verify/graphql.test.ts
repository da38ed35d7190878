/** The guard of GraphQL servers, with the package `graphql`. */
import { buildSchema, GraphQLError, graphql } from 'graphql'
import t, { type Test } from 'tap'
import {
  createGraphqlGuard,
  type GraphqlGuardOptions,
  type OperationSource,
} from '../../../packages/verify/src/graphql/graphql.ts'
import type { Access, Requirement } from '../../../packages/verify/src/verify.ts'
import { createHolder, hashOf } from '../../support/dpop.ts'
import { keySetAnswer } from '../../support/scripted-server.ts'
import { createScene } from './scene.ts'

const organization = ({ access }: { access: Access }) => access.organizationId
const legacyNeed: Requirement = { interface: 'legacy', permissions: ['readData'], organization }
const currentNeed: Requirement = { interface: 'current', organization }
const url = 'https://api.example/graphql'

const schema = buildSchema('type Query { databases: String, workspaces: String }')

const createApi = async (t: Test, options: Partial<GraphqlGuardOptions> = {}) => {
  const scene = await createScene(t)
  const guard = createGraphqlGuard({
    verifier: scene.verifier,
    realm: 'data',
    GraphQLError,
    ...options,
  })
  const legacy = scene.server.token({
    interface: 'legacy',
    permissions: ['readData'],
    workspace_ids: undefined,
  })
  /** Executes an operation as a server does, with the source as its context. */
  const execute = (source: string, contextValue: OperationSource) =>
    graphql({
      schema,
      source,
      contextValue,
      rootValue: {
        databases: async (_: unknown, context: OperationSource) =>
          (await guard(context, legacyNeed)).kind,
        workspaces: async (_: unknown, context: OperationSource) =>
          (await guard(context, currentNeed)).kind,
      },
    })
  return { ...scene, guard, legacy, execute }
}

/** The error of a refused operation. */
const refusalOf = (operation: Promise<Access>): Promise<unknown> =>
  operation.then(
    () => null,
    (error) => error,
  )

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

t.test('the interface decides where the credential is', async (t) => {
  const { server, legacy, execute } = await createApi(t)
  server.known.set('lkks_secret', keySetAnswer())
  const current = server.token()
  const both = '{ databases workspaces }'
  t.same(
    (await execute(both, { headers: bearer(current), variables: { accessToken: legacy } })).data,
    { databases: 'user', workspaces: 'user' },
  )
  const good: [string, OperationSource, string][] = [
    ['{ databases }', { variables: { secretKey: 'lkks_secret' } }, 'key_set'],
    ['{ databases }', { connectionParams: { accessToken: legacy } }, 'user'],
    ['{ databases }', { connectionParams: { secretKey: 'lkks_secret' }, variables: {} }, 'key_set'],
    ['{ workspaces }', { connectionParams: bearer(current) }, 'user'],
    ['{ workspaces }', { connectionParams: { Authorization: `Bearer ${current}` } }, 'user'],
    ['{ workspaces }', { headers: new Headers(bearer(current)) }, 'user'],
  ]
  for (const [source, context, kind] of good)
    t.same(Object.values((await execute(source, context)).data ?? {}), [kind], source)
})

t.test('a refused legacy operation is token-invalid, without a status', async (t) => {
  const { server, legacy, execute } = await createApi(t)
  const current = server.token()
  const bad: OperationSource[] = [
    {},
    { variables: null },
    { variables: { accessToken: current } },
    { variables: { accessToken: legacy, secretKey: 'lkks_secret' } },
    { variables: { accessToken: legacy }, connectionParams: { accessToken: legacy } },
    { variables: { accessToken: [legacy] } },
    { headers: bearer(legacy) },
    { headers: bearer(current) },
    { connectionParams: bearer(legacy) },
  ]
  for (const context of bad) {
    const { data, errors = [] } = await execute('{ databases }', context)
    t.same(data, { databases: null })
    t.match(errors[0]?.toJSON(), {
      message: 'token-invalid',
      extensions: { code: 'token-invalid' },
    })
    t.notOk(errors[0]?.extensions.http)
  }
})

t.test('a refused current operation has a code, a status and a challenge', async (t) => {
  const { server, legacy, guard, execute } = await createApi(t)
  const current = server.token()
  const bad: OperationSource[] = [
    {},
    { variables: { accessToken: current } },
    { headers: bearer(legacy) },
    { headers: bearer(current), connectionParams: bearer(current) },
    { connectionParams: { ...bearer(current), Authorization: `Bearer ${current}` } },
    { connectionParams: { authorization: 1 } },
    { connectionParams: Object.create(bearer(current)) },
  ]
  for (const context of bad) {
    const { errors = [] } = await execute('{ workspaces }', context)
    const challenge = /^Bearer realm="data"/
    t.match(errors[0]?.extensions, {
      code: 'invalid_token',
      http: { status: 401, headers: { 'www-authenticate': challenge } },
    })
  }
  const remove = { ...currentNeed, permissions: ['records:delete'] }
  t.match(await refusalOf(guard({ headers: bearer(current) }, remove)), {
    extensions: { code: 'insufficient_scope', http: { status: 403 } },
  })
})

t.test('one proof is for all fields of one operation, and for one operation only', async (t) => {
  const { server, guard } = await createApi(t, { url })
  const holder = await createHolder()
  const token = server.token({ cnf: { jkt: holder.jkt } })
  const dpop = await holder.prove(url, { htm: 'POST', ath: hashOf(token) })
  const headers = { authorization: `DPoP ${token}`, dpop }
  const source = { headers }
  for (const _ of ['first field', 'second field'])
    t.equal((await guard(source, currentNeed)).kind, 'user')
  const refusals = await Promise.allSettled(
    Array.from({ length: 20 }, () => guard({ headers }, currentNeed)),
  )
  t.ok(refusals.every(({ status }) => status === 'rejected'))
  t.match(await refusalOf(guard({ headers: { authorization: `DPoP ${token}` } }, currentNeed)), {
    extensions: { code: 'invalid_dpop_proof', http: { status: 401 } },
  })
})

t.test('without the server, both interfaces answer 503', async (t) => {
  const { server, guard } = await createApi(t)
  await server.stop()
  const unavailable = {
    extensions: {
      code: 'temporarily_unavailable',
      http: { status: 503, headers: { 'retry-after': '1' } },
    },
  }
  t.match(await refusalOf(guard({ variables: { secretKey: 'lkks_a' } }, legacyNeed)), unavailable)
  const unknown = server.token({}, { kid: 'key-2' })
  t.match(await refusalOf(guard({ headers: bearer(unknown) }, currentNeed)), unavailable)
})

t.test('without the class of the package, errors have the same members', async (t) => {
  const { guard } = await createApi(t, { GraphQLError: undefined as never })
  t.match(await refusalOf(guard({}, legacyNeed)), {
    name: 'RefusedOperation',
    message: 'token-invalid',
    extensions: { code: 'token-invalid' },
    cause: { reason: 'missing' },
  })
})

t.test('errors of the requirement are passed on', async (t) => {
  const { guard, server } = await createApi(t)
  const source = { headers: bearer(server.token()) }
  await t.rejects(guard(source, { interface: 'current' } as Requirement), TypeError)
  const failing = () => Promise.reject(new RangeError('of the resolver'))
  await t.rejects(guard(source, { interface: 'current', organization: failing }), RangeError)
})
