/**
 * A device that polls between the user's approval and the creation of the grant's family keeps
 * waiting.
 */
import t from 'tap'
import { createDeviceFlow } from '../../../src/core/authorization/device-flow.ts'
import { createKeyring } from '../../../src/core/crypto/keyring.ts'
import { createGrantIssuance, newGrantId } from '../../../src/core/grants/issue.ts'
import { beginDevice, createDeviceApp, poll } from '../../support/device.ts'
import type { TokenResponse } from '../../support/flows.ts'
import { masterKey, startLatchkey } from '../../support/latchkey.ts'
import { openTestStores } from '../../support/open-stores.ts'
import { testStores } from '../../support/stores.ts'
import { sql } from '../../support/traces.ts'
import { createWorld } from '../../support/world.ts'

const keyring = createKeyring([Buffer.from(masterKey, 'base64')])
const quiet = () => undefined

for (const setup of await testStores()) {
  void t.test(`a device polls during the approval (${setup.name})`, async (t) => {
    const running = await startLatchkey(setup)
    const stores = await openTestStores(setup)
    t.teardown(async () => {
      await stores.close()
      await running.stop()
      await setup.drop()
    })
    const { issuer } = running
    const world = await createWorld(running)
    const app = await createDeviceApp(running, world)
    const { body } = await beginDevice(issuer, app)

    const inBetween: TokenResponse[] = []
    const devices = createDeviceFlow({
      ...stores,
      keyring,
      now: Date.now,
      issuance: createGrantIssuance({
        store: stores.grants,
        families: {
          ...stores.families,
          create: async (...family) => {
            inBetween.push(await poll(issuer, app, body.device_code))
            return stores.families.create(...family)
          },
        },
        keyring,
        events: { ended: quiet, used: quiet, installUsed: quiet },
        bound: { countUpTo: 0, admit: async () => undefined, keep: async () => undefined },
      }),
    })
    const device = await devices.find(body.user_code)
    if (!device) throw new Error('no device waits')
    const [install] = await sql<{ id: string }>(
      setup,
      'select id from installs where client_id = $1',
      [app.client_id],
    )
    const settled = await devices.settle(device, {
      kind: 'approved',
      grantId: newGrantId(),
      userId: world.ana.id,
      organizationId: world.acme,
      installId: install?.id ?? '',
      appEpoch: 0,
      userEpoch: 0,
      permissions: ['records:create'],
      workspaceIds: null,
      openidScopes: [],
      signIn: null,
    })
    t.equal(settled, 'approved')
    t.match(inBetween, [{ status: 400, body: { error: 'authorization_pending' } }])
    t.equal((await poll(issuer, app, body.device_code)).status, 200)
    t.match(await poll(issuer, app, body.device_code), { body: { error: 'invalid_grant' } })
    t.match(await poll(issuer, app, body.device_code), { body: { error: 'invalid_grant' } })
  })
}
