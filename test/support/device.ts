import { credentials, post } from './flows.ts'
import type { Running } from './latchkey.ts'
import { createVisitor, type VisitedPage, type Visitor } from './visitor.ts'
import { createApp, install, type TestApp, type World } from './world.ts'

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** A public app for the command line, installed in Acme. */
export const createDeviceApp = async (
  running: Pick<Running, 'operator'>,
  world: Pick<World, 'acme'>,
  part: Record<string, unknown> = {},
): Promise<TestApp> => {
  const app = await createApp(running, {
    name: 'Terminal',
    client_type: 'public',
    redirect_uris: ['http://127.0.0.1/cb'],
    device_flow: true,
    ...part,
  })
  await install(running, world.acme, app)
  return app
}

/** RFC 8628 §3.1. */
export const beginDevice = (
  url: string,
  app: TestApp,
  more: Record<string, string | string[] | undefined> = {},
) => post(`${url}/api/oauth/device_authorization`, { ...credentials(app), ...more })

/** RFC 8628 §3.4. */
export const poll = (
  url: string,
  app: TestApp,
  deviceCode: string,
  more: Record<string, string | string[] | undefined> = {},
) =>
  post(`${url}/api/oauth/token`, {
    grant_type: deviceGrant,
    device_code: deviceCode,
    ...credentials(app),
    ...more,
  })

/** Enters a code on the page, in a signed-in browser. */
export const enterCode = async (visitor: Visitor, userCode: string): Promise<VisitedPage> =>
  visitor.submit(await visitor.get('/activate'), { user_code: userCode })

/** Signs in, enters the code and decides; returns the last page. */
export const answerDevice = async (
  running: Pick<Running, 'issuer'>,
  person: { email: string; password: string },
  userCode: string,
  decision: 'approve' | 'deny' = 'approve',
): Promise<VisitedPage> => {
  const visitor = createVisitor(running.issuer)
  let page = await visitor.get('/activate')
  page = await visitor.submit(page, { email: person.email, password: person.password })
  page = await visitor.submit(page, { user_code: userCode })
  return visitor.submit(page, { decision })
}
