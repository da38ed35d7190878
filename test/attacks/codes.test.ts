import {
  authorizeUrl,
  challengeOf,
  claimsOf,
  currentCode,
  exchangeCode,
  legacyAuthorizeUrl,
  legacyCode,
  legacyToken,
  newVerifier,
  refresh,
} from '../support/flows.ts'
import { startLatchkey } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { amounts, expireAll, familyLives } from '../support/traces.ts'
import { walk } from '../support/visitor.ts'
import { createApp, install, legacyPermissions } from '../support/world.ts'

const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }

await onEachBackend('codes', async (t, { running, issuer, world, stores }) => {
  const { confidential, second, publicApp, legacy, ana, acme } = world
  const visitor = await signedIn(issuer, ana)
  const fresh = (app = confidential) => currentCode(running, app, ana, {}, visitor)
  const freshLegacy = (more = {}) => legacyCode(running, legacy, ana, more, visitor)
  const legacyFields = (code: string, more = {}) => ({
    grant_type: 'authorization_code',
    code,
    ...more,
  })

  t.test('COD-01 RFT-16 a replayed code revokes all tokens of the grant', async (t) => {
    const grant = await fresh()
    const first = (await exchangeCode(issuer, confidential, grant)).body.refresh_token
    const rotated = (await refresh(issuer, confidential, first)).body.refresh_token
    t.match(await exchangeCode(issuer, confidential, grant), invalidGrant)
    t.match(await refresh(issuer, confidential, rotated), invalidGrant)

    const { code } = await freshLegacy()
    const tokens = await legacyToken(issuer, legacy, legacyFields(code))
    t.match(await legacyToken(issuer, legacy, legacyFields(code)), invalidGrant)
    const fields = { grant_type: 'refresh_token', refresh_token: tokens.body.refresh_token }
    t.match(await legacyToken(issuer, legacy, fields), invalidGrant)
  })

  t.test('COD-03 another client’s code is refused and not consumed', async (t) => {
    for (const thief of [second, publicApp]) {
      const grant = await fresh()
      const { redirect_uri } = confidential
      t.match(await exchangeCode(issuer, thief, grant, { redirect_uri }), invalidGrant)
      t.match(await exchangeCode(issuer, thief, grant), invalidGrant)
      t.equal((await exchangeCode(issuer, confidential, grant)).status, 200)
    }
    const grant = await fresh()
    const used = await exchangeCode(issuer, confidential, grant)
    await exchangeCode(issuer, second, grant)
    t.equal((await refresh(issuer, confidential, used.body.refresh_token)).status, 200)
  })

  t.test('COD-04 a code expires after one minute', async (t) => {
    const grant = await fresh()
    const { code } = await freshLegacy()
    // On a slow machine the codes of earlier tests may have expired.
    const lives = (await familyLives(stores)).filter((one) => one !== null && one > 0)
    t.ok(lives.length >= 2 && lives.every((left) => Number(left) <= 60), String(lives))
    await expireAll(stores)
    t.match(await exchangeCode(issuer, confidential, grant), invalidGrant)
    t.match(await legacyToken(issuer, legacy, legacyFields(code)), invalidGrant)
    const again = await signedIn(issuer, ana)
    visitor.cookies.clear()
    for (const [name, value] of again.cookies) visitor.cookies.set(name, value)
  })

  t.test('COD-05 rejects altered codes', async (t) => {
    const grant = await fresh()
    const another = await fresh()
    const { code } = grant
    const flip = (at: number) => {
      const one = code[at] as string
      const other = one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase()
      return (
        code.slice(0, at) + (other === one ? (one === '1' ? '2' : '1') : other) + code.slice(at + 1)
      )
    }
    const mutations = [
      code.slice(0, -1),
      code.slice(1),
      `${code}x`,
      `${code} `,
      `${code}\0`,
      `${code}\n`,
      code.toUpperCase(),
      code.replace('lkac_', 'lkrt_'),
      code.replace('lkac_', ''),
      encodeURIComponent(encodeURIComponent(`%${code}`)),
      code.slice(0, 40) + another.code.slice(40),
      another.code.slice(0, 40) + code.slice(40),
      code.slice(0, 33) + another.code.slice(33),
      'lkac_',
      'x',
      '*',
      '../../x',
      "' or 1=1--",
      '\u0000',
      '\ud83d\ude00',
      'x'.repeat(50_000),
      ...Array.from({ length: 14 }, (_, at) => flip(5 + at * 5)),
    ]
    const before = await amounts(stores)
    for (const mutated of mutations) {
      const answer = await exchangeCode(issuer, confidential, { ...grant, code: mutated })
      t.match(answer, invalidGrant, JSON.stringify(mutated).slice(0, 60))
      t.match(await legacyToken(issuer, legacy, legacyFields(mutated)), invalidGrant)
    }
    t.same(await amounts(stores), before)
    t.equal((await exchangeCode(issuer, confidential, grant)).status, 200)
    t.equal((await exchangeCode(issuer, confidential, another)).status, 200)
  })

  t.test('COD-10 a code reveals nothing about the next one', async (t) => {
    const codes: string[] = []
    for (let at = 0; at < 60; at++) codes.push((await fresh()).code)
    t.equal(new Set(codes).size, codes.length)
    const bodies = codes.map((code) => code.replace(/^lkac_/, ''))
    // The family id and its MAC: 128 and 160 random-looking bits.
    for (const [from, to] of [
      [0, 12],
      [30, 60],
    ] as const)
      t.equal(new Set(bodies.map((body) => body.slice(from, to))).size, codes.length)
    const characters = new Set(bodies.map((body) => body.slice(0, 20)).join(''))
    t.ok(characters.size > 50, `${characters.size} different characters`)
  })

  t.test('COD-11 a used code is refused after a restart', async (t) => {
    const grant = await fresh()
    const unused = await fresh()
    t.equal((await exchangeCode(issuer, confidential, grant)).status, 200)
    const later = await startLatchkey(stores, { environment: { ISSUER: issuer } })
    t.teardown(() => later.stop())
    const url = later.urls[0] as string
    t.match(await exchangeCode(url, confidential, grant), invalidGrant)
    t.equal((await exchangeCode(url, confidential, unused)).status, 200)
  })

  t.test('PKC-05 PKC-06 PKC-09 rejects a missing or wrong code_verifier', async (t) => {
    const victim = await fresh()
    const grant = await fresh()
    const flipped = grant.verifier.replace(/[a-z]/, (one) => one.toUpperCase())
    const attempts: [Record<string, string | undefined>, string][] = [
      [{ code_verifier: undefined }, 'invalid_request'],
      [{ code_verifier: '' }, 'invalid_request'],
      [{ code_verifier: challengeOf(grant.verifier) }, 'invalid_grant'],
      [
        { code_verifier: challengeOf(grant.verifier), code_challenge_method: 'plain' },
        'invalid_grant',
      ],
      [{ code_verifier: victim.verifier }, 'invalid_grant'],
      [{ code_verifier: flipped }, 'invalid_grant'],
      [{ code_verifier: `${grant.verifier}\n` }, 'invalid_grant'],
      [{ code_verifier: ` ${grant.verifier}` }, 'invalid_grant'],
      [{ code_verifier: grant.verifier.slice(0, -1) }, 'invalid_grant'],
      [{ code_verifier: `${grant.verifier}\0` }, 'invalid_grant'],
      [{ code_verifier: 'x'.repeat(10_000) }, 'invalid_grant'],
      [{ code_verifier: '\ud83d\ude00'.repeat(30) }, 'invalid_grant'],
    ]
    for (const [more, error] of attempts) {
      const answer = await exchangeCode(issuer, confidential, grant, more)
      t.match(answer, { status: 400, body: { error } }, JSON.stringify(more).slice(0, 60))
    }
    t.equal(
      (await exchangeCode(issuer, confidential, grant)).status,
      200,
      'the code is still valid',
    )
  })

  t.test('PKC-07 rejects a weak verifier although its hash matches', async (t) => {
    const weak = [
      'a'.repeat(20),
      'a'.repeat(42),
      'a'.repeat(129),
      `${'a'.repeat(43)}=`,
      `${'a'.repeat(43)}+`,
      `${'a'.repeat(43)} `,
      `${'a'.repeat(43)}/`,
      `${'a'.repeat(43)}\u00e9`,
      `${'a'.repeat(43)}\n`,
    ]
    for (const app of [confidential, publicApp]) {
      for (const verifier of weak) {
        const url = authorizeUrl(issuer, app, { code_challenge: challengeOf(verifier) })
        const page = await walk(visitor, url, ana)
        const code = page.left?.searchParams.get('code') ?? ''
        const answer = await exchangeCode(issuer, app, { code, verifier })
        t.match(answer, invalidGrant, JSON.stringify(verifier).slice(0, 60))
      }
      for (const verifier of ['a'.repeat(43), '-._~'.repeat(32)]) {
        const url = authorizeUrl(issuer, app, { code_challenge: challengeOf(verifier) })
        const page = await walk(visitor, url, ana)
        const code = page.left?.searchParams.get('code') ?? ''
        t.equal((await exchangeCode(issuer, app, { code, verifier })).status, 200)
      }
    }
  })

  t.test('PKC-10 two requests in one browser keep their own challenges', async (t) => {
    const app = await createApp(running, { name: 'Twice' })
    await install(running, acme, app)
    const [a, b] = [newVerifier(), newVerifier()]
    const ask = (verifier: string) =>
      authorizeUrl(issuer, app, { code_challenge: challengeOf(verifier), prompt: 'consent' })
    const first = await visitor.get(ask(a))
    const later = await visitor.get(ask(b))
    const finished = await visitor.submit(first, { decision: 'approve' })
    const code = finished.left?.searchParams.get('code') ?? ''
    t.match(await exchangeCode(issuer, app, { code, verifier: b }), invalidGrant)
    t.equal((await exchangeCode(issuer, app, { code, verifier: a })).status, 200)
    const other = await visitor.submit(later, { decision: 'approve' })
    const otherCode = other.left?.searchParams.get('code') ?? ''
    t.equal((await exchangeCode(issuer, app, { code: otherCode, verifier: b })).status, 200)
  })

  t.test('PKC-11 the legacy interface enforces a challenge that was sent', async (t) => {
    const verifier = newVerifier()
    const requested = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }
    const { code } = await freshLegacy(requested)
    for (const more of [{}, { code_verifier: '' }, { code_verifier: newVerifier() }])
      t.match(await legacyToken(issuer, legacy, legacyFields(code, more)), invalidGrant)
    const right = legacyFields(code, { code_verifier: verifier })
    t.equal((await legacyToken(issuer, legacy, right)).status, 200)
  })

  t.test('PKC-12 refuses a verifier for a legacy code without a challenge', async (t) => {
    const { code } = await freshLegacy()
    for (const code_verifier of [newVerifier(), 'x', 'é'.repeat(50)])
      t.match(await legacyToken(issuer, legacy, legacyFields(code, { code_verifier })), {
        ...invalidGrant,
        body: { ...invalidGrant.body, access_token: undefined },
      })
    const plain = legacyFields(code, { code_verifier: '' })
    t.equal((await legacyToken(issuer, legacy, plain)).status, 200, 'the code was not consumed')
  })

  t.test('PKC-12 a public legacy app needs a challenge to get a code', async (t) => {
    const { legacyPublic } = world
    const left = async (more: Record<string, string>) => {
      const answer = await visitor.fetch(legacyAuthorizeUrl(issuer, legacyPublic, more))
      return new URL(answer.headers.get('location') ?? '', issuer)
    }
    const verifier = newVerifier()
    const challenge = challengeOf(verifier)
    for (const more of [
      { code_challenge: '' },
      { code_challenge: '', organization_id: acme },
      { code_challenge: '', code_challenge_method: 'S256' },
      { code_challenge: challenge, code_challenge_method: 'plain' },
      { code_challenge: 'short' },
    ]) {
      const url = await left(more)
      t.equal(url.origin + url.pathname, legacyPublic.redirect_uri, JSON.stringify(more))
      const { error, state, code } = Object.fromEntries(url.searchParams)
      t.same(
        { error, state, code },
        { error: 'invalid_request', state: 'the-state', code: undefined },
      )
    }
    const requested = { code_challenge: challenge, code_challenge_method: 'S256' }
    const { code } = await legacyCode(running, legacyPublic, ana, requested, visitor)
    const fields = (more: Record<string, string>) => legacyFields(code, more)
    for (const code_verifier of ['', newVerifier(), challenge])
      t.match(await legacyToken(issuer, legacyPublic, fields({ code_verifier })), invalidGrant)
    const right = fields({ code_verifier: verifier })
    t.equal((await legacyToken(issuer, legacyPublic, right)).status, 200)
  })

  t.test('COD-03 checks a legacy redirect_uri that is sent at the exchange', async (t) => {
    const app = await createApp(running, {
      interface: 'legacy',
      name: 'Two addresses',
      redirect_uris: ['https://app.example/cb', 'https://app.example/cb2'],
    })
    await install(running, acme, app, { permissions: legacyPermissions })
    const page = await walk(visitor, legacyAuthorizeUrl(issuer, app), ana)
    const code = page.left?.searchParams.get('code') ?? ''
    for (const redirect_uri of ['https://app.example/cb2', 'https://app.example/CB', 'x'])
      t.match(await legacyToken(issuer, app, legacyFields(code, { redirect_uri })), invalidGrant)
    const answer = await legacyToken(issuer, app, legacyFields(code, { redirect_uri: '' }))
    t.equal(answer.status, 200)
    t.match(claimsOf(answer.body.access_token), { interface: 'legacy', kind: 'user' })
  })
})
