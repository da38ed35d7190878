import t from 'tap'
import { createLimits } from '../../../src/core/limits/limits.ts'
import { createOwnPassword } from '../../../src/core/people/own-password.ts'
import { createPasswordSignIn } from '../../../src/core/people/password-sign-in.ts'
import { createPasswords } from '../../../src/core/people/passwords.ts'
import { createSessions } from '../../../src/core/people/sessions.ts'
import type { UserPatch } from '../../../src/core/people/user.ts'
import { createUsers } from '../../../src/core/people/users.ts'
import { generousLimits } from '../../support/generous-limits.ts'
import { onEachStores } from '../../support/open-stores.ts'

const from = {
  actor: { kind: 'anonymous', id: null },
  rights: 'self',
  address: null,
  requestId: null,
} as const
const [password, next, reset] = [
  'the previous password',
  'the thief’s password',
  'the operator’s password',
]

await onEachStores(t, `one's own password`, async (t, stores) => {
  const passwords = createPasswords(() => 0) // The clock stands still, so the server refuses nobody for having waited.
  const limits = createLimits(stores.counters, generousLimits)
  /** Runs between the check of the current password and the write of the new one. */
  let meanwhile = async (): Promise<unknown> => undefined
  /** Runs between that write and the renewal of the session. */
  let afterwards = async (): Promise<unknown> => undefined
  const operators = createUsers({
    serviceNames: [],
    store: stores.users,
    hashPassword: passwords.hash,
    verifyPassword: passwords.verify,
  })
  const users = createUsers({
    serviceNames: [],
    store: stores.users,
    hashPassword: async (text, caller) => {
      await meanwhile()
      return passwords.hash(text, caller)
    },
    verifyPassword: passwords.verify,
  })
  const shared = { people: stores.people, passwords, limits }
  const audit = { record: () => undefined, close: async () => undefined }
  const sessions = createSessions({ store: stores.sessions, audit })
  const { signIn } = createPasswordSignIn({ ...shared, sessions, audit, now: () => 1_000_000 })
  const ownPassword = createOwnPassword({
    ...shared,
    users: {
      changePassword: async (...change) => {
        const person = await users.changePassword(...change)
        await afterwards()
        return person
      },
    },
    sessions,
  })

  let people = 0
  const somebody = async () => {
    const email = `person${people++}@acme.test`
    const { id } = await operators.create({ email, name: 'Kim', password }, from)
    const token = (await signIn({ email, password }, from)) ?? ''
    const session = await sessions.find(token)
    if (!session) throw new Error('not signed in')
    return { id, email, token, session }
  }
  const change = async (
    session: Awaited<ReturnType<typeof somebody>>['session'],
    doing: typeof meanwhile,
  ) => {
    meanwhile = doing
    return ownPassword.change(session, { current: password, next }, from)
  }

  t.test('the session continues under a new token, with the new password', async (t) => {
    const { email, token, session } = await somebody()
    const changed = await change(session, async () => undefined)
    t.ok('token' in changed && (await sessions.find(changed.token ?? '')))
    t.equal(await sessions.find(token), null)
    t.equal(await signIn({ email, password }, from), null)
    t.ok(await signIn({ email, password: next }, from))
  })

  t.test('a concurrent reset by the operator wins', async (t) => {
    const { id, email, session } = await somebody()
    const doing = () => operators.change(id, { password: reset }, from)
    t.same(await change(session, doing), { fault: 'wrong' })
    t.equal(await signIn({ email, password: next }, from), null)
    t.ok(await signIn({ email, password: reset }, from))
  })

  t.test('a concurrent disabling wins, even if the user is enabled again', async (t) => {
    const patches: UserPatch[][] = [[{ disabled: true }], [{ disabled: true }, { disabled: false }]]
    for (const done of patches) {
      const { id, email, session } = await somebody()
      const doing = async () => {
        for (const patch of done) await operators.change(id, patch, from)
      }
      t.same(await change(session, doing), { fault: 'wrong' })
      await operators.change(id, { disabled: false }, from)
      t.equal(await signIn({ email, password: next }, from), null)
      t.ok(await signIn({ email, password }, from))
    }
  })

  t.test('a reset right afterwards ends the renewed session', async (t) => {
    const { id, session } = await somebody()
    afterwards = () => operators.change(id, { password: reset }, from)
    const changed = await change(session, async () => undefined)
    afterwards = async () => undefined
    t.ok('token' in changed)
    t.equal('token' in changed && (await sessions.find(changed.token ?? '')), null)
  })

  t.test('of concurrent changes with the same current password one succeeds', async (t) => {
    const { session } = await somebody()
    const changed = await Promise.all(
      Array.from({ length: 3 }, () => change(session, async () => undefined)),
    )
    t.equal(changed.filter((one) => 'token' in one).length, 1)
  })

  t.test('a user who is deleted meanwhile is not found', async (t) => {
    const { id, session } = await somebody()
    t.same(await change(session, () => operators.remove(id, from)), { fault: 'wrong' })
  })
})
