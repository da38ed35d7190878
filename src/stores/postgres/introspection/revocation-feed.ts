import type { RevocationFeedStore } from '../../../core/introspection/revocation-feed.ts'
import type { Database } from '../connection/database.ts'

interface Row {
  id: string
  tag: string
  type: string
  subject_id: string
  user_id: string | null
  state: Record<string, unknown>
  until: string
}

export const createRevocationFeedStore = (database: Database): RevocationFeedStore => ({
  after: async (id, limit, { audiences, organizationIds }) => {
    const { rows } = await database.query<Row>(
      `select id, tag, type, subject_id, user_id, state, ceil(extract(epoch from until))::bigint as until
         from revocations where id > $1 and until > now()
          and (audiences is null or audiences && $3::text[])
          and ($4::text[] is null or organization_ids is null or organization_ids && $4)
        order by id limit $2`,
      [id, limit, audiences, organizationIds],
      'revocations_after',
    )
    return rows.map((row) => ({
      id: Number(row.id),
      tag: row.tag,
      type: row.type,
      subjectId: row.subject_id,
      userId: row.user_id,
      state: row.state,
      until: Number(row.until),
    }))
  },
  last: async () => {
    const { rows } = await database.query<{ id: string; tag: string }>(
      'select id, tag from revocations order by id desc limit 1',
      [],
      'revocations_last',
    )
    return rows[0] ? { id: Number(rows[0].id), tag: rows[0].tag } : null
  },
  has: async (id, tag) => {
    const { rows } = await database.query(
      'select 1 from revocations where id = $1 and tag::text = $2',
      [id, tag],
      'revocations_has',
    )
    return rows.length === 1
  },
})
