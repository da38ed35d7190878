import {
  authorizeUrl,
  challengeOf,
  clientCredentials,
  currentCode,
  exchangeCode,
  legacyAuthorizeUrl,
  legacyCode,
  legacyToken,
  newVerifier,
  refresh,
} from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { amounts } from '../support/traces.ts'

await onEachBackend('legacy and current', async (t, { running, issuer, world, stores }) => {
  const { confidential, legacy, publicApp, legacyPublic, ana, acme } = world
  const visitor = await signedIn(issuer, ana)
  const invalidClient = { status: 401, body: { error: 'invalid_client' } }
  const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }

  t.test('XIF-01 credentials of one interface are refused on the other', async (t) => {
    const current = await currentCode(running, confidential, ana, {}, visitor)
    const used = await currentCode(running, confidential, ana, {}, visitor)
    const token = (await exchangeCode(issuer, confidential, used)).body.refresh_token as string
    const old = await legacyCode(running, legacy, ana, {}, visitor)
    const oldUsed = await legacyCode(running, legacy, ana, {}, visitor)
    const code = (text: string) => ({ grant_type: 'authorization_code', code: text })
    const oldToken = (await legacyToken(issuer, legacy, code(oldUsed.code))).body.refresh_token
    const again = (text: string) => ({ grant_type: 'refresh_token', refresh_token: text })
    const before = await amounts(stores)

    // Apps at the other interface's endpoint, with their own credentials and with foreign ones.
    for (const app of [legacy, legacyPublic]) {
      for (const text of [old.code, current.code])
        t.match(
          await exchangeCode(issuer, app, { code: text, verifier: current.verifier }),
          invalidClient,
        )
      for (const text of [token, oldToken]) t.match(await refresh(issuer, app, text), invalidClient)
      t.match(await clientCredentials(issuer, app, acme), invalidClient)
    }
    for (const app of [confidential, publicApp]) {
      for (const text of [old.code, current.code])
        t.match(await legacyToken(issuer, app, code(text)), invalidClient)
      for (const text of [token, oldToken])
        t.match(await legacyToken(issuer, app, again(text)), invalidClient)
    }
    // Credentials of the other interface at the correct endpoint.
    t.match(await exchangeCode(issuer, confidential, { ...current, code: old.code }), invalidGrant)
    t.match(await refresh(issuer, confidential, oldToken), invalidGrant)
    t.match(await legacyToken(issuer, legacy, code(current.code)), invalidGrant)
    t.match(await legacyToken(issuer, legacy, again(token)), invalidGrant)
    t.same(await amounts(stores), before, 'nothing was consumed')

    t.equal((await exchangeCode(issuer, confidential, current)).status, 200)
    t.equal((await refresh(issuer, confidential, token)).status, 200)
    t.equal((await legacyToken(issuer, legacy, code(old.code))).status, 200)
    t.equal((await legacyToken(issuer, legacy, again(oldToken))).status, 200)
  })

  t.test('XIF-01 authorization requests and their pages belong to one interface', async (t) => {
    const challenge = challengeOf(newVerifier())
    const crossed = [
      authorizeUrl(issuer, legacy, { code_challenge: challenge }),
      legacyAuthorizeUrl(issuer, confidential),
      legacyAuthorizeUrl(issuer, publicApp, { response_type: 'token' }),
    ]
    for (const url of crossed) {
      const answer = await visitor.fetch(url)
      t.equal(answer.status, 400)
      t.equal(answer.headers.get('location'), null)
    }
    for (const [url, foreign] of [
      [
        authorizeUrl(issuer, confidential, { code_challenge: challenge, prompt: 'consent' }),
        'legacy',
      ],
      [legacyAuthorizeUrl(issuer, legacy, { force_prompt: '1' }), 'current'],
    ] as const) {
      const page = await visitor.get(url)
      const answer = await visitor.fetch(`${page.url}/${foreign}`)
      t.equal(answer.status, 400, 'the other direction')
      t.equal(answer.headers.get('location'), null)
      t.ok((await visitor.submit(page, { decision: 'approve' })).left)
    }
    const implicit = authorizeUrl(issuer, confidential, {
      code_challenge: challenge,
      response_type: 'token',
    })
    const answer = await visitor.fetch(implicit)
    t.match(answer.headers.get('location'), /error=/)
    t.notMatch(answer.headers.get('location'), /access_token/)
  })
})
