// Nightly, and when demo/, examples/ or scripts/ changes: it starts the demo.
import { rm } from 'node:fs/promises'
import pg from 'pg'
import t from 'tap'
import { people } from '../../demo/cast.ts'
import { challengeOf } from '../../demo/client/step.ts'
import { startDemo } from '../../demo/demo.ts'
import { openDemoPostgres } from '../../demo/postgres.ts'
import { welcome } from '../../demo/welcome.ts'
import { findPackage } from '../../src/stores/embedded/package.ts'
import { lowPort } from '../support/free-port.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { createVisitor, walk } from '../support/visitor.ts'

if (!(await findPackage().catch(() => null))) t.bailout('there is no packaged Postgres here')

const directory = await temporaryDirectory('demo')
const options = { port: lowPort(), directory, tell: () => undefined, logLevel: 'silent' }

/** What a demo with the data API of an older version has kept. */
const keepOlderDatabase = async () => {
  const postgres = await openDemoPostgres(directory)
  const client = new pg.Client(await postgres.dataApiUrl())
  await client.connect()
  await client.query('create database data_api')
  return async () => {
    await postgres.dataApiUrl()
    const { rows } = await client.query("select from pg_database where datname = 'data_api'")
    await client.end()
    await postgres.stop()
    return rows.length
  }
}

const countOlder = await keepOlderDatabase()
t.equal(await countOlder(), 0, 'the database of an older data API is dropped')

const demo = await startDemo(options)
t.teardown(async () => {
  await demo.close()
  await rm(directory, { recursive: true, force: true, maxRetries: 5 })
})
const { origin } = new URL(demo.dataApi ?? '')
const answersOf = (name: keyof typeof people) => ({
  email: people[name].email,
  password: demo.people[0]?.password ?? '',
})

const redirect_uri = `${origin}/playground`
const verifier = 'a'.repeat(43)
const apps = {
  current: {
    path: '/authorize',
    response_type: 'code',
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
  },
  legacy: { path: '/oauth/authorize', response_type: 'token' },
}

const clientIds = async (): Promise<Record<string, string>> => {
  const answer = await fetch(`${origin}/playground/settings.json`)
  return ((await answer.json()) as { clientIds: Record<string, string> }).clientIds
}

/** Signs in as Ana to the playground. @returns where the server sends her */
const enter = async (name: keyof typeof apps) => {
  const { path, ...parameters } = apps[name]
  const client_id = (await clientIds())[name] ?? ''
  const query = new URLSearchParams({ client_id, ...parameters, redirect_uri, state: 'any' })
  const server = createVisitor(demo.issuer)
  const { left } = await walk(server, `${demo.issuer}${path}?${query}`, answersOf('ana'))
  return { client_id, left }
}

const ask = async (query: string, token: { bearer?: string; accessToken?: string }) => {
  const { bearer, ...variables } = token
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const answer = await fetch(demo.dataApi ?? '', {
    method: 'POST',
    headers: bearer ? { ...headers, authorization: `Bearer ${bearer}` } : headers,
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = (await answer.json()) as { data: unknown; errors?: unknown }
  t.notOk(errors, query)
  return data
}

t.test('the playground is linked, and signs in as an app of the demo', async (t) => {
  t.match(welcome(demo), redirect_uri)
  const links = (await createVisitor(demo.client).get('/')).dom.querySelectorAll('main a')
  t.ok(links.some((link) => link.getAttribute('href') === redirect_uri))
  for (const [name, token] of [
    ['current', 'code='],
    ['legacy', 'access_token='],
  ] as const) {
    const { left } = await enter(name)
    t.equal(`${left?.origin}${left?.pathname}`, redirect_uri)
    t.match(left?.href, token)
  }
})

t.test('the samples of the legacy interface show each feature', async (t) => {
  const { left } = await enter('legacy')
  const accessToken = new URLSearchParams(left?.hash.slice(1)).get('access_token') ?? ''
  const query = `{
    databases { _id name fields { type primary } filters { name } templates { path } }
    withDocuments: databases(docDbOnly: true) { name }
  }`
  type Sample = {
    _id: string
    name: string
    fields: { type: string; primary: boolean | null }[]
    filters: unknown[]
    templates: { path: string }[]
  }
  const shown = await ask(query, { accessToken })
  const { databases, withDocuments } = shown as {
    databases: Sample[]
    withDocuments: { name: string }[]
  }
  const types = databases.find(({ name }) => name === 'Contracts')?.fields.map(({ type }) => type)
  t.same(types?.toSorted(), [
    ...['attachment', 'boolean', 'currency', 'date', 'enum', 'enumTags', 'number'],
    ...['ref', 'refMultiple', 'string', 'textBlock'],
  ])
  t.ok(databases.some(({ filters }) => filters.length > 0))
  t.ok(databases.some(({ fields }) => !fields.some(({ primary }) => primary)))
  t.ok(databases.some(({ name }) => !withDocuments.some((one) => one.name === name)))
  const [database] = databases.filter(({ templates }) =>
    templates.some(({ path }) => path === 'Offers > First offer'),
  )
  const rows = await ask(
    `{
      content(databaseId: "${database?._id}", templatePaths: ["Offers > First offer"]) { __typename }
    }`,
    { accessToken },
  )
  t.equal((rows as { content: unknown[] }).content.length, 2)
})

t.test('the samples of the current interface show each feature', async (t) => {
  const { client_id, left } = await enter('current')
  const code = left?.searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', client_id, code, redirect_uri }
  const answer = await fetch(`${demo.issuer}/api/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...form, code_verifier: verifier }),
  })
  const { access_token: bearer } = (await answer.json()) as { access_token: string }
  type Table = { id: string; name: string; fields: { type: string }[] }
  const first = (await ask('{ workspaces { id } teams { members { id } } }', { bearer })) as {
    workspaces: { id: string }[]
    teams: { members: unknown[] }[]
  }
  t.ok(first.teams.some(({ members }) => members.length > 0))
  const query = `{ tables(workspaceId: "${first.workspaces[0]?.id}") { id name fields { type } } }`
  const { tables } = (await ask(query, { bearer })) as { tables: Table[] }
  const [tasks, projects] = ['Tasks', 'Projects'].map((name) =>
    tables.find((table) => table.name === name),
  )
  t.equal(new Set(projects?.fields.map(({ type }) => type)).size, 16)
  const more = (await ask(
    `{ views(tableId: "${tasks?.id}") { private }
       templates(tableId: "${tasks?.id}") { path }
       recordsConnection(tableId: "${tasks?.id}") { nodes { id } } }`,
    { bearer },
  )) as {
    views: { private: boolean }[]
    templates: { path: string }[]
    recordsConnection: { nodes: { id: string }[] }
  }
  t.ok(more.views.some((view) => view.private))
  t.ok(more.templates.some(({ path }) => path === 'Letters > Reminder'))
  const documents = await Promise.all(
    more.recordsConnection.nodes.map(({ id }) =>
      ask(`{ documents(recordId: "${id}") { path } }`, { bearer }),
    ),
  )
  t.match(JSON.stringify(documents), 'Letters > Reminder')
})
