import type { NewApp } from '../clients/apps.ts'
import type { KeycloakHash } from '../people/foreign-hash.ts'
import type { WantedUser } from '../people/user.ts'
import type { InstallApproval } from './install-approval.ts'
import type { KeySet } from './key-set.ts'
import type { Role } from './members.ts'

/** Lines that are stored many at once. */
export interface BulkRows {
  organization: { id: string; name: string }
  /** `passwordHash`: in a form that `readHash` takes. */
  user: { id: string; passwordHash?: string | KeycloakHash } & Omit<WantedUser, 'password'>
  member: { organization: string; user: string; role: Role }
  workspace: { id: string; organization: string; name: string }
  workspaceMember: { workspace: string; user: string }
}

export type BulkType = keyof BulkRows

export type BulkLine = { [Type in BulkType]: { type: Type; row: BulkRows[Type] } }[BulkType]

/** Lines that are stored many at once, after the bulk lines around them. */
export interface InstallLine {
  type: 'install'
  row: { organization: string; clientId: string; source?: string } & Pick<
    InstallApproval,
    'permissions' | 'workspaceIds' | 'audience'
  >
}

/** What a person has given an app in an organization. */
export interface GivenRow {
  clientId: string
  user: string
  organization: string
  permissions: string[]
  workspaceIds: string[] | null
  source?: string
}

/** A refresh token of the earlier server. Times are RFC 3339. */
export interface GrantLine {
  type: 'grant'
  row: GivenRow & {
    refreshToken?: string
    refreshTokenSha256?: string
    issuedAt?: string
    expiresAt?: string
  }
}

export interface ConsentLine {
  type: 'consent'
  row: GivenRow & { at?: string }
}

/** At most one of them. */
export interface GivenSecret {
  secret?: string
  secretHash?: string | KeycloakHash
}

export interface KeySetRow
  extends GivenSecret,
    Pick<KeySet, 'clientId' | 'interface' | 'name' | 'permissions'> {
  organization: string
  description?: string | null
}

/** Lines that are stored one by one. */
export type SingleLine =
  | { type: 'userWithPassword'; row: { id: string } & WantedUser }
  | { type: 'app'; row: NewApp & GivenSecret & { clientId: string; source?: string } }
  | { type: 'keySet'; row: KeySetRow }
  | { type: 'verificationKey'; row: { jwk: object; until: string } }

/** A line that cannot be stored, with the reason. */
export interface RefusedLine {
  type: 'refused'
  detail: string
}

export type ImportLine = BulkLine | InstallLine | GrantLine | ConsentLine | SingleLine | RefusedLine

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
