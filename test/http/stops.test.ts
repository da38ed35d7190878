/** The receipt of a stop: which data APIs have read what a request has ended. */
import pg from 'pg'
import { visitAs } from '../pages/operator/operator-visit.ts'
import { postFields } from '../pages/organization-visit.ts'
import {
  authorizeUrl,
  challengeOf,
  currentCode,
  exchangeCode,
  newVerifier,
  post,
} from '../support/flows.ts'
import { type Answer, type Json, operatorAt, startLatchkey } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import {
  createKeySet,
  introspectAt,
  type ResourceServer,
  registerResourceServer,
} from '../support/resource-server.ts'
import { filled, signedIn } from '../support/signed-in.ts'
import { mainForm, type Visitor } from '../support/visitor.ts'
import { createApp, install, password } from '../support/world.ts'

/** A process of a data API. */
const createReader = (url: () => string, { authorization }: ResourceServer, reader?: string) => {
  let cursor = ''
  const ask = (more: Record<string, string>) => {
    const query = new URLSearchParams({ ...(reader !== undefined && { reader }), cursor, ...more })
    const headers = { authorization, 'user-agent': 'latchkey-verify/9.9.9 node' }
    return fetch(`${url()}/api/oauth/revocations?${query}`, { headers })
  }
  const poll = async (wait = 0) => {
    const page = (await (await ask({ wait: String(wait) })).json()) as Json
    cursor = page.cursor
  }
  return {
    poll,
    /** Reads everything, so that the next poll passes what comes. */
    settle: async () => {
      await poll()
      await poll()
    },
    close: async () => (await ask({ closing: 'true' })).status,
    ask,
  }
}

const stopOf = (answer: Answer<Json>) => answer.headers.get('latchkey-stop')

await onEachBackend(
  'the receipt of a stop',
  async (t, { stores, running, issuer, world }) => {
    const { acme, other, confidential, second, ana, kim } = world
    // Stopped while data APIs are waited for.
    const first = await startLatchkey(stores)
    let { operator } = first
    let url = first.issuer
    const reading = (api: ResourceServer, name?: string) => createReader(() => url, api, name)
    const client = new pg.Client(stores.databaseUrl)
    await client.connect()
    t.teardown(() => client.end())

    // Listed in the order of their registration.
    const one = await registerResourceServer(running, { name: 'One' })
    const two = await registerResourceServer(running, { name: 'Two' })
    const [asking, elsewhere] = await Promise.all([
      registerResourceServer(running, { name: 'Asking' }),
      registerResourceServer(running, { name: 'Elsewhere', organization_ids: [other] }),
      // Neither reads nor asks.
      registerResourceServer(running, { name: 'Unused' }),
    ])
    const single = reading(one)
    const [pod, hanging, closing] = [reading(two, 'a'), reading(two, 'b'), reading(two, 'c')]
    const foreign = reading(elsewhere, 'x')
    for (const reader of [single, pod, hanging, closing, foreign]) await reader.settle()
    await introspectAt(issuer, asking, 'lkks_no_token_of_ours_0123456789')

    const uninstall = (app = confidential, organization = acme) =>
      operator('DELETE', `/organizations/${organization}/installs/${app.client_id}`)
    const at = (id: string | null, query = '', organization = acme) =>
      operator('GET', `/organizations/${organization}/stops/${id}${query}`)
    const namesIn = ({ body }: Answer<Json>) => ({
      reached: body.reached.map((one: Json) => one.resource_server),
      waiting: body.waiting.map((one: Json) => one.resource_server),
      asks: body.asks,
    })

    const ended = await uninstall()
    t.equal(ended.status, 204)
    const stop = stopOf(ended)
    t.match(stop, /^stp[0-9a-f]{32}$/)
    const asks = [asking.clientId]
    t.same(namesIn(await at(stop)), { reached: [], waiting: [one.clientId, two.clientId], asks })
    await single.poll()
    t.same(
      namesIn(await at(stop)),
      {
        ...{ reached: [], waiting: [one.clientId, two.clientId], asks },
      },
      'an answer that was only sent does not count',
    )
    await single.poll()
    await pod.settle()
    const partly = await at(stop)
    t.same(namesIn(partly), { reached: [one.clientId], waiting: [two.clientId], asks })
    t.ok(partly.body.reached[0].seconds > 0 && partly.body.reached[0].seconds < 60)
    t.ok(Date.parse(partly.body.waiting[0].since) < Date.parse(partly.body.at))

    t.equal(await closing.close(), 204)
    t.equal((await closing.ask({ reader: 'a'.repeat(65) })).status, 400)
    const { body: readers } = await operator('GET', `/resource-servers/${two.clientId}/readers`)
    t.match(readers.items, [
      { reader: 'a', behind: 0, library: 'latchkey-verify/9.9.9' },
      { reader: 'b', behind: 1 },
    ])
    t.equal(readers.items.length, 2)

    t.test('the page', async (t) => {
      const visitor = await signedIn(issuer, kim)
      const page = await visitor.get(`/organizations/${acme}/stops/${stop}`)
      t.match(page.text, /1 of 2 data APIs have it/)
      t.match(page.text, /Has not answered for \d+ s/)
      const raw = await visitor.fetch(new URL(`${issuer}/organizations/${acme}/stops/${stop}`))
      t.equal(raw.headers.get('refresh'), '1')
      const member = await signedIn(issuer, ana)
      t.equal((await member.get(`/organizations/${acme}/stops/${stop}`)).status, 404)
    })

    t.test('who may read it', async (t) => {
      t.equal((await at(stop, '', other)).status, 404)
      t.equal((await at(`stp${'0'.repeat(32)}`)).status, 404)
      t.equal((await at(stop, '?wait=26')).status, 400)
      t.equal((await operator('GET', `/stops/${stop}`)).status, 200)
      const limited = async (organization: string) => {
        const { body } = await operator('POST', '/operator-tokens', {
          ...{ name: 'Limited', permissions: ['installs:read'], organization_ids: [organization] },
        })
        return operatorAt(issuer, body.token)('GET', `/stops/${stop}`)
      }
      t.equal((await limited(acme)).status, 200)
      t.equal((await limited(other)).status, 404)
    })

    t.test('events and messages have its id', async (t) => {
      const { body } = await operator('GET', `/audit?organization_id=${acme}&type=install.ended`)
      t.equal(body.items[0].detail.stop_id, stop)
    })

    t.test('a wait is answered early, after a restart and a pruned feed too', async (t) => {
      const pending = operator('GET', `/organizations/${acme}/stops/${stop}?wait=25`)
      await first.stop()
      t.same(namesIn(await pending), { reached: [one.clientId], waiting: [two.clientId], asks })
      operator = running.operator
      url = issuer
      const began = performance.now()
      const waiting = at(stop, '?wait=25')
      await hanging.settle()
      const all = await waiting
      t.ok(performance.now() - began < 20_000)
      t.same(namesIn(all), { reached: [one.clientId, two.clientId], waiting: [], asks })
      await client.query('delete from revocations where id < (select max(id) from revocations)')
      await single.close()
      t.same(namesIn(await at(stop)), namesIn(all), 'reached stays reached')
    })

    t.test('each kind of end has the header, and nothing else has', async (t) => {
      const path = (app: Json) => `/organizations/${acme}/installs/${app.client_id}`
      const app = await createApp({ operator }, {})
      await install({ operator }, acme, app)
      const keys = await createKeySet({ operator }, acme)
      const keysPath = `/organizations/${acme}/key-sets/${keys.id}`
      const person = await operator('POST', '/users', {
        email: 'new@acme.test',
        name: 'N',
        password,
      })
      const user = person.body.id
      const member = `/organizations/${acme}/members/${user}`
      const place = await operator('POST', `/organizations/${acme}/workspaces`, { name: 'Place' })
      const placed = `/workspaces/${place.body.id}/members/${user}`
      const device = { connect: 'all', public_apps: 'refuse' }
      const nothing: [string, string, unknown?][] = [
        ['PUT', member, { role: 'member' }],
        ['PUT', placed, {}],
        ['DELETE', `${path(second)}/users/${user}`],
        ['PATCH', path(app), { permissions: ['records:create', 'records:update'] }],
      ]
      const ends: [string, string, unknown?][] = [
        ['PATCH', path(app), { permissions: ['records:create'] }],
        ['PATCH', path(app), { workspace_ids: [world.sales] }],
        ['PATCH', path(app), { expires_at: new Date(Date.now() + 86_400_000).toISOString() }],
        ['PATCH', path(app), { audience: { users: [kim.id] } }],
        ['PATCH', path(app), { suspended: true }],
        ['PUT', `${path(second)}/denied/${user}`],
        ['POST', `/organizations/${acme}/suspend-all`, {}],
        ['POST', `/apps/${app.client_id}/secrets`, { end_tokens: true }],
        ['PATCH', `/apps/${app.client_id}`, { permissions: ['records:create'] }],
        ['PATCH', `/apps/${app.client_id}`, { disabled: true }],
        ['POST', `${keysPath}/rotate`, {}],
        ['PATCH', keysPath, { permissions: ['records:create'] }],
        ['DELETE', keysPath],
        ['PUT', `/organizations/${acme}/policy`, device],
        ['DELETE', placed],
        ['DELETE', `/workspaces/${place.body.id}`],
        ['DELETE', member],
        ['PATCH', `/users/${user}`, { disabled: true }],
        ['DELETE', `/users/${user}`],
        ['DELETE', path(app)],
        ['DELETE', `/apps/${app.client_id}`],
        ['DELETE', `/organizations/${other}`],
      ]
      const narrowing = nothing.pop()!
      for (const [method, to, body] of nothing) {
        const answer = await operator(method, to, body)
        t.ok(answer.status < 300, `${method} ${to}`)
        t.equal(stopOf(answer), null, `${method} ${to}`)
      }
      const narrowed = await operator(...narrowing)
      t.ok(stopOf(narrowed), 'narrowed')
      const widened = await operator('PATCH', path(app), {
        permissions: ['records:create', 'records:update', 'workspace_members:read'],
      })
      t.equal(stopOf(widened), null, 'widened')
      for (const [method, to, body] of ends) {
        const answer = await operator(method, to, body)
        t.ok(answer.status < 300, `${method} ${to} ${JSON.stringify(answer.body)}`)
        t.ok(stopOf(answer), `${method} ${to} ${JSON.stringify(body)}`)
      }
    })

    t.test('consents and revocations', async (t) => {
      const resumed = await operator('POST', `/organizations/${acme}/resume-all`, {})
      t.equal(stopOf(resumed), null)
      const code = await currentCode(running, second, ana, { organization_id: acme })
      const { body: tokens } = await exchangeCode(issuer, second, code)
      const user = `/organizations/${acme}/installs/${second.client_id}/users/${ana.id}`
      // A permission is left out when the app asks again.
      const visitor = await signedIn(issuer, ana)
      const again = { organization_id: acme, prompt: 'consent' }
      const answer = async (left: string[]) => {
        const challenge = { ...again, code_challenge: challengeOf(newVerifier()) }
        const page = await visitor.get(authorizeUrl(issuer, second, challenge))
        const body = filled(page, { decision: 'approve' })
        for (const permission of left) body.delete('permissions', permission)
        const action = new URL(mainForm(page).getAttribute('action') ?? '', page.url)
        const response = await visitor.fetch(action, { method: 'POST', body })
        t.equal(response.status, 303)
        return response.headers.get('latchkey-stop')
      }
      t.equal(await answer([]), null)
      t.ok(await answer(['records:update']), 'a narrowed consent')
      const sooner = { expires_at: new Date(Date.now() + 86_400_000).toISOString() }
      t.ok(stopOf(await operator('PATCH', user, sooner)))
      t.equal(stopOf(await operator('PATCH', user, { expires_at: null })), null)
      const revoked = await post(`${issuer}/api/oauth/revoke`, {
        ...{ token: tokens.refresh_token, client_id: second.client_id },
        client_secret: second.client_secret,
      })
      t.ok(revoked.headers.get('latchkey-stop'))
      t.ok(stopOf(await operator('DELETE', user)))
      t.equal(stopOf(await operator('DELETE', user)), null)
    })

    t.test('the pages of a user and of an operator lead to it', async (t) => {
      /** @returns the page to which the notice leads after the form; null: to none */
      const receipt = async (visitor: Visitor, url: string, fields: Record<string, string>) => {
        const ended = await postFields(visitor, url, fields)
        t.equal(ended.status, 303, url)
        t.match(ended.headers.get('latchkey-stop'), /^stp/)
        const next = await visitor.get(ended.headers.get('location') ?? '')
        const links = next.dom.querySelectorAll('.notice-next a')
        const href = links
          .map((one) => one.getAttribute('href'))
          .find((one) => one?.includes('/stops/'))
        return href === undefined ? null : { href, page: await visitor.get(href) }
      }
      const third = await createApp({ operator }, {})
      await install({ operator }, acme, third)
      await currentCode(running, third, ana, { organization_id: acme })
      const [user, stranger] = [await signedIn(issuer, ana), await signedIn(issuer, world.zoe)]
      const own = await receipt(user, `${issuer}/account/apps`, {
        ...{ client_id: third.client_id, organization_id: acme, decision: 'disconnect' },
      })
      t.match(own?.href, /^\/account\/stops\/stp/)
      t.match(own?.page.text, /of 1 data APIs have it|has it/)
      t.notMatch(own?.page.text, 'Elsewhere')
      t.equal((await stranger.get(own?.href ?? '')).status, 404)

      const disable = `${issuer}/operator/apps/${third.client_id}/disable`
      const { visitor } = await visitAs(running, stores, 'apps:read', 'apps:write')
      t.equal(await receipt(visitor, disable, {}), null, 'who may not read installs')
      await operator('PATCH', `/apps/${third.client_id}`, { disabled: false })
      const reader = await visitAs(running, stores, '*')
      const theirs = await receipt(reader.visitor, disable, {})
      t.match(theirs?.href, /^\/operator\/stops\/stp/)
      t.equal(theirs?.page.status, 200)
      t.equal((await visitor.get(theirs?.href ?? '')).status, 404)
    })

    t.test('a silent data API is reported once', async (t) => {
      await client.query(
        `update feed_readers set is_regular = true, noticed_at = now() - interval '1 hour',
      last_poll_at = now() - interval '1 hour' where resource_server = $1`,
        [two.clientId],
      )
      const find = async () =>
        (await operator('GET', '/audit?type=resource_server.silent')).body.items as Json[]
      for (let tries = 0; (await find()).length === 0 && tries < 200; tries++)
        await new Promise((resolve) => setTimeout(resolve, 100))
      const events = await find()
      t.equal(events.length, 1)
      t.match(events[0], { client_id: two.clientId, detail: { readers: 2 } })
      const metrics = async () => {
        const headers = { authorization: 'Bearer metrics-token-of-the-tests-0123' }
        return (await fetch(`${url}/metrics`, { headers })).text()
      }
      t.match(await metrics(), /feed_readers_silent 2/)
      await pod.poll()
      t.match(await metrics(), /feed_readers_silent 1/)
    })
  },
  { environment: { METRICS_TOKEN: 'metrics-token-of-the-tests-0123' } },
)
