// Users with whom the owner of a sandbox tries how members meet an app.
import { createHash } from 'node:crypto'
import { auditEvent, type Cause } from '../audit/audit.ts'
import type { EventsFrom } from '../audit/changes.ts'
import { newId } from '../crypto/identifiers.ts'
import { randomText } from '../crypto/random.ts'
import { nameFaults } from '../language/display-text.ts'
import { Conflict, found, NotFound, refuse } from '../language/service-errors.ts'
import type { Caller } from '../limits/fair-queue.ts'
import type { User } from '../people/user.ts'

/** No mail can reach the address (RFC 2606 §2). */
export type TestPerson = Pick<User, 'id' | 'email' | 'name' | 'createdAt'>

/** A test person with the password, which is shown once. */
export type NewTestPerson = Record<'email' | 'name' | 'password', string>

export const mostTestPeople = 5

export interface TestPeopleStore {
  /** The test people in the sandbox of this owner, oldest first. */
  ofOwner(ownerId: string): Promise<TestPerson[]>
  /**
   * Adds a member of the sandbox and of all its workspaces.
   * @returns 'full': the sandbox has `most` test people; 'exists': another user has the address; null: no sandbox
   */
  add(
    ownerId: string,
    person: Pick<TestPerson, 'id' | 'email' | 'name'> & { passwordHash: string },
    most: number,
    eventsOf: EventsFrom<{ organizationId: string; workspaceIds: readonly string[] }>,
  ): Promise<TestPerson | 'full' | 'exists' | null>
  /** Deletes the user. @returns false when the sandbox of the owner has no such test person */
  remove(ownerId: string, id: string, eventsOf: EventsFrom<string>): Promise<boolean>
}

export interface TestPeopleDeps {
  store: TestPeopleStore
  hashPassword(password: string, caller: Caller): Promise<string>
}

export const createTestPeople = ({ store, hashPassword }: TestPeopleDeps) => ({
  ofOwner: (ownerId: string): Promise<TestPerson[]> => store.ofOwner(ownerId),

  /**
   * Adds a member with a made-up address and password.
   * `form` is unique for each form: sent twice, it adds one person.
   * @throws Invalid, NotFound without a sandbox, Conflict sandbox_full, email_taken when the form was sent before
   */
  add: async (
    { ownerId, name, form }: Record<'ownerId' | 'name' | 'form', string>,
    cause: Cause,
  ) => {
    refuse(nameFaults('/name', name))
    const mark = createHash('sha256').update(`${ownerId} ${form}`).digest('hex').slice(0, 16)
    const email = `test-${mark}@sandbox.invalid`
    const password = randomText(18)
    const passwordHash = await hashPassword(password, { account: ownerId, address: null })
    const id = newId('user')
    const added = await store.add(
      ownerId,
      { id, email, name, passwordHash },
      mostTestPeople,
      ({ organizationId, workspaceIds }) => {
        const about = { organizationId, userId: id }
        return [
          auditEvent(cause, 'user.created', { ...about, detail: { sandbox: true } }),
          auditEvent(cause, 'member.added', { ...about, detail: { role: 'member' } }),
          ...workspaceIds.map((workspace) =>
            auditEvent(cause, 'workspace_member.added', {
              ...about,
              detail: { workspace_id: workspace },
            }),
          ),
        ]
      },
    )
    if (added === 'full') throw new Conflict('sandbox_full', 'the sandbox has no room for more')
    if (added === 'exists') throw new Conflict('email_taken', 'this person was added before')
    found(added, 'sandbox')
    return { email, name, password }
  },

  /** Deletes the user with all access. @throws NotFound */
  remove: async ({ ownerId, id }: Record<'ownerId' | 'id', string>, cause: Cause) => {
    const removed = await store.remove(ownerId, id, (organizationId) => [
      auditEvent(cause, 'user.deleted', { organizationId, userId: id }),
    ])
    if (!removed) throw new NotFound('test person')
  },
})

export type TestPeople = ReturnType<typeof createTestPeople>
