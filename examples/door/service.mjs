/** A service behind the door. It answers only requests that have the door's assertion, apart from `/status`. */
import { createServer } from 'node:http'
import { createRemoteJWKSet, jwtVerify } from 'jose'

/** Verifies the assertion of a door. The service needs no header but this one. */
export const createAssertions = ({ door, audience }) => {
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', door))
  const demands = {
    algorithms: ['ES256'],
    typ: 'latchkey-door+jwt',
    issuer: 'urn:latchkey:door',
    audience,
    requiredClaims: ['exp', 'organization_id', 'permissions'],
  }
  /** @returns the claims. @throws if there is none that is valid */
  return async ({ headers }) =>
    (await jwtVerify(String(headers['x-latchkey-assertion'] ?? ''), keys, demands)).payload
}

const answerJson = (response, status, body) => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

/** @param settings the URL of the door, and `TOKEN_AUDIENCE` */
export const createService = (settings, answer = answerJson) => {
  const read = createAssertions(settings)
  return createServer(async (request, response) => {
    // The path as it came: nothing is decoded or removed before it is compared.
    const [path] = request.url.split('?')
    if (path === '/status') return answer(response, 200, { status: 'ok' })
    const access = await read(request).catch(() => null)
    if (!access) return answer(response, 401, { error: 'no assertion of the door' })
    if (path === '/records') return answer(response, 200, { organization: access.organization_id })
    const [, organization] = /^\/organizations\/([A-Za-z0-9_-]+)\/records$/.exec(path) ?? []
    if (!organization) return answer(response, 404, { error: 'not found' })
    // The proxy asks the same. It counts here too, because an assertion says who acts, not what was asked.
    if (organization !== access.organization_id || !access.permissions.includes('records:create'))
      return answer(response, 403, { error: 'not allowed' })
    return answer(response, 200, { organization })
  })
}

if (import.meta.filename === process.argv[1]) {
  const { DOOR = 'http://127.0.0.1:3080', TOKEN_AUDIENCE = '' } = process.env
  if (TOKEN_AUDIENCE === '') throw new Error('set TOKEN_AUDIENCE to that of the door')
  createService({ door: DOOR, audience: TOKEN_AUDIENCE }).listen(4000, '127.0.0.1')
}
