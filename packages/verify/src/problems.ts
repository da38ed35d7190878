import type { UnavailableReason, VerificationUnavailable } from './errors.ts'
import { isText } from './json.ts'
import { UnexpectedStatus } from './server.ts'
import type { Settings } from './settings.ts'

/** Where a problem was found: in requests to the server, in tokens, in the clocks, or in a requirement of the program. */
export type ProblemPart =
  | 'keys'
  | 'feed'
  | 'introspection'
  | 'metadata'
  | 'tokens'
  | 'clock'
  | 'requirement'

/** Stable words for logs and metrics. */
export type ProblemReason =
  // a request to the server failed
  | 'unreachable'
  | 'refused'
  | 'bad_answer'
  // no news of revocations for too long
  | 'stale'
  // the options do not fit the server, or the clocks differ
  | 'issuer'
  | 'audience'
  | 'clock'
  // the program uses the library wrongly
  | 'requirement'
  | 'organization'
  | 'workspace'
  | 'permission'

/** A problem of the configuration or of the server that has not passed. */
export interface Problem {
  readonly part: ProblemPart
  readonly reason: ProblemReason
  readonly since: Date
  /** How often it was found since then. */
  readonly count: number
  /** What it means, and what to do about it. */
  readonly message: string
}

export interface Problems {
  /** @param detail follows the message in the log */
  report(part: ProblemPart, reason: ProblemReason, message: string, detail?: string): void
  /** Reports a failed request. It replaces an earlier failure of the part. */
  failed(part: RequestPart, error: VerificationUnavailable): void
  /** The part is in order again, or only in this respect. */
  clear(part: ProblemPart, reason?: ProblemReason): void
  list(): Problem[]
}

type RequestPart = 'keys' | 'feed' | 'introspection'
type RequestReason = 'unreachable' | 'refused' | 'bad_answer'
const requestReasons: readonly RequestReason[] = ['unreachable', 'refused', 'bad_answer']

const advice: Record<RequestReason, string> = {
  unreachable:
    'the server does not answer in time: check `issuer` or `server`, and the network to it',
  refused:
    'the server refuses the credentials of the resource server: check `clientId` and `clientSecret`; the operator can create new ones',
  bad_answer:
    'this is not the answer of a Latchkey server: check `issuer` or `server`, and proxies on the way',
}
const keysRefused = 'the server refuses to return its keys: check `server`, and proxies on the way'

const isRequestReason = (reason: UnavailableReason): reason is RequestReason =>
  (requestReasons as readonly string[]).includes(reason)

/** The status or the code of the operating system. Other texts may contain what was sent. */
const detailOf = ({ cause }: VerificationUnavailable): string | undefined => {
  if (cause instanceof UnexpectedStatus) return `status ${cause.status}`
  const inner = cause instanceof Error ? (cause.cause ?? cause) : undefined
  const code = (inner as { code?: unknown } | undefined)?.code
  return isText(code) ? code : undefined
}

/** A problem that recurs within these milliseconds is not logged a second time. */
const quietFor = 60_000
/** Milliseconds after which a problem of tokens or of the program has passed, because no request can show that it has. */
const passesAfter = 3_600_000

interface Kept extends Problem {
  /** In `ticks`. */
  lastAt: number
}

/** The current problems. Each is logged once when it is found. */
export const createProblems = ({
  log,
  now,
  ticks,
}: Pick<Settings, 'log' | 'now' | 'ticks'>): Problems => {
  const current = new Map<string, Kept>()
  const loggedAt = new Map<string, number>()

  const write = (key: string, text: string) => {
    if (!log || ticks() - (loggedAt.get(key) ?? Number.NEGATIVE_INFINITY) < quietFor) return
    loggedAt.set(key, ticks())
    // A failing log must not stop the caller or the process.
    try {
      void Promise.resolve(log.warn(text)).catch(() => undefined)
    } catch {}
  }

  const report: Problems['report'] = (part, reason, message, detail) => {
    const key = `${part} ${reason}`
    const { since, count } = current.get(key) ?? { since: new Date(now()), count: 0 }
    current.set(key, { part, reason, since, count: count + 1, message, lastAt: ticks() })
    const where = [part, reason, detail].filter((one) => one !== undefined).join(', ')
    if (count === 0) write(key, `latchkey: ${message} (${where})`)
  }

  const clear: Problems['clear'] = (part, reason) => {
    for (const [key, one] of current)
      if (one.part === part && (reason === undefined || one.reason === reason)) current.delete(key)
  }

  return {
    report,
    clear,
    failed: (part, error) => {
      if (!isRequestReason(error.reason)) return
      for (const one of requestReasons) if (one !== error.reason) clear(part, one)
      const isOfKeys = part === 'keys' && error.reason === 'refused'
      const message = isOfKeys ? keysRefused : advice[error.reason]
      report(part, error.reason, message, detailOf(error))
    },
    list: () => {
      for (const { part, reason, lastAt } of current.values())
        if (['tokens', 'requirement'].includes(part) && ticks() - lastAt > passesAfter)
          clear(part, reason)
      return [...current.values()].map(({ lastAt, ...problem }) => problem)
    },
  }
}
