import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createKeyring } from '../../../../src/core/crypto/keyring.ts'
import { StoreUnavailable } from '../../../../src/core/language/errors.ts'
import { createAdapter } from '../../../../src/http/current/engine/adapter.ts'
import {
  newProviderCall,
  runProviderCall,
} from '../../../../src/http/current/engine/request-context.ts'
import { masterKey } from '../../../support/latchkey.ts'
import { onEachStores } from '../../../support/open-stores.ts'

const unused = () => {
  throw new Error('not in this test')
}

await onEachStores(t, 'pushed requests', async (t, { records }) => {
  const adapterOver = (over: Partial<typeof records>) =>
    createAdapter({
      findApp: unused,
      issueCode: unused,
      readIdTokenHint: unused,
      targets: { isDefault: unused, ofRequest: unused },
      records: { ...records, ...over },
      keyring: createKeyring([Buffer.from(masterKey, 'base64')]),
      now: Date.now,
      lifetimes: { current: 3600, legacy: 7200 },
      platformOrigins: [],
    })('PushedAuthorizationRequest')

  t.test('an unanswered request releases the credential that it marked as used', async (t) => {
    const id = randomUUID()
    const whole = adapterOver({})
    await whole.upsert(id, { jti: id }, 60)
    const mute = adapterOver({
      change: async (...change) => {
        await records.change(...change)
        throw new StoreUnavailable('redis')
      },
    })
    const failed = newProviderCall({})
    await t.rejects(
      runProviderCall(failed, () => mute.consume(id) as Promise<void>),
      StoreUnavailable,
    )
    t.match(await whole.find(id), { consumed: true })
    const other = newProviderCall({})
    await t.rejects(runProviderCall(other, () => whole.consume(id) as Promise<void>))
    await Promise.all(other.undo.map((work) => work()))
    t.match(await whole.find(id), { consumed: true }, 'only the request that marked it')
    for (const work of failed.undo) await work().catch(() => undefined)
    t.notOk((await whole.find(id))?.consumed ?? false)
  })
})
