import { vocabulary } from '../../src/core/language/permissions.ts'
import { part } from './choices.ts'
import type { Day, DayApp, DayFamily } from './day.ts'
import { type Ask, approvedNow, type Reach } from './rules.ts'
import type { Wish } from './steps.ts'

export const everything: Ask = { permissions: null, workspaceIds: null }

const approvedFor = (day: Day, app: DayApp, family: DayFamily | null): Reach => {
  const install = family?.install ?? app.install
  if (!install) return { permissions: [], workspaceIds: [] }
  return approvedNow(app, install, family, day.workspaceIds)
}

const firstBeyond = (all: readonly string[], own: readonly string[]) =>
  all.find((one) => !own.includes(one))
const orNull = (list: string[]) => (list.length === 0 ? null : list)

/** The meaning of a wish for this family, or for the app itself, at this time. */
export const askOf = (
  day: Day,
  app: DayApp,
  family: DayFamily | null,
  wish: Wish,
  mask: number,
): Ask => {
  const { permissions, workspaceIds } = approvedFor(day, app, family)
  switch (wish) {
    case 'all':
      return everything
    case 'part':
      return {
        permissions: orNull(part(permissions, mask)),
        workspaceIds: orNull(part(workspaceIds, mask >> 3)),
      }
    case 'more permissions': {
      const beyond = firstBeyond(vocabulary[app.interface], permissions) as string
      return { permissions: [...permissions, beyond], workspaceIds: null }
    }
    case 'more workspaces': {
      const beyond = firstBeyond(day.workspaceIds, workspaceIds) ?? 'wksNone'
      return { permissions: null, workspaceIds: [...workspaceIds, beyond] }
    }
  }
}
