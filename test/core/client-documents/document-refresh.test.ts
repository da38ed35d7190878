/** Documents of apps are read again: narrower ones follow, wider ones wait, hostile ones change nothing. */
import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import type { Stores } from '../../../src/app/stores.ts'
import { createAcceptDocument } from '../../../src/core/client-documents/accept-document.ts'
import { createAppReviews } from '../../../src/core/client-documents/app-reviews.ts'
import { createDocumentImports } from '../../../src/core/client-documents/document-imports.ts'
import { createDocumentRefresh } from '../../../src/core/client-documents/document-refresh.ts'
import { createReadDocument } from '../../../src/core/client-documents/read-document.ts'
import { createApps } from '../../../src/core/clients/apps.ts'
import { createPermissionCatalogue } from '../../../src/core/clients/permission-catalogue.ts'
import { createKeyring } from '../../../src/core/crypto/keyring.ts'
import { createFetchDocument } from '../../../src/core/outbound/fetch-document.ts'
import { createWait } from '../../../src/core/outbound/waits.ts'
import { textIn } from '../../../src/words/text.ts'
import { startDocumentServer } from '../../support/document-server.ts'
import { onEachStores } from '../../support/open-stores.ts'

const cause = { actor: { kind: 'system', id: null }, address: null, requestId: null } as const
const onWait = () => undefined
const lifetimes = { current: 3600, legacy: 7200 }
const longAgo =
  "update client_documents set due_at = now() - interval '1 second' where client_id = $1"

const servicesOn = (stores: Stores) => {
  const { clientDocuments: store, appReviews: reviews, clientHosts: hosts } = stores
  const builtIn = textIn('en').permissions
  const catalogue = createPermissionCatalogue({ store: stores.ownPermissions, builtIn })
  const keyring = createKeyring([randomBytes(32)])
  const prepareKey = async () => undefined
  const apps = createApps({
    store: stores.apps,
    keyring,
    lifetimes,
    catalogue,
    addresses: { allowPrivate: true },
    issuer: 'https://auth.example',
    renewLogo: stores.logos.renew,
    prepareKey,
  })
  const fetchDocument = createFetchDocument({ allowPrivate: true })
  const wait = createWait({ all: 20, each: 20 })
  const readDocument = createReadDocument({
    fetchDocument,
    lifetimes,
    addresses: { allowPrivate: true },
    now: Date.now,
  })
  const accept = createAcceptDocument({ apps, catalogue, store })
  const refused: string[] = []
  const newRefresh = (t: Test) => {
    const refresh = createDocumentRefresh({
      store,
      hosts,
      reviews,
      apps,
      catalogue,
      readDocument,
      onRefused: ({ reason }) => refused.push(reason),
      onError: (error) => t.fail(String(error)),
      interval: 3_600_000,
    })
    t.teardown(refresh.close)
    return refresh
  }
  return {
    apps,
    refused,
    newRefresh,
    imports: createDocumentImports({ readDocument, wait, accept, hosts, reviews }),
    reviews: createAppReviews({
      store: reviews,
      documents: store,
      accept,
      apps,
      catalogue,
      reachOf: stores.appUse.reach,
    }),
  }
}

const all = { limit: 50, after: null }
const https = ['https://agent.example/cb', 'https://agent.example/other']

await onEachStores(t, 'refresh of documents', async (t, stores) => {
  const documents = await startDocumentServer(t)
  const { apps, imports, reviews, newRefresh, refused } = servicesOn(stores)
  const refresh = newRefresh(t)
  const { database } = stores

  /** Makes the document due and reads it. */
  const again = async (url: string) => {
    await database.query(longAgo, [url])
    t.equal(await refresh.run(), 1, 'the document was due')
  }
  const waiting = async (url: string) =>
    (await reviews.list(all)).items.filter(({ clientId }) => clientId === url)
  const eventsOf = async (url: string, type: string) => {
    const { rows } = await database.query(
      'select from audit_events where client_id = $1 and type = $2',
      [url, type],
    )
    return rows.length
  }
  const secondsUntilDue = async (url: string) => {
    const { rows } = await database.query<{ seconds: number }>(
      `select extract(epoch from due_at - now())::float8 as seconds from client_documents
        where client_id = $1`,
      [url],
    )
    return rows[0]!.seconds
  }

  await t.test('a document is read when its freshness ends, within bounds', async (t) => {
    for (const [header, least, most] of [
      ['max-age=600', 500, 601],
      ['max-age=1', 200, 301],
      ['no-store', 200, 301],
      ['max-age=99999999', 86_000, 86_401],
    ] as const) {
      const url = documents.publish(`/fresh/${least}/${header}`, {}, { 'cache-control': header })
      await imports.importUrl(url, {}, cause, onWait)
      const seconds = await secondsUntilDue(url)
      t.ok(seconds > least && seconds < most, `${header}: ${seconds}`)
    }
    t.equal(await refresh.run(), 0, 'none is due')
  })

  await t.test('name, logo and keys follow, and what narrows', async (t) => {
    const url = documents.publish('/narrow', {
      redirect_uris: https,
      scope: 'records:create records:update',
    })
    await imports.importUrl(url, { reviewed: true }, cause, onWait)
    documents.publish('/narrow', {
      client_name: 'New name',
      logo_uri: 'https://agent.example/logo.png',
      redirect_uris: [https[1]],
      scope: 'records:update',
    })
    await again(url)
    t.match(await apps.read(url), {
      name: 'New name',
      logoUri: 'https://agent.example/logo.png',
      redirectUris: [https[1]],
      permissions: ['records:update'],
      reviewed: false,
    })
    t.same(await waiting(url), [])
    t.ok((await secondsUntilDue(url)) > 200, 'it is due later')
  })

  await t.test(
    'privacy policy and terms follow on a known host, and wait on another',
    async (t) => {
      const own = (path: string) => documents.url(path)
      const elsewhere = 'https://legal.example/privacy'
      const url = documents.publish('/legal', { policy_uri: elsewhere })
      await imports.importUrl(url, { reviewed: true }, cause, onWait)
      t.match(await apps.read(url), { policyUri: elsewhere, tosUri: null, reviewed: true })
      const next = 'https://legal.example/privacy/2'
      documents.publish('/legal', { policy_uri: next, tos_uri: own('/tos') })
      await again(url)
      t.match(await apps.read(url), { policyUri: next, tosUri: own('/tos'), reviewed: false })
      t.same(await waiting(url), [])
      for (const host of ['legal.example:8443', 'evil.example', 'www.legal.example']) {
        documents.publish('/legal', { policy_uri: `https://${host}/privacy`, tos_uri: own('/tos') })
        await again(url)
        t.match(await apps.read(url), { policyUri: next }, `${host} waits`)
        const [review] = await waiting(url)
        t.same(review?.changes, [
          { field: 'policy_uri', before: next, after: `https://${host}/privacy` },
        ])
      }
      documents.publish('/legal', { policy_uri: own('/policy') })
      await again(url)
      t.match(await apps.read(url), { policyUri: own('/policy'), tosUri: null }, 'its own host')
      t.same(await waiting(url), [], 'nothing waits any more')
      documents.publish('/legal', { policy_uri: elsewhere })
      await again(url)
      const [review] = await waiting(url)
      await reviews.decide({ id: review!.id, decision: 'approve' }, cause)
      t.match(await apps.read(url), { policyUri: elsewhere })
      await again(url)
      t.same(await waiting(url), [], 'what was approved does not wait again')
    },
  )

  await t.test(
    'an app and the state of its document are stored together, or neither',
    async (t) => {
      await database.query(`create function test_stop() returns trigger language plpgsql as
      $$ begin raise exception 'stopped'; end $$`)
      await database.query(`create trigger test_stop before insert or update on client_documents
      for each row execute function test_stop()`)
      const url = documents.publish('/stopped')
      await t.rejects(imports.importUrl(url, {}, cause, onWait))
      await t.rejects(apps.read(url), { name: 'NotFound' }, 'no app without a refresh')
      t.equal(await eventsOf(url, 'app.created'), 0)
      await database.query('drop trigger test_stop on client_documents')
      await imports.importUrl(url, {}, cause, onWait)
      const before = await apps.read(url)
      await database.query(`create trigger test_stop before insert or update on client_documents
      for each row execute function test_stop()`)
      documents.publish('/stopped', { redirect_uris: https })
      await t.rejects(imports.importUrl(url, {}, cause, onWait))
      t.same(await apps.read(url), before, 'the change is undone too')
      await database.query('drop trigger test_stop on client_documents')
      await database.query('drop function test_stop')
      await again(url)
      t.equal((await waiting(url)).length, 1, 'the operator has not accepted the change')
    },
  )

  await t.test('a new redirect URI and a wider scope wait for the operator', async (t) => {
    const url = documents.publish('/wide', { scope: 'records:create' })
    await imports.importUrl(url, {}, cause, onWait)
    const before = await apps.read(url)
    documents.publish('/wide', { redirect_uris: https, scope: 'records:create records:delete' })
    await again(url)
    await again(url)
    t.same(await apps.read(url), before, 'nothing has changed yet')
    t.equal(await eventsOf(url, 'app_review.requested'), 1, 'the same document waits once')
    const [review] = await waiting(url)
    t.same(
      review?.changes.map(({ field }) => field),
      ['redirect_uris', 'permissions'],
    )
    await reviews.decide({ id: review!.id, decision: 'approve' }, cause)
    t.match(await apps.read(url), {
      redirectUris: https,
      permissions: ['records:create', 'records:delete'],
    })
    await again(url)
    t.same(await waiting(url), [], 'an approved document does not wait again')
  })

  await t.test('a refused change is not asked for again, another one is', async (t) => {
    const url = documents.publish('/refused')
    await imports.importUrl(url, {}, cause, onWait)
    documents.publish('/refused', { redirect_uris: https })
    await again(url)
    await reviews.decide({ id: (await waiting(url))[0]!.id, decision: 'refuse' }, cause)
    await again(url)
    t.same(await waiting(url), [])
    documents.publish('/refused', { redirect_uris: [...https, 'https://agent.example/third'] })
    await again(url)
    const [review] = await waiting(url)
    t.ok(review)
    documents.publish('/refused')
    await again(url)
    t.same(await waiting(url), [], 'a document that asks for no more is withdrawn')
    await t.rejects(reviews.decide({ id: review!.id, decision: 'approve' }, cause), {
      name: 'NotFound',
    })
  })

  await t.test('another type of client waits', async (t) => {
    const url = documents.publish('/type', { redirect_uris: https })
    await imports.importUrl(url, {}, cause, onWait)
    const { generateKeyPair, exportJWK } = await import('jose')
    const { publicKey } = await generateKeyPair('ES256')
    documents.publish('/type', {
      redirect_uris: https,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [await exportJWK(publicKey)] },
    })
    await again(url)
    t.match(await apps.read(url), { clientType: 'public', jwks: null })
    t.ok((await waiting(url))[0]?.changes.some(({ field }) => field === 'client_type'))
  })

  await t.test('a document that vanishes or turns hostile changes nothing', async (t) => {
    const url = documents.publish('/gone', { redirect_uris: https })
    await imports.importUrl(url, {}, cause, onWait)
    const before = await apps.read(url)
    const failures: [reason: string, begin: () => unknown][] = [
      ['status', () => documents.script('/gone', (response) => response.writeHead(404).end())],
      ['status', () => documents.script('/gone', (response) => response.writeHead(503).end())],
      ['invalid', () => documents.publish('/gone', { client_secret: 's' })],
      ['invalid', () => documents.publish('/gone', { redirect_uris: [] })],
      ['invalid', () => documents.publish('/gone', { client_id: documents.url('/narrow') })],
      [
        'redirect',
        () =>
          documents.script('/gone', (response) => response.writeHead(301, { location: '/' }).end()),
      ],
      ['unreachable', () => documents.script('/gone', (response) => void response.destroy())],
    ]
    for (const [reason, begin] of failures) {
      begin()
      await again(url)
      t.equal(refused.pop(), reason)
      t.same(await apps.read(url), before, reason)
    }
    t.equal(await eventsOf(url, 'app.document_failed'), 1, 'the first failure is audited')
    documents.publish('/gone', { redirect_uris: https })
    await again(url)
    documents.publish('/gone', { client_secret: 's' })
    await again(url)
    t.equal(await eventsOf(url, 'app.document_failed'), 2, 'and the first one after a success')
  })

  await t.test('the documents of a refused host are not read', async (t) => {
    const url = documents.publish('/host')
    await imports.importUrl(url, {}, cause, onWait)
    const { clientHosts } = stores
    const changed = { ...cause, type: 'client_host.changed' } as const
    await clientHosts.put(documents.host, 'refuse', () => [changed])
    documents.publish('/host', { client_name: 'Renamed' })
    await again(url)
    t.equal(documents.count('/host'), 1)
    t.match(await apps.read(url), { name: 'Agent' }, 'its app stays')
    await clientHosts.remove(documents.host, () => [])
    await again(url)
    t.match(await apps.read(url), { name: 'Renamed' })
  })

  await t.test('an unchanged document is not sent again', async (t) => {
    const sent: (string | undefined)[] = []
    const url = documents.script('/etag', (response, request) => {
      sent.push(request.headers['if-none-match'])
      if (request.headers['if-none-match'] === '"v1"') return response.writeHead(304).end()
      response.writeHead(200, { 'content-type': 'application/json', etag: '"v1"' })
      return response.end(JSON.stringify({ client_id: url, redirect_uris: https }))
    })
    await imports.importUrl(url, {}, cause, onWait)
    await again(url)
    await again(url)
    t.same(sent, [undefined, '"v1"', '"v1"'])
    t.ok((await secondsUntilDue(url)) > 200)
  })

  const loud = Array.from({ length: 12 }, (_, at) => at)
  for (const [what, hosts, owner] of [
    ['one host', loud.map(() => 'loud'), null],
    ['one owner on many hosts', loud.map((at) => `loud-${at}`), 'usrLOUD'],
  ] as const)
    await t.test(`documents of ${what} do not delay those of others`, async (t) => {
      const urls = [...hosts, 'patient'].map((host, at) => `https://${host}.example/${at}`)
      await database.query(
        `insert into users (id, email, name) values ('usrLOUD', 'loud@a.test', 'Loud')
       on conflict do nothing`,
      )
      for (const [at, url] of urls.entries()) {
        await database.query(
          `insert into apps (client_id, name, interface, client_type, redirect_uris, permissions)
         values ($1, $1, 'current', 'public', '{https://app.example/cb}', '{}')`,
          [url],
        )
        await database.query(
          `insert into client_documents (client_id, scopes, due_at)
         values ($1, '{}', now() - make_interval(secs => $2::float8))`,
          [url, 100 - at],
        )
        if (owner && at < loud.length)
          await database.query('insert into app_owners values ($1, $2, 1)', [url, owner])
      }
      const claimed = (await stores.clientDocuments.claim(8, 120)).map(({ clientId }) => clientId)
      t.ok(claimed.includes(urls.at(-1) as string), 'in the first turn')
      t.equal(claimed.length, 8)
      await database.query('delete from apps where client_id = any ($1)', [urls])
    })

  await t.test('instances share the work: each due document is read once', async (t) => {
    const urls = Array.from({ length: 5 }, (_, at) => documents.publish(`/shared/${at}`))
    for (const url of urls) await imports.importUrl(url, {}, cause, onWait)
    for (const url of urls) await database.query(longAgo, [url])
    const others = [newRefresh(t), newRefresh(t), newRefresh(t)]
    const counts = await Promise.all(others.map((one) => one.run()))
    t.equal(
      counts.reduce((sum, count) => sum + count, 0),
      urls.length,
    )
    for (const at of urls.keys()) t.equal(documents.count(`/shared/${at}`), 2)
  })
})
