import type {
  AppReviewStore,
  ReviewDecision,
  StoredReview,
} from '../../../core/client-documents/app-reviews.ts'
import type { DocumentRequestDeps } from '../../../core/client-documents/document-requests.ts'
import { changeRow, changeRows, insertAuditEvents } from '../audit/audit.ts'
import { json, plain, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { listRows } from '../connection/lists.ts'
import { appsOfHost, ruleJson } from './client-hosts.ts'

const columns = selected<StoredReview>({ ...plain('id', 'clientId', 'createdAt'), document: json })

type Requested = Parameters<AppReviewStore['request']>[0]

const valuesOf = (one: Requested) => [one.id, one.clientId, one.host, JSON.stringify(one.document)]

/** The host's policy, locked, so that its queue is counted by one request at a time. */
const mayWait = async (tx: Queryable, host: string, most: number) => {
  const isOpen = await tx.affects(
    `select from client_hosts where host = $1 and policy in ('review', 'admit') for no key update`,
    [host],
  )
  if (!isOpen) return false
  return (await tx.count('app_reviews where host = $1 and decided_at is null', [host])) < most
}

const decisionOf = (tx: Queryable, clientId: string) =>
  tx.row<{ decision: ReviewDecision | null }>(
    'select decision from app_reviews where client_id = $1',
    [clientId],
  )

const insertReview = `insert into app_reviews (id, client_id, host, document) values ($1, $2, $3, $4)
  on conflict (client_id) do update set`
const undecided = 'decided_at = null, decision = null, note = null'
const putReview = `${insertReview} id = excluded.id, host = excluded.host, document = excluded.document,
  created_at = now(), ${undecided}`

export const createAppReviewStore = (database: Database): AppReviewStore => ({
  list: (page) =>
    listRows<StoredReview>(database, page, {
      columns,
      table: 'app_reviews',
      where: 'decided_at is null',
      orders: { host: 'host' },
      search: 'position(lower(?) in lower(client_id)) > 0',
    }),

  byId: (id) => database.row(`select ${columns}, decision from app_reviews where id = $1`, [id]),

  request: database.inTransaction(async (tx, review, most, events) => {
    const hasRoom = await mayWait(tx, review.host, most)
    const known = await decisionOf(tx, review.clientId)
    if (known?.decision === null) return 'waiting'
    if (known?.decision === 'refuse') return 'refused'
    if (!hasRoom) return 'full'
    // A decision to approve stays only if the server failed before it had an app.
    await changeRows(tx, putReview, valuesOf(review), events)
    return 'waiting'
  }),

  requestChange: (review, events) =>
    changeRows(
      database,
      `${putReview}
         where app_reviews.document <> excluded.document
           or app_reviews.decision = 'approve' and app_reviews.decided_at < now() - interval '5 minutes'`,
      valuesOf(review),
      events,
    ),

  propose: async (review, events) => {
    const row = await changeRow<{ id: string }>(
      database,
      `${insertReview} host = excluded.host, document = excluded.document,
           id = case when app_reviews.decided_at is null and app_reviews.document = excluded.document
                then app_reviews.id else excluded.id end,
           created_at = now(), ${undecided}
         returning id`,
      valuesOf(review),
      events,
    )
    return row!.id
  },

  withdraw: (clientId) =>
    database.run('delete from app_reviews where client_id = $1 and decided_at is null', [clientId]),

  decide: (id, decision, note, events) =>
    changeRows(
      database,
      `update app_reviews set decided_at = now(), decision = $2, note = $3
        where id = $1 and decided_at is null`,
      [id, decision, note],
      events,
    ),

  refused: (clientId) =>
    database.row(
      `select ${selected(plain('note', 'decidedAt'))} from app_reviews
        where client_id = $1 and decision = 'refuse'`,
      [clientId],
    ),

  undecide: (id) => database.run(`update app_reviews set ${undecided} where id = $1`, [id]),

  forget: (clientId, events = []) =>
    database.transaction(async (tx) => {
      await tx.query('delete from app_reviews where client_id = $1', [clientId])
      await insertAuditEvents(tx, events)
    }),
})

/** The state of a client URL, in one query. */
export const clientUrlState =
  (database: Database): DocumentRequestDeps['stateOf'] =>
  async (clientUrl, host) =>
    (await database.row<Awaited<ReturnType<DocumentRequestDeps['stateOf']>>>(
      `select (select json_build_object('disabled', disabled_at is not null) from apps where client_id = $1) as app,
         ${ruleJson('$2')} as rule, ${appsOfHost('$2')} as apps,
         (select json_build_object('decision', decision) from app_reviews where client_id = $1) as review`,
      [clientUrl, host],
    ))!
