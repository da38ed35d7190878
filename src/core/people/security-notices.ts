import type { NoticeType } from '../audit/notice-types.ts'
import type { Session } from './session.ts'

/** A new access to the account that the user has not read of yet. */
export interface SecurityNotice {
  id: string
  type: NoticeType
  /** The user did it, or an attacker signed in as the user. */
  isOwn: boolean
  /** Name of the user who did it. */
  actor: string | null
  address: string | null
  organization: string | null
  /** Name of the app or key set. */
  client: string | null
  createdAt: Date
}

export interface SecurityNoticeStore {
  /** Newest first, without those that this session caused. */
  pending(userId: string, sessionId: string, most: number): Promise<SecurityNotice[]>
  /** Dismisses the notices up to this id. */
  dismiss(userId: string, sessionId: string, through: string): Promise<void>
}

/** As many as a page shows at once. */
const most = 5
const idShape = /^\d{1,18}$/

export const createSecurityNotices = (store: SecurityNoticeStore) => ({
  pending: async ({ id, user, hasNotices }: Session) =>
    hasNotices ? store.pending(user.id, id, most) : [],

  /** Dismisses the notices that the user has read, up to this id. */
  dismiss: async ({ id, user }: Session, through: string) => {
    if (idShape.test(through)) await store.dismiss(user.id, id, through)
  },
})

export type SecurityNotices = ReturnType<typeof createSecurityNotices>
