// Grants that an import takes over. Each is a family whose first refresh token was made by the earlier server.
import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { hasOwnForm } from '../crypto/identifiers.ts'
import { randomText } from '../crypto/random.ts'
import type { Interface } from '../language/permissions.ts'
import { storedInRuns } from '../organizations/import-attempts.ts'
import type { GivenRow, GrantLine, LineOutcome } from '../organizations/import-lines.ts'
import type { FamilyStore } from './families.ts'
import { digestOfToken, familyOfDigest, takenOverGeneration } from './foreign-token.ts'
import type { Grant } from './grant.ts'
import { superseded } from './grant-bound.ts'
import type { RevocationStore } from './revocation.ts'
import type { GrantEvents, GrantStore } from './store.ts'

/** A grant as it is inserted. */
export interface TakenOverGrant extends Required<GivenRow> {
  id: string
  /** Of its refresh token: SHA-256 in hex. */
  digest: string
  /** The token has the form of ours. */
  isOwn: boolean
  issuedAt: Date | null
  endsAt: Date | null
}

/** A live grant of the same user, app and organization. */
export interface RivalGrant {
  id: string
  /** It was taken over and no use of it is recorded. */
  unused: boolean
  /** Milliseconds since 1970; null: unknown. */
  issuedAt: number | null
}

/** What a grant finds here. */
export interface GrantPlace {
  /** The live install, with the epochs of today; null: app, user, membership or install is missing. */
  place: { interface: Interface; installId: string; appEpoch: number; userEpoch: number } | null
  /** `same`: this token was taken over before. `other`: for another app, user or organization. */
  known: 'same' | 'other' | null
  /** It was taken over, lives, and no use of it is recorded. */
  unused: boolean
  rivals: RivalGrant[]
}

export interface TakenOverStore {
  /** @param mostRivals that are read for each */
  places(grants: readonly TakenOverGrant[], mostRivals: number): Promise<GrantPlace[]>
  /** Inserts grants with what is known of their places. @returns null when a row was removed meanwhile: try again */
  insert(
    grants: readonly (TakenOverGrant & NonNullable<GrantPlace['place']>)[],
    event: AuditEvent,
  ): Promise<true | null>
}

const refused = (detail: string): LineOutcome => ({ status: 'refused', detail })

const digestOf = ({ row }: GrantLine) =>
  row.refreshToken === undefined
    ? (row.refreshTokenSha256 ?? '').toLowerCase()
    : digestOfToken(row.refreshToken)

const dateOf = (text: string | undefined) => (text === undefined ? null : new Date(text))

const grantOf = (line: GrantLine): TakenOverGrant => {
  const { refreshToken = '', refreshTokenSha256: _, issuedAt, expiresAt, ...row } = line.row
  const digest = digestOf(line)
  const times = { issuedAt: dateOf(issuedAt), endsAt: dateOf(expiresAt) }
  const isOwn = hasOwnForm(refreshToken)
  return { source: '', ...row, ...times, id: familyOfDigest(digest), digest, isOwn }
}

/** Seconds; a use of a moment ago is recognised, and not taken for a replay. */
const justUsed = 60

const isOlder = (one: RivalGrant, other: { issuedAt: Date | number | null }) =>
  Number(one.issuedAt ?? -1) < Number(other.issuedAt ?? -1)

export const createTakeOver = (deps: {
  store: TakenOverStore
  grants: Pick<GrantStore, 'end'>
  revocation: Pick<RevocationStore, 'endGrant'>
  families: Pick<FamilyStore, 'create' | 'live' | 'advance' | 'end'>
  events: Pick<GrantEvents, 'ended'>
  /** Maximum number of live grants of a user, app and organization. */
  most: number
  /** Milliseconds since 1970. */
  now: () => number
}) => {
  const { store, grants, revocation, families, events, most, now } = deps

  const isUnused = async (id: string) => (await families.live(id)) === takenOverGeneration

  /** The earlier server has ended it. The family is consumed first: a use at the same time wins, or is refused. */
  const endUnused = async (grant: TakenOverGrant, cause: Cause) => {
    const { id, user: userId, clientId, organization: organizationId } = grant
    if (!(await isUnused(id))) return false
    const { outcome } = await families.advance(id, takenOverGeneration, randomText(9), justUsed)
    if (outcome !== 'advanced') return false
    const about = { organizationId, clientId, userId, detail: { grant_id: id } }
    const hasEnded = await revocation.endGrant(id, auditEvent(cause, 'grant.revoked', about))
    await families.end(id).catch(() => undefined)
    return hasEnded
  }

  /** The oldest rival that the grant may replace. A use may not be recorded yet, so its family is asked. */
  const replaceable = async (grant: TakenOverGrant, rivals: RivalGrant[], fresh: Set<string>) => {
    const unused = rivals.filter((one) => one.unused).sort((a, b) => (isOlder(a, b) ? -1 : 1))
    for (const one of unused) {
      if (!isOlder(one, grant)) return null
      if (fresh.has(one.id) || (await isUnused(one.id))) return one
    }
    return null
  }

  const isOver = ({ endsAt }: TakenOverGrant) => endsAt !== null && endsAt.getTime() <= now()

  const refusalOf = (grant: TakenOverGrant, { place, known }: GrantPlace) => {
    if (grant.isOwn) return 'refresh_token has the form of a token of this server'
    if (known === 'other') return 'the token belongs to another app, user or organization'
    if (known === 'same' || isOver(grant)) return null
    if (!place) return 'the app, the user, the membership or the install is unknown'
    return place.interface === 'legacy' && grant.workspaceIds !== null
      ? 'workspace_ids must be null: the legacy interface has none'
      : null
  }

  /** Lists of the same user, app and organization are one, so that each grant counts for the next one. */
  const decide = async (
    all: readonly TakenOverGrant[],
    places: readonly GrantPlace[],
    cause: Cause,
  ) => {
    const lists = new Map<string, RivalGrant[]>()
    const fresh = new Set<string>()
    const replaced: { id: string; by: TakenOverGrant }[] = []
    const decideOne = async (grant: TakenOverGrant, found: GrantPlace): Promise<LineOutcome> => {
      const refusal = refusalOf(grant, found)
      if (refusal !== null) return refused(refusal)
      const isEnded = isOver(grant)
      if (found.known ? !isEnded || !found.unused : isEnded) return { status: 'unchanged' }
      const key = `${grant.user} ${found.place?.installId}`
      const rivals = lists.get(key) ?? found.rivals
      lists.set(key, rivals)
      if (isEnded) {
        if (!(await endUnused(grant, cause))) return { status: 'unchanged' }
        const others = rivals.filter(({ id }) => id !== grant.id)
        lists.set(key, others)
        return { status: 'updated' }
      }
      if (rivals.length >= most) {
        const oldest = await replaceable(grant, rivals, fresh)
        if (!oldest)
          return refused('the user has too many grants of this app (GRANTS_PER_USER_AND_APP)')
        rivals.splice(rivals.indexOf(oldest), 1)
        replaced.push({ id: oldest.id, by: grant })
      }
      rivals.push({ id: grant.id, unused: true, issuedAt: grant.issuedAt?.getTime() ?? null })
      fresh.add(grant.id)
      return { status: 'created' }
    }
    const outcomes: LineOutcome[] = []
    for (const [at, grant] of all.entries())
      outcomes.push(await decideOne(grant, places[at] as GrantPlace))
    return { outcomes, replaced }
  }

  const endReplaced = async ({ id, by }: { id: string; by: TakenOverGrant }) => {
    await families.end(id)
    const { user: userId, clientId, organization: organizationId } = by
    if (await grants.end(id, superseded))
      events.ended({ id, userId, clientId, organizationId } as Grant, superseded)
  }

  const attempt = async (lines: readonly GrantLine[], cause: Cause) => {
    const all = lines.map(grantOf)
    const places = await store.places(all, most)
    const { outcomes, replaced } = await decide(all, places, cause)
    const created = all.flatMap((grant, at) => {
      const place = places[at]?.place
      return place && outcomes[at]?.status === 'created' ? [{ ...grant, ...place }] : []
    })
    if (created.length === 0) return outcomes
    // The family first: a line that was not answered is sent again, and must not find a row without a family.
    await Promise.all(created.map(({ id }) => families.create(id, takenOverGeneration, null)))
    const detail = { created: { grants: created.length } }
    if (!(await store.insert(created, auditEvent(cause, 'import.stored', { detail })))) return null
    for (const one of replaced) await endReplaced(one)
    return outcomes
  }

  /** Stores grant lines of an import. */
  return storedInRuns(digestOf, attempt)
}
