import pg from 'pg'
import { openDatabase } from '#dist/stores/postgres/connection/database.js'
import { median } from './measure.ts'
import { sessionsOf } from './open-sessions.ts'
import { operatorToken, type Program, startProgram } from './program.ts'
import { row } from './report.ts'
import { type Seeded, withSeededStores } from './seeded.ts'

/** A page of the console, or a search, as an operator waits for it. */
export interface ConsoleCost {
  name: string
  /** CPU of the server and of Postgres in ms, medians. */
  serverMs: number
  postgresMs: number
  /** Milliseconds until the whole answer is there, median and 95th percentile. */
  wallMs: number
  p95Ms: number
}

const sizes = { apps: 2000, organizations: 2000, families: 1000 }

/** People, names to search for, more installs, ten days of usage, and two weeks of the audit trail. */
const more = [
  `update apps set name = (array['Report Builder', 'Wiki Sync'])[1 + (hashtext(client_id) & 1)] || ' ' || right(client_id, 5)`,
  `update organizations set name = 'Customer ' || right(id, 5)`,
  `insert into users (id, email, name)
   select 'usr_' || n, 'p' || n || '@bench.test', (array['Ana', 'Kim', 'Zoë', 'Jörg', 'Lee'])[1 + n % 5] || ' Lima ' || n
     from generate_series(1, 100000) n`,
  `insert into members (organization_id, user_id, role)
   select o.id, 'usr_' || n, 'member' from generate_series(1, 100000) n
     join (select id, row_number() over (order by id) as at from organizations) o on o.at = 1 + n % 2000`,
  `insert into installs (id, organization_id, client_id, permissions)
   select 'ins_' || o.at || '_' || n, o.id, a.client_id, '{}' from generate_series(1, 4) n
     join (select id, row_number() over (order by id) as at from organizations) o on true
     join (select client_id, row_number() over (order by client_id) as at from apps) a on a.at = 1 + (o.at * 7 + n * 13) % 2000
   on conflict do nothing`,
  `insert into usage_days (organization_id, day, client_id, outcome, reason, count)
   select organization_id, current_date - back, client_id, outcome, 'refresh_token', 1 + back
     from generate_series(9, 0, -1) back, installs, (values ('issued'), ('refused')) o(outcome) on conflict do nothing`,
  `insert into install_requests (id, organization_id, client_id, user_id, permissions)
   select 'irq' || n, o.organization_id, a.client_id, o.user_id, '{}'
     from (select client_id, row_number() over () as n from apps) a
     join (select organization_id, user_id, row_number() over () as n from members limit 2000) o using (n)`,
  `insert into audit_events (at, type, actor_kind, organization_id, request_id)
   select now() - (600000 - n) * interval '2 seconds',
     (array['session.signed_in', 'consent.granted', 'token.refused', 'install.approved', 'member.added', 'session.signed_out'])[1 + n % 6],
     'user', o.id, 'req_' || n
     from generate_series(1, 600000) n, (select min(id) as id from organizations) o`,
  'vacuum analyze',
]

const searches = ['ana', 'report b', 'customer 1', 'zoe', 'nobody has this name']

type ConsoleRequest = [name: string, path: string, headers: Record<string, string>]

const requestsOf = (cookie: string): ConsoleRequest[] => [
  ['overview', '/operator', { cookie }],
  ...['apps', 'organizations', 'people'].map(
    (part): ConsoleRequest => [part, `/operator/${part}`, { cookie }],
  ),
  ['page of results', '/operator/search?q=ana', { cookie }],
  ...searches.map(
    (text): ConsoleRequest => [
      `search: ${text}`,
      `${api}/search?${new URLSearchParams({ q: text })}`,
      { authorization },
    ],
  ),
]

/** An operator's session. @returns the cookie */
const signIn = async (client: pg.Client, databaseUrl: string) => {
  await client.query(
    `insert into users (id, email, name) values ('usrOperator', 'o@bench.test', 'O')`,
  )
  await client.query(`insert into operators (user_id, permissions) values ('usrOperator', '{*}')`)
  const database = openDatabase({
    ...{ url: databaseUrl, poolSize: 1, timeout: 30_000 },
    onError: () => undefined,
  })
  const token = await sessionsOf(database).open('usrOperator')
  await database.close()
  await client.query(
    `update sessions set methods = '{password,passkey}' where user_id = 'usrOperator'`,
  )
  return `latchkey_session=${token}`
}

interface Parameter {
  name: string
  schema: { enum?: string[] }
}

interface OpenApi {
  paths: Record<string, { get?: { parameters?: Parameter[] } }>
}

const api = '/api/admin/v1'
const authorization = `Bearer ${operatorToken}`

/** A page of a hundred of each list that needs no other id than an organization's or an app's, in each order, and searched. */
const listsOf = async (port: number, ids: Record<string, string>) => {
  const answer = await fetch(`http://127.0.0.1:${port}${api}/openapi.json`)
  const { paths } = (await answer.json()) as OpenApi
  return Object.entries(paths).flatMap(([path, { get }]): ConsoleRequest[] => {
    const parameters = new Map(get?.parameters?.map(({ name, schema }) => [name, schema]))
    const filled = path.replace(/\{(\w+)\}/g, (whole, name) => ids[name] ?? whole)
    if (!parameters.has('cursor') || filled.includes('{')) return []
    const queries = (parameters.get('sort')?.enum ?? []).map((sort) => `&sort=${sort}`)
    if (parameters.has('q')) queries.push('&q=an', '&q=report%20b')
    return ['', ...queries].map(
      (query) =>
        [...[path + query, `${filled}?limit=100${query}`, { authorization }]] as ConsoleRequest,
    )
  })
}

/** Adds what is missing. @returns the cookie of an operator who may open the console */
const fill = async (databaseUrl: string) => {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    for (const statement of more) await client.query(statement)
    return await signIn(client, databaseUrl)
  } finally {
    await client.end()
  }
}

const costOf = async (
  { stores }: Seeded,
  { port, cpuMs }: Program,
  [name, path, headers]: ConsoleRequest,
  times: number,
): Promise<ConsoleCost> => {
  const costs: number[][] = []
  for (let at = 0; at < times; at++) {
    const [cpu, postgres, began] = [cpuMs(), stores.usage().postgres, performance.now()]
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, redirect: 'manual' })
    await answer.text()
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
    const wall = performance.now() - began
    costs.push([cpuMs() - cpu, (stores.usage().postgres - postgres) / 1000, wall])
  }
  const of = (part: number) => costs.map((one) => one[part] as number)
  return {
    name,
    ...{ serverMs: median(of(0)), postgresMs: median(of(1)), wallMs: median(of(2)) },
    p95Ms: of(2).toSorted((one, other) => one - other)[Math.floor(0.95 * times)] as number,
  }
}

/** The organization with the most members, and an app that it has installed. */
const customer = async (databaseUrl: string) => {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const { rows } = await client.query<Record<string, string>>(
    `select organization_id, client_id from installs where organization_id = (
       select organization_id from members group by 1 order by count(*) desc limit 1) limit 1`,
  )
  await client.end()
  return rows[0] ?? {}
}

/** Measures the console and the lists of the Operator API with 2,000 apps and organizations, 10,000 installs and 100,000 people. */
export const measureConsole = (quick: boolean): Promise<ConsoleCost[]> =>
  withSeededStores(sizes, async (seeded) => {
    const cookie = await fill(seeded.stores.databaseUrl)
    const program = await startProgram(seeded)
    try {
      const found: ConsoleCost[] = []
      const lists = await listsOf(program.port, await customer(seeded.stores.databaseUrl))
      for (const request of [...requestsOf(cookie), ...lists]) {
        await costOf(seeded, program, request, 3)
        found.push(await costOf(seeded, program, request, quick ? 9 : 45))
      }
      return found
    } finally {
      await program.stop()
    }
  })

const widths = [70, 10, 12, 8, 10]

export const printConsole = (costs: ConsoleCost[]) => {
  row(widths, ['ms', 'CPU', 'Postgres', 'wall', 'p95'])
  for (const { name, serverMs, postgresMs, wallMs, p95Ms } of costs)
    row(widths, [name, ...[serverMs, postgresMs, wallMs, p95Ms].map((ms) => ms.toFixed(1))])
}
