import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import type { EventsFrom } from '../audit/changes.ts'
import type { App } from '../clients/app.ts'
import { groupedBy } from '../language/grouped.ts'
import { intersect } from '../language/permissions.ts'
import { NotFound } from '../language/service-errors.ts'
import type { InstallKey } from './install.ts'

/** A member's request for an app that no admin has answered yet. */
export interface InstallRequest {
  id: string
  app: App
  /** The member asks to connect an installed app; else to install it. */
  isInstalled: boolean
  permissions: string[]
  /** What an admitted app requires, and the ceiling of its host does not allow. */
  cut: string[]
  reason: string | null
  createdAt: Date
  user: { id: string; name: string; email: string }
}

/** All open requests of an organization for one app. An admin answers them together. */
export interface RequestedApp {
  app: App
  isInstalled: boolean
  /** The requested permissions that the app may still have. */
  permissions: string[]
  /** Those of them that the app requires, and the ceiling of its host does not allow. */
  cut: string[]
  requests: InstallRequest[]
}

/** A user's own latest request for an app that is not installed. */
export interface OwnRequest {
  app: App
  organizationId: string
  organizationName: string
  reason: string | null
  createdAt: Date
  /** null: not refused */
  refusedAt: Date | null
  /** What the admin who refused it has written. */
  refusalReason: string | null
  /** When it ended without an answer; null: it did not. */
  expiredAt: Date | null
}

type RequestKey = InstallKey & { userId: string }

/** What an admin answers to the requests for one app. */
interface Answered extends InstallKey {
  /** The requests that the admin has seen; null: all of the app. */
  ids: readonly string[] | null
  /** Why they are refused; the person reads it. */
  reason?: string | null
}

interface RequestAnswer extends Required<Answered> {
  decision: 'approved' | 'refused'
  decidedBy: string | null
}

export interface InstallRequestStore {
  /** Open requests of current members for active apps, oldest first. */
  open(organizationId: string): Promise<InstallRequest[]>
  ofUser(userId: string): Promise<OwnRequest[]>
  /**
   * Answers open requests for the app.
   * @param eventsOf makes the audit events from the requesting users
   * @returns the ids of the answered requests
   */
  answer(answer: RequestAnswer, eventsOf: EventsFrom<readonly string[]>): Promise<string[]>
  /**
   * Lets answered requests wait again, if this user has answered them and their members have asked for nothing since.
   * Their mails that are not sent yet are not sent.
   * @param eventsOf makes the audit events from the requesting users
   * @returns how many
   */
  reopen(
    requests: InstallKey & { ids: readonly string[]; decidedBy: string | null },
    eventsOf: EventsFrom<readonly string[]>,
  ): Promise<number>
  /** Withdraws the user's open request. @returns false when there is none */
  withdraw(request: RequestKey & { events: readonly AuditEvent[] }): Promise<boolean>
}

const byApp = (requests: readonly InstallRequest[]): RequestedApp[] =>
  [...groupedBy(requests, ({ app }) => app.clientId).values()].map((ofApp) => {
    const { app, isInstalled, cut: all } = ofApp[0]
    const requested = ofApp.flatMap((one) => one.permissions)
    const cut = isInstalled ? [] : intersect(all, requested)
    const permissions = intersect(app.permissions, requested)
    return { app, isInstalled, permissions, cut, requests: ofApp }
  })

/** Requests of members to their admins. An approval is an install; see `installs.ts`. */
export const createInstallRequests = ({ store }: { store: InstallRequestStore }) => {
  const answering =
    (decision: 'approved' | 'refused') =>
    async ({ ids, reason = null, ...about }: Answered, cause: Cause): Promise<string[]> => {
      const detail = reason === null ? {} : { reason }
      const eventsOf = (userIds: readonly string[]) =>
        userIds.map((userId) =>
          auditEvent(cause, `install_request.${decision}`, { ...about, userId, detail }),
        )
      const answer = { ...about, ids, decision, reason, decidedBy: cause.actor.id }
      const answered = await store.answer(answer, eventsOf)
      if (answered.length === 0) throw new NotFound('install request')
      return answered
    }

  return {
    /** Open requests by app, the app that waits longest first. */
    list: async (organizationId: string): Promise<RequestedApp[]> =>
      byApp(await store.open(organizationId)),

    /** A user's open requests, and those refused in the last 30 days. */
    own: (userId: string): Promise<OwnRequest[]> => store.ofUser(userId),

    /** @returns the ids of the refused requests @throws NotFound when none of them is open */
    refuse: answering('refused'),

    /** Lets the members who asked connect the installed app. @throws NotFound when none of them is open */
    approve: answering('approved'),

    /** Lets requests wait again that the actor has answered. @returns false when none of them can */
    reopen: async (about: InstallKey, ids: readonly string[], cause: Cause): Promise<boolean> => {
      const eventsOf = (userIds: readonly string[]) =>
        userIds.map((userId) => auditEvent(cause, 'install_request.reopened', { ...about, userId }))
      const requests = { ...about, ids, decidedBy: cause.actor.id }
      return (await store.reopen(requests, eventsOf)) > 0
    },

    /** Withdraws the user's request. @returns false when it was answered or withdrawn before */
    withdraw: (request: RequestKey, cause: Cause) => {
      const events = [auditEvent(cause, 'install_request.withdrawn', request)]
      return store.withdraw({ ...request, events })
    },
  }
}

export type InstallRequests = ReturnType<typeof createInstallRequests>
