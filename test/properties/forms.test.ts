import formbody from '@fastify/formbody'
import fc from 'fast-check'
import Fastify, { type FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import { OAuthError } from '../../src/core/language/errors.ts'
import { claimedClientId, readClientCredentials } from '../../src/http/oauth/client-credentials.ts'
import { readForm } from '../../src/http/oauth/form.ts'
import { publicError } from '../../src/http/oauth/oauth-errors.ts'
import { queryPairs } from '../../src/http/oauth/query.ts'
import { holds, textOf } from '../support/property.ts'

const formType = 'application/x-www-form-urlencoded'

/** A server that returns the form as the endpoints parse it. */
const startReader = async (t: Test) => {
  const server = Fastify()
  await server.register(formbody)
  server.post('/', async (request) => [...readForm(request)])
  server.setErrorHandler((caught, _request, reply) => {
    const error = publicError(caught)
    return reply.code(error.status).send({ error: error.code })
  })
  t.teardown(() => server.close())
  return async (body: string | Buffer, type = formType) => {
    const answer = await server.inject({
      method: 'POST',
      url: '/',
      payload: body,
      headers: { 'content-type': type },
    })
    return { status: answer.statusCode, body: answer.json() as unknown }
  }
}

const name = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'code', 'scope', 'code[]', 'a.b', ''),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
)
const value = fc.oneof(fc.constant(''), fc.string({ unit: 'grapheme', maxLength: 8 }))
const pairs = fc.array(fc.tuple(name, value), { maxLength: 6 })

const expectedOf = (sent: [string, string][]) => {
  const names = sent.map(([name]) => name)
  if (new Set(names).size < names.length) return { status: 400, body: { error: 'invalid_request' } }
  return { status: 200, body: sent.filter(([, value]) => value !== '') }
}

const formLike = textOf(
  ...['=', '&', '%', '+', '%00', '%zz', '%e2%28%a1', '%ff', ';', '[', ']', '__proto__', 'code'],
  ...['constructor', 'a=1', '%5F%5Fproto%5F%5F=1', 'a[__proto__]=1', 'ü'],
)

t.test('forms', async (t) => {
  const read = await startReader(t)

  holds(
    t,
    'reads each parameter once, drops empty ones and refuses repeated ones, whatever the name',
    fc.asyncProperty(pairs, async (pairs) => {
      const body = new URLSearchParams(pairs).toString()
      const expected = expectedOf([...new URLSearchParams(body)])
      const answer = await read(body)
      const sorted = (list: unknown) => (Array.isArray(list) ? [...list].sort() : list)
      return (
        answer.status === expected.status &&
        JSON.stringify(sorted(answer.body)) === JSON.stringify(sorted(expected.body))
      )
    }),
    600,
  )

  holds(
    t,
    'no input causes a server error',
    fc.asyncProperty(
      fc.oneof(
        formLike,
        fc.uint8Array({ maxLength: 80 }).map((one) => Buffer.from(one)),
      ),
      async (body) => {
        const { status } = await read(body)
        return (status === 200 || status === 400) && !('code' in Object.prototype)
      },
    ),
    800,
  )

  holds(
    t,
    'only the form content type is parsed as a form',
    fc.asyncProperty(
      textOf(formType, ';', 'charset', '=', 'utf-8', '"', ' ', ','),
      async (type) => {
        const clean = type.replaceAll(/[^\x20-\x7e]/g, '').trim()
        const allowed = /^application\/x-www-form-urlencoded *(; *charset *= *"?utf-8"? *)?$/i
        const { status } = await read('a=1', clean)
        return status === 200 ? allowed.test(clean) : status >= 400 && status < 500
      },
    ),
  )
})

/** The result of the rule, or null if it refuses; errors other than OAuthError are thrown on. */
const orRefused = <Result>(rule: () => Result): Result | null => {
  try {
    return rule()
  } catch (error) {
    if (error instanceof OAuthError && error.status < 500) return null
    throw error
  }
}

holds(
  t,
  'any query is parsed or refused',
  fc.property(formLike, (query) => {
    const request = { raw: { url: `/authorize?${query}` } } as FastifyRequest
    const read = orRefused(() => queryPairs(request))
    const isBroken = /%(?![0-9a-f]{2})/i.test(query)
    return isBroken
      ? read === null
      : JSON.stringify(read) === JSON.stringify([...new URLSearchParams(query)])
  }),
  1500,
)

const headerLike = textOf(
  ...['Basic', 'basic', 'Bearer', ' ', ':', '%', '%zz', '+', '='],
  Buffer.from('app:secret').toString('base64'),
  Buffer.from('%zz:%').toString('base64'),
)
const field = (text: fc.Arbitrary<string>) => fc.option(text, { nil: undefined })
const form = fc
  .record({
    client_id: field(fc.constantFrom('app1', 'app2', '__proto__', '\0')),
    client_secret: field(fc.string()),
    client_assertion: field(textOf('.', 'e30', 'eyJzdWIiOiJhcHAxIn0')),
    client_assertion_type: field(fc.string()),
  })
  .map(
    (fields) =>
      new Map(
        Object.entries(fields).filter((one): one is [string, string] => one[1] !== undefined),
      ),
  )

holds(
  t,
  'any Authorization header with any form is parsed or refused, never as two clients',
  fc.property(field(headerLike), form, (header, form) => {
    claimedClientId(header, form)
    const read = orRefused(() => readClientCredentials(header, form))
    const mechanisms = [header, form.get('client_secret'), form.get('client_assertion')]
    if (mechanisms.filter((one) => one !== undefined).length > 1) return read === null
    const named = form.get('client_id')
    return read === null || named === undefined || read.clientId === named
  }),
  2000,
)

holds(
  t,
  'id and secret survive the encoding in Basic',
  fc.property(
    fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/),
    fc.string({ unit: 'binary', minLength: 1 }),
    (id, secret) => {
      const encoded = (text: string) => new URLSearchParams({ '': text }).toString().slice(1)
      const value = Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString('base64')
      const read = readClientCredentials(`Basic ${value}`, new Map())
      return read.method === 'client_secret_basic' && read.clientId === id && read.secret === secret
    },
  ),
)
