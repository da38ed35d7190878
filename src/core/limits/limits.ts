import { OAuthError } from '../language/errors.ts'
import { networkOf } from '../language/ip-address.ts'
import { createFailureLimits } from './failure-limits.ts'
import type { LimitReason, LimitSettings } from './limit-settings.ts'
import type { CounterStore } from './records.ts'
import { createSignInLimits, nameOf, tenMinutes } from './sign-in-limits.ts'

/** The sender of a request. */
export interface Caller {
  address: string
  /**
   * The visitor's browser sent the request for a page of another site. It counts apart from the visitor's own
   * requests.
   */
  isForeignPage: boolean
}

const minute = 60 // seconds
const exportsOfOrganization = 3
/** Seconds for which an unfinished download counts: an instance that was killed never undoes its count. */
const exportCounts = 180
/** Uploaded logos of one person in ten minutes. */
const uploads = 20
/** Fetches of unknown metadata documents in ten minutes. */
const documents = { ofAddress: 20, ofHost: 100 }
/** Changes by SCIM of one organization in ten minutes: 100 in a second, lastingly. */
const provisionedChanges = 60_000

/**
 * Methods that count throw OAuthError slow_down (429) when the limit is exceeded.
 * @param reached is called with the reason of each refusal
 */
export const createLimits = (
  counters: CounterStore,
  settings: LimitSettings,
  reached: (reason: LimitReason) => void = () => undefined,
) => {
  const refusal = (resetsIn: number, reason: LimitReason) => {
    reached(reason)
    const description = 'too many attempts; try again later'
    return new OAuthError('slow_down', description, { reason, retryAfter: resetsIn })
  }

  /** Counts one event. @throws OAuthError when the limit is exceeded */
  const count = async (key: string, most: number, reason: LimitReason, window = tenMinutes) => {
    const { count, resetsIn } = await counters.hit(key, 1, window)
    if (count > most) throw refusal(resetsIn, reason)
  }

  /** Counts one event that is undone when it is done. A refused event does not stay counted. */
  const hold = async (key: string, most: number, reason: LimitReason, window = tenMinutes) => {
    const { count, resetsIn } = await counters.hit(key, 1, window)
    if (count <= most) return
    await counters.hit(key, -1, window)
    throw refusal(resetsIn, reason)
  }

  const failures = createFailureLimits<LimitReason>(counters, refusal)

  const limitOf = (most: number, reason: LimitReason, ...name: string[]) => {
    const key = nameOf(...name)
    return { key, most, reason }
  }

  const clientLimits = ({ address, isForeignPage }: Caller, clientId: string) => {
    const network = networkOf(address)
    const page = isForeignPage ? ['page'] : []
    const { clientFailures, clientFailuresPerAddress: ofAddress } = settings
    return [
      limitOf(clientFailures, 'client_failures', 'client', network, clientId, ...page),
      limitOf(ofAddress, 'client_failures_of_address', 'clients', network, ...page),
    ]
  }

  const operatorLimits = (address: string) => [
    limitOf(settings.clientFailures, 'operator_failures', 'operator', networkOf(address)),
  ]

  const undo = (key: string, window = tenMinutes) => counters.hit(key, -1, window)

  return {
    /** Counts a failed authentication of a client or resource server. Successful ones are never counted. */
    clientFailed: (caller: Caller, clientId: string, mark?: string) =>
      failures.count(clientLimits(caller, clientId), mark),

    /**
     * Counts an authentication that takes work as failed while it runs. Above a limit it waits for those that run.
     * @returns settles the count
     */
    clientAttempted: (caller: Caller, clientId: string) =>
      failures.attempt(clientLimits(caller, clientId)),

    /**
     * Refuses credentials that were wrong a moment ago, of a caller over its limit; no store is asked.
     * @param of the caller and its client id
     */
    refuseRepeatedClient: (of: () => [Caller, string], mark: () => string) =>
      failures.refuseRepeated(() => clientLimits(...of()), mark),

    /** Counts a wrong operator token. Right ones are never counted. */
    operatorFailed: (address: string, mark?: string) =>
      failures.count(operatorLimits(address), mark),

    /** Refuses an operator token that was wrong a moment ago, of an address over its limit. */
    refuseRepeatedOperator: (address: string, mark: () => string) =>
      failures.refuseRepeated(() => operatorLimits(address), mark),

    /**
     * Counts a token request of an authenticated client, before anything is consumed.
     * @param address of a public client, whose id any caller may send; null when the client has shown a secret
     */
    tokenRequested: async (clientId: string, address: string | null) => {
      if (settings.tokenRequests === 0) return
      const key = nameOf('tokens', clientId, address === null ? '' : networkOf(address))
      // An unavailable store must not refuse a request that needs no store.
      await count(key, settings.tokenRequests, 'token_requests', minute).catch((error) => {
        if (error instanceof OAuthError) throw error
      })
    },

    ...createSignInLimits({ counters, settings, refusal, hold }),

    /**
     * Counts an authorization request that is stored until the user answers.
     * @param userId a signed-in user is counted wherever they are; null: count by address
     * @returns the key to undo the count after the answer
     */
    authorizationBegun: async (address: string, userId: string | null) => {
      const [key, reason] =
        userId === null
          ? ([nameOf('authorize', networkOf(address)), 'authorizations_of_address'] as const)
          : ([nameOf('authorize of', userId), 'authorizations_of_person'] as const)
      await hold(key, settings.authorizations, reason)
      return key
    },

    authorizationAnswered: async (countedAs: string) => {
      await undo(countedAs)
    },

    /**
     * Counts a device request of a public client, whose id any caller may send, within the limit of authorization
     * requests.
     * @param clientId a client that has shown a secret is not counted; null: no client has
     */
    deviceBegun: async (address: string, clientId: string | null) => {
      if (clientId !== null) return
      const key = nameOf('devices', networkOf(address))
      await count(key, settings.authorizations, 'devices_of_address')
    },

    /** Counts a metadata document that is fetched because an unknown client URL was sent. @param host of the URL */
    documentRequested: async (address: string, host: string) => {
      const { ofAddress, ofHost } = documents
      await count(nameOf('documents', networkOf(address)), ofAddress, 'documents_of_address')
      await count(nameOf('documents of host', host), ofHost, 'documents_of_host')
    },

    /** Counts a pushed request of a public client, whose id any caller may send, within the same limit. */
    requestPushed: (address: string, clientId: string) => {
      const key = nameOf('pushed', networkOf(address), clientId)
      return count(key, settings.authorizations, 'pushed_requests_of_address')
    },

    /** Counts a user code that a user enters, before it is looked up. @returns undoes the count when the code is right */
    userCodeTried: async (userId: string) => {
      const key = nameOf('user codes', userId)
      await hold(key, settings.userCodes, 'user_codes')
      return () => undo(key)
    },

    /** Counts a grant of a user and app that have many already. */
    authorizedAgain: (userId: string, clientId: string) =>
      count(nameOf('grants', userId, clientId), settings.grants, 'grants', minute),

    /**
     * Counts a download of an organization (null: of all, by an operator); each user may run one at a time, and each
     * organization three.
     * @returns undoes the count when the download has ended
     */
    exportBegun: async (userId: string, organizationId: string | null) => {
      const own = nameOf('exports', userId)
      const shared = nameOf('exports of', organizationId ?? '')
      await hold(own, 1, 'exports', exportCounts)
      try {
        await hold(shared, exportsOfOrganization, 'exports', exportCounts)
      } catch (error) {
        await undo(own, exportCounts)
        throw error
      }
      return () => Promise.all([own, shared].map((key) => undo(key, exportCounts)))
    },

    /** Counts a request of a user who forgot their password; for any address, known or not. */
    passwordRequested: (address: string) => {
      const key = nameOf('password requests', networkOf(address))
      return count(key, settings.passwordRequests, 'password_requests')
    },

    /** Counts changes that the identity provider of an organization sends, before they are made. */
    provisioned: async (organizationId: string, changes: number) => {
      const key = nameOf('provisioned', organizationId)
      const { count, resetsIn } = await counters.hit(key, changes, tenMinutes)
      // A request that begins within the limit may exceed it, so that a whole group fits into one.
      if (count - changes < provisionedChanges) return
      await counters.hit(key, -changes, tenMinutes)
      throw refusal(resetsIn, 'provisioning')
    },

    /** Counts changes that a request has made beyond those that it listed: the next one waits for them. */
    alsoProvisioned: async (organizationId: string, changes: number) => {
      if (changes > 0)
        await counters.hit(nameOf('provisioned', organizationId), changes, tenMinutes)
    },

    /** Counts a logo, before it is read. @param by id of the user or operator token */
    logoUploaded: (by: string) => count(nameOf('logos', by), uploads, 'logo_uploads'),

    /** Counts a form of a signed-in user. */
    pagePosted: (userId: string) =>
      count(nameOf('posts', userId), settings.pagePosts, 'page_posts'),
  }
}

export type Limits = ReturnType<typeof createLimits>
