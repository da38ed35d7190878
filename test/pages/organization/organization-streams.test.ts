/** The receivers of an organization's audit trail, as its admins manage them. */
import { onEachBackend } from '../../support/on-each-backend.ts'
import { signedIn } from '../../support/signed-in.ts'
import { startReceiver, until } from '../../support/webhook-receiver.ts'
import { wordsOf } from '../organization-visit.ts'

const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`

await onEachBackend(
  'receivers of the audit trail',
  async (t, { running, issuer, world }) => {
    const { acme, other, ana, kim } = world
    const receiver = await startReceiver()
    t.teardown(receiver.stop)
    const foreign = { url: receiver.url, format: 'latchkey', secret, organization_id: other }
    t.equal((await running.operator('PUT', '/audit-streams/foreign', foreign)).status, 201)
    const base = `/organizations/${acme}/activity`
    const admin = await signedIn(issuer, kim)
    const listed = async () =>
      (await running.operator('GET', `/audit-streams?organization_id=${acme}`)).body.items

    const form = await admin.get(`${base}/new-stream`)
    t.equal(form.status, 200)
    const filled = { url: `${receiver.url}/own`, format: 'ocsf', secret }
    const refused = await admin.submit(form, { ...filled, secret: 'whsec_short' })
    t.equal(refused.status, 400)
    t.match(wordsOf(refused), 'Give whsec_ and 24 to 64 bytes in base64.')
    t.equal((await admin.submit(form, { ...filled, url: 'http://169.254.169.254/' })).status, 400)
    const saved = await admin.submit(form, filled)
    t.match(wordsOf(saved), 'Saved. Events follow within seconds.')
    await admin.submit(form, filled)
    const [stream, ...more] = await listed()
    t.same(more, [], 'a form that is sent twice makes one')
    t.match(stream, { url: filled.url, format: 'ocsf', organization_id: acme })
    t.notMatch(saved.dom.toString(), /foreign|whsec_/)

    const at = `${base}/streams/${stream.id}`
    const change = await admin.get(at)
    t.notMatch(change.dom.toString(), 'whsec_')
    await admin.submit(change, { url: `${receiver.url}/moved`, secret: '' })
    t.match(await listed(), [{ url: `${receiver.url}/moved`, format: 'ocsf' }])
    const stale = await admin.submit(change, { url: `${receiver.url}/late` })
    t.equal(stale.status, 409, 'another admin has changed it')
    const tested = await admin.submit(await admin.get(`${at}/test`), {})
    t.match(wordsOf(tested), 'A test event is on its way.')
    await until(
      () => receiver.at('/moved').some(({ text }) => text.includes('audit_stream.test')),
      'the test event',
    )

    const member = await signedIn(issuer, ana)
    for (const path of ['new-stream', `streams/${stream.id}`, 'streams/foreign', 'streams/none'])
      t.equal((await member.get(`${base}/${path}`)).status, 404, path)
    for (const id of ['foreign', 'none', 'a%20b'])
      for (const path of ['', '/test', '/delete'])
        t.equal((await admin.get(`${base}/streams/${id}${path}`)).status, 404, id + path)
    const deleted = await admin.submit(await admin.get(`${at}/delete`), {})
    t.match(wordsOf(deleted), 'The receiver is deleted.')
    t.same(await listed(), [])
  },
  { environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } },
)
