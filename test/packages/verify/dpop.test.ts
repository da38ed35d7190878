import fastify from 'fastify'
import t, { type Test } from 'tap'
import { latchkeyVerify } from '../../../packages/verify/src/fastify/fastify.ts'
import { createNonces } from '../../../packages/verify/src/nonces.ts'
import { createReplays } from '../../../packages/verify/src/replays.ts'
import {
  answerTo,
  credentialIn,
  type ProofInvalid,
  type ProvenToken,
  type TokenInvalid,
  VerificationUnavailable,
} from '../../../packages/verify/src/verify.ts'
import { createHolder, type Holder, hashOf, seconds } from '../../support/dpop.ts'
import { encode, resourceServer } from '../../support/scripted-server.ts'
import { createScene } from './scene.ts'

const url = 'https://api.example/records?limit=1'

const reasonOf = (verifying: Promise<unknown>): Promise<string> =>
  verifying.then(
    () => 'good',
    (error) => (error as { reason: string }).reason,
  )

/** The headers of a GET with this token and proof. */
const shown = async (
  holder: Holder,
  token: string,
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
): Promise<ProvenToken> => {
  const all = { htm: 'GET', ath: hashOf(token), ...claims }
  return { token, proof: await holder.prove(url, all, header), method: 'GET', url }
}

const createBound = async (t: Test, options: Parameters<typeof createScene>[1] = {}) => {
  const scene = await createScene(t, options)
  const holder = await createHolder()
  const token = scene.server.token({ cnf: { jkt: holder.jkt } })
  return { ...scene, holder, token }
}

t.test('a bound token is accepted with its key, for each algorithm', async (t) => {
  const { server, verifier } = await createBound(t)
  for (const alg of ['ES256', 'ES384', 'EdDSA', 'Ed25519', 'RS256', 'PS256']) {
    const holder = await createHolder(alg)
    const token = server.token({ cnf: { jkt: holder.jkt } })
    for (const turn of ['first', 'again']) {
      const access = await verifier.verify(await shown(holder, token))
      t.equal(access.kind === 'user' && access.userId, 'usr1', `${alg}, ${turn}`)
    }
  }
})

t.test('a bound token is refused without its key', async (t) => {
  const { server, verifier, holder, token } = await createBound(t)
  const thief = await createHolder()
  for (const turn of ['unseen', 'known']) {
    t.equal(await reasonOf(verifier.verify(token)), 'bound_to_key', `as a bearer token, ${turn}`)
    t.equal(await reasonOf(verifier.verify(await shown(thief, token))), 'key_mismatch', turn)
    t.equal(await reasonOf(verifier.verify(await shown(holder, token))), 'good', turn)
  }
  const unbound = server.token()
  for (const turn of ['unseen', 'known']) {
    t.equal(await reasonOf(verifier.verify(await shown(holder, unbound))), 'key_mismatch', turn)
    t.equal(await reasonOf(verifier.verify(unbound)), 'good', turn)
  }
  server.known.set('lkks_a-secret', { active: true, kind: 'key_set' })
  t.equal(await reasonOf(verifier.verify(await shown(holder, 'lkks_a-secret'))), 'key_mismatch')
  for (const cnf of [
    null,
    {},
    { jkt: 7 },
    { 'x5t#S256': 'x' },
    { jkt: holder.jkt, kid: 'k' },
    'x',
  ]) {
    const odd = await shown(holder, server.token({ cnf }))
    t.equal(await reasonOf(verifier.verify(odd)), 'claims', JSON.stringify(cnf))
  }
})

t.test('rejects an invalid proof', async (t) => {
  const { verifier, holder, token } = await createBound(t)
  const thief = await createHolder()
  const right = await shown(holder, token)
  const [head, body, signature] = right.proof.split('.') as [string, string, string]
  const none = encode({ typ: 'dpop+jwt', alg: 'none', jwk: holder.jwk })
  const odd: [what: string, proof: string, reason: string][] = [
    ['empty', '', 'proof_malformed'],
    ['no JWT', 'proof', 'proof_malformed'],
    ['two', `${right.proof}, ${right.proof}`, 'proof_malformed'],
    ['too long', `${head}.${body}.${'A'.repeat(4096)}`, 'proof_malformed'],
    ['no signature', `${head}.${body}.`, 'proof_signature'],
    ['half a signature', `${head}.${body}.${signature.slice(0, 40)}`, 'proof_signature'],
    ['alg none', `${none}.${body}.`, 'proof_algorithm'],
    [
      'a second proof header',
      `${encode(`{"typ":"dpop+jwt","alg":"ES256","alg":"ES256"}`)}.${body}.${signature}`,
      'proof_malformed',
    ],
  ]
  for (const [what, proof, reason] of odd)
    t.equal(await reasonOf(verifier.verify({ ...right, proof })), reason, what)
  const wrong: [what: string, credential: ProvenToken, reason: string][] = [
    ['another method', await shown(holder, token, { htm: 'POST' }), 'proof_method'],
    ['another URL', await shown(holder, token, { htu: 'https://api.example/' }), 'proof_url'],
    ['another token', await shown(holder, token, { ath: hashOf('x') }), 'proof_token'],
    ['no token', await shown(holder, token, { ath: undefined }), 'proof_token'],
    ['another type', await shown(holder, token, {}, { typ: 'JWT' }), 'proof_malformed'],
    ['another key', await shown(thief, token, {}, { jwk: holder.jwk }), 'proof_signature'],
    [
      'not on the curve',
      await shown(holder, token, {}, { jwk: { ...holder.jwk, y: holder.jwk.x } }),
      'proof_key',
    ],
  ]
  for (const [what, credential, reason] of wrong)
    t.equal(await reasonOf(verifier.verify(credential)), reason, what)
  t.equal(await reasonOf(verifier.verify(right)), 'good', 'a rejected proof does not count as used')
})

t.test('a proof is valid for one request', async (t) => {
  const { verifier, holder, token } = await createBound(t)
  const one = await shown(holder, token)
  const many = Array.from({ length: 10 }, () => reasonOf(verifier.verify({ ...one })))
  const reasons = await Promise.all(many)
  t.same(reasons.sort(), ['good', ...Array(9).fill('proof_replayed')])
  const request = await shown(holder, token)
  for (const field of ['first', 'second'])
    t.equal(await reasonOf(verifier.verify(request)), 'good', `the same request, ${field} field`)
  t.equal(await reasonOf(verifier.verify({ ...request })), 'proof_replayed')
})

t.test('accepts a request with a long URL', async (t) => {
  const { verifier, holder, token } = await createBound(t)
  const outcome = async (to: string) =>
    reasonOf(verifier.verify({ ...(await shown(holder, token)), url: to }))
  t.equal(await outcome(`${url}&filter=${'x'.repeat(3000)}`), 'good', 'the query is not compared')
  t.equal(await outcome(`${url}#${'x'.repeat(3000)}`), 'good', 'nor is the fragment')
  const path = `https://api.example/records/${'x'.repeat(3000)}`
  t.equal(await outcome(path), 'proof_url', 'a path of that length is refused')
  t.equal(await outcome('https://somebody@api.example/records'), 'proof_url')
  for (const relative of ['/records', '/records?at=https://api.example/', '?limit=1', ''])
    await t.rejects(verifier.verify({ ...(await shown(holder, token)), url: relative }), TypeError)
})

t.test('several processes share one memory of used proofs', async (t) => {
  const seen = new Map<string, number>()
  const remember = async (id: string, life: number) => !seen.has(id) && !!seen.set(id, life)
  const { verifier, holder, token } = await createBound(t, { dpop: { remember } })
  const one = await shown(holder, token)
  t.equal(await reasonOf(verifier.verify({ ...one })), 'good')
  t.equal(await reasonOf(verifier.verify({ ...one })), 'proof_replayed')
  const lives = [...seen.values()]
  t.ok(
    lives.length === 1 && lives[0]! > 30 && lives[0]! <= 61,
    'for as long as it could be replayed',
  )
  const away = await createBound(t, { dpop: { remember: () => Promise.reject(new Error('away')) } })
  const next = await shown(away.holder, away.token)
  t.equal(
    await reasonOf(away.verifier.verify(next)),
    'unreachable',
    'then every request is refused',
  )
})

t.test('the memory of proofs is bounded, and full memory forgets nothing', async (t) => {
  const replays = createReplays(2)
  t.ok(replays.isNew('a', 60, 0))
  t.ok(replays.isNew('b', 61, 1))
  t.throws(() => replays.isNew('c', 61, 1), new VerificationUnavailable('overloaded'))
  t.notOk(replays.isNew('a', 60, 1), 'known ones are still recognized')
  t.ok(replays.isNew('c', 62, 60.5), 'an expired proof makes room')
  t.notOk(replays.isNew('b', 61, 60.5))
})

t.test('a client without a clock gets a nonce', async (t) => {
  const { verifier, holder, token } = await createBound(t)
  for (const iat of [seconds() - 90, seconds() + 90, 0]) {
    const error = await verifier.verify(await shown(holder, token, { iat })).catch((one) => one)
    t.match(error, { code: 'use_dpop_nonce', reason: 'proof_stale' })
    const { nonce } = error as ProofInvalid
    t.ok(nonce)
    t.match(answerTo(error, { dpop: true }), {
      status: 401,
      headers: { 'dpop-nonce': nonce, 'www-authenticate': /^DPoP error="use_dpop_nonce"/ },
      body: { error: 'use_dpop_nonce' },
    })
    const again = await shown(holder, token, { iat, nonce })
    t.equal(await reasonOf(verifier.verify(again)), 'good')
    t.equal(await reasonOf(verifier.verify({ ...again })), 'proof_replayed')
  }
  const nonces = createNonces(resourceServer.clientSecret)
  const [now, old] = [await nonces.at(seconds()), await nonces.at(seconds() - 90)]
  const elsewhere = await createNonces('another secret').at(seconds())
  const [time, mac] = now.split('.') as [string, string]
  t.equal(
    await reasonOf(verifier.verify(await shown(holder, token, { iat: 0, nonce: now }))),
    'good',
    'of another process',
  )
  for (const nonce of [old, elsewhere, '', 'x', mac, `${time}.`, `0${now}`, `${now}A`, `a.${mac}`])
    t.equal(
      await reasonOf(verifier.verify(await shown(holder, token, { nonce }))),
      'proof_stale',
      nonce,
    )
})

t.test('reads the scheme and token of a request', async (t) => {
  const request = { method: 'GET', url }
  const proven = { token: 'abc', proof: 'p', ...request }
  t.equal(credentialIn({ authorization: 'Bearer abc', dpop: 'p' }, request), 'abc')
  t.same(credentialIn({ authorization: 'DPoP abc', dpop: 'p' }, request), proven)
  t.same(credentialIn({ authorization: ['dpop abc'], dpop: ['p'] }, request), proven)
  t.same(credentialIn(new Headers({ authorization: 'DPoP abc', dpop: 'p' }), request), proven)
  t.equal(credentialIn({}, request), null)
  t.equal(credentialIn({ authorization: 'Basic abc' }, request), null)
  t.equal(credentialIn({ dpop: 'p' }, request), null)
  const fault = (headers: Record<string, string | string[]>) => {
    try {
      return credentialIn(headers, request)
    } catch (error) {
      return (error as ProofInvalid | TokenInvalid).reason
    }
  }
  t.equal(fault({ authorization: 'DPoP abc' }), 'proof_missing')
  t.equal(fault({ authorization: 'DPoP abc', dpop: ['p', 'q'] }), 'proof_malformed')
  t.equal(fault({ authorization: ['DPoP abc', 'Bearer abc'] }), 'two_credentials')
  t.equal(fault({ authorization: 'DPoP a b', dpop: 'p' }), 'malformed')
})

t.test('Fastify routes accept proofs if the API knows its address', async (t) => {
  const { verifier, holder, token, server } = await createBound(t)
  const apiWith = async (options: { publicUrl?: string }) => {
    const api = fastify()
    t.teardown(() => api.close())
    await api.register(latchkeyVerify, { verifier, realm: 'data', ...options })
    const preHandler = api.requireToken({ organization: 'org1' })
    api.get('/records', { preHandler }, async ({ access }) => access)
    return api
  }
  const api = await apiWith({ publicUrl: 'https://api.example/' })
  const get = async (on = api, part: Record<string, unknown> = {}, host = 'inner.example') => {
    const { proof } = await shown(holder, token, part)
    const headers = { authorization: `DPoP ${token}`, dpop: proof, host }
    return on.inject({ url: '/records?limit=1', headers })
  }
  t.match((await get()).json(), { kind: 'user', userId: 'usr1' })
  const elsewhere = await get(api, { htu: 'https://evil.example/records' }, 'evil.example')
  t.equal(elsewhere.statusCode, 401, 'the Host header is under the sender’s control')
  t.equal(elsewhere.json().error, 'invalid_dpop_proof')
  t.match(
    elsewhere.headers['www-authenticate'],
    /^DPoP realm="data", error="invalid_dpop_proof".*algs="ES256 ES384 /,
  )
  const asBearer = await api.inject({
    url: '/records',
    headers: { authorization: `Bearer ${token}` },
  })
  t.equal(asBearer.statusCode, 401)
  t.match(asBearer.headers['www-authenticate'], /^DPoP realm="data", error="invalid_token"/)
  const none = await api.inject('/records')
  t.match(none.headers['www-authenticate'], /^Bearer realm="data", DPoP realm="data", algs="/)
  const bearer = { authorization: `Bearer ${server.token()}` }
  t.equal((await api.inject({ url: '/records', headers: bearer })).statusCode, 200)

  const without = await apiWith({})
  const refused = await get(without)
  t.equal(refused.statusCode, 401)
  t.equal(refused.headers['www-authenticate'], 'Bearer realm="data"', 'it is not offered')
})
