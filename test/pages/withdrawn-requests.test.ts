import { authorizeUrl, challengeOf, newVerifier } from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { createVisitor, pageKind, walk } from '../support/visitor.ts'
import { createApp, type TestApp } from '../support/world.ts'
import { cardOf, decide, formOf, postFields, wordsOf } from './organization-visit.ts'

await onEachBackend(
  'a request for an app is withdrawn',
  async (t, { running, issuer, world }) => {
    const { operator, urls } = running
    const { acme, other, ana, kim, zoe } = world
    const path = `/organizations/${acme}/apps`
    const own = '/account/apps'
    const admin = await signedIn(issuer, kim)

    const eventsOf = async (app: TestApp) =>
      (await operator('GET', `/audit?client_id=${app.client_id}`)).body.items as {
        type: string
        actor: { id: string }
        user_id: string
      }[]
    const count = async (app: TestApp, type: string) =>
      (await eventsOf(app)).filter((event) => event.type === type).length

    const ask = async (app: TestApp, reason = '') => {
      const visitor = createVisitor(issuer)
      const url = authorizeUrl(issuer, app, { code_challenge: challengeOf(newVerifier()) })
      const page = await walk(visitor, url, ana)
      const sent = await visitor.submit(page, { decision: 'request', reason })
      t.match(wordsOf(sent), 'Your request is with the admins')
      return { visitor, sent }
    }

    await t.test(
      'a request can be withdrawn on its confirmation page and sent again',
      async (t) => {
        const app = await createApp(running, { name: 'Letters' })
        const { visitor, sent } = await ask(app)
        const page = await decide(visitor, sent, 'withdraw', { client_id: app.client_id })
        t.equal(pageKind(page), 'ask-admin')
        t.match(wordsOf(page), /You withdrew your request on .* You may ask again/)
        t.equal(cardOf(await admin.get(path), 'client_id', app.client_id), null)
        t.notMatch(wordsOf(await visitor.get(own)), 'Letters')
        const [event] = await eventsOf(app)
        t.match(event, {
          type: 'install_request.withdrawn',
          actor: { id: ana.id },
          user_id: ana.id,
        })
        const again = await visitor.submit(page, { decision: 'request', reason: 'After all' })
        t.match(wordsOf(again), 'Your request is with the admins')
        t.match(cardOf(await admin.get(path), 'client_id', app.client_id), 'After all')
      },
    )

    await t.test('a request can be withdrawn under connected apps', async (t) => {
      const app = await createApp(running, { name: 'Postcards' })
      const { visitor } = await ask(app, 'For <i>Friday</i>')
      const before = await admin.get(path)
      const list = await visitor.get(own)
      const card = cardOf(list, 'client_id', app.client_id) ?? ''
      t.match(wordsOf(list), 'Asked for, waiting for an admin')
      t.match(card, /Postcards for Acme, asked on \d/)
      t.match(card, 'You wrote For <i>Friday</i>')
      const page = await decide(visitor, list, 'withdraw', { client_id: app.client_id })
      t.match(wordsOf(page), /Your request for .+ is withdrawn/)
      t.equal(cardOf(page, 'client_id', app.client_id), null)

      t.equal(cardOf(await admin.get(path), 'client_id', app.client_id), null)
      for (const decision of ['approve', 'refuse']) {
        const late = await decide(admin, before, decision, { client_id: app.client_id })
        t.match(wordsOf(late), 'Another person has changed this')
      }
      const twice = await decide(visitor, list, 'withdraw', { client_id: app.client_id })
      t.match(wordsOf(twice), 'This request is no longer open')
      t.equal(await count(app, 'install_request.withdrawn'), 1)
    })

    await t.test('a user can withdraw only own pending requests', async (t) => {
      const app = await createApp(running, { name: 'Stamps' })
      const { visitor } = await ask(app)
      const fields = { client_id: app.client_id, organization_id: acme, decision: 'withdraw' }
      const cases: [string, typeof visitor, Record<string, string>][] = [
        ['a stranger', await signedIn(issuer, zoe), fields],
        ['an admin who has not asked', admin, fields],
        ['another organization', visitor, { ...fields, organization_id: other }],
        ['an unknown app', visitor, { ...fields, client_id: 'app0000' }],
        ['no ids', visitor, { ...fields, client_id: "' or true --" }],
      ]
      for (const [what, who, sent] of cases) {
        const answer = await postFields(who, `${issuer}${own}`, sent)
        t.equal(answer.status, 303, what)
        t.notMatch(answer.headers.get('location'), 'withdrawn', what)
      }
      t.equal(await count(app, 'install_request.withdrawn'), 0)
      t.ok(cardOf(await admin.get(path), 'client_id', app.client_id))
      const forged = await visitor.fetch(`${issuer}${own}`, {
        method: 'POST',
        body: new URLSearchParams(fields),
      })
      t.equal(forged.status, 403, 'without the anti-forgery field')
    })

    await t.test(
      'of a concurrent withdrawal and approval one counts, and both users see it',
      async (t) => {
        for (let round = 0; round < 6; round++) {
          const app = await createApp(running, { name: `Raced ${round}` })
          const about = { client_id: app.client_id }
          const { visitor } = await ask(app)
          const withdrawal = formOf(await visitor.get(own), 'withdraw', about)
          const approval = formOf(await admin.get(path), 'approve', about)
          const elsewhere = { ...withdrawal, url: new URL(own, urls[1] as string) }
          const [mine, theirs, second] = await Promise.all([
            visitor.submit(elsewhere, { decision: 'withdraw' }),
            admin.submit(approval, { decision: 'approve' }),
            visitor.submit(withdrawal, { decision: 'withdraw' }),
          ])
          // The other instance has another port, so its redirect is read, not followed.
          const ends = [mine, theirs, second].map((one) => (one.left ?? one.url).search)
          const withdrawn = ends.filter((one) => one === '?done=withdrawn').length
          const approved = ends.filter((one) => one === '?done=approved').length
          t.equal(withdrawn + approved, 1)
          for (const end of ends) t.match(end, /^\?done=(?:withdrawn|late|approved|outdated)$/)
          t.equal(await count(app, 'install_request.withdrawn'), withdrawn)
          t.equal(await count(app, 'install.approved'), approved)
          const install = await operator('GET', `/organizations/${acme}/installs/${app.client_id}`)
          t.equal(install.status, approved ? 200 : 404)
        }
      },
    )

    await t.test('a late withdrawal continues to the app', async (t) => {
      const app = await createApp(running, { name: 'Late' })
      const { visitor, sent } = await ask(app)
      await decide(admin, await admin.get(path), 'approve', { client_id: app.client_id })
      const page = await decide(visitor, sent, 'withdraw', { client_id: app.client_id })
      t.equal(pageKind(page), 'decide', 'consent')
      t.equal(await count(app, 'install_request.withdrawn'), 0)
    })
  },
  { instances: 2 },
)
