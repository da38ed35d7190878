import type { UserJson } from '../../../http/operator/people/users.ts'
import { tabUrl } from '../console-page.ts'
import type { OperatorVisit } from '../gate.ts'

export const personPath = `${tabUrl('people')}/:user_id`

export const personUrl = (id: string) => `${tabUrl('people')}/${id}`

/** @throws NotFound */
export const readUser = async ({ api, parameter }: OperatorVisit) => {
  const read = await api.readVersion<UserJson>(`/users/${parameter('user_id')}`)
  return { ...read, url: personUrl(read.item.id), subject: read.item.name }
}
