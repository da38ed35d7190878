import type { NewApp } from '../clients/apps.ts'
import type { WantedUser } from '../people/user.ts'
import type { InstallApproval } from './install-approval.ts'
import type { Role } from './members.ts'

/** Lines that are stored many at once. */
export interface BulkRows {
  organization: { id: string; name: string }
  user: { id: string } & Omit<WantedUser, 'password'>
  member: { organization: string; user: string; role: Role }
  workspace: { id: string; organization: string; name: string }
  workspaceMember: { workspace: string; user: string }
}

export type BulkType = keyof BulkRows

export type BulkLine = { [Type in BulkType]: { type: Type; row: BulkRows[Type] } }[BulkType]

/** Lines that are stored many at once, after the bulk lines around them. */
export interface InstallLine {
  type: 'install'
  row: { organization: string; clientId: string } & Pick<
    InstallApproval,
    'permissions' | 'workspaceIds' | 'audience'
  >
}

/** Lines that are stored one by one. */
export type SingleLine =
  | { type: 'userWithPassword'; row: { id: string } & WantedUser }
  | { type: 'app'; row: NewApp & { clientId: string } }

/** A line that cannot be stored, with the reason. */
export interface RefusedLine {
  type: 'refused'
  detail: string
}

export type ImportLine = BulkLine | InstallLine | SingleLine | RefusedLine

export interface LineOutcome {
  status: 'created' | 'updated' | 'unchanged' | 'refused'
  /** Why it is refused. */
  detail?: string
}

/** Two lines with the same key must not be in one statement. */
export const keyOf = ({ type, row }: BulkLine): string => {
  switch (type) {
    case 'member':
      return `${row.organization} ${row.user}`
    case 'workspaceMember':
      return `${row.workspace} ${row.user}`
    default:
      return row.id
  }
}

/** Parts without a repeated key. A repeated key begins a new part, so that its lines keep their order. */
export const withoutRepeats = <Line>(
  lines: readonly Line[],
  keyOf: (line: Line) => string,
): Line[][] => {
  const parts: Line[][] = []
  let keys = new Set<string>()
  for (const line of lines) {
    const key = keyOf(line)
    if (parts.length === 0 || keys.has(key)) {
      parts.push([])
      keys = new Set()
    }
    keys.add(key)
    parts.at(-1)?.push(line)
  }
  return parts
}
