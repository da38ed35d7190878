import type { AuditEvent } from '../../../core/audit/audit.ts'
import { noticeRuleOf } from '../../../core/audit/notice-types.ts'
import type { SecurityNoticeStore } from '../../../core/people/security-notices.ts'
import type { Database } from '../connection/database.ts'

/** Per type and user, so that many of one type leave room for the others. */
const mostKept = 20
const mostAdmins = 100
const days = 90

/** A statement that inserts the notices of its parameter `at` for each user that they concern. */
export const insertNotices = (at: string) => `insert into security_notices
   (user_id, type, actor_id, session_id, address, organization_id, client_id, expires_at)
 select person.id, notice.type, notice.actor ->> 'id', notice."sessionId", notice.address,
   notice."organizationId", notice."clientId", now() + interval '${days} days'
   from jsonb_to_recordset(${at}::jsonb) as notice (type text, audience text, actor jsonb,
     "sessionId" text, address text, "organizationId" text, "clientId" text, "userId" text)
   cross join lateral (
     select u.id from users u where notice.audience = 'person' and u.id = notice."userId"
     union all
     (select m.user_id from members m where notice.audience = 'admins' and m.role = 'admin'
        and m.organization_id = notice."organizationId" order by m.created_at limit ${mostAdmins})
   ) person
  where (select count(*) from security_notices kept
          where kept.user_id = person.id and kept.type = notice.type) < ${mostKept}`

export const noticesOf = (events: readonly AuditEvent[]) =>
  events.flatMap((event) => {
    const rule = noticeRuleOf(event)
    return rule ? [{ ...event, ...rule }] : []
  })

export const createSecurityNoticeStore = (database: Database): SecurityNoticeStore => ({
  pending: (userId, sessionId, most) =>
    database.rows(
      `select n.id::text as id, n.type, coalesce(n.actor_id = n.user_id, false) as "isOwn",
         actor.name as actor, n.address, o.name as organization,
         coalesce(app.name, key_set.name) as client, n.created_at as "createdAt"
         from security_notices n
         left join users actor on actor.id = n.actor_id
         left join organizations o on o.id = n.organization_id
         left join apps app on app.client_id = n.client_id
         left join key_sets key_set on key_set.client_id = n.client_id
        where n.user_id = $1 and n.session_id is distinct from $2 and n.expires_at > now()
        order by n.id desc limit $3`,
      [userId, sessionId, most],
    ),

  dismiss: (userId, sessionId, through) =>
    database.run(
      `delete from security_notices
        where user_id = $1 and session_id is distinct from $2 and id <= $3::bigint`,
      [userId, sessionId, through],
    ),
})
