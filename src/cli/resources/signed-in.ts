// People who are given rights before they have ever signed in.
import type { UserJson } from '../../http/operator/people/users.ts'
import { ApiRefusal, type OperatorApi } from '../operator-api.ts'
import { note, type Terminal } from '../terminal.ts'

export const neverSignedIn = (person: string) =>
  `${person} has never signed in: make sure that the address belongs to the person.`

/** Warns of owners who have never signed in, where the token may read users. */
export const warnOfOwners = async (
  api: Pick<OperatorApi, 'call'>,
  terminal: Terminal,
  owners: readonly string[],
): Promise<void> => {
  for (const id of owners)
    try {
      const path = `/users/${encodeURIComponent(id)}`
      const user = await api.call<UserJson>('GET', path)
      if (!user.has_signed_in) note(terminal, neverSignedIn(user.email))
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error
    }
}
