import type { Cause } from '../audit/audit.ts'
import { changedFields, type EventsFrom, given } from '../audit/changes.ts'
import { isLimited, type Operator, reaches } from '../credentials/operator-permissions.ts'
import { StoreUnavailable } from '../language/errors.ts'
import { type AccountStanding, guardOf, type OperatorCause } from '../people/account-guard.ts'
import { emailFaults, normaliseEmail } from '../people/email-address.ts'
import { asForeign } from '../people/passwords.ts'
import { changedUser, type User } from '../people/user.ts'
import type { Users } from '../people/users.ts'
import { isRefusal, LineRefused, persistently, refusal, unavailable } from './import-attempts.ts'
import { createConsentImport, type ImportedConsentStore } from './import-consents.ts'
import { type BulkChange, eventsOf } from './import-events.ts'
import { createInstallImport } from './import-installs.ts'
import {
  type BulkLine,
  type BulkType,
  type GrantLine,
  type ImportLine,
  keyOf,
  type LineOutcome,
  type SingleLine,
  withoutRepeats,
} from './import-lines.ts'
import { checkedHash, type createSecretImport } from './import-secrets.ts'
import type { SourcedLineStore } from './import-sourced.ts'
import type { Installs } from './installs.ts'

export type DecideUser = (
  current: (User & AccountStanding) | null,
  wanted: { id: string } & Partial<User> & Pick<User, 'email' | 'name'>,
) => { values: User; changed: string[] } | { refused: string }

export interface ImportStore {
  /**
   * Stores the runs in one transaction, in their order: lines of one type without a repeated key. `eventsOf` makes the
   * audit events of the changes. A limited operator adds only users of its organizations, or whom it made.
   * @returns an outcome for each line; null when another transaction has inserted the same rows meanwhile: try again
   */
  apply(
    runs: readonly (readonly BulkLine[])[],
    decideUser: DecideUser,
    eventsOf: EventsFrom<readonly BulkChange[]>,
    operator: Operator,
  ): Promise<LineOutcome[][] | null>
}

export interface ImportsOptions {
  store: ImportStore
  users: Pick<Users, 'put'>
  installs: Pick<Installs, 'approveMany'>
  consents: ImportedConsentStore
  lines: SourcedLineStore
  secrets: ReturnType<typeof createSecretImport>
  /** Takes over the grants of these lines. */
  takeOver(lines: readonly GrantLine[], cause: Cause): Promise<LineOutcome[]>
  verificationKeys: {
    put(
      key: (SingleLine & { type: 'verificationKey' })['row'],
      cause: Cause,
    ): Promise<LineOutcome['status']>
  }
}

const decideUserBy =
  (cause: OperatorCause): DecideUser =>
  (current, wanted) => {
    const { id, ...fields } = wanted
    if (!current) {
      const values = { ...newUser, ...given(fields), id }
      return { values, changed: [] }
    }
    const refused = guardOf(cause.rights, current)
    if (refused !== null) return { refused }
    const values = changedUser(current, fields)
    return { values, changed: changedFields<User>(current, values) }
  }

const newUser = {
  emailVerified: false,
  disabled: false,
  locale: null,
  hasSignedIn: false,
  passwordVersion: 0,
  disabledAt: null,
  createdAt: new Date(0),
} as const

/** What a type refers to comes before it. All imports lock rows in this order. */
const order: readonly BulkType[] = [
  'organization',
  'user',
  'member',
  'workspace',
  'workspaceMember',
]

interface Placed {
  at: number
  line: BulkLine
}

/** Lines of one type without a repeated key. */
const runsOf = (lines: readonly BulkLine[]): Placed[][] => {
  const placed = lines.map((line, at) => ({ at, line }))
  return withoutRepeats(placed, ({ line }) => `${line.type} ${keyOf(line)}`)
    .flatMap((part) => order.map((type) => part.filter(({ line }) => line.type === type)))
    .filter((run) => run.length > 0)
}

const inOrder = (runs: readonly Placed[][], stored: readonly LineOutcome[][]): LineOutcome[] => {
  const outcomes: LineOutcome[] = []
  for (const [run, placed] of runs.entries())
    for (const [index, { at }] of placed.entries())
      outcomes[at] = stored[run]?.[index] as LineOutcome
  return outcomes
}

/** An address in the form in which it is stored. */
const normalised = (line: ImportLine): ImportLine => {
  if (line.type !== 'user') return line
  const email = normaliseEmail(line.row.email)
  const [fault] = emailFaults(email)
  if (fault) return { type: 'refused', detail: `email ${fault.detail}` }
  const { passwordHash, ...row } = line.row
  if (passwordHash === undefined) return { type: 'user', row: { ...row, email } }
  const { text, kind } = checkedHash(passwordHash, 'password_hash')
  if (kind === 'sha256') throw new LineRefused('password_hash must not be a hash without work')
  return { type: 'user', row: { ...row, email, passwordHash: asForeign(text) } }
}

/** @returns a refused line instead of an error */
const unlessRefused = (read: () => ImportLine): ImportLine => {
  try {
    return read()
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { type: 'refused', detail: refusal(error).detail ?? '' }
  }
}

const isSingle = (line: ImportLine): line is SingleLine =>
  ['userWithPassword', 'app', 'keySet', 'verificationKey'].includes(line.type)

/** Lines that wait for each other, so that they are stored at once. */
const createBatch = <Line>(
  storeLines: (lines: readonly Line[], cause: OperatorCause) => Promise<LineOutcome[]>,
  outcomes: LineOutcome[],
) => {
  let waiting: { at: number; line: Line }[] = []
  return {
    add: (at: number, line: Line) => void waiting.push({ at, line }),
    store: async (cause: OperatorCause) => {
      const lines = waiting
      waiting = []
      if (lines.length === 0) return
      const stored = await storeLines(
        lines.map(({ line }) => line),
        cause,
      )
      for (const [index, { at }] of lines.entries()) outcomes[at] = stored[index] as LineOutcome
    },
  }
}

/** The organization that the line names, with the answer for one that does not exist; null: the line names none. */
const organizationOf = (line: ImportLine): { id: string; absent: string } | null => {
  const absent = 'there is no such organization'
  switch (line.type) {
    case 'organization':
      return { id: line.row.id, absent }
    case 'workspace':
      return { id: line.row.organization, absent }
    case 'member':
      return { id: line.row.organization, absent: `${absent} or user` }
    case 'install':
    case 'grant':
    case 'consent':
    case 'keySet':
      return { id: line.row.organization, absent: `${absent} or app` }
    default:
      return null
  }
}

/**
 * A token that is limited to organizations imports into these only. Users and apps belong to the platform. The statement
 * that stores members finds the workspace and the user among those that the token reaches.
 */
const withinLimits = (line: ImportLine, operator: Operator): ImportLine => {
  if (!isLimited(operator) || line.type === 'refused' || line.type === 'workspaceMember')
    return line
  const organization = organizationOf(line)
  if (organization === null)
    return { type: 'refused', detail: 'the operator token is limited to organizations' }
  return reaches(operator, organization.id)
    ? line
    : { type: 'refused', detail: organization.absent }
}

/** Stores many objects of the platform at once. The same lines again change nothing. */
export const createImports = (options: ImportsOptions) => {
  const { store, users, installs, secrets } = options
  const storeBulk = async (lines: readonly BulkLine[], cause: OperatorCause) => {
    const runs = runsOf(lines)
    const inRuns = runs.map((run) => run.map(({ line }) => line))
    const stored = await persistently(() =>
      store.apply(inRuns, decideUserBy(cause), eventsOf(cause), cause.rights),
    )
    return stored ? inOrder(runs, stored) : lines.map(() => unavailable)
  }

  const storeInstalls = createInstallImport(installs, options.lines)
  const storeConsents = createConsentImport(options.consents)

  const putSingle = async (line: SingleLine, cause: OperatorCause) => {
    switch (line.type) {
      case 'userWithPassword': {
        const { id, ...wanted } = line.row
        const { created, changed } = await users.put(id, wanted, cause)
        return created ? 'created' : changed ? 'updated' : 'unchanged'
      }
      case 'app':
        return secrets.putApp(line.row, cause)
      case 'keySet':
        return secrets.putKeySet(line.row, cause)
      case 'verificationKey':
        return options.verificationKeys.put(line.row, cause)
    }
  }

  const storeSingle = async (line: SingleLine, cause: OperatorCause): Promise<LineOutcome> => {
    try {
      return { status: await putSingle(line, cause) }
    } catch (error) {
      if (error instanceof StoreUnavailable) return unavailable
      if (isRefusal(error)) return refusal(error)
      throw error
    }
  }

  return {
    /**
     * Stores the lines in their order. Everything is committed when this resolves.
     * @returns an outcome for each line
     */
    store: async (lines: readonly ImportLine[], cause: OperatorCause): Promise<LineOutcome[]> => {
      const outcomes: LineOutcome[] = Array(lines.length)
      const bulk = createBatch(storeBulk, outcomes)
      const approvals = createBatch(storeInstalls, outcomes)
      const grants = createBatch(options.takeOver, outcomes)
      const consents = createBatch(storeConsents, outcomes)
      const storeWaiting = async () => {
        await bulk.store(cause)
        await approvals.store(cause)
        await grants.store(cause)
        await consents.store(cause)
      }
      for (const [at, sent] of lines.entries()) {
        const line = unlessRefused(() => normalised(withinLimits(sent, cause.rights)))
        if (line.type === 'refused') outcomes[at] = { status: 'refused', detail: line.detail }
        else if (isSingle(line)) {
          await storeWaiting()
          outcomes[at] = await storeSingle(line, cause)
        } else if (line.type === 'install') approvals.add(at, line)
        else if (line.type === 'grant') grants.add(at, line)
        else if (line.type === 'consent') consents.add(at, line)
        else bulk.add(at, line)
      }
      await storeWaiting()
      return outcomes
    },
  }
}

export type Imports = ReturnType<typeof createImports>
