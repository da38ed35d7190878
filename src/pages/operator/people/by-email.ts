// Users whom operators name by their e-mail addresses.
import { shownEmail } from '../../../core/people/email-address.ts'
import type { UserJson } from '../../../http/operator/people/users.ts'
import { code, linked } from '../../rendering/forms/blocks.ts'
import type { Field } from '../../rendering/forms/form-field.ts'
import type { Cell } from '../../rendering/view-models/blocks.ts'
import { fieldRefusal, type Refused } from '../console-form.ts'
import { tabUrl } from '../console-page.ts'
import { codeField } from '../fields.ts'
import type { OperatorVisit } from '../gate.ts'

/** The id of a user who is typed as e-mail address or id; null: there is no such user. */
const idOf = async ({ api, may }: OperatorVisit, typed: string): Promise<string | null> => {
  if (typed.includes('@')) {
    const { items } = await api.search<UserJson>('/users', { email: typed })
    return items[0]?.id ?? null
  }
  const isKnown = !may('users:read') || (await api.exists(`/users/${encodeURIComponent(typed)}`))
  return isKnown ? typed : null
}

/** The ids of users who are typed as e-mail addresses or ids. */
export const personIds = async (
  visit: OperatorVisit,
  name: string,
  typed: readonly string[],
): Promise<{ ids: string[] } | Refused> => {
  const ids: string[] = []
  for (const one of typed) {
    const id = await idOf(visit, one)
    if (id === null) return fieldRefusal(name, visit.text.faults.unknown_user)
    ids.push(id)
  }
  return { ids }
}

export const personField = ({ text }: OperatorVisit): Field =>
  codeField('user', text.operator.forms.fields.user, null, { isRequired: true })

/** The call that makes the person in that field a member. @param at path of the members in the API */
export const memberCall = async (
  visit: OperatorVisit,
  at: string,
  typed: unknown,
  body: object,
) => {
  const found = await personIds(visit, 'user', [String(typed ?? '')])
  if ('refusal' in found) return found
  const [id = ''] = found.ids
  return { method: 'PUT' as const, path: `${at}/${encodeURIComponent(id)}`, body }
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
    return {
      id,
      name: user ? shownEmail(user.email) : id,
      neverSignedIn: user?.has_signed_in === false,
    }
  })
}

/** Shows a member: a link with the e-mail address, where the operator may read users; otherwise the id. */
export const memberCells = async (
  visit: OperatorVisit,
  members: readonly { user_id: string }[],
): Promise<(member: { user_id: string }) => Cell> => {
  const people = await personNames(
    visit,
    members.map(({ user_id }) => user_id),
  )
  const names = new Map(people.map(({ id, name }) => [id, name]))
  return ({ user_id: id }) =>
    visit.may('users:read') ? linked(names.get(id) ?? id, `${tabUrl('people')}/${id}`) : code(id)
}
