import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { type Change, given, type Patch, removal } from '../audit/changes.ts'
import { type ChosenCredentials, type NewSecret, newStoredSecret } from '../credentials/secrets.ts'
import { newId } from '../crypto/identifiers.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { faultAt } from '../language/faults.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { inOrder } from '../language/permissions.ts'
import { anyVersion, type Precondition } from '../language/precondition.ts'
import { found, refuse } from '../language/service-errors.ts'
import { appFaults } from './app-setting-rules.ts'
import {
  type AppSettings,
  auditedSettings,
  defaultSettings,
  type RequiredSettings,
} from './app-settings.ts'
import type { AcceptedDocumentState, Admission, AppStore, ChangeCondition } from './app-store.ts'
import {
  type AppChange,
  type AppPatch,
  changedApp,
  changeEvents,
  changeFaults,
  type RegisteredApp,
} from './changed-app.ts'
import { assertionFaults } from './client-jwks.ts'
import type { LivePermissionCatalogue } from './permission-catalogue.ts'
import { isTooLong, permissionFaults, shortestTooLong } from './permission-rules.ts'
import { withProfileDefaults } from './security-profile.ts'
import type { SigningAlgorithm } from './signing-algorithm.ts'
import type { TokenLifetimes } from './token-lifetime.ts'
import { type UploadRules, uploadFaults } from './uploaded-logo.ts'
import type { WorkloadRules } from './workloads.ts'

export type {
  AcceptedDocumentState,
  Admission,
  AppStore,
  ChangeCondition,
} from './app-store.ts'
export type { AppChange, AppPatch, RegisteredApp } from './changed-app.ts'

/** The settings for a registration; the others have defaults. */
export type NewApp = RequiredSettings &
  Patch<Omit<AppSettings, keyof RequiredSettings | 'disabled'>>

interface Registration {
  clientId: string
  draft: NewApp
  admitted?: boolean
  secret?: NewSecret | undefined
  document?: AcceptedDocumentState
}

interface AppEdit extends ChangeCondition {
  clientId: string
  /** Makes the patch from the stored app, under its lock, and the rule of `admittedBy`. It may throw. */
  patchOf(app: RegisteredApp, admission: Admission | null): AppPatch
  /** Permissions that the patch may add. */
  added?: readonly string[] | undefined
  /** Further events of the change. */
  events?: readonly AuditEvent[]
}

/** Registered OAuth clients. */
export const createApps = (
  options: WorkloadRules &
    UploadRules & {
      store: AppStore
      keyring: Pick<Keyring, 'digest' | 'keyIds'>
      lifetimes: TokenLifetimes
      catalogue: Pick<LivePermissionCatalogue, 'find' | 'meet'>
      /** Makes the key of an algorithm if there is none, so that it is published before an app uses it. */
      prepareKey(alg: SigningAlgorithm): Promise<unknown>
    },
) => {
  const { store, keyring, lifetimes, catalogue, prepareKey } = options

  /** What is wrong with the keys and the image that it names. */
  const namedFaults = async (named: AppPatch) => [
    ...(await assertionFaults(named, options)),
    ...(await uploadFaults(named, options)),
  ]

  /** @throws Invalid */
  const valid = (current: RegisteredApp, patch: AppPatch): AppChange => {
    const values = changedApp(current, patch)
    refuse([
      ...changeFaults(current, values.app, patch, lifetimes),
      ...permissionFaults(catalogue, current.interface, patch.permissions ?? []),
    ])
    return values
  }

  /** The change that a patch makes of an app. @throws Invalid */
  const changeBy = (
    current: RegisteredApp,
    patch: AppPatch,
    cause: Cause,
    events: readonly AuditEvent[] = [],
  ): Change<AppChange> => {
    const values = valid(current, patch)
    return { values, events: [...changeEvents(current, values.app, cause), ...events] }
  }

  /** @throws Invalid, NotFound, what `patchOf` throws, and Conflict review_decided */
  const edit = async (
    { clientId, patchOf, added = [], events = [], ...condition }: AppEdit,
    cause: Cause,
  ): Promise<RegisteredApp> => {
    await catalogue.meet(added)
    const decide = (current: RegisteredApp, admission: Admission | null) =>
      changeBy(current, patchOf(current, admission), cause, events)
    return found(await store.change(clientId, decide, condition), 'app')
  }

  /** What a change needs before the app is locked. @throws Invalid */
  const prepare = async (patch: AppPatch) => {
    refuse(await namedFaults(patch))
    await prepareKey(patch.idTokenSignedResponseAlg ?? 'ES256')
  }

  const insert = async (
    { clientId, draft, secret, document, admitted = false }: Registration,
    cause: Cause,
    write = store.insert,
  ): Promise<RegisteredApp> => {
    const chosen: AppSettings = { ...defaultSettings, ...given(draft) }
    const settings = withProfileDefaults(chosen, draft)
    await catalogue.meet(settings.permissions)
    refuse([
      ...appFaults(settings, lifetimes),
      ...permissionFaults(catalogue, settings.interface, settings.permissions),
      ...(await namedFaults(settings)),
    ])
    await prepareKey(settings.idTokenSignedResponseAlg)
    const permissions = inOrder(settings.interface, settings.permissions)
    const detail = {
      interface: settings.interface,
      client_type: settings.clientType,
      permissions,
      ...(settings.reviewed && { reviewed: true }),
      ...(settings.owners.length > 0 && { owners: settings.owners }),
      ...(settings.mayAct.length > 0 && { may_act: settings.mayAct }),
      ...auditedSettings(settings),
      ...(admitted && { admitted }),
      ...(secret && { secret_id: secret.id }),
    }
    const events = [auditEvent(cause, 'app.created', { clientId, detail })]
    const app = { ...settings, permissions, clientId, admitted, familiesEpoch: 0 }
    return write(app, secret ?? null, events, document ?? null)
  }

  return {
    /**
     * @param chosen null: no secret
     * @returns the app, and the secret of a confidential one, which cannot be read again
     * @throws Invalid, Conflict id_taken
     */
    register: async (draft: NewApp, cause: Cause, chosen: ChosenCredentials<null> = {}) => {
      const { clientId = newId('app'), clientSecret } = chosen
      const hasOne = draft.clientType === 'confidential' && clientSecret !== null
      const secret = hasOne ? newStoredSecret('app', keyring, clientSecret) : null
      const app = await insert({ clientId, draft, secret: secret?.stored }, cause)
      return { app, clientSecret: secret?.secret ?? null }
    },

    /**
     * Registers an app together with the state of its document.
     * @param write absent: as any app
     * @throws Invalid, Conflict id_taken, and what `write` throws
     */
    registerDocument: (
      app: Required<Omit<Registration, 'secret' | 'admitted'>> & Pick<Registration, 'admitted'>,
      cause: Cause,
      write?: AppStore['insert'],
    ) => insert(app, cause, write),

    /**
     * Registers an app under an id of the platform, or changes it. Settings that are left out stay.
     * @param secret of a new app; absent: it has none
     * @param admit gets the app, under its lock if there is one; false: it stays; may throw
     * @returns no app if it stays
     * @throws Invalid, Conflict id_taken
     */
    put: async (
      clientId: string,
      draft: NewApp,
      cause: Cause,
      secret?: NewSecret,
      admit: (app: RegisteredApp | null) => boolean = () => true,
    ) => {
      const { interface: generation, ...patch } = draft
      const current = await store.byId(clientId)
      if (!admit(current)) return { status: 'unchanged' as const, app: null }
      if (!current) {
        const app = await insert({ clientId, draft, secret }, cause)
        return { status: 'created' as const, app }
      }
      if (current.interface !== generation)
        refuse([faultAt('/interface', 'interface_fixed', 'cannot change')])
      await prepare(patch)
      const patchOf = (now: RegisteredApp) => (admit(now) ? patch : {})
      const app = await edit({ clientId, patchOf, added: patch.permissions }, cause)
      const hasChanged = app.updatedAt > current.updatedAt
      return { status: hasChanged ? ('updated' as const) : ('unchanged' as const), app }
    },

    /** @throws NotFound */
    read: async (clientId: string) => found(await store.byId(clientId), 'app'),

    /** Apps whose permissions are too long for a token: an earlier version has registered them. */
    listTooLong: async () => {
      const long = await store.withLongPermissions(shortestTooLong)
      return long.filter((one) => isTooLong(one.permissions))
    },

    /** Oldest first. */
    list: (page: PageRequest): Promise<Page<RegisteredApp>> => store.list(page),

    edit,
    changeBy,

    /** The app after a change, which is not written. @throws Invalid */
    preview: async (app: RegisteredApp, patch: AppPatch): Promise<RegisteredApp> => {
      refuse(await namedFaults(patch))
      await catalogue.meet(patch.permissions ?? [])
      return valid(app, patch).app
    },

    /** @throws Invalid, NotFound, PreconditionFailed */
    change: async (
      clientId: string,
      patch: AppPatch,
      cause: Cause,
      precondition: Precondition<RegisteredApp> = anyVersion,
    ): Promise<RegisteredApp> => {
      await prepare(patch)
      const patchOf = (current: RegisteredApp) => {
        precondition(current)
        return patch
      }
      return edit({ clientId, patchOf, added: patch.permissions }, cause)
    },

    /** Also deletes its secrets, installs, consents and grants. @throws NotFound, PreconditionFailed */
    remove: removal('app', store.remove, (cause, { clientId }) =>
      auditEvent(cause, 'app.deleted', { clientId }),
    ),
  }
}

export type Apps = ReturnType<typeof createApps>
