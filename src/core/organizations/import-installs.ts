import type { Cause } from '../audit/audit.ts'
import { Invalid } from '../language/service-errors.ts'
import { changedHere, refusal, storedInRuns } from './import-attempts.ts'
import type { InstallLine, LineOutcome } from './import-lines.ts'
import { type SourcedLineStore, stateOf } from './import-sourced.ts'
import type { ApprovalOutcome, Installs } from './installs.ts'

const pairOf = ({ row }: InstallLine) => `${row.organization} ${row.clientId}`

const outcomeOf = (outcome: ApprovalOutcome): LineOutcome =>
  outcome === 'refused'
    ? refusal(changedHere('install'))
    : typeof outcome === 'string'
      ? { status: outcome }
      : refusal(outcome)

const sourcedLine = (line: InstallLine) => {
  const { source: _, ...row } = line.row
  return { subject: `install ${pairOf(line)}`, line: row }
}

/** Stores install lines of an import. */
export const createInstallImport = (
  installs: Pick<Installs, 'approveMany'>,
  store: SourcedLineStore,
) => {
  const approve = async (lines: readonly InstallLine[], cause: Cause) => {
    const isSourced = lines.map(({ row }) => row.source !== undefined)
    const judges = isSourced.includes(true) ? await store.judge(lines.map(sourcedLine)) : []
    const approvals = lines.map((line, at) => {
      const { organization: organizationId, ...row } = sourcedLine(line).line
      return { ...row, organizationId, judge: isSourced[at] ? judges[at] : undefined }
    })
    const stored = await installs.approveMany(approvals, cause)
    const recorded = lines.flatMap((line, at) => {
      const state = stateOf(stored.installs[at] ?? null)
      return isSourced[at] && state ? [{ ...sourcedLine(line), state }] : []
    })
    await store.record(recorded)
    return stored.outcomes.map(outcomeOf)
  }

  const storeRun = async (lines: readonly InstallLine[], cause: Cause): Promise<LineOutcome[]> => {
    try {
      return await approve(lines, cause)
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      if (lines.length === 1) return [refusal(error)]
      const outcomes: LineOutcome[] = []
      for (const line of lines) outcomes.push(...(await storeRun([line], cause)))
      return outcomes
    }
  }

  return storedInRuns(pairOf, storeRun)
}
