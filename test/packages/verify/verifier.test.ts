import t from 'tap'
import {
  type CurrentPermission,
  createVerifier,
  type LegacyPermission,
} from '../../../packages/verify/src/verify.ts'
import { vocabulary } from '../../../src/core/language/permissions.ts'
import { keySetAnswer } from '../../support/scripted-server.ts'
import { createScene, outcomeOf } from './scene.ts'

t.test('a user token tells the user, permissions and workspaces', async (t) => {
  const { server, verifier } = await createScene(t)
  const access = await verifier.verify(server.token({ exp: 9_999_999_999 }))
  t.match(access, {
    kind: 'user',
    interface: 'current',
    organizationId: 'org1',
    clientId: 'app1',
    userId: 'usr1',
    permissions: ['records:create', 'records:update'],
    workspaceIds: ['wks1', 'wks2'],
    expiresAt: 9_999_999_999,
  })
  t.ok(access.can('records:create'))
  t.notOk(access.can('records:delete'))
  t.ok(access.reaches('org1', 'wks2'))
  t.notOk(access.reaches('org1', 'wks3'))
})

t.test('an install token has no user', async (t) => {
  const { server, verifier } = await createScene(t)
  const token = server.token({ kind: 'install', sub: 'app1', grant_id: undefined, permissions: [] })
  const access = await verifier.verify(token)
  t.equal(access.kind, 'install')
  t.notOk('userId' in access)
  t.notOk(access.can('records:create'))
})

t.test('a legacy token has no workspace list and reaches all of its organization', async (t) => {
  const { server, verifier } = await createScene(t)
  const token = server.token({
    interface: 'legacy',
    permissions: ['readData'],
    workspace_ids: undefined,
  })
  const access = await verifier.verify(token)
  t.equal(access.workspaceIds, null)
  t.ok(access.reaches('org1', 'wks9'))
  t.ok(access.can('readData'))
})

t.test('a legacy secret is introspected', async (t) => {
  const { server, verifier } = await createScene(t)
  server.known.set('lkks_secret', keySetAnswer())
  const access = await verifier.verify('lkks_secret')
  t.match(access, { kind: 'key_set', interface: 'legacy', clientId: 'kcl1', workspaceIds: null })
  t.notOk('expiresAt' in access)
  const [requested] = server.seen.filter(({ path }) => path === '/api/oauth/introspect')
  // RFC 6749 §2.3.1: form-urlencoded inside Basic.
  const basic = Buffer.from(requested?.authorization?.slice(6) ?? '', 'base64').toString()
  t.equal(basic, 'rsv%3A1:lkrs_a+secret%2Fwith%2Bsigns')
})

t.test('a verified token is immutable', async (t) => {
  const { server, verifier } = await createScene(t)
  const token = server.token()
  const access = await verifier.verify(token)
  t.throws(() => (access.permissions as string[]).push('records:delete'), TypeError)
  t.throws(() => Object.assign(access, { organizationId: 'org2' }), TypeError)
  t.equal(await verifier.verify(token), access)
})

t.test('the built-in permissions that can be required are those of both interfaces', async (t) => {
  const all: Record<LegacyPermission | CurrentPermission, true> = {
    readData: true,
    insertData: true,
    updateData: true,
    deleteData: true,
    addFields: true,
    readMembers: true,
    'records:create': true,
    'records:update': true,
    'records:delete': true,
    'workspace_members:read': true,
    'teams:read': true,
    'documents:read': true,
    'table:create': true,
    'table:modify': true,
    'rootTable:create': true,
  }
  t.same(Object.keys(all).sort(), [...vocabulary.legacy, ...vocabulary.current].sort())
})

t.test('all invalid options are reported at once', async (t) => {
  t.throws(
    () =>
      createVerifier({
        issuer: 'auth.example',
        audience: '',
        resourceServer: { clientId: 'rsv', clientSecret: '' },
        clockTolerance: 61,
        timeout: Number.NaN,
      }),
    /issuer, server, audience, clientSecret, clockTolerance, timeout/,
  )
})

t.test('a closed verifier verifies nothing', async (t) => {
  const { server, verifier } = await createScene(t)
  const token = server.token()
  t.equal(await outcomeOf(verifier.verify(token)), 'user')
  await verifier.close()
  await verifier.close()
  for (const one of [token, server.token(), 'lkks_secret'])
    t.equal(await outcomeOf(verifier.verify(one)), 'temporarily_unavailable: closed')
})
