import { createHash } from 'node:crypto'
import { OAuthError } from '../language/errors.ts'
import { networkOf } from '../language/network.ts'
import { createFailureLimits } from './failure-limits.ts'
import type { CounterStore } from './records.ts'

export interface LimitSettings {
  /** Failed client authentications per address and client in a minute. */
  clientFailures: number
  /** Failed client authentications per address in a minute, whatever the client. */
  clientFailuresPerAddress: number
  /** Wrong operator tokens per address in a minute. */
  operatorFailures: number
  /** Token requests of one client in a minute, of a public client per address; 0: as many as it likes. */
  tokenRequests: number
  /** Failed sign-ins per account and address in ten minutes. */
  signInFailures: number
  /** Failed sign-ins per address in ten minutes. */
  signInFailuresPerAddress: number
  /** Sign-ins per account and address in ten minutes, also those that succeed. */
  signIns: number
  /** The same per address. */
  signInsPerAddress: number
  /** Sessions that one person has at the same time. */
  sessions: number
  /** Authorization requests that wait for a person, per person or, when nobody is signed in, per address, in ten minutes. */
  authorizations: number
  /** Grants of one person and app in a minute, where they have many already. */
  grants: number
  /** Forms that one person sends in ten minutes. */
  pagePosts: number
  /** Wrong codes of devices that one person enters in ten minutes. */
  userCodes: number
}

/** Which limit was reached; stable, for logs and metrics. */
export const limitReasons = [
  'authorizations_of_address',
  'authorizations_of_person',
  'client_failures',
  'client_failures_of_address',
  'devices_of_address',
  'exports',
  'grants',
  'operator_failures',
  'page_posts',
  'pushed_requests_of_address',
  'sign_in_failures',
  'sign_ins',
  'sign_ins_of_address',
  'token_requests',
  'user_codes',
] as const
export type LimitReason = (typeof limitReasons)[number]

/** Where a request came from. */
export interface Caller {
  address: string
  /** The browser of a visitor sent it for a page of another site: it counts apart from what the visitor does. */
  isForeignPage: boolean
}

/** Everything here throws OAuthError slow_down (429) when there was too much. */
export interface Limits {
  /** Counts a failed authentication of a client or resource server. What succeeds is never asked about. */
  clientFailed(caller: Caller, clientId: string, mark?: string): Promise<void>
  /**
   * The refusal of credentials that were wrong a moment ago, of a caller over its limit; no store is asked.
   * @param of the caller and its client id
   */
  repeatedClientFailure(of: () => [Caller, string], mark: () => string): OAuthError | null
  /** Counts a wrong operator token. A right one is never asked about. */
  operatorFailed(address: string, mark?: string): Promise<void>
  /** The refusal of an operator token that was wrong a moment ago, of an address over its limit. */
  repeatedOperatorFailure(address: string, mark: () => string): OAuthError | null
  /**
   * Counts a token request of a client that has been authenticated, before anything is spent.
   * @param address of a public client, whose id anybody may send; null for who has shown a secret
   */
  tokenRequested(clientId: string, address: string | null): Promise<void>
  /**
   * Counts a sign-in attempt before the password is looked at. From other addresses the account stays open.
   * @param email in its one spelling
   * @returns takes it back from the failures when it succeeds; as a sign-in it stays counted
   */
  signInAttempt(address: string, email: string): Promise<() => Promise<void>>
  /** Counts a sign-in that begins without an e-mail address (provider, passkey), within the same limit of the address. */
  signInBegun(address: string): Promise<void>
  /** Takes the count back: the sign-in that began there has succeeded. */
  signInDone(address: string): Promise<void>
  /**
   * Counts an authorization request that is kept until a person has answered.
   * @param userId who is signed in is counted by name, wherever they are; null: nobody is
   * @returns what is taken back once it is answered
   */
  authorizationBegun(address: string, userId: string | null): Promise<string>
  authorizationAnswered(countedAs: string): Promise<void>
  /**
   * Counts a device of a public client, whose id anybody may send, within the limit of authorization requests.
   * @param clientId who has shown a secret is not counted; null: nobody has
   */
  deviceBegun(address: string, clientId: string | null): Promise<void>
  /** Counts a pushed request of a public client, whose id anybody may send, within the same limit. */
  requestPushed(address: string, clientId: string): Promise<void>
  /**
   * Counts a code of a device that a person enters, before it is looked at.
   * @returns takes the count back when there is such a device
   */
  userCodeTried(userId: string): Promise<() => Promise<void>>
  /** Counts a grant of a person and app who have many already. */
  authorizedAgain(userId: string, clientId: string): Promise<void>
  /** Counts a form of a person who is signed in. */
  pagePosted(userId: string): Promise<void>
  /**
   * Counts a download of the audit trail: one at a time for a person.
   * @returns takes the count back when it has ended
   */
  exportBegun(userId: string): Promise<() => Promise<void>>
}

const minute = 60
const tenMinutes = 600
/** Seconds for which a download that has not ended counts: that of an instance that was killed never does. */
const exportCounts = 180
const name = (...parts: string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)

const tooMany = (resetsIn: number, reason: LimitReason) =>
  new OAuthError('slow_down', 'too many attempts; try again later', {
    reason,
    retryAfter: resetsIn,
  })

/** @param reached hears of each refusal */
export const createLimits = (
  counters: CounterStore,
  settings: LimitSettings,
  reached: (reason: LimitReason) => void = () => undefined,
): Limits => {
  const refusal = (resetsIn: number, reason: LimitReason) => {
    reached(reason)
    return tooMany(resetsIn, reason)
  }

  /** Counts one more. @throws OAuthError when that was too many */
  const count = async (key: string, most: number, window: number, reason: LimitReason) => {
    const { count, resetsIn } = await counters.hit(key, 1, window)
    if (count > most) throw refusal(resetsIn, reason)
  }

  /** Counts one more of what is taken back when it is done; what is refused does not stay counted. */
  const hold = async (key: string, most: number, reason: LimitReason, window = tenMinutes) => {
    const { count, resetsIn } = await counters.hit(key, 1, window)
    if (count <= most) return
    await counters.hit(key, -1, window)
    throw refusal(resetsIn, reason)
  }

  const failures = createFailureLimits<LimitReason>(counters, refusal)

  const clientLimits = ({ address, isForeignPage }: Caller, clientId: string) => {
    const network = networkOf(address)
    const page = isForeignPage ? ['page'] : []
    const { clientFailures, clientFailuresPerAddress } = settings
    return [
      {
        key: name('client', network, clientId, ...page),
        most: clientFailures,
        reason: 'client_failures',
      },
      {
        key: name('clients', network, ...page),
        most: clientFailuresPerAddress,
        reason: 'client_failures_of_address',
      },
    ] as const
  }

  const operatorLimits = (address: string) =>
    [
      {
        key: name('operator', networkOf(address)),
        most: settings.operatorFailures,
        reason: 'operator_failures',
      },
    ] as const

  const signInsFrom = (address: string) => name('sign-in', networkOf(address))
  const anySignInFrom = (address: string) => name('any sign-in', networkOf(address))

  return {
    clientFailed: (caller, clientId, mark) => failures.count(clientLimits(caller, clientId), mark),

    repeatedClientFailure: (of, mark) => failures.repeated(() => clientLimits(...of()), mark),

    operatorFailed: (address, mark) => failures.count(operatorLimits(address), mark),

    repeatedOperatorFailure: (address, mark) =>
      failures.repeated(() => operatorLimits(address), mark),

    tokenRequested: async (clientId, address) => {
      if (settings.tokenRequests === 0) return
      const key = name('tokens', clientId, address === null ? '' : networkOf(address))
      // A store that is away must not refuse what would need no store.
      await count(key, settings.tokenRequests, minute, 'token_requests').catch((error) => {
        if (error instanceof OAuthError) throw error
      })
    },

    signInAttempt: async (address, email) => {
      const network = networkOf(address)
      const failures = [name('sign-in', network, email), signInsFrom(address)] as const
      const all = [name('any sign-in', network, email), anySignInFrom(address)] as const
      const add = (keys: readonly string[], by: number) =>
        Promise.all(keys.map((key) => counters.hit(key, by, tenMinutes)))
      const counted = await add([...failures, ...all], 1)
      const limits: [number, LimitReason][] = [
        [settings.signInFailures, 'sign_in_failures'],
        [settings.signInFailuresPerAddress, 'sign_in_failures'],
        [settings.signIns, 'sign_ins'],
        [settings.signInsPerAddress, 'sign_ins_of_address'],
      ]
      const reached = limits.find(([most], at) => (counted[at]?.count ?? 0) > most)
      if (reached) {
        // What is refused does not stay counted.
        await add([...failures, ...all], -1)
        throw refusal(Math.max(...counted.map((one) => one.resetsIn)), reached[1])
      }
      return async () => {
        await add(failures, -1)
      }
    },

    signInBegun: async (address) => {
      await hold(anySignInFrom(address), settings.signInsPerAddress, 'sign_ins_of_address')
      await hold(signInsFrom(address), settings.signInFailuresPerAddress, 'sign_in_failures')
    },

    signInDone: async (address) => {
      await counters.hit(signInsFrom(address), -1, tenMinutes)
    },

    authorizationBegun: async (address, userId) => {
      const [key, reason] =
        userId === null
          ? ([name('authorize', networkOf(address)), 'authorizations_of_address'] as const)
          : ([name('authorize of', userId), 'authorizations_of_person'] as const)
      await hold(key, settings.authorizations, reason)
      return key
    },

    authorizationAnswered: async (countedAs) => {
      await counters.hit(countedAs, -1, tenMinutes)
    },

    deviceBegun: async (address, clientId) => {
      if (clientId !== null) return
      const key = name('devices', networkOf(address))
      await count(key, settings.authorizations, tenMinutes, 'devices_of_address')
    },

    requestPushed: (address, clientId) => {
      const key = name('pushed', networkOf(address), clientId)
      return count(key, settings.authorizations, tenMinutes, 'pushed_requests_of_address')
    },

    userCodeTried: async (userId) => {
      const key = name('user codes', userId)
      await hold(key, settings.userCodes, 'user_codes')
      return async () => {
        await counters.hit(key, -1, tenMinutes)
      }
    },

    authorizedAgain: (userId, clientId) => {
      const key = name('grants', userId, clientId)
      return count(key, settings.grants, minute, 'grants')
    },

    exportBegun: async (userId) => {
      const key = name('exports', userId)
      await hold(key, 1, 'exports', exportCounts)
      return async () => {
        await counters.hit(key, -1, exportCounts)
      }
    },

    pagePosted: (userId) =>
      count(name('posts', userId), settings.pagePosts, tenMinutes, 'page_posts'),
  }
}
