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
  type RefusedLine,
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

/** The organization that the line names, with the answer for one that does not exist; null: the line names none. */
const organizationOf = (line: Exclude<ImportLine, RefusedLine>) => {
  if (line.type === 'organization')
    return { id: line.row.id, absent: 'there is no such organization' }
  if (!('organization' in line.row)) return null
  const other = { workspace: '', member: ' or user' }[line.type as string] ?? ' or app'
  return { id: line.row.organization, absent: `there is no such organization${other}` }
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
export const createImports = (options: {
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
}) => {
  const { store, users, installs, secrets } = options
  const storeBulk = async (lines: readonly BulkLine[], cause: OperatorCause) => {
    // Lines of one type without a repeated key.
    const runs = withoutRepeats([...lines.entries()], ([, one]) => `${one.type} ${keyOf(one)}`)
      .flatMap((part) => order.map((type) => part.filter(([, one]) => one.type === type)))
      .filter((run) => run.length > 0)
    const inRuns = runs.map((run) => run.map(([, one]) => one))
    const stored = await persistently(() =>
      store.apply(inRuns, decideUserBy(cause), eventsOf(cause), cause.rights),
    )
    const outcomes = lines.map(() => unavailable)
    for (const [run, placed] of runs.entries())
      for (const [index, [at]] of placed.entries())
        outcomes[at] = stored?.[run]?.[index] ?? unavailable
    return outcomes
  }

  /** Lines that are stored many at once, in this order. */
  const stores = {
    bulk: storeBulk,
    install: createInstallImport(installs, options.lines),
    grant: options.takeOver,
    consent: createConsentImport(options.consents),
  }
  const stages = Object.keys(stores) as (keyof typeof stores)[]
  const stageOf = ({ type }: ImportLine) => stages.find((stage) => stage === type) ?? 'bulk'

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
    /** Stores the lines in their order. Everything is committed when this resolves. @returns an outcome for each line */
    store: async (lines: readonly ImportLine[], cause: OperatorCause): Promise<LineOutcome[]> => {
      const outcomes: LineOutcome[] = Array(lines.length)
      let waiting: { at: number; line: ImportLine }[] = []
      const storeWaiting = async () => {
        for (const stage of stages) {
          const some = waiting.filter(({ line }) => stageOf(line) === stage)
          const theirs = some.map(({ line }) => line) as never[]
          const stored = some.length > 0 ? await stores[stage](theirs, cause) : []
          for (const [index, { at }] of some.entries()) outcomes[at] = stored[index] as LineOutcome
        }
        waiting = []
      }
      for (const [at, sent] of lines.entries()) {
        const line = unlessRefused(() => normalised(withinLimits(sent, cause.rights)))
        if (line.type === 'refused') outcomes[at] = { status: 'refused', detail: line.detail }
        else if (isSingle(line)) {
          await storeWaiting()
          outcomes[at] = await storeSingle(line, cause)
        } else waiting.push({ at, line })
      }
      await storeWaiting()
      return outcomes
    },
  }
}

export type Imports = ReturnType<typeof createImports>
