/** The client_id that a request names, before its authentication. */
import t from 'tap'
import {
  claimedClientId,
  readClientCredentials,
} from '../../../src/http/oauth/client-credentials.ts'

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

t.test('the subject must be a string where it names the client', async (t) => {
  const refused = { name: 'OAuthError', code: 'invalid_client', reason: 'assertion_subject' }
  for (const sub of [['app1'], ['app1', 'app2'], 7, true, null, undefined, {}])
    t.throws(
      () => readClientCredentials(undefined, formOf(assertionOf({ sub }))),
      refused,
      JSON.stringify({ sub }),
    )
  // The subject of a workload's token is not the client. `authenticate` compares it.
  const ofWorkload = assertionOf({ sub: ['app1'] })
  t.same(readClientCredentials(undefined, formOf(ofWorkload, { client_id: 'app1' })), {
    method: 'private_key_jwt',
    clientId: 'app1',
    assertion: ofWorkload,
  })
  const assertion = assertionOf({ sub: 'app1' })
  for (const more of [{}, { client_id: 'app1' }])
    t.same(readClientCredentials(undefined, formOf(assertion, more)), {
      method: 'private_key_jwt',
      clientId: 'app1',
      assertion,
    })
})

t.test('a refused request is counted for the client that it names', async (t) => {
  const assertion = assertionOf({ sub: 'app1' })
  const basic = `Basic ${Buffer.from('app3:x').toString('base64')}`
  const cases: [string, string | undefined, Map<string, string> | null, string | undefined][] = [
    ['the assertion', undefined, formOf(assertion), 'app1'],
    ['client_id before it', undefined, formOf(assertion, { client_id: 'app2' }), 'app2'],
    ['the header before it', basic, formOf(assertion), 'app3'],
    ['a malformed header before it', 'Basic x', formOf(assertion), undefined],
    ['no text', undefined, formOf(assertionOf({ sub: ['app1'] })), undefined],
    ['no sub', undefined, formOf(assertionOf({})), undefined],
    ['no JWT', undefined, formOf('x'), undefined],
    ['nothing', undefined, new Map(), undefined],
    ['no form', undefined, null, undefined],
  ]
  for (const [label, header, form, expected] of cases)
    t.equal(claimedClientId(header, form), expected, label)
})
