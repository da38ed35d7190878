/** The pages on which owners change apps, manage webhooks, find refusals and have a sandbox. */

import { parse } from 'node-html-parser'
import pg from 'pg'
import { eventually } from '../support/eventually.ts'
import { clientCredentials } from '../support/flows.ts'
import type { Json } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { expectPage, withoutReference } from '../support/refused-page.ts'
import { filled, signedIn } from '../support/signed-in.ts'
import { sql } from '../support/traces.ts'
import type { VisitedPage, Visitor } from '../support/visitor.ts'
import { startReceiver } from '../support/webhook-receiver.ts'
import { createApp, install, type TestApp } from '../support/world.ts'
import { postFields, secretOn, wordsOf } from './organization-visit.ts'

/** The page reduced to the form with this action. */
const formAt = (page: VisitedPage, end: string): VisitedPage => {
  const form = page.dom
    .querySelectorAll('main form')
    .find((one) => one.getAttribute('action')?.endsWith(end))
  if (!form) throw new Error(`no form ${end} on ${page.url.href}: ${wordsOf(page)}`)
  return { ...page, dom: parse(`<main>${form.outerHTML}</main>`) }
}

await onEachBackend(
  'owners manage their apps',
  async (t, { running, issuer, world, stores }) => {
    const { operator } = running
    const { acme, ana, kim, zoe } = world
    const pathOf = ({ client_id }: TestApp) => `/developer/apps/${client_id}`
    const owned = (part: Record<string, unknown> = {}) =>
      createApp(running, { name: 'Letter Press', owners: [ana.id], ...part })
    const maker = await signedIn(issuer, ana)
    const stranger = await signedIn(issuer, kim)
    const change = async (visitor: Visitor, app: TestApp, fields: Record<string, string>) =>
      visitor.submit(await visitor.get(`${pathOf(app)}/change`), fields)
    const read = async ({ client_id }: TestApp): Promise<Json> =>
      (await operator('GET', `/apps/${client_id}`)).body
    const waiting = async ({ client_id }: TestApp): Promise<Json[]> =>
      (await operator('GET', '/app-changes')).body.items.filter(
        (one: Json) => one.client_id === client_id,
      )
    const wider = (app: TestApp) => `${app.redirect_uri}\nhttps://letters.example/second`

    await t.test('an owner reads why pages show no logo', async (t) => {
      const app = await owned()
      const client = new pg.Client(stores.databaseUrl)
      await client.connect()
      await client.query("update apps set logo_fault = 'svg' where client_id = $1", [app.client_id])
      await client.end()
      t.match(wordsOf(await maker.get(pathOf(app))), 'The logo is an SVG.')
      const page = await maker.submit(await maker.get(`${pathOf(app)}/change`), {
        logo_uri: 'https://letters.example/logo.svg',
      })
      t.equal(page.status, 400)
      t.match(await read(app), { logo_uri: null })
    })

    await t.test('what widens nothing is saved at once', async (t) => {
      const app = await owned()
      const form = await maker.get(`${pathOf(app)}/change`)
      t.match(wordsOf(form), 'need the approval of the operator')
      const page = await maker.submit(form, {
        name: 'Letters <2>',
        description: 'Prints',
        jwks_uri: 'https://letters.example/keys',
        policy_uri: 'https://letters.example/privacy',
        tos_uri: 'https://letters.example/terms',
      })
      t.match(wordsOf(page), 'Saved.')
      t.match(await read(app), {
        name: 'Letters <2>',
        description: 'Prints',
        jwks_uri: 'https://letters.example/keys',
        policy_uri: 'https://letters.example/privacy',
        tos_uri: 'https://letters.example/terms',
      })
      t.match(
        wordsOf(await maker.submit(await maker.get(`${pathOf(app)}/change`), {})),
        'Nothing was different',
      )
      const events = await operator('GET', `/audit?client_id=${app.client_id}&type=app.changed`)
      t.match(events.body.items[0], { actor: { kind: 'user', id: ana.id } })
    })

    await t.test(
      'what widens waits for the operator, and the owner sees the decision',
      async (t) => {
        const app = await owned({ reviewed: true })
        const requested = await change(maker, app, {
          redirect_uris: wider(app),
          reason: 'A new office',
        })
        t.match(wordsOf(requested), 'You asked the operator')
        t.match(
          wordsOf(requested),
          /Waits for the operator You asked for this.*A new office.*second/,
        )
        t.equal((await read(app)).redirect_uris.length, 1)
        const [request] = await waiting(app)
        t.match(request, { reason: 'A new office', requested_by: ana.id, outdated: false })
        const second = await change(maker, app, { name: 'Other' })
        t.match(wordsOf(second), 'Another request for this app waits')
        t.equal(second.status, 409)
        t.equal(second.dom.querySelector('#name')?.getAttribute('value'), 'Other', 'kept')
        const legal = { policy_uri: 'https://letters.example/privacy' }
        t.equal((await change(maker, app, legal)).status, 409, 'a reviewed link is a request too')
        const path = `/app-changes/${request?.id}`
        const decided = await operator('POST', path, { decision: 'approve', note: 'Welcome' })
        t.match(decided, { status: 200, body: { app: { reviewed: true } } })
        t.equal((await operator('POST', path, { decision: 'approve' })).status, 409)
        t.equal((await read(app)).redirect_uris.length, 2)
        const page = await maker.get(pathOf(app))
        t.match(wordsOf(page), /You asked for this Approved.*The operator says: Welcome/)

        const again = await change(maker, app, { name: 'Letter Press II' })
        t.match(wordsOf(again), 'Waits for the operator')
        t.match(
          wordsOf(await maker.submit(formAt(again, '/withdraw'), {})),
          'The request is withdrawn',
        )
        t.same(await waiting(app), [])
        t.match(
          wordsOf(await maker.submit(formAt(again, '/withdraw'), {})),
          'decided this request already',
        )
      },
    )

    await t.test('faults stand at their fields, and nothing is saved', async (t) => {
      const app = await owned()
      const before = await read(app)
      for (const [fields, words] of [
        [{ name: '' }, 'Give a name'],
        [{ redirect_uris: 'http://letters.example/cb' }, 'Give at least one redirect URI'],
        [{ redirect_uris: `https://letters.example/${'x'.repeat(3000)}` }, 'Give at least one'],
        [{ homepage_uri: 'javascript:alert(1)' }, 'Give an address that begins with https'],
        [{ policy_uri: 'http://letters.example/privacy' }, 'Give an address that begins'],
        [{ tos_uri: 'terms' }, 'Give an address that begins'],
        [{ jwks: '{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}' }, 'public keys only'],
        [{ jwks: 'no json' }, 'public keys only'],
        [{ jwks_uri: 'https://letters.example/keys#1' }, 'reached from the internet'],
        [{ client_type: 'other' }, 'cannot have this client type'],
      ] as [Record<string, string>, string][]) {
        const page = await change(maker, app, fields)
        t.equal(page.status, 400, JSON.stringify(fields).slice(0, 60))
        t.match(wordsOf(page), words)
      }
      t.same(await read(app), before)
    })

    await t.test('a form of an older version saves nothing', async (t) => {
      const app = await owned()
      const form = await maker.get(`${pathOf(app)}/change`)
      await operator('PATCH', `/apps/${app.client_id}`, { name: 'By the operator' })
      const page = await maker.submit(form, { name: 'By the owner' })
      t.equal(page.status, 409)
      t.match(wordsOf(page), 'Another person has changed this since you opened the page')
      t.match(wordsOf(page), /Name By the operator By the owner/)
      t.equal((await read(app)).name, 'By the operator')
    })

    await t.test(
      'webhooks are added, tested, changed, and their messages sent again',
      async (t) => {
        const receiver = await startReceiver()
        t.teardown(receiver.stop)
        const app = await owned()
        const form = await maker.get(`${pathOf(app)}/webhooks/new`)
        t.equal((await maker.submit(form, { url: 'ftp://hooks.example' })).status, 400)
        const none = await maker.submit(form, { url: receiver.url, which: 'some' })
        t.match([none.status, wordsOf(none)], [400, /Choose all events, or at least one/])
        const shown = await maker.submit(form, {
          url: receiver.url,
          which: 'all',
          description: 'Main',
        })
        t.equal(shown.status, 200)
        t.match(secretOn(shown), /^whsec_/)
        t.equal((await maker.get(shown.url.href)).status, 410, 'shown once')
        const { items } = (await operator('GET', '/webhooks?limit=100')).body
        const mine = items.filter((one: Json) => one.client_id === app.client_id)
        t.equal(mine.length, 1)
        const at = `${pathOf(app)}/webhooks/${mine[0].id}`
        t.match(wordsOf(await maker.get(pathOf(app))), /Active All events · Main/)

        await maker.submit(formAt(await maker.get(at), '/test'), {})
        await eventually(async () => /Delivered/.test(wordsOf(await maker.get(at))))
        const ids = () => receiver.received.map(({ id }) => id)
        t.equal(ids().length, 1)
        await maker.submit(formAt(await maker.get(at), '/resend'), {})
        await eventually(async () => ids().length === 2)
        t.equal(new Set(ids()).size, 1, 'under the same id')

        const edited = await maker.submit(await maker.get(`${at}/change`), {
          url: `${receiver.url}?v=2`,
          which: 'some',
          events: 'app.changed',
        })
        t.match(wordsOf(edited), /Saved\..*app\.changed/)
        const rotation = await maker.get(`${at}/rotate`)
        t.equal((await maker.submit(rotation, {})).status, 400, 'nothing is chosen in advance')
        const keep = { in_use: 'keep', retire_others_after_seconds: '86400' }
        const first = secretOn(shown)
        const replaced = secretOn(await maker.submit(rotation, keep))
        t.match(replaced, /^whsec_/)
        t.not(replaced, first)
        t.match(wordsOf(await maker.submit(rotation, keep)), /already shown|has changed since/)
        t.match(wordsOf(await maker.get(`${at}/rotate`)), 'Two secrets are active')

        await operator('PATCH', `/webhooks/${mine[0].id}`, { disabled: true })
        const stopped = await maker.get(at)
        t.match(wordsOf(stopped), 'Disabled by the operator')
        t.notOk(stopped.dom.querySelector('form[action$="/enable"]'))
        await postFields(maker, `${issuer}${at}/enable`, {})
        t.equal((await operator('GET', `/webhooks/${mine[0].id}`)).body.disabled, true)

        const deletion = await maker.get(`${at}/delete`)
        t.match(wordsOf(await maker.submit(deletion, {})), 'The webhook is deleted')
        t.equal((await operator('GET', `/webhooks/${mine[0].id}`)).status, 404)
      },
    )

    await t.test('many submissions of one form make one webhook', async (t) => {
      const app = await owned()
      const form = await maker.get(`${pathOf(app)}/webhooks/new`)
      const fields = { url: 'https://hooks.example/a', which: 'all' }
      await Promise.all(Array.from({ length: 6 }, () => maker.submit(form, fields)))
      const { items } = (await operator('GET', '/webhooks?limit=100')).body
      t.equal(items.filter((one: Json) => one.client_id === app.client_id).length, 1)
    })

    await t.test('a refusal is found by its request id, in its own app only', async (t) => {
      const [app, other] = [await owned(), await owned()]
      const refused = await clientCredentials(issuer, app, acme)
      t.equal(refused.status, 400)
      const id = refused.headers.get('x-request-id') ?? ''
      const at = (one: TestApp) => `${pathOf(one)}/requests?request_id=${encodeURIComponent(id)}`
      await eventually(async () => /not installed/.test(wordsOf(await maker.get(at(app)))))
      const page = await maker.get(at(app))
      t.match(wordsOf(page), /the app is not installed here/)
      t.match(wordsOf(page), id)
      t.notMatch(page.text, acme, 'no organization is named')
      t.match(wordsOf(await maker.get(at(other))), 'no refused request with this id')
      const wrong = { ...app, client_secret: `${app.client_secret}x` }
      t.equal((await clientCredentials(issuer, wrong, acme)).status, 401)
      const latest = `${pathOf(app)}/requests`
      await eventually(async () => /the secret is wrong/.test(wordsOf(await maker.get(latest))))
      t.match(wordsOf(await maker.get(latest)), 'Refused: the secret is wrong, or no longer works')
      await install(running, acme, app, { permissions: [] })
      t.equal((await clientCredentials(issuer, app, acme)).status, 200)
      await eventually(async () => /Tokens issued ?1/.test(wordsOf(await maker.get(latest))))
    })

    await t.test('an app of others is the same 404 on every page', async (t) => {
      const app = await owned()
      const theirs = await createApp(running, { name: 'Theirs', owners: [kim.id] })
      const url = 'https://hooks.example/all'
      const hook = async (client: TestApp | null) =>
        (
          await operator('POST', '/webhooks', {
            url,
            ...(client && { client_id: client.client_id }),
          })
        ).body.id
      const [foreign, operators] = [await hook(theirs), await hook(null)]
      const unknown = await maker.fetch(`${issuer}/developer/apps/app${'0'.repeat(17)}`)
      const same = withoutReference(await expectPage(t, unknown, 404, 'unknown'))
      const own = await hook(app)
      const pages = ['/change', '/webhooks/new', '/requests', '/webhook-secret', `/webhooks/${own}`]
      for (const path of pages) {
        const answer = await stranger.fetch(`${issuer}${pathOf(app)}${path}`)
        t.equal(withoutReference(await expectPage(t, answer, 404, path)), same)
      }
      for (const id of [foreign, operators, 'whk0'])
        for (const path of ['', '/change', '/rotate', '/delete']) {
          const answer = await maker.fetch(`${issuer}${pathOf(app)}/webhooks/${id}${path}`)
          t.equal(withoutReference(await expectPage(t, answer, 404, path)), same)
        }
      for (const path of [
        '/change',
        '/change/withdraw',
        '/webhooks/new',
        `/webhooks/${own}/delete`,
      ]) {
        const answer = await postFields(stranger, `${issuer}${pathOf(app)}${path}`, {
          url,
          which: 'all',
        })
        t.equal(answer.status, 404, path)
      }
      for (const path of ['test', 'resend', 'enable', 'delete', 'rotate', 'change']) {
        const answer = await postFields(
          maker,
          `${issuer}${pathOf(app)}/webhooks/${foreign}/${path}`,
          {},
        )
        t.equal(answer.status, 404, path)
      }
      t.equal((await operator('GET', `/webhooks/${foreign}`)).status, 200)
    })

    await t.test('an owner has one sandbox, installs there, and deletes it', async (t) => {
      const app = await owned()
      const form = await maker.get('/developer/sandbox')
      const pages = await Promise.all(Array.from({ length: 6 }, () => maker.submit(form, {})))
      t.equal(pages.filter((page) => /The sandbox is ready/.test(wordsOf(page))).length, 1)
      const { items } = (await operator('GET', '/organizations?limit=100')).body
      const [sandbox, ...others] = items.filter((one: Json) => one.sandbox)
      t.same(others, [])
      await install(running, sandbox.id, app, { permissions: [] })
      t.equal((await clientCredentials(issuer, app, sandbox.id)).status, 200)
      t.equal((await maker.get(`/organizations/${sandbox.id}/apps`)).status, 200, 'as its admin')
      t.equal((await stranger.get(`/organizations/${sandbox.id}/apps`)).status, 404)
      const deletion = await maker.get('/developer/sandbox/delete')
      t.match(wordsOf(await maker.submit(deletion, {})), 'The sandbox is deleted')
      t.equal((await operator('GET', `/organizations/${sandbox.id}`)).status, 404)
      t.equal((await clientCredentials(issuer, app, sandbox.id)).status, 400)
      const member = await signedIn(issuer, zoe)
      t.equal((await member.get('/developer/sandbox')).status, 404, 'for owners only')
    })

    await t.test('a former owner and an old sign-in change nothing', async (t) => {
      const app = await owned()
      const forms = await Promise.all(
        ['change', 'webhooks/new'].map((part) => maker.get(`${pathOf(app)}/${part}`)),
      )
      const before = await read(app)
      await operator('PATCH', `/apps/${app.client_id}`, { owners: [kim.id] })
      const fields = { name: 'Taken', url: 'https://hooks.example/taken', which: 'all' }
      for (const form of forms) t.equal((await maker.submit(form, fields)).status, 404)
      await operator('PATCH', `/apps/${app.client_id}`, { owners: [ana.id] })
      await sql(stores, 'update sessions set authenticated_at = authenticated_at - 3600000')
      for (const form of forms) {
        const answer = await maker.fetch(form.url, { method: 'POST', body: filled(form, fields) })
        t.equal(answer.status, 303)
        t.match(answer.headers.get('location'), /^\/login\?.*again=confirm/)
      }
      for (const path of [`${pathOf(app)}/change/withdraw`, '/developer/sandbox']) {
        const answer = await postFields(maker, `${issuer}${path}`, {})
        t.match(answer.headers.get('location'), /^\/login\?.*again=confirm/, path)
      }
      t.equal((await read(app)).name, before.name)
      const { items } = (await operator('GET', '/webhooks?limit=100')).body
      t.same(
        items.filter((one: Json) => one.client_id === app.client_id),
        [],
      )
    })
  },
  { environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } },
)
