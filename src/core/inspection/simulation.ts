import type { ConsentStore } from '../authorization/consents.ts'
import { type TokenLifetimes, tokenLifetimeOf } from '../clients/token-lifetime.ts'
import { isClientIdShaped } from '../crypto/identifiers.ts'
import type { Narrowing } from '../grants/approval.ts'
import type { GrantStore } from '../grants/store.ts'
import type { PermissionCatalogue } from '../language/permission-catalogue.ts'
import { found, NotFound } from '../language/service-errors.ts'
import type { Organizations } from '../organizations/organizations.ts'
import type { Users } from '../people/users.ts'
import { type Person, type Simulation, simulate } from './simulation-rules.ts'

/** A simulated token request. */
export interface SimulatedRequest extends Narrowing {
  clientId: string
  organizationId: string
  /** null: the app acts for itself */
  userId: string | null
  /** A user who is not a member is an unknown one. */
  membersOnly?: boolean
}

/** Computes what an app would get in an organization now, and why. Reads only; issues nothing. */
export const createSimulations = (deps: {
  grants: Pick<GrantStore, 'loadInstall'>
  consents: Pick<ConsentStore, 'memberships' | 'workspaces'>
  users: Pick<Users, 'read'>
  organizations: Pick<Organizations, 'read'>
  lifetimes: TokenLifetimes
  catalogue: Pick<PermissionCatalogue, 'names'>
}) => {
  const { grants, consents, users, organizations, lifetimes, catalogue } = deps

  /** A consent counts for the install that it was given to. */
  const personOf = async (
    { userId, clientId, organizationId, membersOnly = false }: SimulatedRequest,
    installId: string | undefined,
  ): Promise<Person | null> => {
    if (userId === null) return null
    const [user, memberships] = await Promise.all([
      users.read(userId),
      consents.memberships(userId, clientId),
    ])
    const membership = memberships.find((one) => one.organizationId === organizationId)
    if (membersOnly && !membership) throw new NotFound('user')
    const consent = membership?.consent ?? null
    return {
      isDisabled: user.disabled,
      isMember: membership !== undefined,
      consent: consent?.installId === installId ? consent : null,
    }
  }

  return {
    /** @throws NotFound app, organization, user */
    run: async (supposed: SimulatedRequest): Promise<Simulation> => {
      const { clientId, organizationId, userId, membersOnly: _, ...requested } = supposed
      await organizations.read(organizationId)
      const loaded = found(
        isClientIdShaped(clientId)
          ? await grants.loadInstall(clientId, organizationId, userId)
          : null,
        'app',
      )
      const { app, install } = loaded
      const person = await personOf(supposed, install?.installId)
      const workspaces = await consents.workspaces(organizationId, userId ?? '')
      return simulate(
        {
          app,
          install: install && {
            permissions: install.installPermissions,
            workspaceIds: install.installWorkspaceIds,
            paused: install.paused,
            keptOut: install.keptOut,
          },
          person,
          workspaces,
          lifetime: tokenLifetimeOf(app, lifetimes),
        },
        requested,
        catalogue.names(app.interface),
      )
    },
  }
}

export type Simulations = ReturnType<typeof createSimulations>
