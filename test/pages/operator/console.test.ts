/** Who may open the operator's console, and its queue of reviews. */
import { startDocumentServer } from '../../support/document-server.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { signedIn } from '../../support/signed-in.ts'
import { sql } from '../../support/traces.ts'
import { createVisitor } from '../../support/visitor.ts'
import { postFields, wordsOf } from '../organization-visit.ts'
import { newPerson, showPasskey, visitAs } from './operator-visit.ts'

const environment = { WEBHOOK_ALLOW_PRIVATE: 'true' }

await onEachBackend(
  "the operator's console",
  async (t, { running, stores, issuer, world }) => {
    const { operator } = running
    /** Without the sign-in, which is audited a little later. */
    const eventsBy = async (actorId: string): Promise<Record<string, unknown>[]> =>
      (await operator('GET', `/audit?actor_id=${actorId}`)).body.items.filter(
        ({ type }: { type: string }) => !type.startsWith('session.'),
      )

    await t.test('is a 404 for everyone but operators', async (t) => {
      const stranger = await createVisitor(issuer).fetch(`${issuer}/operator`)
      t.equal(stranger.headers.get('location'), '/login?return_to=%2Foperator')
      const admin = await signedIn(issuer, world.kim)
      for (const path of ['/operator', '/operator/apps', '/operator/import', '/operator/secret'])
        t.equal((await admin.get(path)).status, 404, path)
      t.notMatch((await admin.get('/')).text, '/operator')
      const url = 'https://apps.example.com/client'
      t.equal((await postFields(admin, `${issuer}/operator/import`, { url })).status, 404)
    })

    await t.test('needs a passkey, and ends at once', async (t) => {
      const person = await newPerson(running)
      const path = `/users/${person.id}/operator`
      await operator('PUT', path, { permissions: ['*'] })
      const visitor = await signedIn(issuer, person)
      const before = await visitor.get('/operator')
      t.equal(before.status, 403)
      t.match(wordsOf(before), 'Operators sign in with a passkey')
      await showPasskey(stores, person)
      t.equal((await visitor.get('/operator')).status, 200)
      t.match((await visitor.get('/')).text, 'href="/operator"')
      await operator('PUT', path, { permissions: [] })
      t.equal((await visitor.get('/operator')).status, 404, 'revoked')
      await operator('PUT', path, { permissions: ['*'] })
      await sql(stores, `update sessions set methods = '{password}' where user_id = '${person.id}'`)
      t.equal((await visitor.get('/operator')).status, 403, 'the passkey is gone')
      await operator('PATCH', `/users/${person.id}`, { disabled: true })
      t.match((await visitor.get('/operator')).url.pathname, '/login', 'disabled')
    })

    await t.test('a change needs a recent sign-in', async (t) => {
      const { visitor, person } = await visitAs(running, stores, '*')
      await sql(stores, `update sessions set authenticated_at = 1 where user_id = '${person.id}'`)
      t.equal((await visitor.get('/operator')).status, 200, 'reading does not')
      const requested = await visitor.fetch(`${issuer}/operator/hosts/new`)
      t.match(
        requested.headers.get('location'),
        '/login?return_to=%2Foperator%2Fhosts%2Fnew&again=confirm',
      )
      const fields = { host: 'old.example.com', policy: 'review' }
      const sent = await postFields(visitor, `${issuer}/operator/hosts/new`, fields)
      t.match(sent.headers.get('location'), 'again=confirm')
      t.equal((await operator('GET', '/client-hosts/old.example.com')).status, 404)
    })

    await t.test('a form without the anti-forgery field changes nothing', async (t) => {
      const { visitor } = await visitAs(running, stores, '*')
      const body = new URLSearchParams({ host: 'forged.example.com', policy: 'review' })
      const answer = await visitor.fetch(`${issuer}/operator/hosts/new`, { method: 'POST', body })
      t.equal(answer.status, 403)
      t.equal((await operator('GET', '/client-hosts/forged.example.com')).status, 404)
    })

    await t.test('a document is shown before it counts, and then approved', async (t) => {
      const documents = await startDocumentServer(t)
      const { visitor, person } = await visitAs(running, stores, 'apps:read', 'apps:write')
      const url = documents.publish('/console', { scope: 'records:create records:update more' })
      const clientPath = `/apps/${encodeURIComponent(url)}`
      const wrong = await visitor.submit(await visitor.get('/operator/import'), { url: 'http://x' })
      t.equal(wrong.status, 400)
      t.equal(wrong.dom.querySelectorAll('.field-error').length, 1)
      t.equal(wrong.dom.querySelector('#url')?.getAttribute('value'), 'http://x', 'kept')
      const leaky = documents.publish('/leaky', { client_secret: 'not for the public' })
      const refused = await visitor.submit(await visitor.get('/operator/import'), { url: leaky })
      t.match(wordsOf(refused), 'it must not have a client_secret')
      const page = await visitor.submit(await visitor.get('/operator/import'), { url })
      t.match(page.url.pathname, /^\/operator\/reviews\/arv/)
      t.match(wordsOf(page), url)
      t.match(wordsOf(page), 'records:create')
      t.equal((await operator('GET', clientPath)).status, 404, 'not yet an app')
      t.match(wordsOf(await visitor.get('/operator/reviews')), url, 'in the queue')
      const done = await visitor.submit(page, { permissions: ['records:create'] })
      t.match(wordsOf(done), /Approved.*Not reviewed/)
      const mark = done.dom.querySelectorAll('main a').find((a) => a.text === 'Mark as reviewed')
      const question = await visitor.get(String(mark?.getAttribute('href')))
      t.match(wordsOf(question), /vouch .*Name .*Redirect URIs/)
      const marked = await visitor.submit(question, {})
      t.match(wordsOf(marked), /Saved.*Reviewed/)
      t.notMatch(wordsOf(marked), /Mark as reviewed|Not reviewed/)
      const asApproved = { permissions: ['records:create'], reviewed: true }
      t.match((await operator('GET', clientPath)).body, asApproved)
      t.match(await eventsBy(person.id), [
        { type: 'app.changed', client_id: url },
        { type: 'app_review.approved', actor: { kind: 'operator' }, request_id: String },
        { type: 'app.created', client_id: url },
        { type: 'app_review.requested' },
      ])
      t.equal((await visitor.get(page.url)).status, 404, 'decided')
      t.match(wordsOf(await visitor.submit(page, {})), 'This was decided before')

      documents.publish('/console', { scope: 'records:create documents:read' })
      const wider = await visitor.submit(await visitor.get('/operator/import'), { url })
      t.match(wordsOf(wider), 'asks for one more: Read documents')
      t.match(wordsOf(await visitor.submit(wider, { decision: 'refuse' })), 'Refused')
      t.same((await operator('GET', clientPath)).body.permissions, ['records:create'])
    })

    await t.test('a host gets a policy, which a stale form does not change', async (t) => {
      const { visitor } = await visitAs(running, stores, 'apps:read', 'apps:write')
      const fields = { host: 'apps.example.com', policy: 'review' }
      await visitor.submit(await visitor.get('/operator/hosts/new'), fields)
      const path = '/client-hosts/apps.example.com'
      t.equal((await operator('GET', path)).body.policy, 'review')
      const page = await visitor.get('/operator/hosts/apps.example.com')
      await operator('PUT', path, { policy: 'refuse' })
      const stale = await visitor.submit(page, { policy: 'review' })
      t.equal(stale.status, 412)
      t.match(wordsOf(stale), 'Another person has changed this')
      const early = await visitor.get('/operator/hosts/apps.example.com/remove')
      await operator('PUT', path, { policy: 'review' })
      const kept = await visitor.submit(early, {})
      t.equal(kept.url.pathname, '/operator/hosts/apps.example.com')
      t.match(wordsOf(kept), 'Another person has changed this')
      const removal = await visitor.get('/operator/hosts/apps.example.com/remove')
      t.match(wordsOf(await visitor.submit(removal, {})), ' is deleted.')
      t.equal((await operator('GET', path)).status, 404)
    })

    await t.test('a host admits apps within a ceiling', async (t) => {
      const { visitor } = await visitAs(running, stores, 'apps:read', 'apps:write')
      const fields = {
        ...{ host: 'agents.example.com', policy: 'admit', path_prefix: '/agents', limit: '20' },
        ...{ ceiling: ['records:create', 'records:update'], needs: 'some' },
        ...{ optional_permissions: ['records:update'], expires_days: '30' },
      }
      const fresh = await visitor.get('/operator/hosts/new')
      for (const [wrong, said] of [
        [{ expires_days: 'x' }, 'does not have the form that it needs'],
        [{ path_prefix: 'a' }, 'Enter a path that begins with /'],
        [{ access_token_seconds: '80000' }, 'too large'],
      ] as const) {
        const again = await visitor.submit(fresh, { ...fields, ...wrong })
        t.equal(again.status, 400)
        t.match(wordsOf(again), said)
      }
      await visitor.submit(await visitor.get('/operator/hosts/new'), fields)
      const path = '/client-hosts/agents.example.com'
      const rule = {
        policy: 'admit',
        path_prefix: '/agents',
        limit: 20,
        ceiling: { interface: 'current', permissions: ['records:create', 'records:update'] },
        defaults: {
          optional_permissions: ['records:update'],
          access_token_seconds: null,
          retry_window_seconds: null,
          expires_days: 30,
        },
      }
      t.match((await operator('GET', path)).body, rule)
      const page = await visitor.get('/operator/hosts/agents.example.com')
      await visitor.submit(page, { limit: '21' })
      t.match((await operator('GET', path)).body, { ...rule, limit: 21 }, 'the form has it all')
      await operator('DELETE', path)
    })

    await t.test('rights are names in code, and all of them a sentence', async (t) => {
      const { visitor } = await visitAs(running, stores, '*')
      for (const path of ['/operator/tokens/new', `/operator/people/${world.ana.id}/operator`]) {
        const { dom } = await visitor.get(path)
        const labels = dom.querySelectorAll('#permissions bdi')
        const inWords = labels.filter((one) => !one.classList.contains('code'))
        t.ok(labels.length > 10)
        t.same(
          inWords.map((one) => one.text),
          ['Everything, including future permissions'],
        )
      }
    })

    await t.test('what a role may not do is absent, and 404 when posted', async (t) => {
      const { visitor } = await visitAs(running, stores, 'apps:read')
      const page = await visitor.get('/operator')
      t.notMatch(page.text, '/operator/import')
      t.notMatch(page.text, '/operator/organizations')
      t.equal((await visitor.get('/operator/import')).status, 404)
      const url = 'https://apps.example.com/client'
      t.equal((await postFields(visitor, `${issuer}/operator/import`, { url })).status, 404)
    })
  },
  { environment },
)
