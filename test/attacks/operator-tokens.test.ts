/** Attacks by a caller with an operator token that has few rights. */
import { operatorPermissions } from '../../src/core/credentials/operator-permissions.ts'
import { onEachBackend } from '../support/on-each-backend.ts'

await onEachBackend(
  'operator tokens',
  async (t, { running, world }) => {
    const { acme, other, ana } = world
    const { operator } = running
    const url = (at: number) => running.urls[at % running.urls.length] as string

    const make = async (rights: Record<string, unknown>) => {
      const { status, body } = await operator('POST', '/operator-tokens', { name: 'T', ...rights })
      t.equal(status, 201)
      return body as { id: string; token: string }
    }
    const callWith = (token: string, method: string, path: string, body?: unknown, at = 0) =>
      fetch(`${url(at)}/api/admin/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })

    t.test(
      'ADM-07 a token cannot create, list or delete tokens unless it has all rights',
      async (t) => {
        const everyOther = await make({ permissions: [...operatorPermissions] })
        const inOne = await make({ permissions: ['*'], organization_ids: [acme] })
        const victim = await make({ permissions: ['*'] })
        for (const { token } of [everyOther, inOne])
          for (const [method, path, body] of [
            ['POST', '/operator-tokens', { name: 'More', permissions: ['*'] }],
            ['POST', '/operator-tokens', { name: 'Same', permissions: ['audit:read'] }],
            ['GET', '/operator-tokens'],
            ['DELETE', `/operator-tokens/${victim.id}`],
          ] as const) {
            const answer = await callWith(token, method, path, body)
            t.equal(answer.status, 403, `${method} ${path}`)
            t.match(await answer.json(), { permission: '*' })
          }
        t.equal((await callWith(victim.token, 'GET', '/operator-tokens')).status, 200)
      },
    )

    t.test('ADM-07 a limited token cannot leave its organization by another id', async (t) => {
      const { token } = await make({ permissions: ['*'], organization_ids: [acme] })
      const own = `/organizations/${acme}`
      const workspace = `/workspaces/${world.foreignWorkspace}`
      for (const [method, path, body] of [
        ['GET', `/organizations/${other}`],
        ['GET', `${own}/../${other}`],
        ['GET', `${own}%2f..%2f${other}`],
        ['GET', `/organizations/${other}?organization_id=${acme}`],
        ['GET', workspace],
        ['PATCH', workspace, { name: 'Mine' }],
        ['PUT', `${workspace}/members/${ana.id}`, {}],
        ['DELETE', workspace],
        ['GET', `/apps/${world.confidential.client_id}/usage/${other}`],
      ] as const) {
        const answer = await callWith(token, method, path, body)
        t.equal(answer.status, 404, `${method} ${path}`)
      }
      const repeated = `organization_id=${acme}&organization_id=${other}`
      t.equal((await callWith(token, 'GET', `/audit?${repeated}`)).status, 400)
      for (const [method, path, body] of [
        ['PATCH', `/users/${ana.id}`, { password: 'another horse staple' }],
        ['DELETE', `/apps/${world.confidential.client_id}`],
        ['POST', '/webhooks', { url: 'https://hooks.example/' }],
        ['POST', '/signing-keys/rotate', { withdraw: true }],
      ] as const)
        t.equal((await callWith(token, method, path, body)).status, 403, `${method} ${path}`)
    })

    t.test('ADM-07 a deleted token is refused at once on every instance', async (t) => {
      const { id, token } = await make({ permissions: ['users:read'] })
      for (const at of [0, 1])
        t.equal((await callWith(token, 'GET', '/users', undefined, at)).status, 200)
      t.equal((await operator('DELETE', `/operator-tokens/${id}`)).status, 204)
      for (const at of [0, 1])
        t.equal((await callWith(token, 'GET', '/users', undefined, at)).status, 401)
    })
  },
  { instances: 2 },
)
