import type { UserJson } from '../../../http/operator/people/users.ts'
import { fieldRefusal, type Refused } from '../console-form.ts'
import type { OperatorVisit } from '../gate.ts'

/** The ids of users who are typed as e-mail addresses or ids. */
export const personIds = async (
  { api, text, may }: OperatorVisit,
  name: string,
  typed: readonly string[],
): Promise<{ ids: string[] } | Refused> => {
  const ids: string[] = []
  for (const one of typed) {
    if (!one.includes('@')) {
      const isKnown = !may('users:read') || (await api.exists(`/users/${encodeURIComponent(one)}`))
      if (!isKnown) return fieldRefusal(name, text.faults.unknown_user)
      ids.push(one)
    } else {
      const { items } = await api.search<UserJson>('/users', { email: one })
      const [user] = items
      if (!user) return fieldRefusal(name, text.faults.unknown_user)
      ids.push(user.id)
    }
  }
  return { ids }
}

export interface NamedPerson {
  id: string
  name: string
  /** false also where the operator may not read users. */
  neverSignedIn: boolean
}

/** The e-mail addresses of users by their ids, where the operator may read them; otherwise their ids. */
export const personNames = async (
  { api, may }: OperatorVisit,
  ids: readonly string[],
): Promise<NamedPerson[]> => {
  const users = may('users:read') ? await api.each<UserJson>('/users', ids) : null
  return ids.map((id) => {
    const user = users?.get(id)
    return { id, name: user?.email ?? id, neverSignedIn: user?.has_signed_in === false }
  })
}
