import { setTimeout as sleep } from 'node:timers/promises'

export interface ReadinessDependencies {
  /** One check per store; rejects when the store is unavailable or takes no writes. */
  stores: Record<string, () => Promise<void>>
  /** Configuration problems of the stores that do not stop them from working. */
  warnings(): string[]
  /** True during shutdown: the load balancer must send no new requests. */
  isClosing(): boolean
}

/** The answer of `/health/ready`. */
export interface ReadinessAnswer {
  status: 200 | 503
  body: { status: 'ok' | 'closing' | 'unavailable'; down: string[]; warnings?: string[] }
}

export type Readiness = () => Promise<ReadinessAnswer>

const checkTimeout = 1000

const isUp = (check: () => Promise<void>) => {
  const up = check().then(
    () => true,
    () => false,
  )
  return Promise.race([up, sleep(checkTimeout, false, { ref: false })])
}

/** Milliseconds for which the result of a check is reused. */
const checkedFor = 1000

/** @returns the names of unavailable stores; concurrent and close calls share one check */
const createCheck = (stores: ReadinessDependencies['stores'], now: () => number) => {
  let checked: { at: number; down: Promise<string[]> } | null = null

  const check = async () => {
    const names = Object.keys(stores)
    const up = await Promise.all(Object.values(stores).map(isUp))
    return names.filter((_, at) => !up[at])
  }

  return (): Promise<string[]> => {
    const at = now()
    if (checked === null || at - checked.at >= checkedFor) checked = { at, down: check() }
    return checked.down
  }
}

/**
 * @param now milliseconds, on a clock that never jumps
 * @returns `open` for every caller; `guarded` for the operator, with configuration problems of the stores
 */
export const createReadiness = (
  deps: ReadinessDependencies,
  now: () => number = () => performance.now(),
): { open: Readiness; guarded: Readiness } => {
  const check = createCheck(deps.stores, now)
  const open: Readiness = async () => {
    const down = await check()
    const closing = deps.isClosing()
    const ready = down.length === 0 && !closing
    const status = ready ? 'ok' : closing ? 'closing' : 'unavailable'
    return { status: ready ? 200 : 503, body: { status, down } }
  }
  return {
    open,
    guarded: async () => {
      const { status, body } = await open()
      const warnings = deps.warnings()
      return { status, body: { ...body, ...(warnings.length > 0 && { warnings }) } }
    },
  }
}

const silent: ReadinessAnswer = { status: 503, body: { status: 'unavailable', down: [] } }

/**
 * The readiness of an instance with several processes: it is ready when it has at least one and all are ready.
 * @param answers one per process; null when it did not answer in time
 */
export const mergeReadiness = (answers: readonly (ReadinessAnswer | null)[]): ReadinessAnswer => {
  const all = answers.length === 0 ? [silent] : answers.map((one) => one ?? silent)
  const worst = all.find(({ status }) => status === 503) ?? (all[0] as ReadinessAnswer)
  const names = (of: (body: ReadinessAnswer['body']) => readonly string[]) => [
    ...new Set(all.flatMap(({ body }) => of(body))),
  ]
  const warnings = names((body) => body.warnings ?? [])
  return {
    status: worst.status,
    body: {
      status: worst.body.status,
      down: names((body) => body.down),
      ...(warnings.length > 0 && { warnings }),
    },
  }
}
