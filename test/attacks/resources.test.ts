import {
  authorizeUrl,
  challengeOf,
  claimsOf,
  clientCredentials,
  credentials,
  exchangeCode,
  legacyCode,
  legacyToken,
  newVerifier,
  post,
  refresh,
} from '../support/flows.ts'
import { onEachBackend, type Scene } from '../support/on-each-backend.ts'
import { introspectAt, readFeed } from '../support/resource-server.ts'
import { signedIn } from '../support/signed-in.ts'
import { walk } from '../support/visitor.ts'

const files = 'https://files.example/'
const maps = 'https://maps.example/'

const dataApi = async ({ running }: Scene, resource: string) => {
  const { status, body } = await running.operator('POST', '/resource-servers', {
    name: resource,
    resource: [resource],
  })
  if (status !== 201) throw new Error(`resource server: ${status}`)
  return { authorization: `Basic ${btoa(`${body.client_id}:${body.client_secret}`)}` }
}

const invalidTarget = { status: 400, body: { error: 'invalid_target' } }

await onEachBackend('resources', async (t, scene) => {
  const { running, issuer, world } = scene
  const { confidential, publicApp, legacy, ana, acme } = world
  const apis = { files: await dataApi(scene, files), maps: await dataApi(scene, maps) }
  const visitor = await signedIn(issuer, ana)

  const addressFor = (resources: readonly string[], app = confidential) => {
    const verifier = newVerifier()
    const url = new URL(authorizeUrl(issuer, app, { code_challenge: challengeOf(verifier) }))
    for (const one of resources) url.searchParams.append('resource', one)
    return { url: url.href, verifier }
  }
  const tokensFor = async (resources: readonly string[], app = confidential) => {
    const { url, verifier } = addressFor(resources, app)
    const code = (await walk(visitor, url, ana)).left?.searchParams.get('code') as string
    const { status, body } = await exchangeCode(issuer, app, { code, verifier })
    if (status !== 200) throw new Error(`tokens: ${status}`)
    return body
  }

  t.test('RES-01 more than was granted is refused, and the family lives on', async (t) => {
    for (const app of [confidential, publicApp]) {
      let token = (await tokensFor([files], app)).refresh_token
      const wider = [maps, issuer, [files, maps], [files, issuer], `${files}more`]
      for (const resource of wider)
        t.match(await refresh(issuer, app, token, { resource }), invalidTarget, String(resource))
      const [resource, parallel] = [[files, maps], 20]
      const many = await Promise.all(
        Array.from({ length: parallel }, () => refresh(issuer, app, token, { resource })),
      )
      t.ok(many.every(({ status }) => status === 400))
      const narrow = await refresh(issuer, app, token, { resource: files })
      t.equal(narrow.status, 200, 'nothing was consumed')
      t.equal(claimsOf(narrow.body.access_token).aud, files)
      token = narrow.body.refresh_token
      t.equal((await refresh(issuer, app, token)).status, 200)
      t.match(
        await refresh(issuer, app, token, { resource: maps }),
        { status: 400, body: { error: 'invalid_grant' } },
        'a replay is a replay, whatever it asks for',
      )
    }
    const plain = (await tokensFor([])).refresh_token
    t.match(await refresh(issuer, confidential, plain, { resource: files }), invalidTarget)
    t.equal((await refresh(issuer, confidential, plain)).status, 200)
  })

  t.test('RES-02 many and long resources are refused', async (t) => {
    const thousand = Array.from({ length: 1000 }, (_, at) => `urn:a:${at}`)
    const same = Array.from({ length: 1000 }, () => files)
    const long = [`${files}${'x'.repeat(500)}`]
    const token = (await tokensFor([files])).refresh_token
    for (const resource of [thousand, same, long]) {
      t.match(await refresh(issuer, confidential, token, { resource }), invalidTarget)
      t.match(await clientCredentials(issuer, confidential, acme, { resource }), invalidTarget)
      const pushed = await post(`${issuer}/api/oauth/par`, {
        ...credentials(confidential),
        redirect_uri: confidential.redirect_uri,
        code_challenge: challengeOf(newVerifier()),
        resource,
      })
      t.equal(pushed.status, 400)
    }
    t.equal((await refresh(issuer, confidential, token)).status, 200)
    for (const resources of [thousand.slice(0, 300), long]) {
      const { left } = await visitor.get(addressFor(resources).url)
      t.equal(left?.searchParams.get('error'), 'invalid_target')
    }
  })

  t.test('RES-03 a token for one data API is nothing to another one', async (t) => {
    const tokens = await tokensFor([files])
    const active = async (api: { authorization: string }, token: string) =>
      (await introspectAt(issuer, api, token)).body
    t.match(await active(apis.files, tokens.access_token), { active: true, sub: ana.id })
    t.strictSame(await active(apis.maps, tokens.access_token), { active: false })
    t.strictSame(await active(apis.maps, tokens.refresh_token), { active: false })
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    t.equal((await fetch(`${issuer}/userinfo`, { headers })).status, 401)
    const cursors = {
      files: (await readFeed(issuer, apis.files)).cursor,
      maps: (await readFeed(issuer, apis.maps)).cursor,
    }
    const own = credentials(confidential)
    await post(`${issuer}/api/oauth/revoke`, { ...own, token: tokens.access_token })
    t.match((await readFeed(issuer, apis.files, cursors.files)).changes, [{ type: 'token' }])
    t.same((await readFeed(issuer, apis.maps, cursors.maps)).changes, [])
    t.strictSame(await active(apis.files, tokens.access_token), { active: false })
  })

  t.test('RES-04 rejects hostile values', async (t) => {
    const token = (await tokensFor([files])).refresh_token
    const hostile = [
      `${files} ${maps}`,
      `${files}\n${maps}`,
      `${files}\0`,
      `${files}%20`.replace('%20', '\t'),
      `${files}#`,
      `"${files}"`,
      `[${JSON.stringify(files)}]`,
      'javascript',
      '__proto__',
      'constructor',
      '*',
      'null',
      `${files},${maps}`,
      '\u202efiles.example:',
    ]
    for (const resource of hostile) {
      t.match(await refresh(issuer, confidential, token, { resource }), invalidTarget, resource)
      const { left } = await visitor.get(addressFor([resource]).url)
      t.equal(left?.searchParams.get('error'), 'invalid_target', resource)
      t.notOk(left?.searchParams.get('error_description')?.includes(resource))
    }
    t.match(
      await refresh(issuer, confidential, token, { 'resource[]': maps, resources: maps }),
      { status: 200 },
      'other parameters have no meaning',
    )
    const { code } = await legacyCode(running, legacy, ana, { resource: maps }, visitor)
    const fields = { grant_type: 'authorization_code', code }
    const twice = await legacyToken(issuer, legacy, { ...fields, resource: [files, maps] })
    t.match(twice, { status: 400, body: { error: 'invalid_request' } }, 'legacy: no repetition')
    const old = await legacyToken(issuer, legacy, { ...fields, resource: maps })
    t.equal(claimsOf(old.body.access_token).aud, issuer, 'legacy: ignored')
  })

  t.test('RES-01 a stolen code is refused before its resources are compared', async (t) => {
    const { url } = addressFor([files])
    const code = (await walk(visitor, url, ana)).left?.searchParams.get('code') as string
    const stolen = { code, verifier: newVerifier() }
    for (const resource of [files, maps])
      t.match(await exchangeCode(issuer, confidential, stolen, { resource }), {
        status: 400,
        body: { error: 'invalid_grant' },
      })
  })
})
