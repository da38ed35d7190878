import { onEachBackend } from '../support/on-each-backend.ts'
import { expectPage, withoutReference } from '../support/refused-page.ts'
import { signedIn } from '../support/signed-in.ts'
import { createVisitor } from '../support/visitor.ts'
import { createApp } from '../support/world.ts'
import { postFields, wordsOf } from './organization-visit.ts'

await onEachBackend(
  'organization pages are closed to others',
  async (t, { running, issuer, world }) => {
    const { operator } = running
    const { acme, other, ana, kim, zoe, confidential } = world
    const keySetIn = async (organization: string) =>
      (
        await operator('POST', `/organizations/${organization}/key-sets`, {
          name: 'Export',
          interface: 'current',
          permissions: [],
        })
      ).body.id as string
    const [own, foreign] = [await keySetIn(acme), await keySetIn(other)]
    const elsewhere = await createApp(running, { name: 'Elsewhere' })
    await operator('PUT', `/organizations/${other}/installs/${elsewhere.client_id}`, {
      permissions: [],
      workspace_ids: null,
    })
    const nowhere = `org${'0'.repeat(17)}`

    const pagesOf = (organization: string, clientId: string, keySet: string) =>
      [
        'apps',
        `apps/${clientId}`,
        `apps/${clientId}/change`,
        `apps/${clientId}/ends`,
        `apps/${clientId}/suspend`,
        `apps/${clientId}/uninstall`,
        `apps/${clientId}/people/${ana.id}/end`,
        'suspend-all',
        'resume-all',
        'members',
        `members/${ana.id}`,
        `members/${ana.id}/end-all`,
        'keys',
        'keys/new',
        'inspect',
        'policy',
        'review',
        'review?format=csv',
        `keys/${keySet}`,
        `keys/${keySet}/secret`,
        `keys/${keySet}/rotate`,
        `keys/${keySet}/delete`,
        `keys/${keySet}/workloads`,
      ].map((part) => `/organizations/${organization}/${part}`)
    const appPosts = (clientId: string) =>
      ['approve', 'refuse', 'change', 'widen', 'keep', 'suspend', 'resume', 'uninstall', 'end'].map(
        (decision) => ({ decision, client_id: clientId, user_id: ana.id }),
      )
    const keyPosts = (keySet: string) =>
      ['change', 'rotate', 'retire', 'delete'].map((decision) => ({
        decision,
        key_set_id: keySet,
        name: 'X',
      }))
    const create = { decision: 'create', interface: 'current', name: 'Planted', workspace_ids: '*' }

    const everything = async () => {
      const parts = await Promise.all(
        [acme, other].flatMap((organization) => [
          operator('GET', `/organizations/${organization}/installs`),
          operator('GET', `/organizations/${organization}/key-sets`),
        ]),
      )
      return JSON.stringify(parts.map(({ body }) => body))
    }
    const before = await everything()
    const {
      status: unknown,
      headers: _,
      ...rest
    } = await createVisitor(issuer).get('/no/such/page')
    t.equal(unknown, 404)
    const same404 = withoutReference(rest.text)

    for (const [who, person] of Object.entries({ 'a member': ana, 'a stranger': zoe })) {
      await t.test(`${who}: every page and every POST is the same 404`, async (t) => {
        const visitor = await signedIn(issuer, person)
        for (const organization of [acme, nowhere, 'x'.repeat(150), '%00', '..%2f..']) {
          for (const path of pagesOf(organization, confidential.client_id, own)) {
            const text = await expectPage(t, await visitor.fetch(`${issuer}${path}`), 404, path)
            t.equal(withoutReference(text), same404, path)
          }
        }
        const posts = [
          ...appPosts(confidential.client_id).map((fields) => ['apps', fields] as const),
          ...appPosts(confidential.client_id).map(
            (fields) => [`apps/${confidential.client_id}`, fields] as const,
          ),
          ...[...keyPosts(own), create].map((fields) => ['keys', fields] as const),
          [`keys/${own}/workloads`, { decision: 'trust', issuer: 'https://ci.example' }] as const,
          ['suspend-all', { decision: 'suspend_all' }] as const,
          ['resume-all', { decision: 'resume_all' }] as const,
          [`members/${ana.id}/end-all`, { decision: 'end_all' }] as const,
        ]
        for (const [part, fields] of posts) {
          const url = `${issuer}/organizations/${acme}/${part}`
          const answer = await postFields(visitor, url, { organization_id: acme, ...fields })
          const text = await expectPage(t, answer, 404, `POST ${fields.decision}`)
          t.equal(withoutReference(text), same404)
        }
      })
    }

    await t.test('an admin cannot reach objects of another organization', async (t) => {
      const admin = await signedIn(issuer, kim)
      for (const path of [
        ...pagesOf(other, elsewhere.client_id, foreign),
        `/organizations/${acme}/apps/${elsewhere.client_id}`,
        `/organizations/${acme}/keys/${foreign}`,
        `/organizations/${acme}/keys/${foreign}/secret`,
        `/organizations/${acme}/members/${zoe.id}/end-all`,
        `/organizations/${acme}/apps/app0000`,
        `/organizations/${acme}/keys/kst0000`,
      ]) {
        const text = await expectPage(t, await admin.fetch(`${issuer}${path}`), 404, path)
        t.equal(withoutReference(text), same404, path)
      }
      const posts = [
        ...appPosts(elsewhere.client_id).map((fields) => ['apps', fields] as const),
        ...appPosts('app0000').map((fields) => ['apps', fields] as const),
        ...appPosts(elsewhere.client_id).map(
          (fields) => [`apps/${elsewhere.client_id}`, fields] as const,
        ),
        // An app in the address and another one in the form.
        ...appPosts(confidential.client_id).map(
          (fields) => [`apps/${elsewhere.client_id}`, fields] as const,
        ),
        ['apps', { decision: 'end', client_id: confidential.client_id, user_id: zoe.id }] as const,
        ['suspend-all', { decision: 'suspend_all', organization_id: other }] as const,
        [`members/${zoe.id}/end-all`, { decision: 'end_all' }] as const,
        [
          `keys/${foreign}/workloads`,
          { decision: 'trust', issuer: 'https://ci.example', subject: 'x' },
        ] as const,
        ...keyPosts(foreign).map((fields) => ['keys', fields] as const),
        ...keyPosts('kst0000').map((fields) => ['keys', fields] as const),
        ['apps', { ...appPosts(confidential.client_id)[7], organization_id: other }] as const,
        ['keys', { ...create, organization_id: other }] as const,
      ]
      for (const [part, fields] of posts) {
        const url = `${issuer}/organizations/${acme}/${part}`
        const answer = await postFields(admin, url, fields as Record<string, string>)
        const text = await expectPage(t, answer, 404, `POST ${JSON.stringify(fields)}`)
        t.equal(withoutReference(text), same404)
      }
    })

    await t.test('a signed-out user gets the sign-in page at any address', async (t) => {
      for (const organization of [acme, nowhere]) {
        const path = `/organizations/${organization}/apps`
        const answer = await createVisitor(issuer).fetch(`${issuer}${path}`)
        t.equal(answer.status, 303)
        t.equal(answer.headers.get('location'), `/login?return_to=${encodeURIComponent(path)}`)
      }
    })

    await t.test('a cross-site form or one without its field changes nothing', async (t) => {
      const admin = await signedIn(issuer, kim)
      const url = `${issuer}/organizations/${acme}/keys`
      const body = () => new URLSearchParams({ ...create })
      t.equal((await admin.fetch(url, { method: 'POST', body: body() })).status, 403)
      const page = await admin.get(`${url}/new`)
      const csrf = page.dom.querySelector('input[name="_csrf"]')?.getAttribute('value') ?? ''
      const forged = new URLSearchParams({ ...create, _csrf: csrf })
      const headers = { origin: 'https://evil.example' }
      t.equal((await admin.fetch(url, { method: 'POST', body: forged, headers })).status, 403)
    })

    t.equal(await everything(), before, 'nothing has changed in either organization')

    await t.test('an admin who is demoted meanwhile gets 404 for an open form', async (t) => {
      const admin = await signedIn(issuer, kim)
      t.match(wordsOf(await admin.get('/')), /Organizations that you administer.*Acme/)
      await operator('PUT', `/organizations/${acme}/members/${kim.id}`, { role: 'member' })
      for (const [part, fields] of [
        ['apps', { decision: 'uninstall', client_id: confidential.client_id }],
        ['keys', create],
      ] as const) {
        const answer = await postFields(admin, `${issuer}/organizations/${acme}/${part}`, fields)
        const text = await expectPage(t, answer, 404, part)
        t.equal(withoutReference(text), same404)
      }
      t.notMatch(wordsOf(await admin.get('/')), 'Organizations that you administer')
      t.equal(await everything(), before)
    })
  },
)
