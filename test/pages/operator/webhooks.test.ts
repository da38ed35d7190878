/** The page of a webhook in the operator's console: its settings, its signing secret, and deliveries that are sent again. */
import { onEachBackend } from '../../support/on-each-backend.ts'
import type { Visitor } from '../../support/visitor.ts'
import { isSignedWith, startReceiver, until } from '../../support/webhook-receiver.ts'
import { wordsOf } from '../organization-visit.ts'
import { visitAs } from './operator-visit.ts'

const environment = { WEBHOOK_ALLOW_PRIVATE: 'true' }

const noticeOn = (page: Awaited<ReturnType<Visitor['get']>>) =>
  page.dom.querySelector('main [role="alert"]')?.text.replaceAll(/\s+/g, ' ').trim()

await onEachBackend(
  'webhooks in the console',
  async (t, { running, stores, world }) => {
    const { operator } = running
    const receiver = await startReceiver()
    t.teardown(receiver.stop)
    const { visitor } = await visitAs(running, stores, 'webhooks:read', 'webhooks:write')

    const create = async (fields: object) => {
      const made = (await operator('POST', '/webhooks', { events: ['install.deleted'], ...fields }))
        .body
      return {
        page: `/operator/webhooks/${made.id}`,
        path: `/webhooks/${made.id}`,
        secret: String(made.secret),
      }
    }
    const settingsOf = async (path: string) => {
      const { url, client_id, events, description } = (await operator('GET', path)).body
      return { url, client_id, events, description }
    }

    await t.test('its address, events and description change', async (t) => {
      const { page, path } = await create({
        url: `${receiver.url}/old`,
        client_id: world.confidential.client_id,
        events: ['install.created'],
        description: 'Reports',
      })
      const before = await settingsOf(path)
      const form = await visitor.get(`${page}/change`)
      t.equal(form.dom.querySelector('#url')?.getAttribute('value'), before.url)
      t.equal(form.dom.querySelector('#client_id'), null, 'its app stays')
      await visitor.submit(form, {})
      t.same(await settingsOf(path), before, 'the form keeps what it shows')

      for (const [fields, at] of [
        [{ url: 'nowhere' }, '#url-error'],
        [{ url: ' ' }, '#url-error'],
        [{ events: 'no.event' }, '#events-error'],
        [{ events: 'user.created' }, '#events-error'], // no event of apps
      ] as const) {
        const refused = await visitor.submit(form, fields)
        t.equal(refused.status, 400, JSON.stringify(fields))
        t.ok(refused.dom.querySelector(at), `${JSON.stringify(fields)} ${at}`)
      }
      t.same(await settingsOf(path), before)

      const url = `${receiver.url}/new`
      const saved = await visitor.submit(form, {
        url,
        events: ['install.created', 'install.deleted'],
      })
      t.match(wordsOf(saved), ' is saved.')
      t.match(wordsOf(saved), url)
      const after = { ...before, url, events: ['install.created', 'install.deleted'] }
      t.same(await settingsOf(path), after)

      const all = await visitor.submit(await visitor.get(`${page}/change`), {
        which: 'all',
        description: '',
      })
      t.match(wordsOf(all), 'All events')
      t.same(await settingsOf(path), { ...after, events: null, description: null })
    })

    await t.test('a form that another person has overtaken replaces nothing', async (t) => {
      const { page, path } = await create({ url: `${receiver.url}/a` })
      const form = await visitor.get(`${page}/change`)
      await operator('PATCH', path, { url: `${receiver.url}/theirs` })
      const stale = await visitor.submit(form, { url: `${receiver.url}/mine` })
      t.equal(stale.status, 412)
      t.match(wordsOf(stale), `Address ${receiver.url}/theirs ${receiver.url}/mine`)
      t.match(await settingsOf(path), { url: `${receiver.url}/theirs` })
      await visitor.submit(stale, {})
      t.match(await settingsOf(path), { url: `${receiver.url}/mine` })
    })

    await t.test('its signing secret is replaced, and shown once', async (t) => {
      const { page, path, secret: first } = await create({ url: `${receiver.url}/signed` })
      const sent = async () => {
        const before = receiver.at('/signed').length
        await operator('POST', `${path}/test`, {})
        await until(() => receiver.at('/signed').length > before, 'the message')
        return receiver.at('/signed')[before] as (typeof receiver.received)[number]
      }
      const secretOn = (shown: Awaited<ReturnType<Visitor['get']>>) =>
        shown.dom.querySelector('#secret')?.getAttribute('value') ?? ''
      const form = await visitor.get(`${page}/rotate`)
      const nothing = await visitor.submit(form, { in_use: 'forever' })
      t.equal(nothing.status, 400)
      t.ok(nothing.dom.querySelector('#in_use-error'))
      t.equal((await operator('GET', path)).body.secrets.length, 1)

      const shown = await visitor.submit(form, { in_use: 'day' })
      const second = secretOn(shown)
      t.match(second, /^whsec_/)
      t.not(second, first)
      t.match(wordsOf(shown), 'If you lose it, replace it.')
      t.equal((await visitor.get(`${shown.url.pathname}${shown.url.search}`)).status, 410)
      const both = await sent()
      t.ok(isSignedWith(first, both) && isSignedWith(second, both), 'both sign')
      t.equal((await operator('GET', path)).body.secrets.length, 2)

      const full = await visitor.get(`${page}/rotate`)
      t.same(
        full.dom.querySelectorAll('[name="in_use"]').map((one) => one.getAttribute('value')),
        ['none'],
      )
      const third = await visitor.submit(full, { in_use: 'hour' })
      t.equal(third.status, 409)
      t.match(wordsOf(third), 'No secret was created, because two are active')
      const only = secretOn(await visitor.submit(full, { in_use: 'none' }))
      const last = await sent()
      t.ok(isSignedWith(only, last), 'the new one signs')
      t.notOk(isSignedWith(first, last) || isSignedWith(second, last), 'the others have stopped')
    })

    await t.test('a delivery is sent again', async (t) => {
      const { page, path } = await create({ url: `${receiver.url}/again` })
      const { id } = (await operator('POST', `${path}/test`, {})).body
      const outcome = async () =>
        (await operator('GET', `${path}/deliveries`)).body.items[0].outcome
      await until(() => receiver.at('/again').length === 1, 'the message')
      while ((await outcome()) !== 'delivered') await new Promise((done) => setTimeout(done, 20))

      const at = `${page}/deliveries/${id}/resend`
      const linksOn = async (reader: Visitor) =>
        (await reader.get(page)).dom
          .querySelectorAll('main tbody a')
          .map((one) => one.getAttribute('href'))
      t.same(await linksOn(visitor), [at])
      const form = await visitor.get(at)
      t.match(wordsOf(form), id)
      t.equal(receiver.at('/again').length, 1, 'the page sends nothing')
      const resent = await visitor.submit(form, {})
      t.equal(resent.url.pathname, page)
      t.match(wordsOf(resent), 'The message is on its way again')
      await until(() => receiver.at('/again').length === 2, 'the message again')
      t.same(
        receiver.at('/again').map((one) => one.id),
        [id, id],
      )

      const reader = await visitAs(running, stores, 'webhooks:read')
      t.same(await linksOn(reader.visitor), [], 'not for who may only read')
      const unknown = await visitor.get(`${page}/deliveries/msg000000000000000000/resend`)
      t.equal((await visitor.submit(unknown, {})).status, 404)
      t.equal((await visitor.get(`${page}/deliveries/no%20id/resend`)).status, 404)

      await operator('PATCH', path, { disabled: true })
      t.same(await linksOn(visitor), [])
      const disabled = await visitor.submit(form, {})
      t.equal(disabled.status, 409)
      t.equal(noticeOn(disabled), 'The webhook is disabled. Enable it first.')
    })

    await t.test('a delivery that waits is not sent twice', async (t) => {
      receiver.answerWith(500)
      t.teardown(() => receiver.answerWith(200))
      const { page, path } = await create({ url: `${receiver.url}/waits` })
      const { id } = (await operator('POST', `${path}/test`, {})).body
      t.equal((await visitor.get(page)).dom.querySelectorAll('main tbody a').length, 0)
      const form = await visitor.get(`${page}/deliveries/${id}/resend`)
      const refused = await visitor.submit(form, {})
      t.equal(refused.status, 409)
      t.match(noticeOn(refused), /still waiting/)
    })
  },
  { environment },
)
