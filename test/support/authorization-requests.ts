// Authorization requests of the current interface, good and bad, for a comparison of two servers.
import fc from 'fast-check'
import { challengeOf, newVerifier } from './flows.ts'
import { seed } from './property.ts'

/** Name and value of each parameter, repetitions included. */
export type Sent = [name: string, value: string][]

/** What is sent for a parameter: usually nothing special. */
interface Values {
  /** Values that a valid request may have. undefined: the parameter is missing. */
  good: (string | undefined)[]
  bad: string[]
}

const challenge = challengeOf(newVerifier())
const long = 'x'.repeat(5000)
const odd = ['\0', '%00', ' ', '"<>', 'é€😀', '\ud800', '\r\nx: y', '__proto__', 'constructor']

/** The parameters of requests, the redirect URIs and organizations of the test among their values. */
export const valuesOf = (of: {
  redirectUris: readonly string[]
  organizations: readonly string[]
  workspaces: readonly string[]
  resources: readonly string[]
  hints: readonly string[]
  /** The usual scope; absent: none is sent. */
  scope?: string
}): Record<string, Values> => ({
  redirect_uri: {
    good: [...of.redirectUris],
    bad: [
      'https://other.example/cb',
      `${of.redirectUris[0]}/`,
      `${of.redirectUris[0]}#x`,
      'cb',
      ...odd,
    ],
  },
  response_type: {
    good: ['code', undefined],
    bad: ['token', 'code code', 'code id_token', 'none', ' code'],
  },
  response_mode: {
    good: [undefined, 'query', 'form_post', 'web_message'],
    bad: ['fragment', 'jwt', 'query.jwt', 'QUERY', 'toString'],
  },
  platform_origin: {
    good: [undefined],
    bad: ['https://platform.example', 'https://no.example', 'x'],
  },
  state: { good: [undefined, 'the-state', 'a b+c&d=e', ...odd], bad: [long, 'x'.repeat(4097)] },
  code_challenge: {
    good: [challenge],
    bad: [challenge.slice(1), `${challenge}x`, `${challenge.slice(1)}.`, 'x'.repeat(129)],
  },
  code_challenge_method: { good: ['S256', undefined], bad: ['plain', 's256', 'S256 ', 'x'] },
  scope: {
    good: [
      of.scope,
      undefined,
      'records:create',
      'records:create records:update',
      'openid records:create',
      'offline_access',
    ],
    bad: [
      'openid profile email',
      'profile',
      'records:delete',
      'unknown',
      ' ',
      'records:create  records:create',
      long,
    ],
  },
  prompt: {
    good: [undefined, 'none'],
    bad: [
      'login',
      'consent',
      'select_account',
      'login consent',
      'none login',
      'none none',
      ' none',
      'create',
      'x',
    ],
  },
  max_age: { good: [undefined, '100000'], bad: ['0', '-1', '1.5', 'x', '9999999999', '1e3'] },
  acr_values: { good: [undefined, 'phr', 'urn:x'], bad: [long] },
  nonce: { good: [undefined, 'the-nonce'], bad: ['x'.repeat(513), 'é', '\0'] },
  id_token_hint: { good: [undefined], bad: [...of.hints, 'x', 'a.b.c'] },
  login_hint: { good: [undefined, 'ana@acme.test', long], bad: [] },
  ui_locales: { good: [undefined, 'de fr', long], bad: [] },
  resource: {
    good: [undefined, ...of.resources],
    bad: ['https://unknown.example/', 'x', 'https://x.example/#f', long],
  },
  organization_id: {
    good: [undefined, of.organizations[0]],
    bad: [...of.organizations.slice(1), 'org_x', '\0'],
  },
  workspace_ids: {
    good: [undefined, of.workspaces[0], of.workspaces.slice(0, 2).join(' ')],
    bad: [...of.workspaces.slice(2), 'wks_x', ' ', long],
  },
  dpop_jkt: { good: [undefined, challenge], bad: ['x', challenge.slice(1)] },
  claims: { good: [undefined, '{"id_token":{}}'], bad: ['x'] },
  request: { good: [undefined], bad: ['x', 'eyJhbGciOiJub25lIn0.e30.'] },
  request_uri: {
    good: [undefined],
    bad: ['x', 'urn:ietf:params:oauth:request_uri:x', 'https://x.example/'],
  },
  registration: { good: [undefined], bad: ['{}'] },
  unknown: { good: [undefined, 'x'], bad: [] },
})

const pair = (name: string, value: string | undefined): Sent =>
  value === undefined ? [] : [[name, value]]

/** A valid request with the first good value of each parameter. */
const plainRequest = (clientId: string, values: Record<string, Values>): Sent => [
  ['client_id', clientId],
  ...Object.entries(values).flatMap(([name, { good }]) => pair(name, good[0])),
]

const without = (sent: Sent, name: string) => sent.filter(([one]) => one !== name)

/** One request for each value of each parameter, and one each with the parameter missing, empty and repeated. */
export const oneByOne = (clientId: string, values: Record<string, Values>): Sent[] => {
  const plain = plainRequest(clientId, values)
  return Object.entries(values).flatMap(([name, { good, bad }]) => {
    const rest = without(plain, name)
    const [first = 'x'] = [...good, ...bad].filter((one) => one !== undefined)
    const each = [...good, ...bad].map((value) => [...rest, ...pair(name, value)])
    const repeated: Sent = [...rest, [name, first], [name, first]]
    return [...each, rest, [...rest, [name, '']], repeated]
  })
}

/** One of these parameters, mostly with a good value, sometimes with a bad one, missing or repeated. */
const oneOf = (name: string, { good, bad }: Values): fc.Arbitrary<Sent> => {
  const value = fc.oneof(
    { weight: 60, arbitrary: fc.constantFrom(...good) },
    { weight: 1, arbitrary: fc.constantFrom(...bad, undefined, '') },
  )
  const twice = fc.tuple(value, value).map((two) => two.flatMap((one) => pair(name, one)))
  return fc.oneof(
    { weight: 150, arbitrary: value.map((one) => pair(name, one)) },
    { weight: 1, arbitrary: twice },
  )
}

/** Random requests of these clients, most of them valid. */
export const mixed = (
  clientIds: string[],
  values: Record<string, Values>,
  count: number,
): Sent[] => {
  const all = Object.entries(values).map(([name, one]) => oneOf(name, one))
  const clientId = fc.constantFrom(...clientIds).map((id): Sent => [['client_id', id]])
  const request = fc.tuple(clientId, ...all).map((parts): Sent => parts.flat())
  return fc.sample(request, { seed, numRuns: count })
}
