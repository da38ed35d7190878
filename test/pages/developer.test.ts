/** The pages on which owners of apps see them and replace their secrets. */
import pg from 'pg'
import type { Test } from 'tap'
import { eventually } from '../support/eventually.ts'
import { clientCredentials, currentCode, exchangeCode } from '../support/flows.ts'
import type { Json } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { expectPage, withoutReference } from '../support/refused-page.ts'
import { introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { filled, signedIn } from '../support/signed-in.ts'
import { sql } from '../support/traces.ts'
import { createVisitor, type VisitedPage, type Visitor } from '../support/visitor.ts'
import { createApp, install, type TestApp } from '../support/world.ts'
import { postFields, secretOn, ticked, wordsOf } from './organization-visit.ts'

const day = '86400'
const keep = { in_use: 'keep', retire_others_after_seconds: day }
const leaked = { in_use: 'leaked' }

await onEachBackend(
  'owners of apps',
  async (t, { running, issuer, world, stores }) => {
    const { operator, urls } = running
    const { acme, other, ana, kim, zoe } = world
    const pathOf = ({ client_id }: TestApp) => `/developer/apps/${client_id}`
    const setOwners = async (app: TestApp, ...owners: string[]) => {
      const { status } = await operator('PATCH', `/apps/${app.client_id}`, { owners })
      if (status !== 200) throw new Error(`PATCH: ${status}`)
    }
    const owned = async (part: Record<string, unknown> = {}) => {
      const app = await createApp(running, { name: 'Letter Press', owners: [ana.id], ...part })
      await install(running, acme, app, { permissions: part.interface ? ['readData'] : [] })
      return app
    }
    const secretsOf = async ({ client_id }: TestApp): Promise<Json[]> =>
      (await operator('GET', `/apps/${client_id}/secrets`)).body.items
    const formOf = (visitor: Visitor, app: TestApp) => visitor.get(`${pathOf(app)}/replace`)
    const answers = async (app: TestApp, secret: string | null) =>
      (await clientCredentials(issuer, { ...app, client_secret: secret ?? '' }, acme)).status
    const send = (
      visitor: Visitor,
      page: VisitedPage,
      fields: Record<string, string>,
      at = issuer,
    ) =>
      visitor.fetch(new URL(page.url.pathname, at), { method: 'POST', body: filled(page, fields) })
    const maker = await signedIn(issuer, ana)

    await t.test('a user without an app learns how to become an owner', async (t) => {
      const page = await maker.get('/developer')
      t.equal(page.status, 200)
      t.match(wordsOf(page), 'The operator of this service names the owners of each app')
      for (const path of ['/', '/account/apps', '/account/sessions'])
        t.notMatch((await maker.get(path)).text, 'href="/developer"', path)
      const answer = await createVisitor(issuer).fetch(`${issuer}/developer`)
      t.equal(answer.headers.get('location'), '/login?return_to=%2Fdeveloper')
    })

    await t.test('an owner sees the app, and its installs as numbers', async (t) => {
      const app = await owned({ name: 'Own & <b>Letters</b>', publisher: 'Letters Ltd' })
      await install(running, other, app, { permissions: [] })
      await operator('PATCH', `/organizations/${other}/installs/${app.client_id}`, {
        suspended: true,
      })
      const list = await maker.get('/developer')
      t.match(wordsOf(list), /Own & <b>Letters<\/b>.*Current interface · Confidential/)
      t.match(wordsOf(list), 'Installed in 2 organizations')
      t.match(wordsOf(list), app.client_id)
      const page = await maker.get(pathOf(app))
      const words = wordsOf(page)
      t.match(words, 'Installed in 2 organizations · Suspended in 1 organization')
      for (const part of [app.client_id, app.redirect_uri, 'records:create', 'Letters Ltd'])
        t.match(words, part)
      const [secret] = await secretsOf(app)
      t.match(words, secret?.hint)
      t.notMatch(page.text, app.client_secret)
      t.notMatch(page.text, 'Acme', 'no organization is named')
      for (const path of ['/', '/account/apps', '/account/sessions', '/account/password'])
        t.match((await maker.get(path)).text, 'href="/developer"', path)
      await operator('PATCH', `/apps/${app.client_id}`, { disabled: true })
      t.match(wordsOf(await maker.get('/developer')), 'Disabled by the operator')
      t.match(wordsOf(await maker.get(pathOf(app))), 'The operator has disabled this app')
    })

    await t.test('an app of others is the same 404 as an unknown one', async (t) => {
      const app = await owned()
      const unknown = await maker.fetch(`${issuer}/developer/apps/app${'0'.repeat(17)}`)
      const same = withoutReference(await expectPage(t, unknown, 404, 'unknown'))
      for (const person of [kim, zoe]) {
        const visitor = await signedIn(issuer, person)
        for (const part of ['', '/replace', '/secret', `/secret?handover=${'x'.repeat(32)}`]) {
          const answer = await visitor.fetch(`${issuer}${pathOf(app)}${part}`)
          t.equal(withoutReference(await expectPage(t, answer, 404, part)), same)
        }
        const url = `${issuer}${pathOf(app)}/replace`
        const [newest] = await secretsOf(app)
        const fields = { ...leaked, newest: newest?.id, handover: 'x'.repeat(32) }
        const answer = await postFields(visitor, url, fields)
        t.equal(withoutReference(await expectPage(t, answer, 404, 'POST')), same)
      }
      for (const id of ['x'.repeat(150), '%00', 'a%2Fb'])
        t.equal((await maker.fetch(`${issuer}/developer/apps/${id}`)).status, 404, id)
      const signedOut = await createVisitor(issuer).fetch(`${issuer}${pathOf(app)}/replace`)
      t.equal(signedOut.status, 303)
      t.match(signedOut.headers.get('location'), /^\/login\?return_to=/)
      t.equal((await secretsOf(app)).length, 1)
      t.equal(await answers(app, app.client_secret), 200)
    })

    await t.test('a replaced secret keeps working for the chosen time', async (t) => {
      const app = await owned()
      const form = await formOf(maker, app)
      t.same(ticked(form, 'in_use'), [], 'nothing is chosen in advance')
      t.equal(form.dom.querySelector('option[selected]')?.getAttribute('value'), day)
      const none = await maker.submit(form, {})
      t.equal(none.status, 400)
      t.match(wordsOf(none), 'Choose what happens to the secret in use')
      t.equal((await secretsOf(app)).length, 1)

      const page = await maker.submit(none, keep)
      const secret = secretOn(page)
      t.match(secret, /^lkcs_/)
      t.equal(page.headers.get('cache-control'), 'no-store')
      t.match(wordsOf(page), 'It will not be shown again')
      const download = page.dom.querySelector('a[download]')?.getAttribute('href') ?? ''
      t.match(decodeURIComponent(download), `CLIENT_ID=${app.client_id}\nCLIENT_SECRET=${secret}\n`)
      const [before, after] = await secretsOf(app)
      t.match(wordsOf(page), `The secret that ends in ${before?.hint} works until`)
      const ends = Date.parse(before?.expires_at) - Date.parse(after?.created_at)
      t.ok(Math.abs(ends - 86_400_000) < 60_000, `${ends} ms`)
      t.equal(await answers(app, app.client_secret), 200)
      t.equal(await answers(app, secret), 200)
      const again = await maker.get(page.url)
      t.equal(again.status, 410)
      t.notMatch(again.text, secret ?? 'none')

      const { items } = (await operator('GET', `/audit?client_id=${app.client_id}`)).body
      const created = items.filter((one: Json) => one.type === 'app_secret.created')
      t.equal(created.length, 1)
      t.match(created[0], {
        actor: { kind: 'user', id: ana.id },
        detail: { secret_id: after?.id, retire_others_after_seconds: 86_400 },
      })
      t.notMatch(running.log.join(''), secret ?? 'none')
    })

    await t.test('a secret that leaked stops with all tokens of the app', async (t) => {
      const app = await owned()
      const server = await registerResourceServer(running)
      const code = await currentCode(running, app, kim)
      const { access_token } = (await exchangeCode(issuer, app, code)).body
      t.equal((await introspectAt(issuer, server, access_token)).body.active, true)
      const form = await formOf(maker, app)
      t.match(wordsOf(form), 'It is installed in 1 organization')
      const secret = secretOn(await maker.submit(form, leaked))
      t.equal((await introspectAt(issuer, server, access_token)).body.active, false)
      t.equal(await answers(app, app.client_secret), 401)
      t.equal(await answers(app, secret), 200)
      const [event] = await sql<{ detail: Json }>(
        stores,
        `select detail from audit_events where type = 'app_secret.created' and client_id = $1`,
        [app.client_id],
      )
      t.match(event?.detail, { end_tokens: true, retire_others_after_seconds: 0 })
    })

    await t.test('many submissions of one form make one secret, shown once', async (t) => {
      for (const fields of [keep, leaked]) {
        const app = await owned()
        const form = await formOf(maker, app)
        const sent = await Promise.all(
          Array.from({ length: 12 }, (_, at) =>
            send(maker, form, fields, urls[at % urls.length] as string),
          ),
        )
        const next = new Set(sent.map(({ headers }) => headers.get('location')))
        t.same(new Set(sent.map(({ status }) => status)), new Set([303]))
        t.equal(next.size, 1, 'each click leads to the new secret')
        t.equal((await secretsOf(app)).length, fields === keep ? 2 : 1)
        const [location] = [...next]
        const pages = await Promise.all(
          Array.from({ length: 6 }, () => maker.get(location as string)),
        )
        const shown = pages.map(secretOn).filter((one) => one !== null)
        t.equal(shown.length, 1)
        t.equal(await answers(app, shown[0] ?? null), 200)

        const replayed = await maker.submit(form, fields)
        t.match(wordsOf(replayed), 'The secrets of the app have changed since you opened the form')
        t.equal(await answers(app, shown[0] ?? null), 200, 'the replay has replaced nothing')
        const events = await sql(
          stores,
          `select from audit_events where type = 'app_secret.created' and client_id = $1`,
          [app.client_id],
        )
        t.equal(events.length, 1)
      }
    })

    await t.test('of many forms at once one is accepted', async (t) => {
      const app = await owned()
      const forms = await Promise.all(Array.from({ length: 8 }, () => formOf(maker, app)))
      const pages = await Promise.all(forms.map((form) => maker.submit(form, leaked)))
      const shown = pages.map(secretOn).filter((one) => one !== null)
      t.equal(shown.length, 1)
      t.equal(await answers(app, shown[0] ?? null), 200)
      t.equal((await secretsOf(app)).length, 1)
    })

    await t.test('a form is outdated once the operator has changed the secrets', async (t) => {
      const app = await owned()
      const form = await formOf(maker, app)
      const made = await operator('POST', `/apps/${app.client_id}/secrets`, {})
      const page = await maker.submit(form, leaked)
      t.match(wordsOf(page), 'nothing was changed now')
      t.equal(await answers(app, made.body.client_secret), 200)
    })

    await t.test('two active secrets are the most', async (t) => {
      const app = await owned()
      const early = await formOf(maker, app)
      await maker.submit(await formOf(maker, app), keep)
      const full = await formOf(maker, app)
      t.match(wordsOf(full), 'Two secrets are active, the most that an app can have')
      t.equal(full.dom.querySelector('input[value="keep"]'), null)
      const forced = await maker.submit(full, keep)
      t.equal(forced.status, 409)
      t.match(wordsOf(forced), 'No secret was created, because two are active')
      t.equal(secretOn(await maker.get(`${pathOf(app)}/secret?handover=${'x'.repeat(32)}`)), null)
      t.equal((await maker.submit(early, keep)).status, 200, 'outdated')
      t.equal((await secretsOf(app)).length, 2)
      t.equal(await answers(app, app.client_secret), 200)
      t.ok(secretOn(await maker.submit(full, leaked)), 'both can be stopped')
      t.equal((await secretsOf(app)).length, 1)
    })

    const deletionOf = async (visitor: Visitor, app: TestApp, at: number) =>
      visitor.get(`${pathOf(app)}/secrets/${(await secretsOf(app))[at]?.id}/delete`)
    const eventsOf = async (app: TestApp, type: string) =>
      (await operator('GET', `/audit?client_id=${app.client_id}&type=${type}`)).body.items as Json[]

    await t.test('an owner deletes one secret, and the other keeps working', async (t) => {
      const app = await owned()
      const secret = secretOn(await maker.submit(await formOf(maker, app), keep))
      const [first] = await secretsOf(app)
      const page = await deletionOf(maker, app, 0)
      t.match(wordsOf(page), `Delete the secret of Letter Press that ends in ${first?.hint}`)
      t.notMatch(wordsOf(page), 'the only active secret')
      t.equal(await answers(app, app.client_secret), 200, 'the page deletes nothing')
      const after = await maker.submit(page, {})
      t.match(wordsOf(after), 'The secret is deleted')
      t.equal(await answers(app, app.client_secret), 401)
      t.equal(await answers(app, secret), 200)
      const [event] = await eventsOf(app, 'app_secret.deleted')
      t.match(event, { actor: { kind: 'user', id: ana.id }, detail: { secret_id: first?.id } })
    })

    await t.test('the last secret is deleted after a warning only', async (t) => {
      const app = await owned()
      const last = await deletionOf(maker, app, 0)
      t.match(wordsOf(last), 'This is the only active secret. Without it the app gets no tokens')
      t.match(wordsOf(await maker.submit(last, {})), 'No secret is active')
      t.equal(await answers(app, app.client_secret), 401)
      const again = await maker.submit(last, {})
      t.match(wordsOf(again), 'The secret is deleted', 'a second click')
      t.equal((await eventsOf(app, 'app_secret.deleted')).length, 1)
      const gone = await maker.get(last.url)
      t.match(wordsOf(gone), 'nothing was changed now')
    })

    await t.test('of both secrets deleted at once, one stays', async (t) => {
      for (let turn = 0; turn < 4; turn++) {
        const app = await owned()
        await maker.submit(await formOf(maker, app), keep)
        const forms = [await deletionOf(maker, app, 0), await deletionOf(maker, app, 1)]
        const sent = await Promise.all(
          Array.from({ length: 8 }, (_, at) =>
            send(maker, forms[at % 2] as VisitedPage, {}, urls[at % urls.length] as string),
          ),
        )
        t.same(new Set(sent.map(({ status }) => status)), new Set([303]))
        t.equal((await secretsOf(app)).length, 1, 'no page had warned of the last one')
        t.equal((await eventsOf(app, 'app_secret.deleted')).length, 1)
        const ends = new Set(sent.map(({ headers }) => headers.get('location')?.split('?')[1]))
        t.same(ends, new Set(['done=deleted', 'done=outdated']))
      }
    })

    await t.test('nobody else deletes a secret', async (t) => {
      const app = await owned()
      const form = await deletionOf(maker, app, 0)
      const url = new URL(form.url.pathname, issuer)
      const bare = new URLSearchParams({ last: 'yes' })
      t.equal((await maker.fetch(url, { method: 'POST', body: bare })).status, 403, 'forged')
      const stranger = await signedIn(issuer, kim)
      t.equal((await stranger.get(url)).status, 404)
      t.equal((await postFields(stranger, url.href, { last: 'yes' })).status, 404)
      const another = await owned()
      const crossed = url.href.replace(app.client_id, another.client_id)
      await postFields(maker, crossed, { last: 'yes' })
      t.equal(await answers(another, another.client_secret), 200)
      await setOwners(app, kim.id)
      t.equal((await send(maker, form, {})).status, 404, 'a former owner')
      t.equal(await answers(app, app.client_secret), 200)
      t.equal((await eventsOf(app, 'app_secret.deleted')).length, 0)
    })

    await t.test('each owner sees who changed the secrets, and when', async (t) => {
      const app = await owned({ owners: [ana.id, kim.id] })
      t.notMatch(wordsOf(await maker.get(pathOf(app))), 'Latest changes')
      await maker.submit(await formOf(maker, app), keep)
      await maker.submit(await deletionOf(maker, app, 0), {})
      await maker.submit(await formOf(maker, app), leaked)
      await operator('POST', `/apps/${app.client_id}/secrets`, {})
      const changes = async (visitor: Visitor) =>
        /Latest changes of the secrets(.*)Registration/.exec(
          wordsOf(await visitor.get(pathOf(app))),
        )?.[1]
      const { name } = (await operator('GET', `/users/${ana.id}`)).body
      const seen = await changes(await signedIn(issuer, kim))
      const order = [
        'The operator created a secret',
        `${name} replaced a leaked secret, which ended all tokens`,
        `${name} deleted a secret`,
        `${name} created a secret`,
      ]
      t.match(seen, new RegExp(order.join('.*')))
      t.match(await changes(maker), /The operator created.*You replaced.*You deleted.*You created/)
    })

    await t.test('a legacy app has an App Secret', async (t) => {
      const app = await owned({ interface: 'legacy', name: 'Sheet Sync' })
      t.match(wordsOf(await maker.get(pathOf(app))), /App ID.*Legacy interface/)
      const page = await maker.submit(await formOf(maker, app), keep)
      t.match(wordsOf(page), /App ID.*App Secret/)
      t.match(secretOn(page), /^lkcs_/)
      t.equal((await secretsOf(app)).length, 2)
    })

    await t.test('an app without a secret says why, and gets none', async (t) => {
      const jwk = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }
      const keyed = await owned({ jwks: { keys: [jwk] } })
      const [first] = await secretsOf(keyed)
      await operator('DELETE', `/apps/${keyed.client_id}/secrets/${first?.id}`)
      const cases: [TestApp, string][] = [
        [await owned({ client_type: 'public' }), 'This app is public'],
        [keyed, 'This app authenticates with its own keys'],
        [
          await owned({ jwks: { keys: [jwk] }, security_profile: 'fapi2' }),
          'This app authenticates with its own keys',
        ],
      ]
      for (const [app, words] of cases) {
        const before = await secretsOf(app)
        t.match(wordsOf(await maker.get(pathOf(app))), words)
        t.notMatch((await maker.get(pathOf(app))).text, `${pathOf(app)}/replace"`)
        t.match(wordsOf(await formOf(maker, app)), words)
        const url = `${issuer}${pathOf(app)}/replace`
        const fields = { ...leaked, newest: before[0]?.id ?? '', handover: 'x'.repeat(32) }
        const answer = await postFields(maker, url, fields)
        t.equal(answer.status, 303)
        t.equal(answer.headers.get('location'), new URL(url).pathname, 'which says why')
        t.same(await secretsOf(app), before)
      }
    })

    await t.test('the first secret of an app needs no choice', async (t) => {
      const app = await owned()
      const [first] = await secretsOf(app)
      await operator('DELETE', `/apps/${app.client_id}/secrets/${first?.id}`)
      t.match(wordsOf(await maker.get(pathOf(app))), 'No secret is active')
      const form = await formOf(maker, app)
      t.equal(form.dom.querySelector('input[type="radio"]'), null)
      const secret = secretOn(await maker.submit(form, {}))
      t.equal(await answers(app, secret), 200)
    })

    await t.test('a forged form or an unknown choice changes nothing', async (t) => {
      const app = await owned()
      const form = await formOf(maker, app)
      const url = new URL(form.url.pathname, issuer)
      const bare = new URLSearchParams(leaked)
      t.equal((await maker.fetch(url, { method: 'POST', body: bare })).status, 403)
      const headers = { origin: 'https://evil.example' }
      const body = filled(form, leaked)
      t.equal((await maker.fetch(url, { method: 'POST', body, headers })).status, 403)
      for (const seconds of ['0', '-1', '1e9', 'x', '31536000'])
        t.equal(
          (await maker.submit(form, { ...keep, retire_others_after_seconds: seconds })).status,
          400,
          seconds,
        )
      for (const handover of ['', 'short', '../../x', 'x'.repeat(33)])
        t.match(wordsOf(await maker.submit(form, { ...leaked, handover })), 'nothing was changed')
      t.match(await secretsOf(app), [{ expires_at: null }])
      t.equal(await answers(app, app.client_secret), 200)
    })

    await t.test('a new secret is shown in the session that made it only', async (t) => {
      const app = await owned()
      const answer = await send(maker, await formOf(maker, app), keep)
      const location = answer.headers.get('location') ?? ''
      const elsewhere = await (await signedIn(issuer, ana)).get(location)
      t.equal(elsewhere.status, 410)
      const wrongApp = await owned()
      const crossed = location.replace(app.client_id, wrongApp.client_id)
      t.notMatch((await maker.get(crossed)).text, 'lkcs_')
    })

    await t.test('an old sign-in is repeated first', async (t) => {
      const app = await owned()
      const form = await formOf(maker, app)
      const makeOld = 'update sessions set authenticated_at = authenticated_at - 3600000'
      await sql(stores, makeOld)
      const [secret] = await secretsOf(app)
      const deletion = `${issuer}${pathOf(app)}/secrets/${secret?.id}/delete`
      for (const answer of [
        await maker.fetch(`${issuer}${pathOf(app)}/replace`),
        await send(maker, form, leaked),
        await maker.fetch(deletion),
        await postFields(maker, deletion, { last: 'yes' }),
      ]) {
        t.equal(answer.status, 303)
        t.match(answer.headers.get('location'), /^\/login\?.*again=confirm/)
      }
      t.equal((await maker.get(pathOf(app))).status, 200, 'reading needs no new sign-in')
      t.match(await secretsOf(app), [{ expires_at: null }])
    })

    /** Sends the form, and makes the change while the server waits for the lock of the app. */
    const during = async (app: TestApp, change: string, values: string[]) => {
      const visitor = await signedIn(issuer, ana)
      const form = await formOf(visitor, app)
      const client = new pg.Client(stores.databaseUrl)
      await client.connect()
      try {
        await client.query('begin')
        await client.query('select from apps where client_id = $1 for no key update', [
          app.client_id,
        ])
        const pending = send(visitor, form, leaked)
        await eventually(async () => {
          const { rows } = await client.query(
            `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          )
          return rows.length > 0
        })
        await client.query(change, values)
        await client.query('commit')
        return await pending
      } finally {
        await client.end()
      }
    }
    const isUntouched = async (t: Test, app: TestApp) => {
      t.match(await secretsOf(app), [{ expires_at: null }])
      t.equal(await answers(app, app.client_secret), 200)
    }

    await t.test('a former owner with an open form gets 404', async (t) => {
      const app = await owned()
      const visitor = await signedIn(issuer, ana)
      const form = await formOf(visitor, app)
      await setOwners(app, kim.id)
      t.equal((await send(visitor, form, leaked)).status, 404)
      await setOwners(app, ana.id)
      const remove = 'delete from app_owners where client_id = $1'
      t.equal((await during(app, remove, [app.client_id])).status, 404, 'removed meanwhile')
      await isUntouched(t, app)
    })

    await t.test('a disabled owner replaces nothing', async (t) => {
      const app = await owned()
      const disable = 'update users set disabled_at = now() where id = $1'
      t.equal((await during(app, disable, [ana.id])).status, 404, 'disabled meanwhile')
      await isUntouched(t, app)
      await operator('PATCH', `/users/${ana.id}`, { disabled: false })
      const visitor = await signedIn(issuer, ana)
      const form = await formOf(visitor, app)
      await operator('PATCH', `/users/${ana.id}`, { disabled: true })
      const answer = await send(visitor, form, leaked)
      t.equal(answer.status, 303)
      t.match(answer.headers.get('location'), /^\/login/)
      await isUntouched(t, app)
    })
  },
  { instances: 2 },
)
