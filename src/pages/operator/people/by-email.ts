// Users whom operators name by their e-mail addresses.
import { shownEmail } from '../../../core/people/email-address.ts'
import type { UserJson } from '../../../http/operator/people/users.ts'
import { code, linked, type Shown } from '../../rendering/forms/blocks.ts'
import type { Field } from '../../rendering/forms/form-field.ts'
import { tabUrl } from '../console-page.ts'
import type { OperatorVisit } from '../gate.ts'
import { pickedIds, pickField } from '../picked.ts'

export const personField = (visit: OperatorVisit): Field =>
  pickField(visit, 'user', 'user', visit.text.operator.forms.fields.user)

/** The call that makes the person in that field a member. @param at path of the members in the API */
export const memberCall = async (
  visit: OperatorVisit,
  at: string,
  typed: unknown,
  body: object,
) => {
  const found = await pickedIds(visit, 'user', 'user', [String(typed ?? '')])
  if ('refusal' in found) return found
  const [id = ''] = found.ids
  return { method: 'PUT' as const, path: `${at}/${encodeURIComponent(id)}`, body }
}

/** The e-mail addresses of users by their ids, where the operator may read them; otherwise their ids. */
export const personNames = async ({ api, may }: OperatorVisit, ids: readonly string[]) => {
  const users = may('users:read') ? await api.each<UserJson>('/users', ids) : null
  return ids.map((id) => {
    const user = users?.get(id)
    return {
      id,
      name: user ? shownEmail(user.email) : id,
      /** false also where the operator may not read users. */
      neverSignedIn: user?.has_signed_in === false,
    }
  })
}

/** The e-mail address of a user, where the operator may read it; otherwise the id. */
export const personName = async (visit: OperatorVisit, id: string): Promise<string> => {
  const [one] = await personNames(visit, [id])
  return one?.name ?? id
}

/** Shows a member: a link with the e-mail address, where the operator may read users; otherwise the id. */
export const memberCells = async (
  visit: OperatorVisit,
  members: readonly { user_id: string }[],
): Promise<(member: { user_id: string }) => Shown> => {
  const ids = members.map(({ user_id }) => user_id)
  const people = await personNames(visit, ids)
  const names = new Map(people.map(({ id, name }) => [id, name]))
  return ({ user_id: id }) =>
    visit.may('users:read') ? linked(names.get(id) ?? id, `${tabUrl('people')}/${id}`) : code(id)
}
