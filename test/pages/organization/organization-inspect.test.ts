/**
 * The token inspector: it shows admins their organization's tokens and nothing else, and stores
 * nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  clientCredentials,
  currentCode,
  exchangeCode,
  legacyCode,
  legacyToken,
  post,
  refresh,
} from '../../support/flows.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { withoutReference } from '../../support/refused-page.ts'
import { createKeySet, selfSign } from '../../support/resource-server.ts'
import { signedIn } from '../../support/signed-in.ts'
import { dumpStores } from '../../support/traces.ts'
import type { VisitedPage, Visitor } from '../../support/visitor.ts'
import { createApp, install, legacyPermissions } from '../../support/world.ts'
import { postFields } from '../organization-visit.ts'

const seconds = () => Math.floor(Date.now() / 1000)

/** The visible text, with a space between a term and its description. */
const spokenOf = ({ dom }: VisitedPage) =>
  (dom.querySelector('main')?.innerHTML ?? '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Pastes a token into the page, with the current anti-forgery field. */
const paste = async (visitor: Visitor, address: string, token: string) => {
  const page = await visitor.submit(await visitor.get(address), { token, decision: 'inspect' })
  return { status: page.status, words: spokenOf(page), html: page.text }
}

await onEachBackend('the token inspector', async (t, { running, issuer, world, stores }) => {
  const { acme, other, ana, kim, sales } = world
  const { operator } = running
  const address = `${issuer}/organizations/${acme}/inspect`
  const admin = await signedIn(issuer, kim)
  const explain = (token: string) => paste(admin, address, token)
  const app = await createApp(running, { name: 'Letter Press' })
  await install(running, acme, app)
  const old = await createApp(running, { name: 'Old Press', interface: 'legacy' })
  await install(running, acme, old, { permissions: legacyPermissions })
  const pasted = new Set<string>()
  const accepts = async (token: string, ...said: (string | RegExp)[]) => {
    pasted.add(token)
    const { status, words, html } = await explain(token)
    t.equal(status, 200)
    t.notMatch(html, token, 'the page shows only a hint of it')
    t.notMatch(words, 'It is not accepted.')
    for (const one of said) t.match(words, one)
  }
  const refuses = async (token: string, ...said: (string | RegExp)[]) => {
    pasted.add(token)
    const { status, words, html } = await explain(token)
    t.equal(status, 200)
    t.notMatch(html, token)
    for (const one of ['It is not accepted.', ...said]) t.match(words, one)
  }
  const tokensOf = async () => {
    const grant = await currentCode(running, app, ana, { organization_id: acme })
    return (await exchangeCode(issuer, app, grant)).body
  }

  await t.test('shows kind, names and times of each token', async () => {
    const grant = await currentCode(running, app, ana, { organization_id: acme })
    await accepts(grant.code, 'Authorization code', 'Letter Press', 'once', 'ana', 'Create records')
    const user = (await exchangeCode(issuer, app, grant)).body
    await refuses(grant.code, 'A code works once')
    await accepts(
      user.access_token,
      'It is accepted now.',
      'Access token of an app, for a person',
      `Ends in …${user.access_token.slice(-4)}`,
      'App Letter Press',
      /For ana/,
      'Organization Acme',
      'Interface Current',
      'It may Read everything in the workspaces below',
      'In Sales Support',
      /Issued (now|\d+ (second|minute)s? ago) /,
      /Expires in (59 minutes|1 hour) /,
    )
    await accepts(`Authorization: Bearer ${user.access_token.replace('.', '.\n  ')}`)
    await accepts(user.refresh_token, 'Refresh token', 'exchange it for an access token once')
    const next = await refresh(issuer, app, user.refresh_token)
    await refuses(user.refresh_token, 'Each works once')
    t.equal(
      (await refresh(issuer, app, next.body.refresh_token)).status,
      200,
      'inspecting revokes nothing',
    )

    const machine = (await clientCredentials(issuer, app, acme)).body
    await accepts(
      machine.access_token,
      'for itself',
      'Itself, not a person',
      'Finance Sales Support',
    )

    const legacy = await legacyCode(running, old, ana, { organization_id: acme })
    const legacyUser = await legacyToken(issuer, old, {
      grant_type: 'authorization_code',
      code: legacy.code,
    })
    await accepts(
      legacyUser.body.access_token,
      'Interface Legacy',
      'Read everything in the databases',
    )
  })

  await t.test('explains in words why a token is refused', async () => {
    const path = `/organizations/${acme}/installs/${app.client_id}`
    const client = { client_id: app.client_id, client_secret: app.client_secret }
    const member = `/organizations/${acme}/members/${ana.id}`

    const machine = (await clientCredentials(issuer, app, acme)).body
    await post(`${issuer}/api/oauth/revoke`, { ...client, token: machine.access_token })
    await refuses(machine.access_token, 'revoked this token')

    const revoked = await tokensOf()
    await post(`${issuer}/api/oauth/revoke`, { ...client, token: revoked.refresh_token })
    await refuses(revoked.access_token, 'revoked its authorization')

    const stolen = await tokensOf()
    await refresh(issuer, app, stolen.refresh_token)
    await refresh(issuer, app, stolen.refresh_token)
    await refuses(stolen.access_token, 'was used twice', 'sends a refresh token twice')

    const tokens = await tokensOf()
    await operator('PATCH', path, { suspended: true })
    await refuses(tokens.access_token, 'suspended the app here', 'Resume it', 'It could')
    await operator('PATCH', path, { suspended: false })
    await accepts(tokens.access_token)
    await operator('DELETE', member)
    await refuses(tokens.access_token, 'no longer a member')
    await operator('PUT', member, { role: 'member' })
    await operator('PUT', `/workspaces/${sales}/members/${ana.id}`)
    await operator('PATCH', `/users/${ana.id}`, { disabled: true })
    await refuses(tokens.access_token, 'account of the person was switched off')
    await operator('PATCH', `/users/${ana.id}`, { disabled: false })
    await operator('DELETE', path)
    await refuses(tokens.refresh_token, 'uninstalled')
    await install(running, acme, app)
    const again = (await clientCredentials(issuer, app, acme)).body
    await operator('PATCH', `/apps/${app.client_id}`, { disabled: true })
    await refuses(again.access_token, 'operator of this service has switched the app off')
    await operator('PATCH', `/apps/${app.client_id}`, { disabled: false })
  })

  await t.test('explains self-signed tokens and key set secrets', async () => {
    const keySet = await createKeySet(running, acme, { name: 'Nightly export' })
    const signed = (claims: object, secret = keySet.secret) =>
      selfSign(secret, { iss: keySet.client_id, iat: seconds(), ...claims })
    const endless = signed({ permissions: ['records:create'] })
    await accepts(endless, 'Key Nightly export', 'All workspaces', 'no date of its own')
    await accepts(
      signed({ exp: seconds() + 7200, workspace_ids: [sales] }),
      'In Sales',
      /in [12] hour/,
    )
    await accepts(signed({ exp: 2 ** 52 }), 'no date of its own')
    await refuses(signed({ exp: seconds() - 90 }), 'It has expired', '1 minute ago')
    await refuses(signed({ exp: 'tomorrow' }), 'Its expiry time (exp) cannot be read')
    await refuses(signed({ iat: seconds() + 600 }), 'in the future')
    await refuses(signed({ nbf: seconds() + 600 }), 'not valid yet')
    await refuses(signed({ aud: 'https://elsewhere.example' }), 'another API')
    await refuses(signed({ workspace_ids: 'all' }), 'not a list of ids', 'No workspace')
    await refuses(signed({ permissions: 'all' }), 'not a list of names')
    await refuses(keySet.secret, 'Client Secret itself', 'make a new one')

    const forged = signed({}, 'another secret')
    pasted.add(forged)
    const { words } = await explain(forged)
    t.match(words, 'This is not signed with a secret of the key')
    t.match(words, 'Nightly export')

    const legacy = await createKeySet(running, acme, {
      name: 'Old importer',
      interface: 'legacy',
      permissions: ['readData'],
    })
    await accepts(legacy.secret, 'Secret of a key', 'Old importer')
    for (const { id } of [keySet, legacy])
      await operator('POST', `/organizations/${acme}/key-sets/${id}/rotate`)
    await refuses(endless, 'The secret behind it has ended')
    await refuses(legacy.secret, 'The secret behind it has ended')
    const { body } = await operator('GET', `/organizations/${acme}/key-sets/${keySet.id}`)
    t.equal(body.secrets.length, 1)
    t.equal(body.secrets[0].last_used_at, null, 'inspecting is no use')
  })

  await t.test('a token of another organization looks unknown', async (t) => {
    await install(running, other, app)
    const foreignKeys = await createKeySet(running, other)
    const foreignLegacy = await createKeySet(running, other, {
      interface: 'legacy',
      permissions: ['readData'],
    })
    const sign = (secret: string) =>
      selfSign(secret, { iss: foreignKeys.client_id, iat: seconds() })
    const foreign = [
      (await clientCredentials(issuer, app, other)).body.access_token,
      sign(foreignKeys.secret),
      sign('a wrong secret'),
      foreignKeys.secret,
      foreignLegacy.secret,
    ]
    const unknown = ['x', 'lkrt_abc', 'lkks_abc', `${'x'.repeat(20_000)}`, 'a.b.c', '\u0000', 'é']
    const csrf = / name="_csrf" value="[^"]*"/g
    const pages = []
    for (const token of [...foreign, ...unknown]) {
      pasted.add(token)
      const { status, html } = await explain(token)
      t.equal(status, 200)
      pages.push(withoutReference(html).replaceAll(csrf, ''))
    }
    t.match(pages[0], 'This is not a token of this organization')
    t.equal(new Set(pages).size, 1, 'all pages are the same, byte for byte')
  })

  await t.test('an empty input is reported at the field', async (t) => {
    for (const empty of ['', ' \n', 'Bearer ']) {
      const { status, words } = await explain(empty)
      t.equal(status, 400)
      t.match(words, 'Paste a token first.')
    }
  })

  await t.test('only admins may inspect, others get the same 404', async (t) => {
    const nowhere = await admin.get(`${issuer}/organizations/org0/inspect`)
    t.equal(nowhere.status, 404)
    t.equal((await admin.get(`${issuer}/organizations/${other}/inspect`)).status, 404)
    const member = await signedIn(issuer, ana)
    t.equal((await member.get(address)).status, 404)
    const answer = await postFields(member, address, { token: 'x', decision: 'inspect' })
    t.equal(answer.status, 404)
    t.equal(withoutReference(await answer.text()), withoutReference(nowhere.text))
    t.equal(
      (await admin.fetch(address, { method: 'POST', body: new URLSearchParams({ token: 'x' }) }))
        .status,
      403,
      'a form without its field',
    )
  })

  await t.test('simulates what an app would get', async (t) => {
    const simulate = async (fields: Record<string, string>) => {
      const page = await admin.get(address)
      return admin.submit(page, { token: null, ...fields, decision: 'simulate' })
    }
    const asAna = spokenOf(await simulate({ client_id: app.client_id, user_id: ana.id }))
    t.match(asAna, /What Letter Press would get for ana/)
    t.match(asAna, 'The person has not allowed the app yet and would be asked.')
    await tokensOf()
    const allowed = spokenOf(await simulate({ client_id: app.client_id, user_id: ana.id }))
    t.match(allowed, 'Yes, it would be let in.')
    t.match(allowed, /Create records yes approved/)
    t.match(allowed, /Delete records no the app never asks for it/)
    t.match(allowed, /Finance no the person is not in this workspace/)
    const itself = spokenOf(await simulate({ client_id: app.client_id, user_id: '' }))
    t.match(itself, /What Letter Press would get for itself/)
    t.match(itself, /Finance yes approved/)
    const legacy = spokenOf(await simulate({ client_id: old.client_id, user_id: '' }))
    t.match(legacy, 'Apps of the legacy interface never act for themselves.')
    const elsewhere = await createApp(running, { name: 'Elsewhere' })
    await install(running, other, elsewhere)
    for (const [client_id, user_id] of [
      [elsewhere.client_id, ''],
      ['app0', ''],
      ['', ''],
      [app.client_id, world.zoe.id],
      [app.client_id, 'usr0'],
    ] as const) {
      const refused = await simulate({ client_id, user_id })
      t.equal(refused.status, 400)
      t.match(spokenOf(refused), 'Choose an app and a member of the organization.')
    }
  })

  await t.test('the inspected token is stored nowhere', async (t) => {
    await sleep(1500) // The audit trail is written every second.
    const stored = await dumpStores(stores)
    const logged = running.log.join('\n')
    for (const token of [...pasted].filter((one) => one.length > 8)) {
      t.notOk(stored.includes(token), 'not in the stores')
      t.notOk(logged.includes(token), 'not in the log')
    }
    t.notMatch(logged, 'token=')
  })
})
