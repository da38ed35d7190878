import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { changedFields } from '../audit/changes.ts'
import type { Apps } from '../clients/apps.ts'
import { StoreUnavailable } from '../language/errors.ts'
import { Conflict, Invalid, NotFound } from '../language/service-errors.ts'
import { changedUser, normaliseEmail, type User, type Users } from '../people/users.ts'
import {
  type BulkLine,
  type BulkType,
  type ImportLine,
  keyOf,
  type LineOutcome,
  type SingleLine,
} from './import-lines.ts'
import type { Installs } from './installs.ts'

/** A change of a stored object, for the audit trail. */
export interface BulkChange {
  line: BulkLine
  status: 'created' | 'updated'
  /** Names of the changed fields. */
  changed: string[]
  /** The organization of a changed workspace or member. */
  organizationId?: string
}

export type DecideUser = (
  current: User | null,
  wanted: { id: string } & Partial<User> & Pick<User, 'email' | 'name'>,
) => { values: User; changed: string[] }

export interface ImportStore {
  /**
   * Stores the runs in one transaction, in their order: lines of one type without a repeated key. `eventsOf` makes the
   * audit events of the changes.
   * @returns an outcome for each line; null when another transaction has inserted the same rows meanwhile: try again
   */
  apply(
    runs: readonly (readonly BulkLine[])[],
    decideUser: DecideUser,
    eventsOf: (changes: readonly BulkChange[]) => readonly AuditEvent[],
  ): Promise<LineOutcome[][] | null>
}

export interface ImportsOptions {
  store: ImportStore
  users: Pick<Users, 'put'>
  apps: Pick<Apps, 'put'>
  installs: Pick<Installs, 'live' | 'approve'>
}

const mostAttempts = 5
const unavailable: LineOutcome = {
  status: 'refused',
  detail: 'a store cannot be reached; send the line again',
}

const decideUser: DecideUser = (current, wanted) => {
  const { id, ...fields } = wanted
  if (!current) {
    const values = { ...newUser, ...given(fields), id }
    return { values, changed: [] }
  }
  const values = changedUser(current, fields)
  return { values, changed: changedFields<User>(current, values) }
}

const newUser = {
  emailVerified: false,
  disabled: false,
  passwordVersion: 0,
  createdAt: new Date(0),
} as const

const given = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields

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

/** Lines of one type without a repeated key. A repeated key begins anew, so that its lines keep their order. */
const runsOf = (lines: readonly BulkLine[]): Placed[][] => {
  const segments: Placed[][] = [[]]
  let keys = new Set<string>()
  for (const [at, line] of lines.entries()) {
    const key = `${line.type} ${keyOf(line)}`
    if (keys.has(key)) {
      segments.push([])
      keys = new Set()
    }
    keys.add(key)
    segments.at(-1)?.push({ at, line })
  }
  return segments
    .flatMap((segment) => order.map((type) => segment.filter(({ line }) => line.type === type)))
    .filter((run) => run.length > 0)
}

const inOrder = (runs: readonly Placed[][], stored: readonly LineOutcome[][]): LineOutcome[] => {
  const outcomes: LineOutcome[] = []
  for (const [run, placed] of runs.entries())
    for (const [index, { at }] of placed.entries())
      outcomes[at] = stored[run]?.[index] as LineOutcome
  return outcomes
}

const detailOf = (error: unknown): string | null => {
  if (error instanceof Invalid)
    return error.faults.map(({ pointer, detail }) => `${pointer.slice(1)} ${detail}`).join('; ')
  return error instanceof Conflict || error instanceof NotFound ? error.message : null
}

/** The event of a change; an addition of an admin has one too, and other additions are counted only. */
const changeEvent = ({ line, status, changed, organizationId }: BulkChange, cause: Cause) => {
  switch (line.type) {
    case 'organization':
      return auditEvent(cause, 'organization.changed', {
        organizationId: line.row.id,
        detail: { changed },
      })
    case 'workspace':
      return auditEvent(cause, 'workspace.changed', {
        organizationId: line.row.organization,
        detail: { workspace_id: line.row.id, changed },
      })
    case 'member':
      return auditEvent(cause, status === 'created' ? 'member.added' : 'member.changed', {
        organizationId: line.row.organization,
        userId: line.row.user,
        detail: { role: line.row.role },
      })
    case 'user': {
      const about = { userId: line.row.id }
      const type = line.row.disabled ? 'user.disabled' : 'user.enabled'
      return changed.includes('disabled') && changed.length === 1
        ? auditEvent(cause, type, about)
        : auditEvent(cause, 'user.changed', { ...about, detail: { changed } })
    }
    case 'workspaceMember':
      return auditEvent(cause, 'workspace_member.added', {
        organizationId: organizationId ?? null,
        userId: line.row.user,
        detail: { workspace_id: line.row.workspace },
      })
  }
}

const names: Record<BulkType, string> = {
  organization: 'organizations',
  user: 'users',
  member: 'members',
  workspace: 'workspaces',
  workspaceMember: 'workspace_members',
}

const eventsOf =
  (cause: Cause) =>
  (changes: readonly BulkChange[]): AuditEvent[] => {
    const created: Record<string, number> = {}
    const single: AuditEvent[] = []
    for (const change of changes) {
      const { line, status } = change
      const isAdmin = line.type === 'member' && line.row.role === 'admin'
      if (status === 'updated' || isAdmin) single.push(changeEvent(change, cause))
      else created[names[line.type]] = (created[names[line.type]] ?? 0) + 1
    }
    const isCounted = Object.keys(created).length > 0
    const counted = auditEvent(cause, 'import.stored', { detail: { created } })
    return isCounted ? [counted, ...single] : single
  }

const normalised = (line: BulkLine): BulkLine =>
  line.type === 'user'
    ? { type: 'user', row: { ...line.row, email: normaliseEmail(line.row.email) } }
    : line

/** Stores many objects of the platform at once. The same lines again change nothing. */
export const createImports = ({ store, users, apps, installs }: ImportsOptions) => {
  /** Concurrent imports of the same rows may block each other or be too late: their transactions run again. */
  const storeBulk = async (lines: readonly BulkLine[], cause: Cause): Promise<LineOutcome[]> => {
    const runs = runsOf(lines)
    const inRuns = runs.map((run) => run.map(({ line }) => line))
    for (let attempt = 1; ; attempt++)
      try {
        const stored = await store.apply(inRuns, decideUser, eventsOf(cause))
        if (stored) return inOrder(runs, stored)
        if (attempt >= mostAttempts) return lines.map(() => unavailable)
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        if (attempt >= mostAttempts) return lines.map(() => unavailable)
      }
  }

  const putSingle = async (line: SingleLine, cause: Cause): Promise<LineOutcome['status']> => {
    switch (line.type) {
      case 'userWithPassword': {
        const { id, ...wanted } = line.row
        const { created, changed } = await users.put(id, wanted, cause)
        return created ? 'created' : changed ? 'updated' : 'unchanged'
      }
      case 'app': {
        const { clientId, ...draft } = line.row
        return apps.put(clientId, draft, cause)
      }
      case 'install': {
        const { organization, clientId, ...approval } = line.row
        const before = await installs.live(organization, clientId)
        const after = await installs.approve(organization, clientId, approval, cause)
        if (before?.id !== after.id) return 'created'
        return before.updatedAt < after.updatedAt ? 'updated' : 'unchanged'
      }
    }
  }

  const storeSingle = async (line: SingleLine, cause: Cause): Promise<LineOutcome> => {
    try {
      return { status: await putSingle(line, cause) }
    } catch (error) {
      if (error instanceof StoreUnavailable) return unavailable
      const detail = detailOf(error)
      if (detail === null) throw error
      return { status: 'refused', detail }
    }
  }

  return {
    /**
     * Stores the lines in their order. Everything is committed when this resolves.
     * @returns an outcome for each line
     */
    store: async (lines: readonly ImportLine[], cause: Cause): Promise<LineOutcome[]> => {
      const outcomes: LineOutcome[] = Array(lines.length)
      let waiting: { at: number; line: BulkLine }[] = []
      const storeWaiting = async () => {
        const batch = waiting
        waiting = []
        if (batch.length === 0) return
        const stored = await storeBulk(
          batch.map(({ line }) => line),
          cause,
        )
        for (const [index, { at }] of batch.entries()) outcomes[at] = stored[index] as LineOutcome
      }
      for (const [at, line] of lines.entries()) {
        if (line.type === 'refused') outcomes[at] = { status: 'refused', detail: line.detail }
        else if (
          line.type === 'userWithPassword' ||
          line.type === 'app' ||
          line.type === 'install'
        ) {
          await storeWaiting()
          outcomes[at] = await storeSingle(line, cause)
        } else waiting.push({ at, line: normalised(line) })
      }
      await storeWaiting()
      return outcomes
    },
  }
}

export type Imports = ReturnType<typeof createImports>
