/** An answer in one tab is not lost to a concurrent answer in another. */
import t from 'tap'
import { startLatchkey } from '../support/latchkey.ts'
import { openTestStores } from '../support/open-stores.ts'
import { testStores } from '../support/stores.ts'
import { sql } from '../support/traces.ts'
import { createWorld } from '../support/world.ts'

const parallel = 20

for (const setup of await testStores()) {
  void t.test(`concurrent consents of one user are merged (${setup.name})`, async (t) => {
    const running = await startLatchkey(setup)
    const stores = await openTestStores(setup)
    t.teardown(async () => {
      await stores.close()
      await running.stop()
      await setup.drop()
    })
    const { acme, ana, confidential } = await createWorld(running)
    const clientId = confidential.client_id
    const [install] = await sql<{ id: string }>(
      setup,
      'select id from installs where client_id = $1',
      [clientId],
    )
    const workspaces = Array.from({ length: parallel }, (_, at) => `ws${at}`)
    await Promise.all(
      workspaces.map((id) =>
        stores.consents.remember(
          { userId: ana.id, organizationId: acme, clientId },
          (before) => ({
            installId: install?.id ?? '',
            offered: [],
            permissions: [],
            resources: null,
            openidScopes: [],
            offeredWorkspaceIds: null,
            workspaceIds: [...(before?.workspaceIds ?? []), id],
          }),
          {
            granted: { type: 'consent.granted', actor: { kind: 'user', id: ana.id } },
            expired: { type: 'connection.ended', actor: { kind: 'system', id: null } },
          },
        ),
      ),
    )
    const memberships = await stores.consents.memberships(ana.id, clientId)
    t.same([...(memberships[0]?.consent?.workspaceIds ?? [])].sort(), workspaces.sort())
  })
}
