import type {
  RevocationEntry,
  RevocationFeedStore,
} from '../../../core/introspection/revocation-feed.ts'
import { computed, plain, selected } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'

/** A bigint is text. */
type Row = Omit<RevocationEntry, 'id' | 'until'> & { id: string; until: string }

const columns = selected<Row>({
  ...plain('id', 'tag', 'type', 'subjectId', 'userId', 'state'),
  until: computed('ceil(extract(epoch from until))::bigint'),
})

export const createRevocationFeedStore = (database: Database): RevocationFeedStore => ({
  after: async (id, limit, { audiences, organizationIds }) => {
    const rows = await database.rows<Row>(
      `select ${columns}
         from revocations where id > $1 and until > now()
          and (audiences is null or audiences && $3::text[])
          and ($4::text[] is null or organization_ids is null or organization_ids && $4)
        order by id limit $2`,
      [id, limit, audiences, organizationIds],
      'revocations_after',
    )
    return rows.map((row) => ({ ...row, id: Number(row.id), until: Number(row.until) }))
  },
  last: async () => {
    const row = await database.row<{ id: string; tag: string }>(
      'select id, tag from revocations order by id desc limit 1',
      [],
      'revocations_last',
    )
    return row ? { id: Number(row.id), tag: row.tag } : null
  },
  has: (id, tag) =>
    database.affects(
      'select 1 from revocations where id = $1 and tag::text = $2',
      [id, tag],
      'revocations_has',
    ),
  polled: (...values) =>
    database.run('select reader_polled($1, $2, $3, $4)', values, 'reader_polled'),
  closed: (...values) => database.run('select reader_closed($1, $2)', values),
})
