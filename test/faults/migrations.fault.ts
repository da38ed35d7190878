/** F-17, F-18: migrations are killed on their way, run many at once, and do not wait for a Postgres for ever. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { latchkeyProcess } from '../cli/latchkey-command.ts'
import { freePort } from '../support/free-port.ts'
import { masterKey } from '../support/latchkey.ts'
import { testStores } from '../support/stores.ts'

const rounds = Number(process.env.LATCHKEY_FAULT_ROUNDS ?? 4)
const patience = 40_000

const migrating = (databaseUrl: string, command = 'migrate') =>
  latchkeyProcess([command], { DATABASE_URL: databaseUrl, LATCHKEY_MASTER_KEY: masterKey })

for (const stores of await testStores()) {
  t.test(`F-17, F-18 killed on the way, then five at once (${stores.name})`, async (t) => {
    t.teardown(() => stores.drop())
    for (let round = 0; round < rounds; round++) {
      const { child, ended } = migrating(stores.databaseUrl)
      await Promise.race([ended, sleep(300 + Math.random() * 500)])
      child.kill('SIGKILL')
      await ended
    }
    const five = [1, 2, 3, 4, 5].map(() => migrating(stores.databaseUrl).ended)
    const all = await Promise.all(five)
    t.same(
      all.map(({ code }) => code),
      [0, 0, 0, 0, 0],
    )
    const applied = all.flatMap(({ stdout }) => stdout.match(/applied \S+/g) ?? [])
    t.equal(new Set(applied).size, applied.length, 'each at most once')
    t.match(await migrating(stores.databaseUrl).ended, { code: 0, stdout: /up to date/ })
  })
}

t.test('F-17 a Postgres that is not there, or says nothing, is not waited for', async (t) => {
  const silent = createServer((socket) => socket.on('error', () => undefined))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.teardown(() => silent.close())
  const began = performance.now()
  for (const port of [await freePort(), (silent.address() as AddressInfo).port]) {
    for (const command of ['migrate', 'serve']) {
      const { code, stderr } = await migrating(`postgres://x@127.0.0.1:${port}/x`, command).ended
      t.equal(code, 1, command)
      t.match(stderr, /latchkey: Postgres cannot be reached: /)
    }
  }
  t.ok(performance.now() - began < 2 * patience, 'in time')
})
