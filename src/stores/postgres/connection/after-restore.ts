import { connect } from './migrate.ts'

export type EndedByRestore = Record<'grants' | 'sessions' | 'operatorTokens', number>

/**
 * Ends what must not become valid again after Postgres was restored to an earlier point. It is unknown what was revoked
 * or replaced since then. Consents, installs, apps and key sets stay as restored. All in one transaction.
 * @param url of a migrated database that no instance uses
 * @returns how many of each were live
 */
export const endRestored = async (url: string): Promise<EndedByRestore> => {
  const client = await connect(url)
  // A lost connection also fails the running statement; without a listener the error event would end the process.
  client.on('error', () => undefined)
  const count = async (text: string) => (await client.query(text)).rowCount ?? 0
  try {
    await client.query('begin')
    // The role may have a statement timeout that is meant for requests.
    await client.query('set local statement_timeout = 0')
    // Otherwise, grants that were revoked since then would be live again as soon as their refresh token is used.
    const grants = await count(
      `update grants set ended_at = now(), ended_reason = 'restored' where ended_at is null`,
    )
    // Without Redis: consumed codes and refresh tokens would be valid again.
    await client.query('delete from families; delete from records; delete from counters')
    // Otherwise, sessions that ended since then would be live again. Passwords changed since then are the old ones again.
    const sessions = await count('delete from sessions')
    await client.query('update users set sessions_epoch = sessions_epoch + 1000000')
    // They are revoked only in the database, so it is unknown which were revoked since then.
    const operatorTokens = await count(
      'update operator_tokens set expires_at = now() where expires_at is null or expires_at > now()',
    )
    // The numbers of another server's transactions may be ahead of this one's. Without any, events are in the order of ids.
    const renumbered = await count(
      `update audit_events set transaction = '0' where transaction <> '0'
         and (select max(transaction) from audit_events) >= pg_current_xact_id()`,
    )
    if (renumbered > 0)
      await client.query(`update audit_streams set transaction = '0', message_id = null`)
    // Receivers of the audit trail ignore an event whose id they know from a later point than that of the backup.
    await client.query(
      `select setval(pg_get_serial_sequence('audit_events', 'id'), coalesce(max(id), 0) + 1000000) from audit_events`,
    )
    await client.query(
      `insert into audit_events (type, actor_kind, actor_id, detail)
       values ('server.restored', 'operator', 'command-line', '{}')`,
    )
    await client.query('commit')
    return { grants, sessions, operatorTokens }
  } finally {
    await client.end()
  }
}
