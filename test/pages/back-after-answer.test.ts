/** A user who goes back to the page of a decision already made reads the decision, and its result. */
import { beginDevice, createDeviceApp, enterCode } from '../support/device.ts'
import { startDocumentServer } from '../support/document-server.ts'
import {
  authorizeUrl,
  challengeOf,
  currentCode,
  exchangeCode,
  newVerifier,
} from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import type { VisitedPage, Visitor } from '../support/visitor.ts'
import { createApp, install, type TestApp } from '../support/world.ts'
import { newPerson, visitAs } from './operator/operator-visit.ts'
import { decide, wordsOf } from './organization-visit.ts'

interface Decision {
  name: string
  by: Visitor
  /** Opens the page and what leads to it. */
  open(): Promise<VisitedPage>
  answer(page: VisitedPage): Promise<VisitedPage>
  /** What the person reads of their answer. */
  said: RegExp
}

await onEachBackend(
  'back after an answer',
  async (t, { running, issuer, world, stores }) => {
    const { operator } = running
    const { acme, ana, kim } = world
    const { visitor: console } = await visitAs(running, stores, '*')
    const admin = await signedIn(issuer, kim)
    const member = await signedIn(issuer, ana)
    const list = `/organizations/${acme}/apps`
    const ask = (made: TestApp) =>
      authorizeUrl(issuer, made, { code_challenge: challengeOf(newVerifier()) })
    const app = async (name: string, isInstalled = true) => {
      const made = await createApp(running, { name })
      if (isInstalled) await install(running, acme, made)
      return made
    }
    const wanted = async (name: string) => {
      const made = await app(name, false)
      await member.submit(await member.get(ask(made)), { decision: 'request' })
      return made.client_id
    }
    const documents = await startDocumentServer(t)
    const submit = (by: Visitor, decision: string) => (page: VisitedPage) =>
      by.submit(page, { decision })

    const decisions: Decision[] = [
      {
        name: 'consent',
        by: member,
        open: async () => member.get(ask(await app('Consented'))),
        answer: submit(member, 'approve'),
        said: /You have allowed Consented in Acme/,
      },
      {
        name: 'consent refused',
        by: member,
        open: async () => member.get(ask(await app('Denied'))),
        answer: submit(member, 'deny'),
        said: /You have not allowed Denied/,
      },
      {
        name: 'device',
        by: member,
        open: async () => {
          const { body } = await beginDevice(issuer, await createDeviceApp(running, world))
          return enterCode(member, body.user_code)
        },
        answer: submit(member, 'approve'),
        said: /You have allowed Terminal in Acme/,
      },
      {
        name: 'install from a link',
        by: admin,
        open: async () => {
          const { client_id: id } = await app('Linked', false)
          return admin.get(`/install?client_id=${id}`)
        },
        answer: submit(admin, 'approve'),
        said: /You have installed Linked in Acme/,
      },
      {
        name: 'request',
        by: admin,
        open: async () => admin.get(`/organizations/${acme}/requests/${await wanted('Wanted')}`),
        answer: (page) => decide(admin, page, 'approve'),
        said: /Wanted is installed in Acme/,
      },
      {
        name: 'request refused',
        by: admin,
        open: async () => admin.get(`/organizations/${acme}/requests/${await wanted('Unwanted')}`),
        answer: (page) => decide(admin, page, 'refuse'),
        said: /The request for Unwanted is refused/,
      },
      {
        name: 'uninstall',
        by: admin,
        open: async () => admin.get(`${list}/${(await app('Gone')).client_id}/uninstall`),
        answer: (page) => decide(admin, page, 'uninstall'),
        said: /Gone is uninstalled/,
      },
      {
        name: 'end all access',
        by: admin,
        open: async () => {
          const used = await app('Used')
          const grant = await currentCode(running, used, ana)
          await exchangeCode(issuer, used, grant)
          return admin.get(`/organizations/${acme}/members/${ana.id}/end-all`)
        },
        answer: submit(admin, 'end_all'),
        said: /No app/,
      },
      {
        name: 'review of a change of an app',
        by: console,
        open: async () => {
          const made = await createApp(running, { name: 'Press', owners: [ana.id] })
          const at = `/developer/apps/${made.client_id}/change`
          await member.submit(await member.get(at), {
            redirect_uris: `${made.redirect_uri}\nhttps://press.example/second`,
          })
          const { items } = (await operator('GET', '/app-changes')).body
          const { id } = items.find(
            (one: { client_id: string }) => one.client_id === made.client_id,
          )
          return console.get(`/operator/changes/${id}`)
        },
        answer: submit(console, 'approve'),
        said: /Press is approved|Approved/,
      },
      {
        name: 'review of an app from the web',
        by: console,
        open: async () => {
          await operator('PUT', `/client-hosts/${documents.host}`, { policy: 'review' })
          const url = documents.publish('/agent', { scope: 'records:create' })
          const { body } = await operator('POST', '/app-reviews', { url })
          return console.get(`/operator/reviews/${body.id}`)
        },
        answer: submit(console, 'approve'),
        said: /approved/i,
      },
      {
        name: 'rule of a host removed',
        by: console,
        open: async () => {
          await operator('PUT', '/client-hosts/apps.example.com', { policy: 'review' })
          return console.get('/operator/hosts/apps.example.com/remove')
        },
        answer: (page) => console.submit(page, {}),
        said: /apps\.example\.com is (deleted|removed)/,
      },
      {
        name: 'deletion of an app',
        by: console,
        open: async () => {
          const { client_id: id } = await app('Deleted', false)
          return console.get(`/operator/apps/${id}/delete`)
        },
        answer: (page) => console.submit(page, { typed_name: 'Deleted' }),
        said: /Deleted is deleted/,
      },
      {
        name: 'deletion of an organization',
        by: console,
        open: async () => {
          const { body } = await operator('POST', '/organizations', { name: 'Closed' })
          return console.get(`/operator/organizations/${body.id}/delete`)
        },
        answer: (page) => console.submit(page, { typed_name: 'Closed' }),
        said: /Closed is deleted/,
      },
      {
        name: 'deletion of a person',
        by: console,
        open: async () => console.get(`/operator/people/${(await newPerson(running)).id}/delete`),
        answer: (page) => console.submit(page, {}),
        said: /Olga Orlova .* is deleted/,
      },
      {
        name: 'end of all access of a person',
        by: console,
        open: async () =>
          console.get(`/operator/people/${(await newPerson(running)).id}/end-access`),
        answer: (page) => console.submit(page, {}),
        said: /No app has access for Olga Orlova/,
      },
    ]

    for (const { name, by, open, answer, said } of decisions)
      await t.test(name, async (t) => {
        const page = await open()
        t.equal(page.status, 200, wordsOf(page))
        const after = await answer(page)
        t.ok(after.left !== null || after.status < 300, wordsOf(after))
        const back = await by.get(page.url.pathname)
        t.match(wordsOf(back), /You have already done this|You have already answered this/)
        t.match(wordsOf(back), said)
        t.ok(back.dom.querySelector('main .buttons a, main .notice a'), 'a link to what it is now')
      })

    await t.test('a form that can be sent again shows what is stored now', async (t) => {
      await operator('PUT', '/client-hosts/kept.example.com', { policy: 'review' })
      const page = await console.get('/operator/hosts/kept.example.com')
      await console.submit(page, { policy: 'refuse' })
      const back = await console.get(page.url.pathname)
      const chosen = back.dom.querySelector('main input[name="policy"][checked]')
      t.equal(chosen?.getAttribute('value'), 'refuse')
      t.equal(back.status, 200)
    })
  },
  { environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } },
)
