/**
 * Calls outside pages, operations and token requests: timers, a provider's sign-in, an
 * authenticator, other keys.
 */

import { randomBytes, randomUUID } from 'node:crypto'
import type { Stores } from '../../src/app/stores.ts'
import { completeFilter } from '../../src/core/audit/audit-log.ts'
import type { RegisteredApp } from '../../src/core/clients/apps.ts'
import { digestTables, sealedTables } from '../../src/core/credentials/master-keys.ts'
import type { EventType } from '../../src/core/language/event-types.ts'
import type { StoreSetup } from './stores.ts'
import { sql } from './traces.ts'

const event = {
  type: 'test.event' as EventType,
  actor: { kind: 'system', id: null },
  address: null,
  requestId: null,
} as const

const arrivals = async ({ identities }: Stores, userId: string) => {
  const key = { issuer: 'https://id.test', subject: 's', email: 'n@id.test', emailVerified: true }
  const user = { id: `usr${randomBytes(6).toString('hex')}`, email: key.email, name: 'N' }
  for (const fresh of ['user', null] as const)
    await identities.arrive(key, () => ({ kind: 'enter', user, fresh, events: [event] }))
  const linked = { ...key, subject: 'other', email: 'o@id.test' }
  const known = { id: userId, email: linked.email, name: 'O' }
  await identities.arrive(linked, () => ({
    kind: 'enter',
    user: known,
    fresh: 'identity',
    events: [event],
  }))
}

const authenticator = async ({ passkeys }: Stores, userId: string) => {
  const passkey = {
    id: 'pky0',
    userId,
    name: 'Key',
    credentialId: 'credential',
    publicKey: new Uint8Array(8),
    counter: 0,
    transports: [],
  }
  await passkeys.insert(passkey, 5, event)
  await passkeys.byCredential(passkey.credentialId)
  await passkeys.used(passkey.credentialId, 1)
  await passkeys.list(userId)
  await passkeys.rename({ userId, id: passkey.id, name: 'Renamed', event })
  await passkeys.remove({ userId, id: passkey.id, keep: null, event, ended: () => event })
}

const commands = async (stores: Stores, userId: string) => {
  const { operators, operatorTokens, masterKeyStore, signingKeys } = stores
  const digest = randomBytes(32)
  const token = {
    id: 'opt0',
    name: 'T',
    permissions: ['*'],
    organizationIds: null,
    hint: '',
    expiresAt: null,
    digest,
    digestKeyId: 'k',
  }
  await operatorTokens.insert(token, [event])
  await operatorTokens.useByDigest([digest])
  await operatorTokens.list({ limit: 10, after: null })
  await operatorTokens.remove(token.id, () => [event])
  const none = 'usr0'
  await stores.latestMigration()
  await operators.permissionsOf(none)
  await operators.among([none])
  await operators.list({ limit: 10, after: null })
  for (const permissions of [['*'], []]) await operators.put(userId, permissions, () => [event])
  for (const table of sealedTables) {
    await masterKeyStore.sealedIn(table, '')
    await masterKeyStore.replaceSealed(table, 'none', digest, digest)
  }
  for (const table of digestTables) {
    await masterKeyStore.digestsIn(table)
    await masterKeyStore.renew(table, [{ id: 'none', from: digest, to: digest }], 'k')
  }
  const key = { alg: 'ES256', publicJwk: {}, sealedPrivateKey: digest } as const
  const rsa = { ...key, alg: 'RS256' } as const
  await signingKeys.initialise({ active: { ...rsa, kid: 'r0' }, next: { ...rsa, kid: 'r1' } })
  const times = { publishedAhead: 120, keepRetired: 7200 }
  await signingKeys.rotate(
    [
      { ...key, kid: 'k2' },
      { ...rsa, kid: 'r2' },
    ],
    times,
    event,
  )
  await signingKeys.replace([{ active: { ...key, kid: 'k0' }, next: { ...key, kid: 'k1' } }], event)
  await stores.estimateRows()
  await stores.estimateFamilies()
}

/** A logo that came, one that did not, and one whose owner has another by now. */
const logos = async ({ logos: store }: Stores) => {
  await store.claim(4, 0, 3)
  const logo = {
    owner: 'organization',
    id: 'none',
    uri: 'https://a.test/',
    etag: null,
    attempts: 1,
  } as const
  await store.store(logo, { digest: 'digest', image: Buffer.from('image'), etag: null }, 60)
  await store.unchanged(logo, 60)
  await store.failed({ ...logo, owner: 'app' }, { fault: 'svg', retryAfter: 60 })
  await store.postpone(logo, 60)
  await store.stateOf('none')
  await store.keep('kept', Buffer.from('image'))
  await store.renew('kept')
  await store.image('digest')
}

/** Of each kind: created, changed and removed under an id of the platform. */
const ownIds = async ({ users, organizations, workspaces }: Stores) => {
  const events = [event]
  const person = {
    email: 'own@id.test',
    name: 'O',
    emailVerified: false,
    disabled: false,
    locale: null,
  }
  for (const name of ['One', 'Two']) {
    await users.put('kim', null, () => ({ values: { ...person, name }, events }))
    await organizations.put('acme', () => ({
      values: { name, logoUri: null, accent: null },
      events,
    }))
    const workspace = { id: 'wks-sales', organizationId: 'acme' }
    await workspaces.put(workspace, () => ({ values: { name }, events }))
  }
  await users.passwordHashOf('kim')
  await workspaces.findMember('wks-sales', 'kim')
  await organizations.remove('acme', () => events)
  await users.remove('kim', () => events)
}

/** Each statement of an import: rows that are new, and rows that are changed. */
const imports = async ({ imports: store, organizations, users }: Stores) => {
  for (const name of ['One', 'Two']) {
    const person = { id: 'bulk', email: 'bulk@id.test', name, passwordHash: `foreign:${name}` }
    const values = {
      ...person,
      emailVerified: false,
      disabled: false,
      locale: null,
      hasSignedIn: false,
      disabledAt: null,
      passwordVersion: 0,
    }
    await store.apply(
      [
        [{ type: 'organization', row: { id: 'bulk', name } }],
        [{ type: 'user', row: person }],
        [{ type: 'member', row: { organization: 'bulk', user: 'bulk', role: 'member' } }],
        [{ type: 'workspace', row: { id: 'wks-bulk', organization: 'bulk', name } }],
        [{ type: 'workspace', row: { id: 'wks-bulk', organization: 'bulk', name } }],
        [{ type: 'workspaceMember', row: { workspace: 'wks-bulk', user: 'bulk' } }],
      ],
      () => ({ values: { ...values, createdAt: new Date() }, changed: ['name'] }),
      () => [event],
      { id: 'tests', permissions: ['*'], organizationIds: null },
    )
  }
  await organizations.remove('bulk', () => [event])
  await users.remove('bulk', () => [event])
}

/** What came from an earlier server, for a member of an organization with one app. */
const movedIn = async (stores: Stores, setup: StoreSetup) => {
  for (const statement of [
    `insert into organizations (id, name) values ('moved', 'Moved')`,
    `insert into users (id, email, name) values ('moved', 'moved@example.test', 'Moved')`,
    `insert into members (organization_id, user_id, role) values ('moved', 'moved', 'member')`,
    `insert into installs (id, organization_id, client_id, permissions)
       select 'ins-moved', 'moved', client_id, '{}' from apps where interface = 'current' limit 1`,
  ])
    await sql(setup, statement)
  const [app] = await sql<{ client_id: string }>(
    setup,
    `select client_id from installs where id = 'ins-moved'`,
  )
  const place = {
    ...{ user: 'moved', organization: 'moved', installId: 'ins-moved' },
    clientId: app?.client_id ?? '',
  }
  const given = { ...place, permissions: [], workspaceIds: null }
  await stores.importedConsents.consents([given], () => event)
  const times = { issuedAt: null, endsAt: null, source: '', isOwn: false }
  const grant = { ...given, ...times, id: randomUUID(), digest: randomUUID() }
  await stores.takenOver.places([grant], 100)
  const epochs = { interface: 'current', appEpoch: 0, userEpoch: 0 } as const
  await stores.takenOver.insert([{ ...grant, ...epochs }], event)
  const applied = {
    kind: 'app_secret',
    subject: place.clientId,
    digests: [randomBytes(32)],
  } as const
  const secret = { id: 'sec-moved', digest: randomBytes(32), digestKeyId: 'k', hint: '', applied }
  await sql(setup, 'delete from app_secrets where client_id = $1', [place.clientId])
  await stores.importedSecrets.isTaken('nothing')
  await stores.sourcedLines.judge([{ subject: 'app nothing', line: {} }])
  await stores.sourcedLines.record([{ subject: 'app nothing', line: {}, state: '' }])
  await stores.importedSecrets.replace({ table: 'app_secrets', id: place.clientId }, secret, event)
  await stores.foreignSecrets.renew('sec-moved', '', secret)
  await stores.people.renewPassword('nobody', '', '')
  await stores.keySets.byClientId('nothing')
  for (const day of [1, 2])
    await stores.verificationKeys.put(
      { kid: 'moved' },
      new Date(Date.now() + day * 86_400_000),
      event,
    )
  await stores.verificationKeys.list()
  await stores.consoleOverview.takenOver()
}

const messages = async ({ webhookOutbox: outbox, webhooks }: Stores) => {
  const { items } = await webhooks.list({ limit: 1, after: null })
  const [hook] = items
  if (!hook) throw new Error('there is no webhook')
  const next = async () => {
    await webhooks.addTest(hook.id, `msg${randomBytes(6).toString('hex')}`, () => [event])
    await outbox.waiting('operator')
    const { message } = (await outbox.claim(hook.id, '', 60)) ?? {}
    if (!message) throw new Error('nothing is due')
    return message
  }
  const answered = (status: number) => ({ kind: 'answered', status, retryAfter: null }) as const
  await outbox.delivered(await next(), answered(200))
  await outbox.retry(await next(), answered(500), 60)
  const returned = await next()
  await outbox.release(returned)
  await outbox.giveUp(await next(), answered(500), false, () => [event])
  await outbox.backlog()
}

const readers = async ({ revocationFeed, stops }: Stores) => {
  await revocationFeed.polled('nothing', '', 0, null).catch(() => undefined)
  await revocationFeed.closed('nothing', '')
  await stops.find('nothing', null)
  await stops.readers('nothing')
  await stops.reportSilent(() => event)
  await stops.silentReaders()
}

const streams = async ({ streamOutbox: outbox, auditStreams, organizations }: Stores) => {
  const { items } = await organizations.list({ limit: 1, after: null }, null)
  const organizationId = items[0]?.id ?? ''
  const settings = {
    url: 'https://siem.example/',
    format: 'ocsf',
    sealed: Buffer.from([]),
  } as const
  const values = { ...settings, organizationId }
  for (const [id, of, from] of [
    ['all', null, 'start'],
    ['one', organizationId, 'start'],
    ['later', organizationId, undefined],
  ] as const) {
    const decide = (sealed: Buffer) => () => ({
      ...{ values: { ...values, organizationId: of, sealed }, events: [event] },
    })
    await auditStreams.put(id, from, 100, decide(Buffer.from([])))
    await auditStreams.put(id, from, 100, decide(Buffer.from([1])))
  }
  for (const share of ['operator', 'apps'] as const) await outbox.waiting(share)
  for (const id of ['all', 'one']) {
    const claim = async () => {
      const stream = await outbox.claim(id, 60)
      if (!stream) throw new Error('nothing is due')
      return stream
    }
    const formed = async () => {
      const stream = await claim()
      const [first] = await outbox.events(stream, 10)
      await outbox.form(stream, 'msg', 1, first?.id ?? '')
      await outbox.release(stream)
      return claim()
    }
    const batch = await formed()
    await outbox.events(batch, 10)
    await outbox.failed(batch, 'msg', 'timeout', 0)
    await outbox.accepted(batch, 'msg')
    await outbox.release(batch)
    const other = await formed()
    await outbox.expired(other, 'msg')
    await outbox.release(other)
    await auditStreams.addTest(id, 'msgtest')
    await outbox.tested({ ...other, testId: 'msgtest' }, 'timeout')
    await outbox.tested({ ...other, testId: 'msgtest' }, null)
  }
  await outbox.backlog()
  await auditStreams.list({ limit: 10, after: null }, [organizationId])
  await auditStreams.find('one')
  await auditStreams.remove('all', () => [event])
}

const mails = async (stores: Stores, userId: string) => {
  const { mailOutbox: outbox, mailChoices, passwordRequests, reminders } = stores
  await outbox.announce()
  const { email } = (await stores.people.findActive(userId)) ?? { email: '' }
  await passwordRequests.request(email, { address: null, requestId: null })
  const signIn = { type: 'session.signed_in', userId, detail: { session_id: 'none' } } as const
  await stores.audit.append([{ ...event, ...signIn }])
  await outbox.expand(10, () => event)
  const due = await outbox.claim({
    lane: 'account',
    turn: '',
    most: 5,
    claim: 'one',
    lease: 60,
  })
  const [mail] = due?.mails ?? []
  if (!mail) throw new Error('no mail is due')
  const bundle = { claim: 'one', mails: [mail] } as const
  await outbox.bundle(bundle, 'bundle')
  await outbox.release(bundle, 0)
  await outbox.retry(bundle, 'fault', 60)
  await outbox.giveUp(bundle, 'fault')
  await outbox.sent(bundle)
  await outbox.backlog()
  await mailChoices.change(userId, () => ({ values: ['apps'], events: [event] }))
  await mailChoices.declined(userId)
  await reminders.endingSecrets(10, () => [event])
  await reminders.unusedApps('', 10)
  await reminders.risingRefusals()
}

const followed = async ({ auditTail }: Stores) => {
  const newest = await auditTail.newest()
  if (!newest) throw new Error('no event')
  await auditTail.placeOf(newest)
  await auditTail.after(completeFilter({}), newest, 10)
}

const records = async ({ records, counters }: Stores) => {
  await records.insert('note', 'one', { state: 'open', value: '' }, 60)
  await records.put('note', 'one', { state: 'open', value: '' }, 60)
  await records.change('note', 'one', 'open', { state: 'shut', value: '' })
  await records.take('note', 'one')
  await records.delete('note', 'one')
  for (const by of [1, 0, -1]) await counters.hit('note', by, 60)
}

/** Documents of apps, their hosts and their reviews. */
const documents = async (stores: Stores) => {
  const { appReviews, apps, clientDocuments, clientHosts, clientUrlState } = stores
  const [host, url] = ['grown.example', 'https://grown.example/m']
  const defaults = {
    optionalPermissions: null,
    accessTokenSeconds: null,
    retryWindowSeconds: null,
    expiresDays: null,
  }
  const rule = { pathPrefix: null, limit: 100, defaults }
  const unchanged = (app: RegisteredApp) => ({ values: { app, dropSecrets: false }, events: [] })
  for (const ceiling of [[], ['records:create'], ['records:create', 'records:update']])
    await clientHosts.put(host, { ...rule, policy: 'admit', ceiling }, () => [event], unchanged)
  for (const policy of ['refuse', 'review'] as const)
    await clientHosts.put(host, { ...rule, policy, ceiling: null }, () => [event], unchanged)
  await clientHosts.byHost(host)
  await clientHosts.list({ limit: 1, after: null })
  await clientUrlState(url, host)
  const document = {
    name: 'A',
    clientType: 'public',
    redirectUris: [],
    scopes: null,
    homepageUri: null,
    logoUri: null,
    policyUri: null,
    tosUri: null,
    jwks: null,
    jwksUri: null,
  } as const
  const review = { id: 'arv0', clientId: url, host, document: { ...document, redirectUris: [] } }
  await appReviews.request(review, 20, [event])
  await appReviews.requestChange({ ...review, id: 'arv1' }, [event])
  await appReviews.list({ limit: 1, after: null })
  await appReviews.byId('arv0')
  await appReviews.decide('arv0', 'approve', null, [event])
  await appReviews.refused(url)
  await appReviews.undecide('arv0')
  await appReviews.propose(review, [event])
  await appReviews.withdraw(url)
  await appReviews.forget(url, [event])
  const { items: known } = await apps.list({ limit: 1, after: null })
  const another = { ...known[0]!, clientId: url, owners: [] }
  await clientHosts.insertApp(host, () => true)(another, null, [event], {
    ...{ scopes: [], hasScope: true, etag: null, freshSeconds: 60 },
  })
  await apps.change(url, unchanged, { admittedBy: host })
  await apps.remove(url, () => [event])
  await clientHosts.remove(host, () => [event])
  const { items } = await apps.list({ limit: 1, after: null })
  const clientId = items[0]?.clientId ?? ''
  const state = { scopes: [], hasScope: true, etag: null }
  await apps.change(clientId, (app) => ({ values: { app, dropSecrets: false }, events: [] }), {
    document: { ...state, freshSeconds: 0 },
  })
  await clientDocuments.find(clientId)
  await clientDocuments.claim(1, 1)
  await clientDocuments.followed(clientId, state, 60)
  await clientDocuments.failed(clientId, 60, [event])
}

/** Requests of an owner for changes of an app. */
const changes = async ({ appChanges, apps }: Stores, ownerId: string) => {
  const { items } = await apps.list({ limit: 1, after: null })
  const clientId = items[0]?.clientId ?? ''
  const owned = (app: RegisteredApp) => ({
    values: { app: { ...app, owners: [ownerId] }, dropSecrets: false },
    events: [event],
  })
  await apps.change(clientId, owned)
  const request = { clientId, before: {}, after: {}, reason: null, requestedBy: ownerId }
  for (const id of ['ach0', 'ach1', 'ach2']) {
    await appChanges.request({ ...request, id }, () => [event])
    if (id === 'ach0') await appChanges.withdraw({ clientId, id, ownerId, events: [event] })
    if (id === 'ach1') await appChanges.refuse(id, null, [event])
  }
  await appChanges.list({ limit: 1, after: null })
  await appChanges.latest(clientId, 1)
  await appChanges.byId('ach1')
  await apps.change(clientId, owned, { ownerId, approves: { id: 'ach2', note: null } })
  return clientId
}

/** What an owner of an app does on the other pages. */
const ofOwner = async (stores: Stores, ownerId: string, clientId: string) => {
  const { sandboxes, testPeople, webhooks, appUsage, permissionUse } = stores
  const secret = { id: 'sec-owned', sealed: randomBytes(8), hint: '' }
  const settings = { url: 'https://hooks.test/', events: null, description: null }
  const webhook = { ...settings, id: 'whk-owned', clientId, disabledReason: null }
  await webhooks.insert(webhook, secret, [event], { userId: ownerId, most: 100, id: webhook.id })
  await webhooks.ofApp(clientId)
  await webhooks.resend(webhook.id, 'none', () => [event])
  await appUsage.ofApp(clientId, { from: '2020-01-01', to: '2030-01-01' })
  const granted = { clientId, organizationId: 'org0', permission: 'read', count: 1 }
  const report = { clientId: 'rsv0', day: '2026-01-01', key: 'key', counts: [granted] }
  await permissionUse.add(report)
  await permissionUse.seen('rsv0', report.day, true)
  await permissionUse.ofInstall(granted, 30)
  await permissionUse.unused(clientId, 'org0')
  await permissionUse.unused(clientId, null)
  const workspaces = [{ id: 'wks-sandbox', name: 'W' }]
  await sandboxes.insert(ownerId, { organizationId: 'org-sandbox', name: 'S', workspaces }, [event])
  await sandboxes.ofOwner(ownerId)
  const person = { id: 'usr-test', email: 'test@sandbox.invalid', name: 'T', passwordHash: '' }
  await testPeople.add(ownerId, person, 5, () => [event])
  await testPeople.ofOwner(ownerId)
  await testPeople.remove(ownerId, person.id, () => [event])
}

/** A grant of each kind that clean-up removes. */
const plantDead = (setup: StoreSetup) =>
  sql(
    setup,
    `insert into grants (id, user_id, client_id, organization_id, install_id, app_epoch, user_epoch,
       permissions, redirect_uri, created_at, used, ended_at, expires_at)
     select unnest($1::uuid[]), g.user_id, g.client_id, g.organization_id, g.install_id, 0, 0, '{}', '',
       now() - interval '1 year', unnest('{true,false,true}'::boolean[]),
       unnest(array[now() - interval '1 year', null, null]),
       unnest(array[null, null, now() - interval '1 minute'])
       from (select * from grants limit 1) g`,
    [[randomUUID(), randomUUID(), randomUUID()]],
  )

/** A grant of a user who does not exist. */
const insertUnknown = (stores: Stores) =>
  stores.grants.insert(
    {
      id: randomUUID(),
      userId: 'unknown',
      clientId: 'unknown',
      organizationId: 'unknown',
      installId: 'unknown',
      appEpoch: 0,
      userEpoch: 0,
      permissions: [],
      workspaceIds: null,
      openidScopes: [],
      signIn: null,
      redirectUri: '',
      codeChallenge: null,
      dpopJkt: null,
      lifetime: null,
    },
    1,
  )

/** Ends of each kind: of an install, of a consent, and of requests. */
const accessEnds = async ({ accessSweeper: ends }: Stores, setup: StoreSetup, userId: string) => {
  await sql(
    setup,
    `with over as (
       update installs set expires_at = now(), idle_seconds = 60 where ended_at is null returning id
     ) update consents set expires_at = now(), idle_seconds = 60`,
  )
  const about = { organizationId: 'org0', clientId: 'app0', reason: 'expired' } as const
  const [install] = await ends.overInstalls()
  const [consent] = await ends.overConsents()
  await ends.endConsent(consent ?? { ...about, userId }, event)
  await ends.endInstall(install ?? { ...about, id: 'ins0' }, event)
  await ends.remind(3, () => [])
  await ends.expireRequests(30, () => [])
}

/** The pages of a member, and the export of the review. */
const listed = async ({ memberList, accessReview }: Stores, userId: string) => {
  const page = { limit: 10, after: null }
  await memberList.find('org0', userId)
  await memberList.apps('org0', userId, page)
  await accessReview.allInstalls('org0', page)
  await accessReview.allConsents('org0', page)
}

/** What the console and pages of deletion count. */
const counts = async ({ consoleOverview, deletionCounts, consents }: Stores, userId: string) => {
  await consoleOverview.steps()
  await consoleOverview.waiting(100)
  await consoleOverview.days({ from: '2026-01-01', to: '2026-01-07' })
  await consoleOverview.ending()
  await consoleOverview.failing()
  await deletionCounts.ofOrganization('org0')
  await deletionCounts.ofApp('app0')
  await deletionCounts.ofUser(userId)
  await consents.cutPermissions('app0')
}

/** @param userId an existing user */
export const everyCall = async (
  stores: Stores,
  setup: StoreSetup,
  userId: string,
): Promise<void> => {
  await logos(stores)
  await arrivals(stores, userId)
  await authenticator(stores, userId)
  await commands(stores, userId)
  await messages(stores)
  await streams(stores)
  await readers(stores)
  await mails(stores, userId)
  await followed(stores)
  await records(stores)
  await stores.appUse.reach('app0')
  await stores.organizationApps.knows('org0', 'app0')
  await listed(stores, userId)
  await accessEnds(stores, setup, userId)
  await Promise.all([insertUnknown(stores), insertUnknown(stores)])
  await stores.introspection.knownResources(['urn:acme:files'])
  await stores.resourceServers.withResource(['urn:acme:files'])
  await ownIds(stores)
  await imports(stores)
  await movedIn(stores, setup)
  await documents(stores)
  await counts(stores, userId)
  await ofOwner(stores, userId, await changes(stores, userId))
  await stores.grants.surplus(randomUUID(), 100)
  await stores.grants.keepUnsettled(new Map([[randomUUID(), { generation: 1, nonces: ['nonce'] }]]))
  await stores.sessions.seen(['ses0'], 60)
  await stores.tokenReaches.keep('reach0', ['wks0'], 60)
  await stores.securityNotices.pending(userId, 'ses0', 10)
  await stores.securityNotices.dismiss(userId, 'ses0', '1')
  await plantDead(setup)
  await sql(setup, 'insert into left_families values ($1)', [randomUUID()])
  await stores.grants.discard(randomUUID())
  await stores.removeExpired()
}
