/**
 * What each permission shows and accepts in the operator's console, and that a person is audited. By day a permission
 * tries a part of the pages that it does not open, another one than its neighbours; at night it tries all.
 */
import {
  type OperatorPermission,
  operatorPermissions,
} from '../../../src/core/credentials/operator-permissions.ts'
import { workloadMark } from '../../../src/pages/rendering/fields/workloads.ts'
import { createSuccessor } from '../../support/migration.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { byDay } from '../../support/property.ts'
import { postFields } from '../organization-visit.ts'
import { visitAs } from './operator-visit.ts'

type Right = OperatorPermission
type Needs = readonly Right[]
type Page = readonly [path: string, needs: Needs]

/** Pages by the permissions that they need; all of them. */
const pagesFor = (
  ids: Record<
    | 'app'
    | 'legacy'
    | 'org'
    | 'user'
    | 'hook'
    | 'delivery'
    | 'secret'
    | 'workspace'
    | 'server'
    | 'keySet'
    | 'workload'
    | 'scim',
    string
  >,
) => {
  const [app, org] = [`/operator/apps/${ids.app}`, `/operator/organizations/${ids.org}`]
  const [user, hook] = [`/operator/people/${ids.user}`, `/operator/webhooks/${ids.hook}`]
  const keySet = `${org}/key-sets/${ids.keySet}`
  const keySetMaker: Needs = ['key_sets:write', 'organizations:read']
  const changing = (base: string, paths: string[], needs: Needs) =>
    paths.map((one) => [`${base}/${one}`, needs] as const)
  return [
    ...['reviews', 'changes', 'not-reviewed', 'hosts', 'apps'].map(
      (list) => [`/operator/${list}`, ['apps:read']] as const,
    ),
    [app, ['apps:read']],
    [`${app}/organizations`, ['apps:read']],
    ['/operator/apps/new', ['apps:write']],
    ['/operator/apps/new-legacy', ['apps:write']],
    ['/operator/import', ['apps:write']],
    ['/operator/hosts/new', ['apps:write']],
    ...changing(
      app,
      ['change', 'review', 'disable', 'enable', 'delete', 'secret', `secrets/${ids.secret}/delete`],
      ['apps:write', 'apps:read'],
    ),
    ...changing(
      `/operator/apps/${ids.legacy}`,
      ['successor', 'successor/remove'],
      ['apps:write', 'apps:read'],
    ),
    ['/operator/organizations', ['organizations:read']],
    [org, ['organizations:read']],
    ...changing(org, ['members', 'workspaces', 'settings', 'sign-in'], ['organizations:read']),
    [`${org}/installs`, ['installs:read', 'organizations:read']],
    [`${org}/key-sets`, ['key_sets:read', 'organizations:read']],
    ['/operator/organizations/new', ['organizations:write']],
    ...changing(
      org,
      ['rename', 'delete', 'members/new', `members/${ids.user}/remove`, 'workspaces/new'],
      ['organizations:write', 'organizations:read'],
    ),
    [`${org}/workspaces/${ids.workspace}`, ['organizations:read']],
    ...changing(
      `${org}/workspaces/${ids.workspace}`,
      ['rename', 'delete', 'members/new', `members/${ids.user}/remove`],
      ['organizations:write', 'organizations:read'],
    ),
    ...changing(
      org,
      ['policy', 'identity-provider', 'identity-provider/remove'],
      ['organizations:write', 'organizations:read'],
    ),
    [`${org}/scim-tokens/new`, ['users:write', 'organizations:write', 'organizations:read']],
    [`${org}/scim-tokens/${ids.scim}/delete`, ['users:write', 'users:read', 'organizations:read']],
    ...changing(org, ['key-sets/new', 'key-sets/new-legacy'], keySetMaker),
    [keySet, ['key_sets:read', 'organizations:read']],
    ...changing(
      keySet,
      ['change', 'rotate', 'delete', 'workloads', `workloads/${ids.workload}/remove`],
      [...keySetMaker, 'key_sets:read'],
    ),
    [`${org}/install`, ['installs:write', 'apps:read', 'organizations:read']],
    [
      `${org}/install/${ids.app}`,
      ['installs:write', 'installs:read', 'apps:read', 'organizations:read'],
    ],
    [`${org}/installs/${ids.app}`, ['installs:read']],
    ...changing(
      `${org}/installs/${ids.app}`,
      ['suspend', 'resume', 'uninstall', 'end'],
      ['installs:write', 'installs:read'],
    ),
    ...changing(org, ['suspend-all', 'resume-all'], ['installs:write', 'organizations:read']),
    ['/operator/people', ['users:read']],
    [user, ['users:read']],
    ['/operator/people/new', ['users:write']],
    ...changing(
      user,
      ['change', 'disable', 'enable', 'end-sessions', 'delete'],
      ['users:write', 'users:read'],
    ),
    [`${user}/organizations`, ['organizations:read', 'users:read']],
    [`${user}/apps`, ['installs:read', 'users:read']],
    [`${user}/sessions`, ['users:read']],
    [`${user}/end-access`, ['users:write', 'users:read', 'installs:write']],
    [`${user}/operator`, ['*']],
    ['/operator/resource-servers', ['keys:read']],
    ['/operator/resource-servers/new', ['keys:write']],
    ...changing(
      `/operator/resource-servers/${ids.server}`,
      ['change', 'delete'],
      ['keys:write', 'keys:read'],
    ),
    ['/operator/keys', ['keys:read']],
    ['/operator/keys/rotate', ['keys:write']],
    ['/operator/health', ['keys:read']],
    ['/operator/permissions', ['permissions:read']],
    ['/operator/permissions/new', ['permissions:write']],
    ['/operator/permissions/current/records:create', ['permissions:write', 'permissions:read']],
    ['/operator/webhooks', ['webhooks:read']],
    [hook, ['webhooks:read']],
    ['/operator/webhooks/new', ['webhooks:write']],
    ...changing(
      hook,
      [
        ...['change', 'rotate', 'test', 'disable', 'enable', 'delete'],
        `deliveries/${ids.delivery}/resend`,
      ],
      ['webhooks:write', 'webhooks:read'],
    ),
    ['/operator/audit', ['audit:read']],
    ['/operator/audit?type=app.created', ['audit:read']],
    ['/operator/tokens', ['*']],
    ['/operator/tokens/operators', ['*']],
    ['/operator/tokens/new', ['*']],
  ] as readonly Page[]
}

await onEachBackend('rights in the console', async (t, { running, stores, world, issuer }) => {
  const { operator } = running
  const { acme, ana, confidential, legacy } = world
  const hook = (await operator('POST', '/webhooks', { url: 'https://hooks.example/all' })).body
  const delivery = (await operator('POST', `/webhooks/${hook.id}/test`, {})).body
  const server = (await operator('POST', '/resource-servers', { name: 'Data API' })).body
  const client = confidential.client_id
  const secrets = (await operator('GET', `/apps/${client}/secrets`)).body.items
  const inAcme = `/organizations/${acme}`
  const workload = { issuer: 'https://ci.example', subject: 'nightly' }
  const keys = {
    ...{ name: 'Export', interface: 'current', permissions: ['records:create'] },
    workloads: [workload],
  }
  const keySet = (await operator('POST', `${inAcme}/key-sets`, keys)).body
  const scim = (await operator('POST', `${inAcme}/scim-tokens`, { name: 'Directory' })).body
  await operator('PUT', `${inAcme}/identity-provider`, { issuer: 'https://idp.example/acme' })
  await createSuccessor(running, world, legacy)
  const pages = pagesFor({
    app: client,
    legacy: legacy.client_id,
    keySet: keySet.id,
    workload: workloadMark(workload),
    scim: scim.id,
    org: acme,
    user: ana.id,
    hook: hook.id,
    delivery: delivery.id,
    secret: secrets[0].id,
    workspace: world.sales,
    server: server.client_id,
  })
  const everyRight: Right[] = ['*', ...operatorPermissions]
  // One session with changing rights: to hash passwords is slow on purpose.
  const { visitor, person } = await visitAs(running, stores, '*')
  const permit = (...permissions: readonly Right[]) =>
    operator('PUT', `/users/${person.id}/operator`, { permissions })

  await t.test('each page opens with exactly its permissions', async (t) => {
    for (const [nth, right] of everyRight.entries()) {
      await permit(right)
      const isOpen = ([, needs]: Page) => right === '*' || needs.every((one) => one === right)
      const closed = pages.filter((page) => !isOpen(page))
      for (const page of [...pages.filter(isOpen), ...byDay(closed, 12, nth)]) {
        const [path] = page
        t.equal((await visitor.get(path)).status, isOpen(page) ? 200 : 404, `${right} ${path}`)
      }
    }
    const pairs = pages.filter(([, needs]) => needs.length > 1)
    for (const needs of new Map(pairs.map(([, needs]) => [needs.join(' '), needs])).values()) {
      await permit(...needs)
      for (const [path, own] of pairs)
        if (own.join(' ') === needs.join(' '))
          t.equal((await visitor.get(path)).status, 200, `${needs} ${path}`)
    }
  })

  await t.test('links lead only to pages that open', async (t) => {
    for (const right of everyRight) {
      await permit(right)
      const followed = new Set<string>()
      for (const start of [
        '/operator',
        `/operator/apps/${client}`,
        `/operator/apps/${legacy.client_id}`,
        `/operator/organizations/${acme}`,
        `/operator/organizations/${acme}/workspaces/${world.sales}`,
        `/operator/organizations/${acme}/installs/${client}`,
        `/operator/organizations/${acme}/key-sets/${keySet.id}`,
        `/operator/people/${ana.id}`,
        `/operator/webhooks/${hook.id}`,
        '/operator/resource-servers',
      ]) {
        const page = await visitor.get(start)
        if (page.status !== 200) continue
        const links = page.dom
          .querySelectorAll('main a')
          .map((one) => one.getAttribute('href') ?? '')
          .filter((href) => href.startsWith('/operator'))
        for (const href of links) {
          if (followed.has(href)) continue
          followed.add(href)
          t.equal((await visitor.get(href)).status, 200, `${right}: ${start} → ${href}`)
        }
      }
    }
  })

  await t.test('a form is refused without its permission, and changes nothing', async (t) => {
    const forms = pages.filter(
      ([path, needs]) =>
        // These pages have no form of their own: they list tokens, operators, and apps to choose from.
        !['/operator/tokens', '/operator/tokens/operators'].includes(path) &&
        !path.endsWith('/install') &&
        needs.some((one) => !one.endsWith(':read')),
    )
    const before = await operator('GET', `/apps/${client}`)
    await permit(...operatorPermissions.filter((one) => one.endsWith(':read')))
    for (const [path] of forms) {
      const sent = await postFields(visitor, `${issuer}${path}`, { name: 'Changed', user: ana.id })
      t.equal(sent.status, 404, path)
    }
    t.same((await operator('GET', `/apps/${client}`)).body, before.body)
  })

  await t.test('unknown ids are 404', async (t) => {
    await permit('*')
    for (const [path] of pages) {
      const unknown = path
        .replace(client, 'app000000000000000000')
        .replace(legacy.client_id, 'app000000000000000000')
        .replace(keySet.id, 'kst000000000000000000')
        .replace(scim.id, 'scm000000000000000000')
        .replace(acme, 'org000000000000000000')
        .replace(ana.id, 'usr000000000000000000')
        .replace(hook.id, 'whk000000000000000000')
      if (unknown !== path) t.equal((await visitor.get(unknown)).status, 404, unknown)
    }
  })
})
