import type { Cause } from '../audit/audit.ts'
import { Invalid } from '../language/service-errors.ts'
import { persistently, refusal, unavailable } from './import-attempts.ts'
import type { InstallLine, LineOutcome } from './import-lines.ts'
import type { ApprovalOutcome, Installs } from './installs.ts'

/** Lines without a repeated pair of organization and app. A repeated pair begins anew, so that its lines keep their order. */
const runsOf = (lines: readonly InstallLine[]): InstallLine[][] => {
  const runs: InstallLine[][] = []
  let pairs = new Set<string>()
  for (const line of lines) {
    const pair = `${line.row.organization} ${line.row.clientId}`
    if (runs.length === 0 || pairs.has(pair)) {
      runs.push([])
      pairs = new Set()
    }
    pairs.add(pair)
    runs.at(-1)?.push(line)
  }
  return runs
}

const outcomeOf = (outcome: ApprovalOutcome): LineOutcome =>
  typeof outcome === 'string' ? { status: outcome } : refusal(outcome)

/** Stores install lines of an import. */
export const createInstallImport = (installs: Pick<Installs, 'approveMany'>) => {
  const storeRun = async (
    lines: readonly InstallLine[],
    cause: Cause,
  ): Promise<readonly LineOutcome[]> => {
    const approvals = lines.map(({ row: { organization, ...row } }) => ({
      ...row,
      organizationId: organization,
    }))
    try {
      const outcomes = await persistently(() => installs.approveMany(approvals, cause))
      return outcomes?.map(outcomeOf) ?? lines.map(() => unavailable)
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      if (lines.length === 1) return [refusal(error)]
      const outcomes: LineOutcome[] = []
      for (const line of lines) outcomes.push(...(await storeRun([line], cause)))
      return outcomes
    }
  }

  return async (lines: readonly InstallLine[], cause: Cause): Promise<LineOutcome[]> => {
    const outcomes: LineOutcome[] = []
    for (const run of runsOf(lines)) outcomes.push(...(await storeRun(run, cause)))
    return outcomes
  }
}
