import type { Account, Decision, IdentityStore } from '../../../core/people/identities.ts'
import type { Person } from '../../../core/people/person.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { type Columns, selected, since } from '../connection/columns.ts'
import { type Database, isUniqueViolation, type Queryable } from '../connection/database.ts'
import { columnsOfPerson, personColumns } from './people.ts'

type Key = Parameters<IdentityStore['arrive']>[0]
type Entrance = Decision & { kind: 'enter' }

const mostTries = 4
const accountColumns: Columns<Account> = { ...columnsOfPerson, disabled: since('disabled_at') }
const columns = selected(accountColumns, 'u')

// Reads the address before the identity: a concurrent first arrival that commits in between is then found by its
// identity, and not as another user with the address.
const findCandidates = async (tx: Queryable, key: Key) => {
  const sameEmail = await tx.row<Account & { claimed: boolean }>(
    `select ${columns}, exists (
       select 1 from user_identities i
        where i.user_id = u.id and (i.issuer = $2 or not i.email_verified)) as claimed
       from users u where lower(u.email) = $1`,
    [key.email, key.issuer],
  )
  const known = await tx.row<Account>(
    `select ${columns} from user_identities i join users u on u.id = i.user_id
      where i.issuer = $1 and i.subject = $2`,
    [key.issuer, key.subject],
  )
  return { known, sameEmail }
}

/** The unique indexes decide races: the loser starts again and finds what the winner has written. */
const write = async (tx: Queryable, key: Key, { user, fresh, events }: Entrance) => {
  const verified = key.emailVerified ? key.email : null
  const values = [user.id, user.email, user.name, verified]
  const returning = `returning ${personColumns}`
  const text =
    fresh === 'user'
      ? `insert into users (id, email, name, verified_email) values ($1, $2, $3, $4) ${returning}`
      : `update users set email = $2, name = $3, verified_email = coalesce($4, verified_email)
          where id = $1 and disabled_at is null ${returning}`
  const person = await tx.row<Person>(text, values)
  if (!person) return null // removed or disabled meanwhile
  if (fresh) {
    await tx.query(
      `insert into user_identities (issuer, subject, user_id, email_verified)
       values ($1, $2, $3, $4)`,
      [key.issuer, key.subject, user.id, key.emailVerified],
    )
  } else {
    await tx.query(
      `update user_identities set last_used_at = now(), email_verified = email_verified or $3
        where issuer = $1 and subject = $2`,
      [key.issuer, key.subject, key.emailVerified],
    )
  }
  await insertAuditEvents(tx, events)
  return person
}

export const createIdentityStore = (database: Database): IdentityStore => {
  const attempt: IdentityStore['arrive'] = (key, decide) =>
    database.transaction(async (tx) => {
      const decision = decide(await findCandidates(tx, key))
      if (decision.kind === 'refused') return decision
      const person = await write(tx, key, decision)
      return person ? { person } : { refusal: 'disabled', userId: decision.user.id }
    })

  return {
    arrive: async (key, decide) => {
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(key, decide)
        } catch (error) {
          if (!isUniqueViolation(error) || tries === mostTries) throw error
        }
      }
    },
  }
}
