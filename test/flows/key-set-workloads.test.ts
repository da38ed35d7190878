import { createVerifier } from '@latchkey-auth/verify'
import { decide, wordsOf } from '../pages/organization-visit.ts'
import { eventually } from '../support/eventually.ts'
import { claimsOf, post } from '../support/flows.ts'
import { importLines } from '../support/import-lines.ts'
import type { Json } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { signedIn } from '../support/signed-in.ts'
import { startWorkloadIssuer } from '../support/workload-issuer.ts'

const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

await onEachBackend(
  'tokens of key sets for workloads',
  async (t, { running, issuer, world }) => {
    const { acme, other, kim } = world
    const { operator } = running
    const ci = await startWorkloadIssuer(issuer)
    t.teardown(ci.stop)
    const server = await registerResourceServer(running)
    const audience = 'https://nightly.example/api'
    const target = { name: 'Nightly', resource: [audience] }
    t.equal((await operator('POST', '/resource-servers', target)).status, 201)
    const workload = { issuer: ci.issuer, subject: 'repo:acme/site:ref:refs/heads/main' }
    const path = `/organizations/${acme}/key-sets`
    const createNightly = async () => {
      const { body, status } = await operator('POST', path, {
        name: 'Nightly',
        interface: 'current',
        permissions: ['records:create', 'records:update'],
        workloads: [workload],
      })
      t.equal(status, 201)
      return body as Json
    }
    /** With an id that has not our form. */
    const importOld = async () => {
      const fields = { client_id: 'old.script~1', secret: 'a-secret-of-the-old-server' }
      const { name, interface: generation, permissions } = await createNightly()
      const line = { type: 'key_set', organization: acme, interface: generation, name, permissions }
      t.match(await importLines(issuer, [{ ...line, ...fields }]), [{ status: 'created' }])
      const { items } = (await operator('GET', path)).body
      const { id } = items.find(({ client_id }: Json) => client_id === fields.client_id)
      t.equal((await operator('PATCH', `${path}/${id}`, { workloads: [workload] })).status, 200)
      return { id, ...fields } as Json
    }
    const keySet = await importOld()
    const ask = async (more: Record<string, string> = {}, of = keySet) =>
      post(`${issuer}/api/oauth/token`, {
        grant_type: 'client_credentials',
        client_id: of.client_id,
        client_assertion: await ci.token(),
        client_assertion_type,
        ...more,
      })
    const isActive = async (token: string) =>
      (await introspectAt(issuer, server, token)).body.active

    t.test(
      'has the rights of the key set for an hour, without its organization being named',
      async (t) => {
        const { status, body } = await ask()
        t.equal(status, 200)
        t.match(body, { token_type: 'Bearer', expires_in: 3600, organization_id: acme })
        t.notOk('refresh_token' in body)
        t.ok(body.workspace_ids.length > 0)
        const { body: meaning } = await introspectAt(issuer, server, body.access_token)
        t.match(meaning, {
          active: true,
          kind: 'self_signed',
          interface: 'current',
          client_id: keySet.client_id,
          organization_id: acme,
          permissions: ['records:create', 'records:update'],
          workspace_ids: null,
        })
        t.equal(meaning.exp - meaning.iat, 3600)
      },
    )

    t.test('its organization may be named, and another one is refused', async (t) => {
      t.match(await ask({ organization_id: acme }), {
        status: 200,
        body: { organization_id: acme },
      })
      for (const organization_id of [other, 'orgUnknown']) {
        const refused = await ask({ organization_id })
        t.match(refused, { status: 400, body: { error: 'invalid_request' } }, organization_id)
        t.equal(
          refused.body.error_description,
          'organization_id is not the organization of the key set',
        )
      }
      const stranger = await ci.token({ sub: 'another' })
      const unproven = await ask({ organization_id: other, client_assertion: stranger })
      t.match(
        unproven,
        { status: 401, body: { error: 'invalid_client' } },
        'the client comes first',
      )
    })

    t.test('is narrowed as asked, never beyond the key set', async (t) => {
      const [workspace] = (await ask()).body.workspace_ids
      const narrow = await ask({ scope: 'records:create', workspace_ids: workspace })
      t.match(narrow.body, { scope: 'records:create', workspace_ids: [workspace] })
      const { body } = await introspectAt(issuer, server, narrow.body.access_token)
      t.match(body, { permissions: ['records:create'], workspace_ids: [workspace] })
      for (const more of [
        { scope: 'records:delete' },
        { workspace_ids: 'wksUnknown' },
        { scope: 'openid' },
      ])
        t.match(await ask(more), { status: 400, body: { error: 'invalid_scope' } })
      for (const resource of ['https://unknown.example', '/relative', `${audience}#part`])
        t.match(
          await ask({ resource }),
          { status: 400, body: { error: 'invalid_target' } },
          resource,
        )
      const one = claimsOf((await ask({ resource: audience })).body.access_token)
      t.equal(one.aud, audience, 'one audience is a string')
    })

    t.test('the audit trail names the workload that got it', async (t) => {
      const id = (await ask()).headers.get('x-request-id')
      let items: Json[] = []
      await eventually(async () => {
        items = (await operator('GET', `/audit?request_id=${id}`)).body.items
        return items.length > 0
      })
      t.match(items, [
        {
          type: 'token.issued_to_workload',
          actor: { kind: 'client', id: keySet.client_id },
          organization_id: acme,
          client_id: keySet.client_id,
          detail: { workload: `${workload.subject} (${ci.issuer})` },
        },
      ])
      const admin = await signedIn(issuer, kim)
      const activity = await admin.get(`/organizations/${acme}/activity?request_id=${id}`)
      t.match(
        wordsOf(activity),
        `got a token, without a secret, as the program ${workload.subject} (${ci.issuer})`,
      )
    })

    t.test('has no other grant type, and a malformed request is called so', async (t) => {
      const refreshToken = 'refresh_token'
      const other = await ask({ grant_type: refreshToken, refresh_token: 'x' })
      t.match(other, { status: 400, body: { error: 'unauthorized_client' } })
      const malformed = { status: 400, body: { error: 'invalid_request' } }
      t.match(await ask({ grant_type: refreshToken }), malformed)
      const unknown = await ask({ grant_type: 'password' })
      t.match(unknown, { status: 400, body: { error: 'unsupported_grant_type' } })
      const stranger = { client_assertion: await ci.token({ sub: 'another' }) }
      for (const fields of [{ grant_type: refreshToken, refresh_token: 'x' }, { resource: '/x' }])
        t.equal((await ask({ ...fields, ...stranger })).status, 401, 'the client comes first')
    })

    t.test('needs a token of the workload, not a secret and not another one', async (t) => {
      const { client_id } = keySet
      const base = { grant_type: 'client_credentials', client_id }
      const refused = [
        await post(`${issuer}/api/oauth/token`, base),
        await post(`${issuer}/api/oauth/token`, { ...base, client_secret: keySet.secret }),
        await ask({ client_assertion: await ci.token({ sub: 'repo:acme/site:pull_request' }) }),
        await ask({ client_id: `${client_id}x` }),
      ]
      for (const answer of refused)
        t.match(answer, { status: 401, body: { error: 'invalid_client' } })
      const token = await ci.token()
      const many = await Promise.all([...Array(20)].map(() => ask({ client_assertion: token })))
      t.equal(many.filter(({ status }) => status === 200).length, 1, 'once of many at once')
    })

    t.test('a data API accepts it, and its end reaches the data API', async (t) => {
      const { clientId, clientSecret } = server
      const verifier = createVerifier({
        issuer,
        audience: issuer,
        resourceServer: { clientId, clientSecret },
      })
      t.teardown(verifier.close)
      const nightly = await createNightly()
      const token = (await ask({}, nightly)).body.access_token
      const access = await verifier.verify(token)
      t.match(access, { kind: 'self_signed', interface: 'current', organizationId: acme })
      t.ok(access.can('records:create'))
      t.notOk(access.can('records:delete'))
      const rotated = await operator('POST', `${path}/${nightly.id}/rotate`, {})
      t.equal(rotated.status, 200)
      t.ok(await isActive(token), 'a new secret does not concern it')
      t.equal((await operator('DELETE', `${path}/${nightly.id}`)).status, 204)
      t.equal(await isActive(token), false)
      await eventually(() =>
        verifier.verify(token).then(
          () => false,
          () => true,
        ),
      )
    })

    t.test('ends with the trust in the workload', async (t) => {
      const nightly = await createNightly()
      const token = (await ask({}, nightly)).body.access_token
      t.ok(await isActive(token))
      const changed = await operator('PATCH', `${path}/${nightly.id}`, { workloads: [] })
      t.match(changed, { status: 200, body: { workloads: [] } })
      t.equal(await isActive(token), false)
      t.equal((await ask({}, nightly)).status, 401)
      await operator('PATCH', `${path}/${nightly.id}`, { workloads: [workload] })
      t.equal((await ask({}, nightly)).status, 200)
      const { body } = await operator('GET', `/audit?client_id=${nightly.client_id}`)
      const created = body.items.find(({ type }: Json) => type === 'key_set.created')
      t.same(created.detail.workloads, [`${workload.subject} (${ci.issuer})`])
    })

    t.test('a key set without a secret works, and a legacy one trusts no workload', async (t) => {
      const nightly = await createNightly()
      const before = (await ask({}, nightly)).body.access_token
      const [{ id }] = nightly.secrets
      const admin = await signedIn(issuer, kim)
      const about = { key_set_id: nightly.id, secret_id: id }
      const page = await admin.get(`/organizations/${acme}/keys/${nightly.id}/secrets/${id}/retire`)
      t.match(wordsOf(await decide(admin, page, 'retire', about)), 'The secret has ended')
      t.same((await operator('GET', `${path}/${nightly.id}`)).body.secrets, [])
      t.ok(await isActive(before), 'the secret has not signed it')
      t.equal((await ask({}, nightly)).status, 200)
      const legacy = { name: 'L', interface: 'legacy', permissions: [], workloads: [workload] }
      t.match(await operator('POST', path, legacy), {
        status: 400,
        body: { errors: [{ pointer: '/workloads' }] },
      })
    })
  },
  { environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } },
)
