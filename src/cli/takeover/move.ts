// Reads an old server and makes the lines of `/import`. The first reading counts, and names what will be lost.
import { ownIdPatterns } from '../../core/crypto/identifiers.ts'
import { firstName } from '../../core/language/display-text.ts'
import { inOrder } from '../../core/language/permissions.ts'
import { isEmailAddress, normaliseEmail } from '../../core/people/email-address.ts'
import { readHash } from '../../core/people/foreign-hash.ts'
import { CommandError, exitCodes } from '../exit-codes.ts'
import { lineOf, type OldApp, readApps } from './apps.ts'
import type { Choices } from './choices.ts'
import { createLosses, type Reason } from './losses.ts'
import type { OldServer, Statement } from './old-server.ts'
import type { OldStore, Row } from './old-store.ts'
import { isTrue, millisecondsOf, subjectOf, timeField, wordsOf } from './values.ts'

export type Line = Readonly<Record<string, unknown>> & { type: string }

const userIdShape = new RegExp(ownIdPatterns.user)
/** A refresh token and its first access token are written within one request. */
const oneRequestMs = 5000
/** The first import is not longer ago. */
const revokedMs = 90 * 86_400_000
/** The end of such a grant. Clocks may differ, so it is not the time of the revocation. */
const longAgo = new Date(0).toISOString()

/** Checks the tables, and fills the statements with the columns that exist. @throws CommandError */
const prepare = async ({ tables, person, statements, title }: OldServer, store: OldStore) => {
  const [referenced] = await store.names(store.references(tables.tokens, person))
  const people = referenced ?? tables.people
  const columns = new Set<string>()
  for (const table of Object.values({ ...tables, people })) {
    const found = await store.names(store.columns(table))
    for (const name of found) columns.add(`${table}.${name}`)
    if (found.length === 0)
      throw new CommandError(exitCodes.unreachable, `the old store has no table ${table}`, [
        `it is not the store of ${title}, or this role cannot read it`,
      ])
  }
  const since = new Date(Date.now() - revokedMs).toISOString().slice(0, 19).replace('T', ' ')
  return statements(
    (table, column, otherwise = 'null') => (columns.has(`${table}.${column}`) ? column : otherwise),
    people,
    since,
  )
}

const nameOf = ({ name, full_name, first_name, last_name, username, email }: Row) => {
  const parts = [first_name, last_name].filter(Boolean).join(' ')
  return firstName([name, full_name, parts, username, email?.split('@')[0]]) ?? 'User'
}

/** Why an address cannot be that of a person here; null: it can. */
const addressFault = ({ email, nth }: Row) => {
  if (!email?.trim()) return 'is empty'
  if (Number(nth) > 1) return 'belongs to another account, too'
  return isEmailAddress(normaliseEmail(email)) ? null : 'is not valid'
}

/** @param mostGrants GRANTS_PER_USER_AND_APP of the server @throws CommandError for an unreadable store */
export const createMove = async (
  server: OldServer,
  store: OldStore,
  choices: Choices,
  mostGrants: number,
) => {
  const { generation } = choices
  const source = server.name
  const statements = await prepare(server, store)
  const rows = (name: Statement) => store.rows(statements[name])
  const losses = createLosses()
  const apps = await readApps(server, choices, losses, rows)
  /** People whose grants end, with the reason. */
  const without = new Map<string, 'lost_person' | 'disabled'>()

  const placeOf = (person: string) => choices.placeOf(person) ?? choices.placeOf(subjectOf(person))

  const readPerson = (row: Row) => {
    const subject = subjectOf(row.person ?? '')
    const fault = addressFault(row)
    // Django marks an account without a password by an exclamation mark.
    const hash = row.password?.startsWith('!') ? null : row.password
    if (!userIdShape.test(subject)) losses.lose(`user ${subject}`, 'id')
    else if (fault) losses.lose(`user ${subject}`, 'address', fault)
    else {
      if (hash && !readHash(hash)) losses.lose(`user ${subject}`, 'password')
      if (isTrue(row.inactive)) without.set(row.person ?? '', 'disabled')
      return
    }
    without.set(row.person ?? '', 'lost_person')
  }

  for await (const row of rows('people')) readPerson(row)
  for (const [person, organization] of choices.others)
    losses.lose(`user ${person}`, 'organization', organization)

  /** Why a grant of the person is not taken over; absent: it is. */
  const grantFault = (person: string, app: OldApp | undefined, count: number) => {
    const reason = person === '' ? 'no_person' : without.get(person)
    const fault: Reason | undefined = app?.isTaken ? reason : 'unknown_app'
    return fault ?? (placeOf(person) ? (count > mostGrants ? 'too_many' : null) : 'no_organization')
  }

  /** Refresh tokens that are taken over, or were. @param lose is called for the others */
  async function* grants(lose?: typeof losses.lose, statement: 'tokens' | 'revoked' = 'tokens') {
    let [pair, count] = ['', 0]
    for await (const row of rows(statement)) {
      const app = apps.get(row.app ?? '')
      const person = row.person ?? ''
      count = statement === 'tokens' && pair === `${person} ${row.app}` ? count + 1 : 1
      pair = `${person} ${row.app}`
      const fault = grantFault(person, app, count)
      if (fault)
        lose?.(app?.clientId ?? null, fault, fault === 'too_many' ? String(mostGrants) : null)
      if (fault || !app) continue
      const organization = placeOf(person)?.organization ?? ''
      const all = wordsOf(row.scopes).flatMap((scope) => choices.counterpartOf(scope) ?? [])
      const permissions = inOrder(generation, all)
      const line = { client_id: app.clientId, user: subjectOf(person), organization, permissions }
      yield { row, app, line: { ...line, workspace_ids: null } }
    }
  }

  const grantLine = ({ row, line }: { row: Row; line: object }): Line => ({
    ...{ type: 'grant', ...line, ...server.tokenOf(row.token ?? '') },
    ...{ ...timeField('issued_at', row.issued), source },
  })

  /** Permissions by organization and client id. */
  const installs = new Map<string, Set<string>>()
  let pairs = 0
  for await (const { row, app, line } of grants(losses.lose)) {
    const age = millisecondsOf(row.renewed) - millisecondsOf(row.issued)
    if (isTrue(row.reused) || age > oneRequestMs) losses.lose(app.clientId, 'reuse')
    app.grants++
    if (isTrue(row.pair)) pairs++
    const key = `${line.organization} ${app.clientId}`
    installs.set(key, new Set([...(installs.get(key) ?? []), ...line.permissions]))
  }

  async function* people() {
    for await (const row of rows('people'))
      if (without.get(row.person ?? '') !== 'lost_person')
        yield { row, id: subjectOf(row.person ?? '') }
  }

  const userLine = (row: Row, id: string): Line => {
    const email = normaliseEmail(row.email ?? '')
    const hash = row.password ?? ''
    const password = readHash(hash) ? { password_hash: hash } : {}
    const disabled = isTrue(row.inactive) ? { disabled: true } : {}
    return { type: 'user', id, email, name: nameOf(row), ...password, ...disabled }
  }

  /** One for all grants of a person and app, which follow each other. */
  async function* consents(): AsyncGenerator<Line> {
    let last: { user: string; client_id: string; permissions: string[]; source: string } | undefined
    for await (const { row, line } of grants()) {
      if (last && last.user === line.user && last.client_id === line.client_id) {
        last.permissions = inOrder(generation, [...last.permissions, ...line.permissions])
        continue
      }
      if (last) yield { type: 'consent', ...last }
      last = { ...line, ...timeField('at', row.issued), source }
    }
    if (last) yield { type: 'consent', ...last }
  }

  async function* all(present: ReadonlySet<string> | null): AsyncGenerator<Line> {
    for (const id of choices.organizations)
      if (!present?.has(id)) yield { type: 'organization', id, name: id }
    for await (const { row, id } of people()) yield userLine(row, id)
    for await (const { row, id } of people()) {
      const place = placeOf(row.person ?? '')
      if (place && !present?.has(`${place.organization} ${id}`))
        yield { type: 'member', user: id, ...place }
    }
    for (const app of apps.values()) if (app.isTaken) yield { ...lineOf(app, choices), source }
    for (const [key, own] of installs) {
      const [organization, client_id] = key.split(' ')
      const permissions = inOrder(generation, [...own])
      yield { type: 'install', organization, client_id, permissions, workspace_ids: null, source }
    }
    // Those that ended come first: they count for the bound of grants no more.
    for await (const one of grants(undefined, 'revoked'))
      if (!present || present.has(one.line.organization))
        yield { ...grantLine(one), expires_at: longAgo }
    for await (const one of grants()) yield grantLine(one)
    yield* consents()
  }

  const counts: Record<string, number> = {}

  /**
   * The lines, in the order in which they refer to each other.
   * @param present ids of organizations that exist, and `organization user` of their admins, which are not replaced;
   * null: not known
   */
  async function* lines(present: ReadonlySet<string> | null) {
    for await (const line of all(present)) {
      const type = line.expires_at ? 'ended_grant' : line.type
      counts[type] = (counts[type] ?? 0) + 1
      yield line
    }
  }

  const report = () => ({
    source: server.title,
    interface: generation,
    lines: counts,
    chains_with_two_grants: pairs,
    access_tokens_in_flight: [...apps.values()].reduce((sum, { inFlight }) => sum + inFlight, 0),
    apps: [...apps.values()].map(({ clientId: client_id, name, grants, inFlight }) => ({
      client_id,
      name,
      grants,
      access_tokens_in_flight: inFlight,
      losses: losses.of(client_id),
    })),
    people: losses.ofPeople(),
    others: losses.of(null),
  })

  return { lines, losses, report }
}
