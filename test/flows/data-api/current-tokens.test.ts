/** Tokens at the current interface: proofs of a key, challenges, and the metadata of the API. */
import * as oauth from 'oauth4webapi'
import { proofAlgorithms } from '../../../packages/verify/src/rules/dpop-proof.ts'
import { ask, startDataApi } from '../../support/data-api.ts'
import { createHolder, hashOf } from '../../support/dpop.ts'
import { currentCode, exchangeCode } from '../../support/flows.ts'
import type { Json } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { registerResourceServer } from '../../support/resource-server.ts'
import { currentPermissions, legacyKeys, selfSigner } from './tokens.ts'

await onEachBackend('tokens at the current interface', async (t, scene) => {
  const { running, world } = scene
  const api = await startDataApi(t, scene, await registerResourceServer(running))
  const { make } = await selfSigner(scene, world.acme)

  t.test('a bound token needs a proof for each request', async (t) => {
    const { publicApp, ana } = scene.world
    const [holder, thief] = [await createHolder(), await createHolder()]
    const grant = await currentCode(scene.running, publicApp, ana)
    const proof = await holder.posts(`${scene.issuer}/api/oauth/token`)
    const { access_token: token } = (await exchangeCode(scene.issuer, publicApp, grant, {}, proof))
      .body
    const endpoint = `${api.url}/graphql`
    const query = '{ one: workspaces { id } two: workspaces { id } }'
    const send = async (dpop: string, body: unknown = { query }) => {
      const headers = { authorization: `DPoP ${token}`, dpop, 'content-type': 'application/json' }
      return fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(body) })
    }
    const proven = (by = holder, claims: Record<string, unknown> = {}) =>
      by.prove(endpoint, { ath: hashOf(token), ...claims })
    const once = await proven()
    const answer = await send(once)
    t.equal(answer.status, 200)
    const { one, two } = ((await answer.json()) as Json).data
    t.ok(one.length > 0)
    t.same(one, two, 'one proof covers all fields of its request')
    const several = await send(await proven(), [{ query }, { query }])
    t.ok(
      ((await several.json()) as Json[]).every(({ errors }) => !errors),
      'and all operations',
    )

    const again = await send(once)
    t.equal(again.status, 401)
    t.match(again.headers.get('www-authenticate'), /^DPoP .*error="invalid_dpop_proof"/)
    t.equal((await send(await proven(thief))).status, 401)
    t.equal((await send(await proven(holder, { htu: scene.issuer }))).status, 401)
    const asBearer = await ask(api, { query }, token)
    t.equal(asBearer.status, 401)
    t.match(asBearer.headers.get('www-authenticate'), /^DPoP .*error="invalid_token"/)
    const late = await send(await proven(holder, { iat: 0 }))
    const nonce = late.headers.get('dpop-nonce')
    t.match(late.headers.get('access-control-expose-headers'), 'DPoP-Nonce')
    t.equal((await send(await proven(holder, { iat: 0, nonce }))).status, 200)
  })

  t.test('a request without a valid token gets a challenge that names the metadata', async (t) => {
    const query = '{ workspaces { id } }'
    const metadata = `${api.url}/.well-known/oauth-protected-resource/graphql`
    const none = await ask(api, { query })
    t.equal(none.status, 401)
    t.equal(
      none.headers.get('www-authenticate'),
      `Bearer realm="data", resource_metadata="${metadata}", ` +
        `DPoP realm="data", resource_metadata="${metadata}", algs="${proofAlgorithms.join(' ')}"`,
    )
    const legacy = await legacyKeys(scene, world.acme)(['readData'])
    const secretKey = 'secretKey' in legacy ? legacy.secretKey : ''
    for (const bad of ['nonsense', 'x'.repeat(7900), secretKey, `${await make([])}x`]) {
      const refused = await ask(api, { query }, bad)
      t.equal(refused.status, 401)
      t.equal(refused.code, 'invalid_token')
      t.match(refused.headers.get('www-authenticate'), 'error="invalid_token"')
    }
    const inVariable = await ask(api, { query, variables: { accessToken: await make([]) } })
    t.equal(inVariable.status, 401, 'the token is read from the header only')
  })

  t.test('a token of an organization that is not in the data', async (t) => {
    const { id } = (await running.operator('POST', '/organizations', { name: 'New' })).body
    const stranger = await selfSigner(scene, id)
    const refused = await ask(api, { query: '{ workspaces { id } }' }, await stranger.make([]))
    t.same([refused.status, refused.code], [404, 'unknown-organization'])
    t.match(refused.body.errors[0].message, id)
    const variables = await legacyKeys(scene, id)(['readData'])
    const legacy = await ask(api, { query: '{ databases { _id } }', variables: { ...variables } })
    t.same([legacy.status, legacy.code], [200, 'unknown-organization'])
  })

  t.test('an app finds the server from the API address alone (RFC 9728)', async (t) => {
    const resource = new URL(`${api.url}/graphql`)
    const { headers } = await ask(api, { query: '{ workspaces { id } }' })
    const [, told] = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '') ?? []

    // §3.1: the library inserts the well-known path between the host and the resource path.
    const found = await oauth.resourceDiscoveryRequest(resource, {
      [oauth.allowInsecureRequests]: true,
    })
    t.equal(found.url, told, 'also at the URL of the challenge')
    t.equal(found.headers.get('access-control-allow-origin'), '*')
    // §3.3: the library must reject a `resource` that differs from the requested address.
    const metadata = await oauth.processResourceDiscoveryResponse(resource, found)
    const needed = new Set(currentPermissions)
    t.match(metadata, {
      authorization_servers: [scene.issuer],
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: proofAlgorithms,
      dpop_bound_access_tokens_required: false,
    })
    t.same(new Set(metadata.scopes_supported), needed, 'every permission of the operations')

    const [server = ''] = metadata.authorization_servers ?? []
    const discovered = await fetch(`${server}/.well-known/oauth-authorization-server`)
    t.match(await discovered.json(), { issuer: server })
    const other = await fetch(`${api.url}/.well-known/oauth-protected-resource`)
    t.equal(other.status, 404, 'no other resource exists')
  })
})
