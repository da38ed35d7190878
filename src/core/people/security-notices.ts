import type { NoticeType } from '../audit/notice-types.ts'
import type { Session } from './sessions.ts'

/** Something new that gives access, of which a person has not read yet. */
export interface SecurityNotice {
  id: string
  type: NoticeType
  /** They did it themselves, or somebody who signed in as them. */
  isOwn: boolean
  /** Name of who did it. */
  actor: string | null
  address: string | null
  organization: string | null
  /** The app or key set. */
  client: string | null
  createdAt: Date
}

export interface SecurityNoticeStore {
  /** The latest first; not those of what was done in this session. */
  pending(userId: string, sessionId: string, most: number): Promise<SecurityNotice[]>
  /** Up to this one. */
  dismiss(userId: string, sessionId: string, through: string): Promise<void>
}

export interface SecurityNotices {
  pending(session: Session): Promise<SecurityNotice[]>
  /** Those that the person has read: up to this id. */
  dismiss(session: Session, through: string): Promise<void>
}

/** As many as a page shows at once. */
const most = 5
const idShape = /^\d{1,18}$/

export const createSecurityNotices = (store: SecurityNoticeStore): SecurityNotices => ({
  pending: async ({ id, user, hasNotices }) => (hasNotices ? store.pending(user.id, id, most) : []),

  dismiss: async ({ id, user }, through) => {
    if (idShape.test(through)) await store.dismiss(user.id, id, through)
  },
})
