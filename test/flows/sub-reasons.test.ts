/**
 * Each refused token request is in the audit trail with its request id and sub-reason, and not in
 * the response.
 */
import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import {
  clientReasons,
  grantReasons,
  proofReasons,
  scopeReasons,
  targetReasons,
} from '../../src/core/language/sub-reasons.ts'
import { delegate } from '../support/delegation.ts'
import { beginDevice } from '../support/device.ts'
import { createHolder } from '../support/dpop.ts'
import { eventually } from '../support/eventually.ts'
import {
  clientCredentials,
  credentials,
  currentCode,
  exchangeCode,
  legacyToken,
  newVerifier,
  post,
  refresh,
} from '../support/flows.ts'
import {
  assertAt,
  assertingApp,
  nameProvider,
  providerEnvironment,
  startIdentityProvider,
} from '../support/identity-provider.ts'
import { createSuccessor, exchange, legacyTokens } from '../support/migration.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { openidApp } from '../support/openid.ts'
import { expireAll, sql } from '../support/traces.ts'
import { createApp, install, password, type TestApp } from '../support/world.ts'

type Sent = Awaited<ReturnType<typeof post>>

/** Reasons outside token requests of known clients: only the log has them. */
const elsewhere = [
  'authorization_answered_twice', // A page.
  'challenge_missing', // Such a code is no longer created.
  'subject_expired', // Needs a token of an hour ago: core/delegation/delegation.test.ts.
  'basic_malformed',
  'client_id_missing',
  'unknown_client',
  // With issuers and keys of other servers: workloads.test.ts.
  'keys_unavailable',
  'workload_audience',
  'workload_mismatch',
  'workload_untrusted',
  'proof_stale', // The same request is repeated at once.
  'proof_token', // At the userinfo endpoint.
]

/**
 * Reasons that any caller can cause with the id of a public app: only the log and the metrics have
 * them.
 */
const ofAnybody = ['public_client', 'weaker_than_legacy']

await onEachBackend(
  'refused token requests',
  async (t, { running, issuer, world, stores }) => {
    const { operator } = running
    const { acme, ana, finance, legacy, publicApp, second } = world
    const app = await createApp(running, { name: 'Own' })
    await install(running, acme, app)
    const sent: [reason: string, answer: Sent, about: string | null][] = []
    const note = async (reason: string, request: Promise<Sent>, about: string | null = acme) => {
      sent.push([reason, await request, about])
    }
    const person = { ...ana, organization_id: acme }
    const codeOf = (by: TestApp = app) =>
      currentCode(running, by, person, { organization_id: acme })
    const tokensOf = async () => (await exchangeCode(issuer, app, await codeOf())).body
    const path = `/organizations/${acme}/installs/${app.client_id}`

    const code = await codeOf()
    await note(
      'verifier_mismatch',
      exchangeCode(issuer, app, code, { code_verifier: newVerifier() }),
    )
    await note('redirect_uri_mismatch', exchangeCode(issuer, app, code, { redirect_uri: 'x:y' }))
    await note('unknown_permission', exchangeCode(issuer, app, code, { scope: 'readData' }))
    await note('malformed', exchangeCode(issuer, app, code, { scope: ' ' }))
    await note('malformed', exchangeCode(issuer, app, code, { workspace_ids: 'ä' }))
    await note(
      'permission_not_approved',
      exchangeCode(issuer, app, code, { scope: 'records:delete' }),
    )
    await note(
      'workspace_not_approved',
      exchangeCode(issuer, app, code, { workspace_ids: finance }),
    )
    const lengthy = await createApp(running, { name: 'Lengthy' })
    await install(running, acme, lengthy)
    for (const table of ['apps', 'installs'])
      await sql(stores, `update ${table} set permissions = $2 where client_id = $1`, [
        lengthy.client_id,
        Array.from({ length: 60 }, (_, at) => `${at}:`.padEnd(64, 'long')),
      ])
    await note('token_too_long', clientCredentials(issuer, lengthy, acme))
    const resourceOf = async (part: Record<string, unknown>) => {
      const resource = `https://${randomUUID()}.example`
      const { status } = await operator('POST', '/resource-servers', {
        name: 'Files',
        resource: [resource],
        ...part,
      })
      t.equal(status, 201)
      return resource
    }
    const files = await resourceOf({ permissions: ['documents:read'] })
    const foreignApi = await resourceOf({ organization_ids: [world.other] })
    const forItself = (part: Record<string, string | string[]>) =>
      clientCredentials(issuer, app, acme, part)
    await note('resource_malformed', forItself({ resource: 'relative' }), null)
    const many = Array.from({ length: 11 }, (_, at) => `https://${at}.example`)
    await note('too_many_resources', forItself({ resource: many }), null)
    await note('resource_unknown', forItself({ resource: `${files}/other` }))
    await note('resource_not_serving', forItself({ resource: foreignApi }))
    await note('resource_not_granted', exchangeCode(issuer, app, code, { resource: files }))
    await note(
      'permission_of_other_resource',
      forItself({ resource: files, scope: 'records:create' }),
    )
    await note('openid_not_allowed', exchangeCode(issuer, app, code, { scope: 'openid' }))
    const wiki = await openidApp(running, world)
    const unrequested = await codeOf(wiki)
    await note('openid_missing', exchangeCode(issuer, wiki, unrequested, { scope: 'email' }))
    await note('openid_not_approved', exchangeCode(issuer, wiki, unrequested, { scope: 'openid' }))
    await note('token_unknown_or_foreign', exchangeCode(issuer, second, code), null)
    const tokens = (await exchangeCode(issuer, app, code)).body
    await note('token_unreadable', refresh(issuer, app, `${tokens.refresh_token}x`), null)
    const basic = Buffer.from(`${publicApp.client_id}:`).toString('base64')
    const madeUp = [
      await refresh(issuer, publicApp, 'x'),
      await post(
        `${issuer}/api/oauth/token`,
        { grant_type: 'refresh_token', refresh_token: 'x' },
        { authorization: `Basic ${basic}` },
      ),
    ]
    await note('code_reused', exchangeCode(issuer, app, code))
    await note('grant_ended', refresh(issuer, app, tokens.refresh_token))
    const spent = await tokensOf()
    await refresh(issuer, app, spent.refresh_token)
    await note('refresh_token_reused', refresh(issuer, app, spent.refresh_token))

    const agent = await createApp(running, { name: 'Agent' })
    await install(running, acme, agent)
    const acting: string = (await tokensOf()).access_token
    await note('actor_not_named', delegate(issuer, agent, acting))
    let chained = acting
    for (let length = 0; length < 3; length++)
      chained = (await delegate(issuer, app, chained)).body.access_token
    await note('chain_too_long', delegate(issuer, app, chained))
    await post(`${issuer}/api/oauth/revoke`, { ...credentials(app), token: acting })
    await note('subject_inactive', delegate(issuer, app, acting))

    const sleeping = await tokensOf()
    await operator('PATCH', path, { suspended: true })
    await note('install_suspended', refresh(issuer, app, sleeping.refresh_token))
    await note('install_suspended', clientCredentials(issuer, app, acme))
    await operator('PATCH', path, { suspended: false })
    const outside = await tokensOf()
    await operator('PATCH', path, { audience: { users: [] } })
    await note('not_in_audience', refresh(issuer, app, outside.refresh_token))
    await operator('PATCH', path, { audience: { everyone: true } })
    const rules = (public_apps: string) =>
      operator('PUT', `/organizations/${acme}/policy`, { connect: 'all', public_apps })
    const ruled = await codeOf(publicApp)
    await rules('refuse')
    await note('policy', exchangeCode(issuer, publicApp, ruled))
    await rules('allow')
    await sql(stores, 'update installs set self = true where client_id = $1', [app.client_id])
    await note('self_install', clientCredentials(issuer, app, acme))
    await sql(stores, 'update installs set self = false where client_id = $1', [app.client_id])
    const uninstalled = await tokensOf()
    await operator('DELETE', path)
    await note('uninstalled', refresh(issuer, app, uninstalled.refresh_token))
    await note('not_installed', clientCredentials(issuer, app, acme), null)
    await note('public_client', clientCredentials(issuer, publicApp, acme), null)
    await install(running, acme, app)

    const epoch = await tokensOf()
    await operator('PATCH', `/apps/${app.client_id}`, { disabled: true })
    await note('disabled', clientCredentials(issuer, app, acme), null)
    await operator('PATCH', `/apps/${app.client_id}`, { disabled: false })
    await note('app_disabled', refresh(issuer, app, epoch.refresh_token))
    await note('no_legacy_app', exchange(issuer, app, tokens.refresh_token), null)
    const twin = await createSuccessor(running, world, legacy)
    const old = await legacyTokens(running, legacy, world)
    const legacyInstall = `/organizations/${acme}/installs/${legacy.client_id}`
    await operator('PATCH', legacyInstall, { permissions: ['insertData'] })
    await note('reading_not_granted', exchange(issuer, twin, old.refresh_token))
    await operator('PATCH', legacyInstall, { permissions: ['readData', 'insertData'] })
    await exchange(issuer, twin, old.refresh_token)
    await note(
      'moved',
      legacyToken(issuer, legacy, {
        grant_type: 'refresh_token',
        refresh_token: old.refresh_token,
      }),
    )
    await operator('PATCH', `/apps/${twin.client_id}`, { client_type: 'public' })
    await note(
      'weaker_than_legacy',
      exchange(issuer, { ...twin, client_secret: '' }, old.refresh_token),
      null,
    )
    await note('device_flow_off', beginDevice(issuer, app), null)
    const left = await tokensOf()
    await operator('DELETE', `/organizations/${acme}/members/${ana.id}`)
    await note('user_left', refresh(issuer, app, left.refresh_token))
    await operator('PUT', `/organizations/${acme}/members/${ana.id}`, { role: 'member' })
    const changed = await tokensOf()
    await operator('PATCH', `/users/${ana.id}`, { password: `${password} again` })
    await note('password_changed', refresh(issuer, app, changed.refresh_token))
    await operator('PATCH', `/users/${ana.id}`, { password })
    const off = await tokensOf()
    await operator('PATCH', `/users/${ana.id}`, { disabled: true })
    await note('user_disabled', refresh(issuer, app, off.refresh_token))
    await operator('PATCH', `/users/${ana.id}`, { disabled: false })
    const late = await codeOf()
    await expireAll(stores)
    await note('code_expired_or_ended', exchangeCode(issuer, app, late))

    const holder = await createHolder()
    const tokenUrl = `${issuer}/api/oauth/token`
    const proven = async (claims: Record<string, unknown> = {}, header = {}) => ({
      dpop: await holder.prove(tokenUrl, claims, header),
    })
    const bound = await codeOf(publicApp)
    const headers = await proven()
    const { refresh_token: kept } = (await exchangeCode(issuer, publicApp, bound, {}, headers)).body
    const notProven = async (reason: string, sent: Record<string, string>, about: string | null) =>
      note(reason, refresh(issuer, publicApp, kept, {}, sent), about)
    await notProven('proof_missing', {}, acme)
    await notProven('proof_replayed', headers, acme)
    await notProven('key_mismatch', await (await createHolder()).posts(tokenUrl), acme)
    const misProven = async (reason: string, sent: Record<string, string>) =>
      note(reason, refresh(issuer, app, kept, {}, sent), null)
    await misProven('proof_malformed', { dpop: 'x' })
    const right = (await proven()).dpop
    const algNone = { typ: 'dpop+jwt', alg: 'none', jwk: holder.jwk }
    const unsigned = Buffer.from(JSON.stringify(algNone)).toString('base64url')
    await misProven('proof_algorithm', { dpop: `${unsigned}.${right.split('.')[1]}.AAAA` })
    await misProven('proof_key', await proven({}, { jwk: { ...holder.jwk, d: 'x' } }))
    await misProven('proof_method', await proven({ htm: 'GET' }))
    await misProven('proof_url', await proven({ htu: issuer }))
    const signature = (await proven()).dpop.split('.')[2]
    const other = (await proven()).dpop.split('.').with(2, signature as string)
    await misProven('proof_signature', { dpop: other.join('.') })
    const par = `${issuer}/api/oauth/par`
    const named = { ...credentials(app), dpop_jkt: 'A'.repeat(43) }
    await note('proof_other_key', post(par, named, await holder.posts(par)), null)

    const wrong = { ...app, client_secret: 'wrong' }
    await note('secret_wrong', clientCredentials(issuer, wrong, acme), null)
    await note(
      'secret_missing',
      clientCredentials(issuer, { ...app, client_secret: '' }, acme),
      null,
    )
    await note('other_interface', clientCredentials(issuer, legacy, acme), null)
    const withSecret = { ...publicApp, client_secret: 'x' }
    await note('secret_from_public_client', clientCredentials(issuer, withSecret, acme), null)

    const { publicKey, privateKey } = await generateKeyPair('ES256')
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig' }] }
    const keyed = await createApp(running, { name: 'Keyed', jwks })
    const now = Math.floor(Date.now() / 1000)
    const assert = async (id: string, claims: JWTPayload) =>
      new SignJWT({
        iss: id,
        sub: id,
        aud: issuer,
        jti: `${Math.random()}`,
        exp: now + 60,
        ...claims,
      })
        .setProtectedHeader({ alg: 'ES256' })
        .sign(privateKey)
    const withAssertion = (id: string | undefined, assertion: string) =>
      post(`${issuer}/api/oauth/token`, {
        grant_type: 'client_credentials',
        organization_id: acme,
        client_id: id,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: assertion,
      })
    const id = keyed.client_id
    const cases: [string, JWTPayload][] = [
      ['assertion_invalid', { aud: 'https://elsewhere.example' }],
      ['assertion_of_the_future', { iat: now + 120 }],
      ['assertion_lives_too_long', { exp: now + 7200 }],
      ['jti_malformed', { jti: '' }],
      ['assertion_subject', { sub: 'somebody' }],
    ]
    for (const [reason, claims] of cases)
      await note(reason, withAssertion(id, await assert(id, claims)), null)
    await note('assertion_malformed', withAssertion(id, 'x'), null)
    const once = await assert(id, {})
    await withAssertion(id, once) // Authenticated, but not installed.
    await note('assertion_replayed', withAssertion(id, once), null)
    await note('assertion_replayed', withAssertion(undefined, once), null) // The sub names the client.
    const noKeys = app.client_id
    const bank = await createApp(running, { name: 'Bank', security_profile: 'fapi2', jwks })
    await note('assertion_required', clientCredentials(issuer, bank, acme), null)
    await note('no_keys_registered', withAssertion(noKeys, await assert(noKeys, {})), null)
    const onLegacy = legacyToken(
      issuer,
      { ...legacy, client_secret: '' },
      {
        grant_type: 'refresh_token',
        refresh_token: 'x',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await assert(legacy.client_id, {}),
      },
    )
    await note('assertion_on_legacy', onLegacy, null)

    const provider = await startIdentityProvider(issuer)
    t.teardown(provider.stop)
    const partner = await assertingApp(running, world, { name: 'Partner' })
    await nameProvider(running, acme, provider)
    const asserted = async (
      reason: string,
      claims: Record<string, unknown>,
      header: Record<string, unknown> = {},
      about: string | null = acme,
    ) => {
      const subject = { client_id: partner.client_id, sub: ana.id }
      const text = await provider.assertion({ ...subject, ...claims }, header)
      await note(reason, assertAt(issuer, partner, text), about)
    }
    const denial = `/organizations/${acme}/installs/${partner.client_id}/denied/${ana.id}`
    await operator('PUT', denial)
    await asserted('denied', {})
    await operator('DELETE', denial)
    const abroad = 'https://elsewhere.example'
    await asserted('id_jag_audience', { aud: abroad })
    await asserted('id_jag_client', { client_id: app.client_id })
    await asserted('id_jag_expired', { iat: now - 500, exp: now - 300 })
    await asserted('id_jag_issuer', { iss: abroad }, {}, null)
    await asserted('id_jag_lives_too_long', { exp: now + 7200 })
    await asserted('id_jag_malformed', { jti: 7 })
    await asserted('id_jag_not_yet_valid', { nbf: now + 600 })
    const accepted = { client_id: partner.client_id, sub: ana.id, jti: 'the same' }
    await assertAt(issuer, partner, await provider.assertion(accepted))
    await asserted('id_jag_replayed', accepted)
    await asserted('id_jag_signature', {}, { kid: 'unknown' })
    await asserted('id_jag_type', {}, { typ: 'JWT' })
    await asserted('id_jag_user_unknown', { sub: 'nobody' })
    await asserted('user_not_member', { sub: world.zoe.id })
    await note('id_jag_off', assertAt(issuer, app, await provider.assertion({})), null)
    const disconnecting = await currentCode(running, partner, person, { organization_id: acme })
    await disconnecting.visitor.submit(await disconnecting.visitor.get('/account/apps'), {
      client_id: partner.client_id,
      organization_id: acme,
      decision: 'disconnect',
    })
    await asserted('user_disconnected', {})
    await nameProvider(running, acme, provider, { client_ids: [app.client_id] })
    await asserted('id_jag_app_not_allowed', {})

    const refusals = async (answer: Sent | undefined) => {
      const request = answer?.headers.get('x-request-id') ?? ''
      const { body } = await operator('GET', `/audit?request_id=${request}`)
      return body.items.filter((one: { type: string }) => one.type === 'token.refused')
    }
    // The trail is written every second, in the order of events.
    await eventually(async () => (await refusals(sent.at(-1)?.[1])).length > 0)
    for (const [reason, answer, about] of sent) {
      t.ok(answer.status === 400 || answer.status === 401, reason)
      t.notOk(JSON.stringify(answer.body).includes(reason), `${reason} is not told to the client`)
      const rows = await refusals(answer)
      if (!ofAnybody.includes(reason)) {
        t.match(rows, [{ detail: { reason }, organization_id: about }], reason)
        continue
      }
      t.same(rows, [], `${reason}: nobody fills the trail with it`)
      const id = answer.headers.get('x-request-id') as string
      const lines = running.log.join('').split('\n')
      t.ok(
        lines.some((line) => line.includes(id) && line.includes(`"reason":"${reason}"`)),
        reason,
      )
    }

    for (const answer of madeUp) {
      t.match(answer, { status: 400, body: { error: 'invalid_grant' } })
      t.same(await refusals(answer), [], 'events that any caller can invent are not stored')
    }

    const found = new Set([...sent.map(([reason]) => reason), ...elsewhere])
    const unreached = [
      ...grantReasons,
      ...Object.keys(scopeReasons),
      ...Object.keys(targetReasons),
      ...proofReasons,
      ...clientReasons,
    ].filter((one) => !found.has(one))
    t.same(
      unreached,
      ['family_ended', 'verifier_missing'],
      'these need a damaged store or a legacy request',
    )
  },
  { environment: providerEnvironment },
)
