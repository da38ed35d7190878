/** Admins choose the workloads that a key set trusts. */
import { onEachBackend } from '../../support/on-each-backend.ts'
import { signedIn } from '../../support/signed-in.ts'
import { sql } from '../../support/traces.ts'
import { createVisitor, pageKind } from '../../support/visitor.ts'
import { decide, postFields, wordsOf } from '../organization-visit.ts'

const issuer = 'https://ci.example'

await onEachBackend('trusted workloads of a key set', async (t, { running, world, stores }) => {
  const { operator } = running
  const { acme, kim } = world
  const create = async (name: string, api = 'current') =>
    (
      await operator('POST', `/organizations/${acme}/key-sets`, {
        name,
        interface: api,
        permissions: [],
      })
    ).body.id as string
  const admin = await signedIn(running.issuer, kim)
  const pathOf = (id: string) => `/organizations/${acme}/keys/${id}/workloads`
  const trusted = async (id: string) =>
    (await operator('GET', `/organizations/${acme}/key-sets/${id}`)).body.workloads

  await t.test('a workload is trusted and no longer trusted, and both are audited', async (t) => {
    const id = await create('Nightly')
    const path = pathOf(id)
    const page = await admin.get(path)
    t.match(wordsOf(page), 'No program is trusted yet')
    const given = { issuer, subject: 'repo:acme/nightly', claims: 'ref = main\nrun=a=b\n' }
    const done = await decide(admin, page, 'trust', {}, given)
    t.match(wordsOf(done), 'The program is trusted now')
    const expected = { issuer, subject: 'repo:acme/nightly', claims: { ref: 'main', run: 'a=b' } }
    t.same(await trusted(id), [expected])
    t.match(wordsOf(done), /https:\/\/ci\.example repo:acme\/nightly ref=main, run=a=b/)

    const again = await decide(admin, await admin.get(path), 'trust', {}, given)
    t.equal(again.status, 400)
    t.match(wordsOf(again), 'This program is trusted already')

    const link = done.dom.querySelector('a[href$="/remove"]')?.getAttribute('href') ?? ''
    const requested = await admin.get(link)
    t.match(wordsOf(requested), /Stop trusting repo:acme\/nightly \(https:\/\/ci\.example\)\?/)
    const gone = await decide(admin, requested, 'untrust')
    t.match(wordsOf(gone), 'The program is no longer trusted')
    t.same(await trusted(id), [])
    t.equal((await admin.get(link)).status, 404)
    t.match(wordsOf(await decide(admin, requested, 'untrust')), 'Another person has changed this')
    const { items } = (await operator('GET', `/audit?organization_id=${acme}&limit=2`)).body
    for (const event of items)
      t.match(event, { type: 'key_set.changed', actor: { kind: 'user', id: kim.id } })
  })

  await t.test('a faulty field is named, keeps its input and stores nothing', async (t) => {
    const id = await create('Faulty')
    const page = await admin.get(pathOf(id))
    const cases: [Record<string, string>, RegExp][] = [
      [{}, /Enter the https address of the issuer/],
      [{ issuer: 'nowhere', subject: 's' }, /Enter the https address of the issuer/],
      [{ issuer: `${issuer}/?a=b`, subject: 's' }, /Enter the https address of the issuer/],
      [{ issuer: 'http://ci.example', subject: 's' }, /Enter the https address of the issuer/],
      [{ issuer: running.issuer, subject: 's' }, /Tokens of this server are for data APIs/],
      [{ issuer }, /Enter a subject, or a claim/],
      [{ issuer, subject: 'x'.repeat(1001) }, /Enter a subject, or a claim/],
      [{ issuer, claims: 'repository' }, /Enter each claim as name=value/],
      [{ issuer, claims: 'a=1\na=2' }, /Enter each claim as name=value/],
      [{ issuer, claims: '=1' }, /Enter each claim as name=value/],
      [
        {
          issuer,
          claims: Array(11)
            .fill(0)
            .map((_, at) => `c${at}=1`)
            .join('\n'),
        },
        /at most 10/,
      ],
      [{ issuer, claims: `a=${'x'.repeat(5000)}` }, /Enter each claim as name=value/],
      [{ issuer, subject: 's', jwks_uri: 'http://ci.example/keys' }, /address of the keys/],
    ]
    for (const [given, words] of cases) {
      const faulty = await decide(admin, page, 'trust', {}, { subject: '', ...given })
      t.equal(faulty.status, 400, JSON.stringify(given).slice(0, 80))
      t.match(wordsOf(faulty), words)
      const shown = faulty.dom.querySelector('#subject')?.getAttribute('value')
      t.equal(shown, given.subject ?? '')
    }
    t.same(await trusted(id), [])
  })

  await t.test('of many at once none is lost, and at most five are trusted', async (t) => {
    const id = await create('Crowded')
    const page = await admin.get(pathOf(id))
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        decide(admin, page, 'trust', {}, { issuer, subject: `job${at}` }),
      ),
    )
    const told = answers.filter((one) => wordsOf(one).includes('The program is trusted now'))
    t.equal((await trusted(id)).length, told.length, 'each that was reported')
    while ((await trusted(id)).length < 5)
      await decide(
        admin,
        page,
        'trust',
        {},
        { issuer, subject: `more${(await trusted(id)).length}` },
      )
    t.match(wordsOf(await admin.get(pathOf(id))), 'A key trusts at most 5 programs')
    const over = await postFields(admin, `${running.issuer}${pathOf(id)}`, {
      decision: 'trust',
      issuer,
      subject: 'sixth',
    })
    t.equal(over.status, 400)
    t.equal((await trusted(id)).length, 5)
  })

  await t.test('needs a recent sign-in, and a key set of the current interface', async (t) => {
    const legacy = await create('Old', 'legacy')
    t.equal((await admin.get(pathOf(legacy))).status, 404)
    const id = await create('Guarded')
    const visitor = await signedIn(running.issuer, kim)
    const page = await visitor.get(pathOf(id))
    await sql(stores, 'update sessions set authenticated_at = authenticated_at - 3600000')
    const requested = await decide(visitor, page, 'trust', {}, { issuer, subject: 's' })
    t.equal(pageKind(requested), 'sign-in')
    t.same(await trusted(id), [])
    t.equal((await createVisitor(running.issuer).fetch(page.url)).status, 303)
  })
})
