import { noNames } from '../../core/audit/activity.ts'
import type { Editable } from '../../core/language/edit-conflict.ts'
import type { Interface } from '../../core/language/permissions.ts'
import type { WorkspaceName } from '../../core/organizations/workspaces.ts'
import { actorPhrase } from '../rendering/activity/sentences.ts'
import type { EditConflict } from '../rendering/organization-page.ts'
import { describePermissions } from '../rendering/permission-list.ts'
import type { PageServices } from '../sign-in/services.ts'
import { trailReader } from './activity/reader.ts'
import { namesWithin } from './apps/items.ts'
import type { AdminVisit } from './gate.ts'

/** Describes what another person saved while this user was editing, and who it was. */
export const createEditConflict =
  ({ lastChange, memberships }: PageServices) =>
  async (
    visit: AdminVisit,
    clientId: string,
    api: Interface,
    saved: Editable,
    workspaces: readonly WorkspaceName[],
  ): Promise<EditConflict> => {
    const { text, organization, session } = visit
    const words = text.organization.editConflict
    const event = await lastChange({ organizationId: organization.id, clientId }, saved)
    const people = await memberships.names(event?.actor.id ? [event.actor.id] : [])
    const names = { ...noNames, people }
    const who = event && actorPhrase(trailReader(visit), { event, names })
    const isOwn = event?.actor.kind === 'user' && event.actor.id === session.user.id
    return {
      heading: words.heading(
        isOwn ? [words.you] : who,
        event ? text.organization.moment(event.at) : '',
      ),
      name: saved.name ?? null,
      description: saved.description ?? null,
      permissionGroups: describePermissions(visit, api, saved.permissions),
      workspaces: namesWithin(api, saved.workspaceIds, workspaces),
    }
  }
