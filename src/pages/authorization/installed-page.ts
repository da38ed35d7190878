import type { Step, WorkspaceSummary } from '../../core/authorization/consent-steps.ts'
import { intersect } from '../../core/language/permissions.ts'
import { describePermissions } from '../rendering/permission-list.ts'
import { textOf } from '../rendering/reader-text.ts'
import { momentOf } from '../rendering/render.ts'
import { contextOf, organizationFrameOf, type StepPagesDependencies } from './step-frame.ts'
import type { InteractionVisit } from './visit.ts'

const namesOf = (workspaces: WorkspaceSummary[] | null) =>
  workspaces ? workspaces.map(({ name }) => name) : 'all'

/** A link to install an app that is installed there. */
export const installedPage =
  ({ renderer, catalogue, now }: StepPagesDependencies) =>
  (visit: InteractionVisit, step: Step & { kind: 'installed' }) => {
    const text = textOf(visit.request)
    const { install, role } = step.membership
    return renderer.page(
      visit.request,
      visit.reply,
      'installed',
      contextOf(visit, text.titles.installed),
      {
        ...organizationFrameOf(visit, step, now),
        mayConfirm: role === 'admin',
        since: momentOf(text, install.createdAt),
        workspaces: visit.app.interface === 'legacy' ? null : namesOf(step.approvedWorkspaces),
        permissionGroups: describePermissions(
          text,
          catalogue,
          visit.app.interface,
          intersect(visit.app.permissions, install.permissions),
        ),
      },
    )
  }
