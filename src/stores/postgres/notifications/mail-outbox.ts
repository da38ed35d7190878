import type { DueMail, MailBundle, MailOutbox } from '../../../core/notifications/mail.ts'
import { backlogIn } from '../connection/backlog.ts'
import { type Columns, computed, nested, plain, selected } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'
import { expandEvents } from './mail-events.ts'

const epochAt = (at: number, column: string) =>
  `coalesce((mail.detail -> 'epochs' ->> ${at})::integer, person.${column})`

const recipientColumns: Columns<DueMail['recipient']> = {
  ...plain('id', 'email', 'name', 'locale'),
  // A link is of the password that the user had when it was requested.
  credentialsEpoch: computed(epochAt(0, 'credentials_epoch')),
  sessionsEpoch: computed(epochAt(1, 'sessions_epoch')),
}

const dueColumns = selected<DueMail>(
  {
    recipient: nested(recipientColumns, 'person'),
    ...plain('eventId', 'type', 'category', 'organizationId', 'clientId'),
    organization: computed(
      '(select o.name from organizations o where o.id = mail.organization_id)',
    ),
    client: computed(
      `coalesce((select a.name from apps a where a.client_id = mail.client_id),
         (select k.name from key_sets k where k.client_id = mail.client_id))`,
    ),
    asker: computed(
      `(select u.name from users u join members m on m.user_id = u.id
         where u.id = mail.detail ->> 'asker_id' and m.organization_id = mail.organization_id)`,
    ),
    inviter: computed(`(select u.name from users u where u.id = mail.detail ->> 'inviter_id')`),
    invitedTo: computed(
      `case when mail.type = 'user.invited' then (select string_agg(o.name, ', ' order by o.name)
         from members m join organizations o on o.id = m.organization_id
        where m.user_id = mail.user_id) end`,
    ),
    ...plain('detail', 'createdAt', 'attempts', 'bundle'),
    age: computed('extract(epoch from clock_timestamp() - mail.created_at)::float8'),
  },
  'mail',
)

/** The lane and the turn of a mail, as the index `mails_turns` has them. */
const lane = `(case when category in ('account', 'security') then category else 'other' end)`
const turn = `(coalesce(case when type <> 'app.asks_for_more' then organization_id end, client_id, type))`
const isDue = `${lane} = $1 and next_attempt_at <= now()`

/**
 * Rows that another instance is claiming are skipped. The update checks the time again, because it sees a newer version
 * of the row than the selection may have seen.
 */
const claimDue = `with taken as (
    select coalesce(
      (select ${turn} from mails where ${isDue} and ${turn} > $2 order by ${turn} limit 1),
      (select ${turn} from mails where ${isDue} order by ${turn} limit 1)) as turn),
  person as (
    select user_id from mails where ${isDue} and ${turn} = (select turn from taken)
    order by next_attempt_at limit 1 for update skip locked),
  due as (
    select user_id, event_id from mails where user_id = (select user_id from person) and ${isDue}
    order by created_at limit $3::integer for update skip locked),
  claimed as (
    update mails mail
    set attempts = mail.attempts + 1, claim = $4,
      next_attempt_at = clock_timestamp() + make_interval(secs => $5::float8)
    from due join users person on person.id = due.user_id
    where mail.user_id = due.user_id and mail.event_id = due.event_id and mail.next_attempt_at <= now()
    returning ${dueColumns})
  select taken.turn, claimed.* from taken left join claimed on true order by claimed."createdAt"`

const held =
  'user_id = $1 and event_id = any($2::text[]) and claim = $3 and next_attempt_at is not null'

const heldBy = ({ claim, mails }: MailBundle) => [
  mails[0].recipient.id,
  mails.map(({ eventId }) => eventId),
  claim,
]

const afterSeconds = (at: string) => `clock_timestamp() + make_interval(secs => ${at}::float8)`

export const createMailOutbox = (database: Database): MailOutbox => {
  /** Changes the mails of a bundle that its claim still holds. @param set its own parameters begin at $4 */
  const change =
    (set: string) =>
    (bundle: MailBundle, ...values: unknown[]) =>
      database.run(`update mails set ${set} where ${held}`, [...heldBy(bundle), ...values])

  return {
    announce: () =>
      database.run(
        `insert into mail_service (seen_at) values (clock_timestamp())
         on conflict (id) do update set seen_at = excluded.seen_at`,
      ),

    expand: database.inTransaction((tx, most, requested) => expandEvents(tx, most, requested)),

    claim: async ({ lane, turn, most, claim, lease }) => {
      const rows = await database.rows<DueMail & { turn: string | null }>(
        claimDue,
        [lane, turn, most, claim, lease],
        'claim_mails',
      )
      const [first] = rows
      if (!first || first.turn === null) return null
      // The outer join leaves every column empty when there is no mail.
      const claimed = first.recipient === null ? [] : rows
      return { turn: first.turn, mails: claimed.map(({ turn: _, ...mail }) => mail) }
    },

    bundle: change('bundle = $4'),
    sent: change('sent_at = clock_timestamp(), next_attempt_at = null, last_error = null'),
    retry: change(`last_error = $4, next_attempt_at = ${afterSeconds('$5')}`),
    giveUp: change('last_error = $4, next_attempt_at = null'),
    release: change(`attempts = attempts - 1, next_attempt_at = ${afterSeconds('$4')}`),

    backlog: () => backlogIn(database, 'mails where next_attempt_at is not null'),
  }
}
