/** What the tests of a library in another language need to know of a running server. */
import { currentCode, exchangeCode } from '../support/flows.ts'
import { operatorToken } from '../support/latchkey.ts'
import type { Scene } from '../support/on-each-backend.ts'
import { registerResourceServer } from '../support/resource-server.ts'
import { createApp, install } from '../support/world.ts'

/** Registers a data API and an installed app with a user token. @returns environment variables */
export const settingsFor = async ({
  running,
  issuer,
  world,
}: Scene): Promise<Record<string, string>> => {
  const { clientId, clientSecret } = await registerResourceServer(running)
  const app = await createApp(running, { name: 'Board' })
  await install(running, world.acme, app)
  const code = await currentCode(running, app, world.ana, { organization_id: world.acme })
  const { access_token: token } = (await exchangeCode(issuer, app, code)).body
  const path = `/api/admin/v1/organizations/${world.acme}/installs/${app.client_id}`
  return {
    LATCHKEY_TEST_ISSUER: issuer,
    LATCHKEY_TEST_TOKEN_AUDIENCE: issuer,
    LATCHKEY_TEST_RESOURCE_SERVER_ID: clientId,
    LATCHKEY_TEST_RESOURCE_SERVER_SECRET: clientSecret,
    LATCHKEY_TEST_CLIENT_ID: app.client_id,
    LATCHKEY_TEST_CLIENT_SECRET: app.client_secret ?? '',
    LATCHKEY_TEST_TOKEN: token,
    LATCHKEY_TEST_ORGANIZATION: world.acme,
    LATCHKEY_TEST_WORKSPACE: world.sales,
    LATCHKEY_TEST_INSTALL: issuer + path,
    LATCHKEY_TEST_OPERATOR_TOKEN: operatorToken,
  }
}
