import { setTimeout as sleep } from 'node:timers/promises'
import { SignJWT, UnsecuredJWT } from 'jose'
import { eventually } from '../support/eventually.ts'
import { credentials, currentCode, exchangeCode, post } from '../support/flows.ts'
import type { Json } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { newSigningKey, startWorkloadIssuer } from '../support/workload-issuer.ts'
import { createApp, install } from '../support/world.ts'

const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const now = () => Math.floor(Date.now() / 1000)

await onEachBackend(
  'workloads instead of secrets',
  async (t, { running, issuer, world }) => {
    const { acme, ana } = world
    const { operator } = running
    const ci = await startWorkloadIssuer(issuer)
    const foreign = await startWorkloadIssuer(issuer)
    t.teardown(ci.stop)
    t.teardown(foreign.stop)
    const subject = 'repo:acme/site:ref:refs/heads/main'
    const app = await createApp(running, {
      name: 'Deploys',
      workloads: [
        { issuer: ci.issuer, subject },
        { issuer: ci.issuer, claims: { project: { id: 7, tags: ['a', 'b'] }, ref: 'main' } },
      ],
    })
    await install(running, acme, app)

    const ask = (client_assertion: string, more: Record<string, string> = {}) =>
      post(`${issuer}/api/oauth/token`, {
        grant_type: 'client_credentials',
        organization_id: acme,
        client_id: app.client_id,
        client_assertion,
        client_assertion_type,
        ...more,
      })
    const eventsOf = async (answer: Awaited<ReturnType<typeof post>>) => {
      const id = answer.headers.get('x-request-id') as string
      let items: Json[] = []
      await eventually(async () => {
        items = (await operator('GET', `/audit?request_id=${id}`)).body.items
        return items.length > 0
      })
      return items
    }
    const reasonOf = async (answer: Awaited<ReturnType<typeof post>>) =>
      (await eventsOf(answer))[0]?.detail.reason

    t.test('a token of the trusted workload authenticates the app at each endpoint', async (t) => {
      const answer = await ask(await ci.token())
      t.match(answer, { status: 200, body: { token_type: 'Bearer', organization_id: acme } })
      const code = await currentCode(running, app, ana)
      const withWorkload = { ...app, client_secret: '' }
      const redeemed = await exchangeCode(issuer, withWorkload, code, {
        client_assertion: await ci.token(),
        client_assertion_type,
      })
      t.equal(redeemed.status, 200)
      const revoked = await post(`${issuer}/api/oauth/revoke`, {
        client_id: app.client_id,
        token: redeemed.body.refresh_token,
        client_assertion: await ci.token(),
        client_assertion_type,
      })
      t.equal(revoked.status, 200)
      const pushed = await post(`${issuer}/api/oauth/par`, {
        ...credentials(withWorkload),
        response_type: 'code',
        redirect_uri: app.redirect_uri,
        code_challenge: 'A'.repeat(43),
        code_challenge_method: 'S256',
        client_assertion: await ci.token(),
        client_assertion_type,
      })
      t.equal(pushed.status, 201)
    })

    t.test(
      'the audit trail names the workload, also by a subject that only its claims cover',
      async (t) => {
        const named = async (claims: Record<string, unknown>) => {
          const answer = await ask(await ci.token(claims))
          t.equal(answer.status, 200)
          const [event] = await eventsOf(answer)
          t.match(event, { type: 'token.issued_to_workload', organization_id: acme })
          t.equal(event?.client_id, app.client_id)
          return event?.detail.workload
        }
        t.equal(await named({}), `${subject} (${ci.issuer})`)
        const covered = { project: { id: 7, tags: ['a', 'b'] }, ref: 'main' }
        t.equal(await named({ ...covered, sub: 'job-1' }), `job-1 (${ci.issuer})`)
        const byClaims = await named({ ...covered, sub: undefined })
        t.match(byClaims, /^\{.*"project":\{"id":7,"tags":\["a","b"\]\}.*\} \(http:/)
        const refused = await ask(await ci.token(), { scope: 'unknown:permission' })
        t.equal(refused.status, 400)
        t.same(
          (await eventsOf(refused)).map(({ type }) => type),
          ['token.refused'],
          'no token, no event',
        )
      },
    )

    t.test('claims must have exactly the registered values', async (t) => {
      const project = { id: 7, tags: ['a', 'b'] }
      const other = { sub: 'other', ref: 'main' }
      const cases: [claims: Record<string, unknown>, status: number][] = [
        [{ project }, 200],
        [{ project: { tags: ['a', 'b'], id: 7 } }, 200],
        [{ project: { id: '7', tags: ['a', 'b'] } }, 401],
        [{ project: { id: 7, tags: ['b', 'a'] } }, 401],
        [{ project: { ...project, more: 1 } }, 401],
        [{ project: { id: 7 } }, 401],
        [{ project, ref: 'main2' }, 401],
        [{ project, ref: ['main'] }, 401],
        [{ project, ref: undefined }, 401],
        [{}, 401],
      ]
      for (const [claims, status] of cases)
        t.equal(
          (await ask(await ci.token({ ...other, ...claims }))).status,
          status,
          JSON.stringify(claims),
        )
    })

    t.test('CLI-13 hostile tokens are refused alike, each for its reason', async (t) => {
      const own = await newSigningKey()
      const symmetric = new SignJWT({
        iss: ci.issuer,
        sub: subject,
        aud: issuer,
        exp: now() + 60,
      }).setProtectedHeader({ alg: 'HS256', kid: ci.key().kid })
      const cases: [what: string, token: string, reason: string][] = [
        ['another subject', await ci.token({ sub: `${subject}x` }), 'workload_mismatch'],
        ['no subject', await ci.token({ sub: undefined }), 'workload_mismatch'],
        ['a subject as a list', await ci.token({ sub: [subject] }), 'workload_mismatch'],
        ['an untrusted issuer', await foreign.token(), 'workload_untrusted'],
        ['an issuer with a slash', await ci.token({ iss: `${ci.issuer}/` }), 'workload_untrusted'],
        ['no issuer', await ci.token({ iss: undefined }), 'workload_untrusted'],
        ['a key of another issuer', await foreign.token({ iss: ci.issuer }), 'assertion_invalid'],
        [
          'another key under a known kid',
          await ci.token({}, { ...own, kid: ci.key().kid }),
          'assertion_invalid',
        ],
        [
          'unsigned',
          new UnsecuredJWT({ iss: ci.issuer, sub: subject, aud: issuer }).encode(),
          'assertion_invalid',
        ],
        [
          'HS256 with public text',
          await symmetric.sign(Buffer.from(JSON.stringify(ci.key().publicJwk))),
          'assertion_invalid',
        ],
        [
          'another audience',
          await ci.token({ aud: 'https://elsewhere.example' }),
          'workload_audience',
        ],
        [
          'also for another server',
          await ci.token({ aud: [issuer, 'https://elsewhere.example'] }),
          'workload_audience',
        ],
        [
          'the token endpoint',
          await ci.token({ aud: `${issuer}/api/oauth/token` }),
          'workload_audience',
        ],
        ['no audience', await ci.token({ aud: undefined }), 'workload_audience'],
        ['an empty audience', await ci.token({ aud: [] }), 'workload_audience'],
        ['expired', await ci.token({ exp: now() - 31 }), 'assertion_invalid'],
        ['without an expiry', await ci.token({ exp: undefined }), 'assertion_invalid'],
        ['not valid yet', await ci.token({ nbf: now() + 60 }), 'assertion_invalid'],
        ['of the future', await ci.token({ iat: now() + 60 }), 'assertion_of_the_future'],
        ['for two hours', await ci.token({ exp: now() + 7200 }), 'assertion_lives_too_long'],
        [
          'for two hours, one of them over',
          await ci.token({ iat: now() - 3700, exp: now() + 3500 }),
          'assertion_lives_too_long',
        ],
        [
          'for two hours without iat',
          await ci.token({ iat: undefined, exp: now() + 7200 }),
          'assertion_lives_too_long',
        ],
        ...(await Promise.all(
          ['at+jwt', 'dpop+jwt', 'logout+jwt', 'application/oauth-id-jag+jwt'].map(
            async (typ): Promise<[string, string, string]> => [
              typ,
              await ci.token({}, ci.key(), { typ }),
              'assertion_invalid',
            ],
          ),
        )),
        ['an empty jti', await ci.token({ jti: '' }), 'jti_malformed'],
        ['a number as jti', await ci.token({ jti: 1 }), 'jti_malformed'],
      ]
      for (const [what, token, reason] of cases) {
        const answer = await ask(token)
        t.match(answer, { status: 401, body: { error: 'invalid_client' } }, what)
        t.notOk(JSON.stringify(answer.body).includes(reason), 'the reason stays here')
        t.equal(await reasonOf(answer), reason, what)
      }
      for (const token of [await ci.token({ aud: [issuer] }), await ci.token({ jti: undefined })])
        t.equal((await ask(token)).status, 200)
      for (const typ of ['JWT', 'JOSE', 'client-authentication+jwt'])
        t.equal((await ask(await ci.token({}, ci.key(), { typ }))).status, 200, typ)
      const withoutId = await post(`${issuer}/api/oauth/token`, {
        grant_type: 'client_credentials',
        organization_id: acme,
        client_assertion: await ci.token(),
        client_assertion_type,
      })
      t.equal(withoutId.status, 401, 'the client id is required')
    })

    t.test('of many uses of one token at once, one is accepted', async (t) => {
      const token = await ci.token()
      const answers = await Promise.all([...Array(20)].map(() => ask(token)))
      t.equal(answers.filter(({ status }) => status === 200).length, 1)
      t.equal(answers.filter(({ status }) => status === 401).length, 19)
    })

    t.test(
      'only confidential apps of the current interface trust workloads, up to five',
      async (t) => {
        const path = `/apps/${app.client_id}`
        const workload = (name: string) => ({ issuer: ci.issuer, subject: name })
        const six = [...'abcdef'].map(workload)
        t.match(await operator('PATCH', path, { workloads: six }), { status: 400 })
        for (const workloads of [
          [{ issuer: ci.issuer }],
          [{ issuer: ci.issuer, claims: {} }],
          [workload('a'), workload('a')],
          [workload('a'), { ...workload('b'), jwks_uri: `${ci.issuer}/keys` }],
          [{ issuer: 'http://169.254.169.254', subject: 'a' }],
          [{ issuer: 'not a url', subject: 'a' }],
          [{ issuer: `${ci.issuer}?a=b`, subject: 'a' }],
        ])
          t.match(
            await operator('PATCH', path, { workloads }),
            { status: 400, body: { errors: [{ pointer: /^\/workloads\// }] } },
            JSON.stringify(workloads),
          )
        const { body } = await operator('GET', path)
        t.equal(body.workloads.length, 2)
        const redirect_uris = ['https://app.example/cb']
        const publicApp = { name: 'A', interface: 'current', client_type: 'public', redirect_uris }
        t.match(
          await operator('POST', '/apps', {
            ...publicApp,
            permissions: [],
            workloads: [workload('a')],
          }),
          { status: 400, body: { errors: [{ pointer: '/workloads' }] } },
        )
      },
    )

    t.test(
      'an issuer that is no URL needs its keys, and a removed workload is refused at once',
      async (t) => {
        const path = `/apps/${app.client_id}`
        const spiffe = {
          issuer: 'spiffe.example',
          subject: 'spiffe://acme/job',
          jwks_uri: `${ci.issuer}/keys`,
        }
        t.equal((await operator('PATCH', path, { workloads: [spiffe] })).status, 200)
        const token = () => ci.token({ iss: spiffe.issuer, sub: spiffe.subject })
        t.equal((await ask(await token())).status, 200)
        t.equal((await ask(await ci.token())).status, 401)
        t.equal((await operator('PATCH', path, { workloads: [] })).status, 200)
        t.equal((await ask(await token())).status, 401)
        const { body } = await operator('GET', `/audit?client_id=${app.client_id}`)
        const changes = body.items.filter(({ type }: Json) => type === 'app.changed')
        t.ok(
          changes.some(({ detail }: Json) =>
            detail.workloads?.includes('spiffe://acme/job (spiffe.example)'),
          ),
          'the audit trail names the workload',
        )
      },
    )
  },
  { environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } },
)

await onEachBackend(
  'keys that a client publishes',
  async (t, { running, issuer, world }) => {
    const { acme } = world
    const { operator } = running
    const client = await startWorkloadIssuer(issuer)
    t.teardown(client.stop)
    const app = await createApp(running, { name: 'Publishes', jwks_uri: `${client.issuer}/keys` })
    await install(running, acme, app)
    const assertionOf = ({ client_id }: { client_id: string }, by = client.key()) =>
      client.token({ iss: client_id, sub: client_id }, by)
    const ask = (to: { client_id: string }, client_assertion: string) =>
      post(`${issuer}/api/oauth/token`, {
        grant_type: 'client_credentials',
        organization_id: acme,
        client_id: to.client_id,
        client_assertion,
        client_assertion_type,
      })

    t.test('authenticate it, and a rotated key is accepted at once', async (t) => {
      t.equal((await ask(app, await assertionOf(app))).status, 200)
      const before = client.key()
      await client.rotate()
      // An unknown key has the keys fetched again, ten seconds after the last time.
      await sleep(10_500)
      t.equal((await ask(app, await assertionOf(app))).status, 200)
      t.equal((await ask(app, await assertionOf(app, before))).status, 401)
    })

    t.test('are instead of registered keys, not beside them', async (t) => {
      const path = `/apps/${app.client_id}`
      const jwks = { keys: [client.key().publicJwk] }
      t.match(await operator('PATCH', path, { jwks }), {
        status: 400,
        body: { errors: [{ pointer: '/jwks_uri' }] },
      })
      t.match(await operator('PATCH', path, { jwks, jwks_uri: null }), { status: 200 })
      t.equal((await ask(app, await assertionOf(app))).status, 200)
    })

    t.test('a dead or hostile address refuses that client only', async (t) => {
      const hostile = ['/nothing', '/html', '/redirect', '/loop']
      client.on('/html', (response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      )
      client.on('/redirect', (response) => response.writeHead(302, { location: '/keys' }).end())
      client.on('/loop', (response) => response.destroy())
      for (const path of hostile) {
        const dead = await createApp(running, { name: path, jwks_uri: `${client.issuer}${path}` })
        const [answer, other] = await Promise.all([
          ask(dead, await assertionOf(dead)),
          ask(app, await assertionOf(app)),
        ])
        t.match(answer, { status: 401, body: { error: 'invalid_client' } }, path)
        t.equal(other.status, 200)
      }
    })
  },
  { environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } },
)

await onEachBackend('issuers that no workload may have', async (t, { running, issuer, world }) => {
  const redirect_uris = ['https://app.example/cb']
  const app = { name: 'A', interface: 'current', client_type: 'confidential', redirect_uris }

  t.test('are refused when they are registered', async (t) => {
    for (const issuer of ['https://127.0.0.1', 'https://localhost', 'http://issuer.example'])
      t.match(
        await running.operator('POST', '/apps', {
          ...app,
          permissions: [],
          workloads: [{ issuer, subject: 'a' }],
        }),
        { status: 400, body: { errors: [{ pointer: '/workloads/0/issuer' }] } },
        issuer,
      )
  })

  t.test('and so is this server, for apps and key sets, with and without keys', async (t) => {
    const keySets = `/organizations/${world.acme}/key-sets`
    const keySet = { name: 'K', interface: 'current', permissions: [] }
    const { body: known } = await running.operator('POST', keySets, keySet)
    const path = `/apps/${world.confidential.client_id}`
    const { workloads: before } = (await running.operator('GET', path)).body
    for (const more of [{}, { jwks_uri: 'https://keys.example/jwks.json' }]) {
      const workloads = [{ issuer, subject: 'a', ...more }]
      const answers = [
        await running.operator('POST', '/apps', { ...app, permissions: [], workloads }),
        await running.operator('PATCH', path, { workloads }),
        await running.operator('POST', keySets, { ...keySet, workloads }),
        await running.operator('PATCH', `${keySets}/${known.id}`, { workloads }),
      ]
      for (const answer of answers)
        t.match(answer, {
          status: 400,
          body: { errors: [{ pointer: '/workloads/0/issuer', detail: 'is this server' }] },
        })
    }
    t.same((await running.operator('GET', path)).body.workloads, before)
    t.same((await running.operator('GET', `${keySets}/${known.id}`)).body.workloads, [])
  })
})
