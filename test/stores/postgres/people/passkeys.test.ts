import t from 'tap'
import { auditEvent } from '../../../../src/core/audit/audit.ts'
import { openDatabase } from '../../../../src/stores/postgres/connection/database.ts'
import { migrate } from '../../../../src/stores/postgres/connection/migrate.ts'
import { createPasskeyStore } from '../../../../src/stores/postgres/people/passkeys.ts'
import { testStores } from '../../../support/stores.ts'

const event = auditEvent(
  { actor: { kind: 'user', id: 'usr1' }, address: null, requestId: null },
  'passkey.added',
)
const passkey = (number: number) => ({
  id: `psk${number}`,
  userId: 'usr1',
  name: `Number ${number}`,
  credentialId: `credential-${number}`,
  publicKey: new Uint8Array([1, 2, number]),
  counter: 0,
  transports: ['internal', 'hybrid'],
})

for (const stores of await testStores()) {
  t.test(`passkeys (${stores.name})`, async (t) => {
    await migrate(stores.databaseUrl)
    const database = openDatabase({
      url: stores.databaseUrl,
      poolSize: 10,
      timeout: 10_000,
      onError: () => undefined,
    })
    t.teardown(async () => {
      await database.close()
      await stores.drop()
    })
    await database.query("insert into users (id, email, name) values ('usr1', 'a@b.test', 'A')")
    const store = createPasskeyStore(database)

    t.test('concurrent additions do not exceed the limit', async (t) => {
      const added = await Promise.all(
        Array.from({ length: 9 }, (_, number) => store.insert(passkey(number), 5, event)),
      )
      t.equal(added.filter(Boolean).length, 5)
      t.equal((await store.list('usr1')).length, 5)
    })

    t.test('a credential is stored unchanged, and once', async (t) => {
      const [first] = await store.list('usr1')
      const number = Number(first?.id.slice(3))
      t.match(await store.byCredential(`credential-${number}`), {
        userId: 'usr1',
        counter: 0,
        transports: ['internal', 'hybrid'],
      })
      const { publicKey } = (await store.byCredential(`credential-${number}`)) ?? {}
      t.same([...(publicKey ?? [])], [1, 2, number])
      t.equal(await store.insert({ ...passkey(number), id: 'psk99' }, 99, event), false)
      t.equal(await store.byCredential('unknown'), null)
    })

    t.test(
      'a counter only increases, and of concurrent equal answers one is accepted',
      async (t) => {
        const credentialId = (await store.list('usr1'))[1]?.credentialId ?? ''
        const used = (counter: number) => store.used(credentialId, counter)
        t.equal(await used(0), true, 'none')
        t.equal(await used(0), true, 'still zero')
        const many = await Promise.all(Array.from({ length: 10 }, () => used(7)))
        t.equal(many.filter(Boolean).length, 1)
        t.equal(await used(7), false)
        t.equal(await used(0), false, 'back to zero')
        t.equal(await used(8), true)
        t.equal(await used(4_294_967_295), true, 'the maximum')
        t.equal(await store.used('unknown', 9), false)
      },
    )

    t.test('only the owner renames and removes a passkey', async (t) => {
      const id = (await store.list('usr1'))[0]?.id ?? ''
      const removed = { id, keep: null, event, ended: () => event }
      t.equal(await store.rename({ userId: 'usr2', id, name: 'Mine', event }), false)
      t.equal(await store.remove({ userId: 'usr2', ...removed }), false)
      t.equal(await store.rename({ userId: 'usr1', id, name: 'Mine', event }), true)
      t.equal(await store.remove({ userId: 'usr1', ...removed }), true)
      t.equal(await store.remove({ userId: 'usr1', ...removed }), false)
    })
  })
}
