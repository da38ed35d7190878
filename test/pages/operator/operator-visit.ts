import type { Running } from '../../support/latchkey.ts'
import { signedIn } from '../../support/signed-in.ts'
import type { StoreSetup } from '../../support/stores.ts'
import { sql } from '../../support/traces.ts'
import type { Visitor } from '../../support/visitor.ts'
import { password } from '../../support/world.ts'

let counter = 0

export interface Person {
  id: string
  email: string
  password: string
}

export const newPerson = async ({ operator }: Pick<Running, 'operator'>): Promise<Person> => {
  const email = `operator${++counter}@console.test`
  const { body } = await operator('POST', '/users', { email, name: 'Olga Orlova', password })
  return { id: String(body.id), email, password }
}

/** A session in which a passkey counts as shown. The ceremony itself is a test of its own, in Chromium. */
export const showPasskey = (stores: StoreSetup, { id }: Person) =>
  sql(stores, `update sessions set methods = '{password,passkey}' where user_id = '${id}'`)

/** A new operator with these permissions, signed in with a passkey. */
export const visitAs = async (
  running: Running,
  stores: StoreSetup,
  ...permissions: string[]
): Promise<{ visitor: Visitor; person: Person }> => {
  const person = await newPerson(running)
  await running.operator('PUT', `/users/${person.id}/operator`, { permissions })
  const visitor = await signedIn(running.issuer, person)
  await showPasskey(stores, person)
  return { visitor, person }
}
