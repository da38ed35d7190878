export interface ReadinessDependencies {
  /** One check for each store; rejects when it is away. */
  stores: Record<string, () => Promise<void>>
  /** What is wrong with how they are set up; they serve all the same. */
  warnings(): string[]
  /** True once the server is going down: no new traffic, please. */
  isClosing(): boolean
}

/** What `/health/ready` answers. */
export interface Ready {
  status: 200 | 503
  body: { status: 'ok' | 'closing' | 'unavailable'; down: string[]; warnings?: string[] }
}

export type Readiness = () => Promise<Ready>

const checkTimeout = 1000

const isUp = async (check: () => Promise<void>) => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('too slow')), checkTimeout)
  })
  try {
    await Promise.race([check(), late])
    return true
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}

/** Milliseconds for which one check answers everybody who asks. */
const checkedFor = 1000

/** @returns the names of the stores that are away; many who ask at once, or soon after, share one check */
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
 * @returns readiness as everybody may know it, and as the operator may: with what is wrong with how the stores are set up
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

const silent: Ready = { status: 503, body: { status: 'unavailable', down: [] } }

/**
 * The readiness of an instance of several processes: it is ready when there is one and each of them is.
 * @param answers of its processes; null: no answer in time
 */
export const mergeReadiness = (answers: readonly (Ready | null)[]): Ready => {
  const all = answers.length === 0 ? [silent] : answers.map((one) => one ?? silent)
  const worst = all.find(({ status }) => status === 503) ?? (all[0] as Ready)
  const names = (of: (body: Ready['body']) => readonly string[]) => [
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
