/** Who a client says it is, before anything of it is verified. */
import t from 'tap'
import { readClientCredentials } from '../../src/http/client-credentials.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const assertionOf = (claims: object) => `${encode({ alg: 'ES256' })}.${encode(claims)}.AAAA`
const formOf = (assertion: string, more: Record<string, string> = {}) =>
  new Map(
    Object.entries({
      client_assertion: assertion,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      ...more,
    }),
  )

t.test('a client is named by a text', async (t) => {
  const refused = { name: 'OAuthError', code: 'invalid_client', reason: 'assertion_subject' }
  for (const sub of [['app1'], ['app1', 'app2'], 7, true, null, undefined, {}])
    for (const more of [{}, { client_id: String(sub) }])
      t.throws(
        () => readClientCredentials(undefined, formOf(assertionOf({ sub }), more)),
        refused,
        JSON.stringify({ sub, ...more }),
      )
  const assertion = assertionOf({ sub: 'app1' })
  for (const more of [{}, { client_id: 'app1' }])
    t.same(readClientCredentials(undefined, formOf(assertion, more)), {
      method: 'private_key_jwt',
      clientId: 'app1',
      assertion,
    })
})
