/** The documents of admitted apps are read again: what is within the ceiling is taken, the rest waits for the operator. */
import t from 'tap'
import type { HostRule } from '../../../src/core/client-documents/client-hosts.ts'
import { startDocumentServer } from '../../support/document-server.ts'
import {
  cause,
  documentServicesOn,
  hostRule,
  longAgo,
  onWait,
} from '../../support/document-services.ts'
import { onEachStores } from '../../support/open-stores.ts'

const create = 'records:create'
const update = 'records:update'
const remove = 'records:delete'

await onEachStores(t, 'documents of admitted apps', async (t, stores) => {
  const documents = await startDocumentServer(t)
  const { apps, hosts, admit, imports, reviews, newRefresh } = documentServicesOn(stores)
  const refresh = newRefresh(t)

  const put = (permissions: string[], more: Partial<HostRule> = {}) =>
    hosts.put(documents.host, { ...hostRule('admit', permissions), ...more }, cause)
  const again = async (url: string) => {
    await stores.database.query(longAgo, [url])
    while ((await refresh.run()) > 0);
  }
  const waits = async (url: string) =>
    (await reviews.list({ limit: 50, after: null })).items.some(({ clientId }) => clientId === url)
  const permissionsOf = async (url: string) => (await apps.read(url)).permissions

  await t.test('a wider scope is taken within the ceiling, and waits beyond it', async (t) => {
    await put([create, update])
    const url = documents.publish('/wider', { scope: `${create} ${remove}` })
    t.ok(await admit(url))
    t.same(await permissionsOf(url), [create])
    await again(url)
    t.notOk(await waits(url), 'what was left out at first does not wait')
    documents.publish('/wider', { scope: `${create} ${remove} ${update}` })
    await again(url)
    t.same(await permissionsOf(url), [create, update])
    t.notOk(await waits(url))
    documents.publish('/wider', { scope: `${create} ${update} teams:read` })
    await again(url)
    t.same(await permissionsOf(url), [create, update])
    t.ok(await waits(url))
    documents.publish('/wider', { scope: create })
    await again(url)
    t.same(await permissionsOf(url), [create], 'what narrows follows')
    t.notOk(await waits(url))
  })

  await t.test('another redirect URI waits', async (t) => {
    const url = documents.publish('/redirect')
    await admit(url)
    const uris = ['https://agent.example/cb', 'https://other.example/cb']
    documents.publish('/redirect', { redirect_uris: uris })
    await again(url)
    t.ok(await waits(url))
    t.same((await apps.read(url)).redirectUris, [uris[0]])
  })

  await t.test('an approved change does not take the app out of the ceiling', async (t) => {
    await put([create, update])
    const url = documents.publish('/approved', { scope: create })
    await admit(url)
    documents.publish('/approved', { scope: `${create} ${remove}` })
    await again(url)
    const { items } = await reviews.list({ limit: 50, after: null })
    const { id } = items.find(({ clientId }) => clientId === url)!
    await reviews.decide({ id, decision: 'approve' }, cause)
    t.same(await permissionsOf(url), [create, remove])
    await put([update])
    t.same(await permissionsOf(url), [remove], 'the operator has given it')
  })

  await t.test('a raised ceiling reaches the apps that asked for it', async (t) => {
    await put([create])
    const asks = documents.publish('/raised', { scope: `${create} ${update}` })
    const whole = documents.publish('/raised/whole')
    const other = documents.publish('/raised/other', { scope: create })
    for (const url of [asks, whole, other]) await admit(url)
    await put([create, update])
    for (const url of [asks, whole, other]) await again(url)
    t.same(await permissionsOf(asks), [create, update])
    t.same(await permissionsOf(whole), [create, update])
    t.same(await permissionsOf(other), [create])
    await apps.change(asks, { permissions: [create] }, cause)
    await again(asks)
    t.same(await permissionsOf(asks), [create], 'a choice of the operator stays')
  })

  await t.test('what is new within the ceiling is optional where the host says so', async (t) => {
    const defaults = { ...hostRule('admit').defaults, optionalPermissions: [update] }
    await put([create, update, remove], { defaults })
    const url = documents.publish('/optional', { scope: create })
    await admit(url)
    t.same((await apps.read(url)).optionalPermissions, [])
    documents.publish('/optional', { scope: `${create} ${update} ${remove}` })
    await again(url)
    t.match(await apps.read(url), {
      permissions: [create, update, remove],
      optionalPermissions: [update],
    })
  })

  await t.test('other apps and other rules take nothing by themselves', async (t) => {
    await put([create, update])
    const imported = documents.publish('/imported', { scope: create })
    await imports.importUrl(imported, {}, cause, onWait)
    const outside = documents.publish('/outside', { scope: create })
    const later = documents.publish('/later', { scope: create })
    for (const url of [outside, later]) t.ok(await admit(url))
    const widen = () => {
      for (const path of ['/imported', '/outside', '/later'])
        documents.publish(path, { scope: `${create} ${update}` })
    }
    widen()
    await again(imported)
    t.ok(await waits(imported))
    await put([create, update], { pathPrefix: '/inside' })
    await again(outside)
    t.ok(await waits(outside))
    await hosts.put(documents.host, hostRule('review'), cause)
    await again(later)
    t.ok(await waits(later))
    for (const url of [imported, outside, later]) t.same(await permissionsOf(url), [create])
  })

  await t.test('a refresh does not widen what a lower ceiling has taken', async (t) => {
    for (let at = 0; at < 5; at++) {
      await put([create, update])
      const url = documents.publish(`/race/${at}`, { scope: create })
      await admit(url)
      documents.publish(`/race/${at}`, { scope: `${create} ${update}` })
      await Promise.all([again(url), put([create])])
      t.same(await permissionsOf(url), [create])
    }
  })
})
