import type { ApiRefusal } from './api.ts'
import { fieldRefusal } from './console-form.ts'
import type { OperatorVisit } from './operator-gate.ts'

interface UserJson {
  id: string
  email: string
}

/** The ids of users who are typed as e-mail addresses or ids. */
export const personIds = async (
  { api, text }: OperatorVisit,
  name: string,
  typed: readonly string[],
): Promise<{ ids: string[] } | { refusal: ApiRefusal }> => {
  const ids: string[] = []
  for (const one of typed) {
    if (!one.includes('@')) ids.push(one)
    else {
      const { items } = await api.search<UserJson>('/users', { email: one })
      const [user] = items
      if (!user) return fieldRefusal(name, text.operator.forms.unknownPerson)
      ids.push(user.id)
    }
  }
  return { ids }
}
