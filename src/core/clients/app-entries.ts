// One redirect URI, permission or key of an app at a time, so that two operators do not overwrite each other's lists.
import type { Cause } from '../audit/audit.ts'
import { digestOf } from '../crypto/digests.ts'
import type { Fault } from '../language/faults.ts'
import { anyVersion, type Precondition, type Put } from '../language/precondition.ts'
import { Conflict, Invalid, NotFound, refuse } from '../language/service-errors.ts'
import type { AppPatch, Apps, RegisteredApp } from './apps.ts'
import { jwksFaults } from './client-jwks.ts'

/** A member of one of the lists. */
export interface AppEntry<Value> {
  id: string
  value: Value
}

// RFC 7638 §3.2: the members that make a key, in the order of their names.
const keyMembers: Record<string, readonly string[]> = {
  RSA: ['e', 'kty', 'n'],
  EC: ['crv', 'kty', 'x', 'y'],
  OKP: ['crv', 'kty', 'x'],
}

/** The thumbprint of a public key (RFC 7638). */
const thumbprintOf = (jwk: object) => {
  const members = jwk as Record<string, unknown>
  const names = keyMembers[String(members.kty)] ?? []
  return digestOf(JSON.stringify(Object.fromEntries(names.map((name) => [name, members[name]]))))
}

interface List<Value> {
  /** For errors. */
  what: string
  /** The field of the request. */
  field: string
  idOf(value: Value): string
  of(app: RegisteredApp): readonly Value[]
  patch(values: Value[]): AppPatch
  /** The permissions in a value. */
  named(value: Value): readonly string[]
  /** Checks a new value before the app is locked. */
  faultsOf?(value: Value): Promise<Fault[]>
}

const redirectUris: List<string> = {
  what: 'redirect URI',
  field: 'redirect_uri',
  idOf: (uri) => digestOf(uri).slice(0, 22),
  of: (app) => app.redirectUris,
  patch: (uris) => {
    if (uris.length === 0)
      throw new Conflict('last_redirect_uri', 'an app needs a redirect URI; add another one first')
    return { redirectUris: uris }
  },
  named: () => [],
}

const permissions: List<string> = {
  what: 'permission',
  field: 'permission',
  idOf: (name) => name,
  of: (app) => app.permissions,
  patch: (names) => ({ permissions: names }),
  named: (name) => [name],
}

const keys: List<object> = {
  what: 'key',
  field: 'key',
  idOf: thumbprintOf,
  of: (app) => app.jwks?.keys ?? [],
  patch: (all) => ({ jwks: all.length === 0 ? null : { keys: all } }),
  named: () => [],
  faultsOf: (key) => jwksFaults({ keys: [key] }),
}

/** Faults of the whole list become faults of the one value. */
const ofOneValue = (error: unknown, field: string): unknown =>
  error instanceof Invalid
    ? new Invalid(error.faults.map((fault) => ({ ...fault, pointer: `/${field}` })))
    : error

type Deps = { apps: Pick<Apps, 'read' | 'edit'> }

const entriesOf = <Value>(list: List<Value>, { apps }: Deps) => ({
  /** In the order of the app. @throws NotFound */
  list: async (clientId: string): Promise<AppEntry<Value>[]> =>
    list.of(await apps.read(clientId)).map((value) => ({ id: list.idOf(value), value })),

  /** Adds the value at the end; one that the app has stays where it is. @throws Invalid, NotFound */
  add: async (clientId: string, value: Value, cause: Cause): Promise<Put<AppEntry<Value>>> => {
    const id = list.idOf(value)
    let created = false
    try {
      refuse((await list.faultsOf?.(value)) ?? [])
      const { permissions: present } = await apps.read(clientId)
      const patchOf = (app: RegisteredApp) => {
        const values = list.of(app)
        created = !values.some((one) => list.idOf(one) === id)
        return created ? list.patch([...values, value]) : {}
      }
      const app = await apps.edit(
        { clientId, patchOf, added: [...present, ...list.named(value)] },
        cause,
      )
      const stored = list.of(app).find((one) => list.idOf(one) === id) ?? value
      return { item: { id, value: stored }, created }
    } catch (error) {
      throw ofOneValue(error, list.field)
    }
  },

  /** @throws NotFound, PreconditionFailed, Conflict last_redirect_uri */
  remove: async (
    { clientId, id }: Record<'clientId' | 'id', string>,
    cause: Cause,
    precondition: Precondition<AppEntry<Value>> = anyVersion,
  ): Promise<void> => {
    const { permissions: present } = await apps.read(clientId)
    const patchOf = (app: RegisteredApp) => {
      const values = list.of(app)
      const value = values.find((one) => list.idOf(one) === id)
      if (value === undefined) throw new NotFound(list.what)
      precondition({ id, value })
      return list.patch(values.filter((one) => one !== value))
    }
    await apps.edit({ clientId, patchOf, added: present }, cause)
  },
})

/** One list of apps. */
export type AppEntryList<Value> = ReturnType<typeof entriesOf<Value>>

/** The lists of apps, member by member. Concurrent additions and removals all take effect. */
export const createAppEntries = (deps: Deps) => ({
  redirectUris: entriesOf(redirectUris, deps),
  permissions: entriesOf(permissions, deps),
  keys: entriesOf(keys, deps),
})

export type AppEntries = ReturnType<typeof createAppEntries>
