import type { Cause } from '../audit/audit.ts'
import { Invalid } from '../language/service-errors.ts'
import { persistently, refusal, unavailable } from './import-attempts.ts'
import { type InstallLine, type LineOutcome, withoutRepeats } from './import-lines.ts'
import type { ApprovalOutcome, Installs } from './installs.ts'

const pairOf = ({ row }: InstallLine) => `${row.organization} ${row.clientId}`

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
    for (const run of withoutRepeats(lines, pairOf)) outcomes.push(...(await storeRun(run, cause)))
    return outcomes
  }
}
