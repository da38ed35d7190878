import {
  clientCredentials,
  credentials,
  currentCode,
  exchangeCode,
  legacyCode,
  legacyToken,
  post,
  refresh,
} from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { rawRequest, sendRaw } from '../support/raw-http.ts'
import { signedIn } from '../support/signed-in.ts'
import { amounts, sql } from '../support/traces.ts'
import { createApp, install, type TestApp } from '../support/world.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')
const formEncoded = (text: string) => String(new URLSearchParams([['', text]])).slice(1)
const basic = (id: string, secret: string) =>
  `Basic ${base64(`${formEncoded(id)}:${formEncoded(secret)}`)}`

type Fields = Record<string, string | string[] | undefined>

await onEachBackend(
  'client authentication',
  async (t, { running, issuer, world, stores }) => {
    const { confidential, second, publicApp, legacy, ana, acme } = world
    const visitor = await signedIn(issuer, ana)
    const grant = await currentCode(running, confidential, ana, {}, visitor)
    const more = await currentCode(running, confidential, ana, {}, visitor)
    const token = (await exchangeCode(issuer, confidential, more)).body.refresh_token as string
    const old = await legacyCode(running, legacy, ana, {}, visitor)
    const current = `${issuer}/api/oauth/token`

    type Attempt = (fields: Fields, headers?: Record<string, string>) => ReturnType<typeof post>
    /** Requests that are correct except for the client authentication. */
    const attempts: Record<string, { app: TestApp; send: Attempt }> = {
      code: {
        app: confidential,
        send: (fields, headers) => exchangeCode(issuer, confidential, grant, fields, headers),
      },
      refresh: {
        app: confidential,
        send: (fields, headers) => refresh(issuer, confidential, token, fields, headers),
      },
      install: {
        app: confidential,
        send: (fields, headers) =>
          post(
            current,
            {
              grant_type: 'client_credentials',
              organization_id: acme,
              ...credentials(confidential),
              ...fields,
            },
            headers,
          ),
      },
      legacy: {
        app: legacy,
        send: (fields, headers) =>
          legacyToken(
            issuer,
            legacy,
            { grant_type: 'authorization_code', code: old.code, ...fields },
            headers,
          ),
      },
    }
    const anonymous = { client_id: undefined, client_secret: undefined }
    const before = await amounts(stores)

    t.test('CLI-01 every authentication failure returns the same answer', async (t) => {
      const seen = new Set<string>()
      for (const [label, { send }] of Object.entries(attempts)) {
        const failures: Fields[] = [
          { client_id: 'app0000000000000000000' },
          { client_id: 'nope' },
          { client_secret: 'wrong' },
          { client_secret: second.client_secret },
          { client_secret: undefined },
          { client_secret: '' },
          { client_id: second.client_id },
          { client_id: label === 'legacy' ? confidential.client_id : legacy.client_id },
          anonymous,
        ]
        for (const fields of failures) {
          const { status, body, headers } = await send(fields)
          t.equal(status, 401, `${label} ${JSON.stringify(fields)}`)
          t.equal(headers.get('www-authenticate'), null)
          t.equal(headers.get('cache-control'), 'no-store')
          seen.add(JSON.stringify(body))
        }
        const pairs: [string, string][] = [
          ['app0000000000000000000', 'x'],
          [attempts[label]?.app.client_id as string, 'x'],
        ]
        for (const [id, secret] of pairs) {
          const answer = await send(anonymous, { authorization: basic(id, secret) })
          t.equal(answer.status, 401)
          t.match(answer.headers.get('www-authenticate'), /^Basic realm="/)
          seen.add(JSON.stringify(answer.body))
        }
      }
      t.equal(seen.size, 1, 'one body for all failures')
      t.match([...seen][0], '"error":"invalid_client"')
    })

    t.test('CLI-03 CLI-04 rejects two mechanisms or two identities', async (t) => {
      for (const [label, { app, send }] of Object.entries(attempts)) {
        const authorization = basic(app.client_id, app.client_secret)
        const twice: Fields[] = [
          {},
          { client_id: undefined },
          { client_secret: 'x' },
          { client_id: undefined, client_secret: 'x' },
          { client_secret: undefined, client_assertion: 'x' },
        ]
        for (const fields of twice) {
          const answer = await send(fields, { authorization })
          t.match(answer, { status: 400, body: { error: 'invalid_request' } }, label)
        }
        for (const client_id of [
          second.client_id,
          publicApp.client_id,
          'nope',
          ` ${app.client_id}`,
        ]) {
          const answer = await send({ client_id, client_secret: undefined }, { authorization })
          t.match(answer, { status: 400, body: { error: 'invalid_request' } }, label)
        }
        const assertion = {
          client_assertion: 'x',
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        }
        const both = await send(assertion)
        t.match(both, { status: 400, body: { error: 'invalid_request' } }, 'secret and assertion')
      }
      const own = { authorization: basic(second.client_id, second.client_secret) }
      for (const label of ['code', 'refresh'] as const) {
        const answer = await attempts[label]?.send(anonymous, own)
        t.match(answer, { status: 400, body: { error: 'invalid_grant' } }, 'another client’s')
      }
    })

    t.test('CLI-05 rejects a malformed Authorization header', async (t) => {
      for (const [label, { app, send }] of Object.entries(attempts)) {
        const { client_id: id, client_secret: secret } = app
        const right = base64(`${id}:${secret}`)
        const malformed = [
          '',
          'Basic',
          'Basic ',
          'Basic %%%',
          `Basic ${base64(id + secret)}`,
          `Basic ${base64(`:${secret}`)}`,
          `Basic ${base64(':')}`,
          `Basic ${base64(`${id}:`)}`,
          `Basic ${base64(`${id}:%zz`)}`,
          `Basic ${base64(`${id}:%ff`)}`,
          `Basic ${base64(`${id}:${secret}\0`)}`,
          `Basic ${base64(`${id}:${secret}\n`)}`,
          `Basic ${base64(`${id}:${secret}:`)}`,
          `Basic ${base64(` ${id}:${secret}`)}`,
          `Basic ${base64(`${id}:+${secret}`)}`,
          `Basic ${base64(`${id}\u00e9:${secret}`)}`,
          `Basic ${Buffer.from('\u00fe\u00ff?>:x', 'latin1').toString('base64url')}-_`,
          `Basic ${right}=`,
          `Basic ${right} ${right}`,
          `Basic ${right}, Basic ${right}`,
          `Basic\t${right}`,
          `Basic:${right}`,
          `Basic="${right}"`,
          `Basic ${'A'.repeat(8000)}`,
          `Bearer ${right}`,
          'Bearer x',
          'Digest username="x"',
          'Negotiate x',
          right,
          `${id}:${secret}`,
        ]
        for (const authorization of malformed) {
          const answer = await send(anonymous, { authorization })
          const name = `${label}: ${authorization.slice(0, 40)}`
          t.ok([400, 401].includes(answer.status), `${name}: ${answer.status}`)
          t.match(answer.body.error, /^invalid_(client|request)$/, name)
        }
      }
    })

    t.test('CLI-05 rejects two Authorization headers', async (t) => {
      const { client_id, client_secret } = confidential
      const right = `Authorization: ${basic(client_id, client_secret)}`
      const wrong = `Authorization: ${basic(client_id, 'x')}`
      const body = String(
        new URLSearchParams({ grant_type: 'client_credentials', organization_id: acme }),
      )
      const type = 'Content-Type: application/x-www-form-urlencoded'
      for (const pair of [
        [right, wrong],
        [wrong, right],
        [right, right],
      ]) {
        const bytes = rawRequest(current, 'POST /api/oauth/token', [type, ...pair], body)
        const { text, statuses } = await sendRaw(current, bytes)
        t.match(statuses.join(), /^40[01]$/)
        t.notMatch(text, 'access_token')
      }
    })

    t.test('CLI-07 rejects near-misses of a secret', async (t) => {
      for (const [label, { app, send }] of Object.entries(attempts)) {
        const right = app.client_secret
        const flipped = right.replace(/[a-z](?=[^a-z]*$)/, (one) => one.toUpperCase())
        const near = [
          right.slice(0, -1),
          right.slice(1),
          `${right}x`,
          `${right}\n`,
          `${right}\0`,
          `${right} `,
          ` ${right}`,
          flipped,
          right.toUpperCase(),
          right.slice(0, 20),
          right.replace(/^lkcs_/, ''),
          `${right}${right}`,
          `${right.slice(0, 30)}\0${right.slice(30)}`,
          `${right}\u200b`,
          'x'.repeat(50_000),
          "' or '1'='1",
          'undefined',
          'null',
          '[object Object]',
        ]
        for (const client_secret of near) {
          const name = `${label}: ${JSON.stringify(client_secret).slice(0, 50)}`
          const posted = await send({ client_secret })
          t.match(posted, { status: 401, body: { error: 'invalid_client' } }, name)
          if (client_secret.length > 1000) continue
          const answer = await send(anonymous, {
            authorization: basic(app.client_id, client_secret),
          })
          t.match(answer, { status: 401, body: { error: 'invalid_client' } }, name)
        }
        const huge = await send({ client_secret: 'x'.repeat(1_000_000) })
        t.match(huge.status, /^40[01]$/, 'refused before the body is parsed')
      }
    })

    t.test('CLI-08 the stored digest is not accepted as a secret', async (t) => {
      const rows = await sql<{ client_id: string; digest: Buffer; hint: string; id: string }>(
        stores,
        'select client_id, digest, hint, id from app_secrets',
      )
      const { send } = attempts.install as { send: Attempt }
      for (const { digest, hint, id } of rows.filter(
        (row) => row.client_id === confidential.client_id,
      )) {
        const forms = [
          digest.toString('hex'),
          `\\x${digest.toString('hex')}`,
          digest.toString('base64'),
          digest.toString('base64url'),
          digest.toString('latin1'),
          hint,
          id,
        ]
        for (const client_secret of forms) t.equal((await send({ client_secret })).status, 401)
      }
    })

    t.test('CLI-06 COD-09 RFT-04 failed authentications consume no code or token', async (t) => {
      t.same(await amounts(stores), before)
      const { send } = attempts.code as { send: Attempt }
      const { client_id, client_secret } = confidential
      const code = await send(anonymous, { authorization: basic(client_id, client_secret) })
      t.equal(code.status, 200, 'Basic')
      const lower = await refresh(issuer, confidential, token, anonymous, {
        authorization: basic(client_id, client_secret).replace('Basic', 'bASIC'),
      })
      t.equal(lower.status, 200, 'the scheme is case-insensitive')
      t.equal((await attempts.legacy?.send({}))?.status, 200)
      const named = await attempts.install?.send(
        { client_secret: undefined },
        { authorization: basic(client_id, client_secret) },
      )
      t.equal(named?.status, 200, 'the same client_id in the header and the body')
    })

    t.test('CLI-05 decodes form-urlencoded id and secret in Basic', async (t) => {
      const { client_id, client_secret } = confidential
      const everything = (text: string) =>
        [...text].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('')
      for (const authorization of [
        `Basic ${base64(`${client_id}:${client_secret}`)}`,
        `Basic ${base64(`${everything(client_id)}:${everything(client_secret)}`)}`,
        `Basic ${base64(`${client_id}:${client_secret.replace('_', '%5F')}`)}`,
        `Basic ${base64(`${client_id}:${client_secret.replace('_', '%5f')}`)}`,
        `Basic   ${base64(`${client_id}:${client_secret}`)}`, // RFC 9110 §11.4: one space or more
      ]) {
        const answer = await attempts.install?.send(anonymous, { authorization })
        t.equal(answer?.status, 200, authorization.slice(0, 20))
      }
      const twice = `Basic ${base64(`${client_id}:${client_secret.replace('_', '%255f')}`)}`
      t.equal((await attempts.install?.send(anonymous, { authorization: twice }))?.status, 401)
    })

    t.test('CLI-09 ADM-06 rejects a disabled or deleted app', async (t) => {
      for (const end of ['disable', 'delete']) {
        const app = await createApp(running, { name: 'Short-lived' })
        await install(running, acme, app)
        const unused = await currentCode(running, app, ana, {}, visitor)
        const used = await currentCode(running, app, ana, {}, visitor)
        const { body } = await exchangeCode(issuer, app, used)
        const path = `/apps/${app.client_id}`
        if (end === 'disable') await running.operator('PATCH', path, { disabled: true })
        else await running.operator('DELETE', path)
        for (const url of running.urls) {
          const answers = await Promise.all([
            exchangeCode(url, app, unused),
            refresh(url, app, body.refresh_token),
            clientCredentials(url, app, acme),
          ])
          for (const answer of answers)
            t.match(answer, { status: 401, body: { error: 'invalid_client' } }, end)
        }
        if (end === 'delete') continue
        await running.operator('PATCH', path, { disabled: false })
        t.equal((await clientCredentials(issuer, app, acme)).status, 200, 'enabled again')
        t.equal((await refresh(issuer, app, body.refresh_token)).body.error, 'invalid_grant')
        t.equal((await exchangeCode(issuer, app, unused)).body.error, 'invalid_grant')
      }
    })

    t.test('CLI-09 a revoked secret is refused on every instance at once', async (t) => {
      const app = await createApp(running, { name: 'Rotating' })
      await install(running, acme, app)
      const answer = await running.operator('POST', `/apps/${app.client_id}/secrets`, {})
      t.equal(answer.status, 201)
      for (const url of running.urls) {
        t.equal((await clientCredentials(url, app, acme)).status, 401)
        const renewed = { ...app, client_secret: answer.body.client_secret }
        t.equal((await clientCredentials(url, renewed, acme)).status, 200)
      }
    })
  },
  { instances: 2, environment: { LIMIT_CLIENT_FAILURES: '100000' } },
)
