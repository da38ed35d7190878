/** Other servers that accept a request and never answer: what waits for them takes nothing from the others. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { startDocumentServer } from '../support/document-server.ts'
import { eventually } from '../support/eventually.ts'
import { authorizeUrl, clientCredentials, post } from '../support/flows.ts'
import { assertAt, assertingApp, nameProvider } from '../support/identity-provider.ts'
import type { Json } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { startWorkloadIssuer } from '../support/workload-issuer.ts'
import { createApp, install } from '../support/world.ts'

const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const workload = 'repo:acme/site:ref:refs/heads/main'

const startSilent = async (t: Test) => {
  const server = createServer(() => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  t.teardown(stop)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}

type Answer = { status: number; headers: Headers; body?: Json }

await onEachBackend(
  'silent sources',
  async (t, { running, issuer, world }) => {
    const { acme, ana, confidential } = world
    const { operator } = running
    // Signs what names the silent servers.
    const signer = await startWorkloadIssuer(issuer)
    t.teardown(signer.stop)
    const token = `${issuer}/api/oauth/token`

    const underWay = async () => {
      const headers = { authorization: 'Bearer metrics' }
      const text = await (await fetch(`${issuer}/metrics`, { headers })).text()
      return Number(/^latchkey_requests_under_way (\d+)/m.exec(text)?.[1])
    }
    /** Requests that wait: they occupy no slot, and others are served. Beyond them, each is refused at once. */
    const demandCalm = async (
      t: Test,
      stop: () => void,
      many: number,
      ask: (index: number) => Promise<Answer>,
    ) => {
      const refused: Answer[] = []
      const requested = [...Array(many).keys()].map(async (index) => {
        const answer = await ask(index)
        if (answer.status === 503) refused.push(answer)
        return answer
      })
      const beyond = Math.max(0, many - 20)
      await eventually(async () => refused.length >= beyond && (await underWay()) === 0)
      t.equal((await clientCredentials(issuer, confidential, acme)).status, 200, 'another client')
      t.equal(refused.length, beyond)
      for (const { headers, body } of refused) {
        t.ok(Number(headers.get('retry-after')) > 0)
        t.match(body, { error: 'temporarily_unavailable' })
      }
      stop()
      const answers = await Promise.all(requested)
      t.ok(
        answers.every(({ status }) => status >= 400),
        'all are answered',
      )
    }

    t.test('the keys of an app, at each endpoint', async (t) => {
      for (const [path, many] of [
        ['token', 200],
        ['revoke', 30],
        ['par', 30],
        ['device_authorization', 30],
      ] as const) {
        const silent = await startSilent(t)
        const app = await createApp(running, { jwks_uri: `${silent.url}/keys`, device_flow: true })
        await install(running, acme, app)
        await demandCalm(t, silent.stop, many, async () =>
          post(`${issuer}/api/oauth/${path}`, {
            grant_type: 'client_credentials',
            organization_id: acme,
            token: 'x',
            client_id: app.client_id,
            client_assertion: await signer.token({ iss: app.client_id, sub: app.client_id }),
            client_assertion_type,
          }),
        )
      }
    })

    t.test('the issuer of a workload of an app', async (t) => {
      const silent = await startSilent(t)
      const app = await createApp(running, {
        workloads: [{ issuer: silent.url, subject: workload }],
      })
      await install(running, acme, app)
      await demandCalm(t, silent.stop, 200, async () =>
        post(token, {
          grant_type: 'client_credentials',
          organization_id: acme,
          client_id: app.client_id,
          client_assertion: await signer.token({ iss: silent.url }),
          client_assertion_type,
        }),
      )
    })

    t.test('the issuer of a workload of a key set, and its request for nothing', async (t) => {
      for (const grant_type of ['client_credentials', 'refresh_token']) {
        const silent = await startSilent(t)
        const { status, body } = await operator('POST', `/organizations/${acme}/key-sets`, {
          name: 'Nightly',
          interface: 'current',
          permissions: ['records:create'],
          workloads: [{ issuer: silent.url, subject: workload }],
        })
        t.equal(status, 201)
        await demandCalm(t, silent.stop, 40, async () =>
          post(token, {
            grant_type,
            client_id: body.client_id,
            client_assertion: await signer.token({ iss: silent.url }),
            client_assertion_type,
          }),
        )
      }
    })

    t.test('the identity provider of an organization', async (t) => {
      const silent = await startSilent(t)
      const app = await assertingApp(running, world)
      await nameProvider(running, acme, { issuer: silent.url })
      const claims = { iss: silent.url, client_id: app.client_id, sub: ana.id }
      const header = { typ: 'oauth-id-jag+jwt' }
      await demandCalm(t, silent.stop, 200, async () =>
        assertAt(issuer, app, await signer.token(claims, signer.key(), header)),
      )
    })

    t.test('documents of clients', async (t) => {
      const documents = await startDocumentServer(t)
      const path = `/client-hosts/${encodeURIComponent(documents.host)}`
      await operator('PUT', path, { policy: 'review' })
      const stops: (() => void)[] = []
      const silent = (name: string) =>
        documents.script(name, (response) => void stops.push(() => response.destroy()))
      const stop = () => {
        for (const one of stops) one()
      }
      const unknown = {
        client_id: silent('/unknown'),
        client_secret: '',
        redirect_uri: 'https://a.example',
      }
      await demandCalm(t, stop, 10, () => fetch(authorizeUrl(issuer, unknown, {})))
      const url = silent('/imported')
      await demandCalm(t, stop, 4, () => operator('POST', '/apps/import', { url }))
    })
  },
  { environment: { WEBHOOK_ALLOW_PRIVATE: 'true', METRICS_TOKEN: 'metrics' } },
)
